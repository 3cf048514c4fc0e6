// PFAIL, reports, FAIL, and the way back; node.md 3.6, 4.1 and 4.2.
#include "models/node/failover/detection.h"

#include <fmt/format.h>

#include "models/node/failover/cluster_state.h"
#include "models/node/failover/membership.h"
#include "models/node/failover/peer_memory.h"
#include "models/node/heartbeat.h"
#include "models/node/ownership/slot_table.h"
#include "models/node/step_codes.h"

namespace slotlab::node {

namespace {

using protocol::Rule;

const std::string& name_of(const Context& context, NodeId node) {
  return context.settings.directory[node].name;
}

// Whether what a master says about failures counts.
bool may_report(const Context& context, NodeId node) {
  const auto at = context.state.config.nodes.find(node);
  if (at == context.state.config.nodes.end() || at->second.replica) return false;
  return !context.rule(Rule::reports_need_slots) || slots_owned_by(context.state, node) > 0;
}

void set_failed(Context& context, NodeId node) {
  NodeRecord& record = context.config().nodes.at(node);
  record.pfail = false;
  record.fail = true;
  change_peer_memory(context, node, [](PeerMemory& memory) { memory.fail_is_old = false; });
  context.todo.update_state = true;
  context.todo.save = true;
}

void clear_failed(Context& context, NodeId node) {
  context.config().nodes.at(node).fail = false;
  change_peer_memory(context, node, [](PeerMemory& memory) { memory.fail_is_old = false; });
  context.todo.update_state = true;
  context.todo.save = true;
}

void broadcast_fail(Context& context, NodeId failed) {
  protocol::Packet packet = build_packet(context, protocol::PacketType::fail);
  packet.subject = failed;
  broadcast_packet(context, packet);
}

// PFAIL becomes FAIL if enough masters say so.
void mark_node_as_failing_if_needed(Context& context, NodeId node) {
  const NodeRecord& record = context.config().nodes.at(node);
  if (record.fail) return context.effects.note("fail report: already failed");
  if (!record.pfail) return context.effects.note("fail report: I can reach it");
  std::size_t reports = peer_memory(context.state, node).fail_reports.size();
  if (may_report(context, context.me())) ++reports;
  if (reports < quorum(context.state)) return context.effects.note("fail report: no majority yet");
  set_failed(context, node);
  context.effects.note(fmt::format("{} is failed: a majority says so", name_of(context, node)));
  if (!context.my_record().replica || context.rule(Rule::replicas_broadcast_fail)) {
    broadcast_fail(context, node);
  }
}

void drop_fail_report(Context& context, NodeId node, NodeId reporter) {
  if (peer_memory(context.state, node).fail_reports.count(reporter) == 0) return;
  change_peer_memory(context, node,
                     [&](PeerMemory& memory) { memory.fail_reports.erase(reporter); });
  context.effects.note(fmt::format("{} no longer reports {}", name_of(context, reporter),
                                   name_of(context, node)));
}

void gossip_about_known(Context& context, NodeId sender, const protocol::GossipEntry& entry) {
  const bool reports = entry.pfail || entry.fail;
  const auto ignore = [&](std::string_view why) {
    if (reports) context.effects.note(why);
  };
  if (sender == kNoNode) return ignore("fail report ignored: unknown sender");
  if (entry.node == context.me()) return ignore("fail report ignored: it is about me");
  if (!may_report(context, sender)) return ignore("fail report ignored: not from a voter");
  if (reports) {
    on_fail_report(context, entry.node, sender);
  } else {
    drop_fail_report(context, entry.node, sender);
  }
}

// A merged heartbeat tells of failures only, so whom it leaves out is well in the sender's eyes.
void drop_reports_left_out(Context& context, NodeId sender, const protocol::Packet& packet) {
  if (packet.header.type != protocol::PacketType::heartbeat || sender == kNoNode) return;
  std::set<NodeId> told;
  for (const protocol::GossipEntry& entry : packet.gossip) told.insert(entry.node);
  std::vector<NodeId> left_out;
  for (const auto& [node, memory] : context.memory().peers) {
    if (told.count(node) == 0) left_out.push_back(node);
  }
  for (const NodeId node : left_out) drop_fail_report(context, node, sender);
}

}  // namespace

void suspect(Context& context, NodeId node) {
  NodeRecord& record = context.config().nodes.at(node);
  record.pfail = true;
  context.effects.note(fmt::format("suspects {}", name_of(context, node)));
  // The servers evaluate their state at the end of the same pass; they do not save.
  context.todo.update_state = true;
  const bool alone = context.memory().size == 1 && may_report(context, context.me());
  if (context.rule(Rule::lone_master_fails_alone) && alone) {
    mark_node_as_failing_if_needed(context, node);
  }
}

void on_fail_report(Context& context, NodeId failing, NodeId reporter) {
  change_peer_memory(context, failing,
                     [&](PeerMemory& memory) { memory.fail_reports.insert(reporter); });
  context.effects.rearm(
      make_step(StepKind::report_expires, failing, static_cast<std::uint32_t>(reporter)));
  mark_node_as_failing_if_needed(context, failing);
}

void on_fail_packet(Context& context, NodeId sender, NodeId failed) {
  if (sender == kNoNode) return context.effects.note("FAIL ignored: unknown sender");
  if (failed == context.me()) return context.effects.note("FAIL ignored: it is about me");
  const NodeRecord* record = context.find(failed);
  if (record == nullptr || record->handshake) {
    return context.effects.note("FAIL ignored: unknown node");
  }
  if (record->fail) return context.effects.note("FAIL ignored: already failed");
  set_failed(context, failed);
  context.effects.note(fmt::format("{} is failed: {} says so", name_of(context, failed),
                                   name_of(context, sender)));
}

void clear_failure_if_needed(Context& context, NodeId node) {
  NodeRecord& record = context.config().nodes.at(node);
  if (record.pfail) {
    record.pfail = false;
    context.todo.update_state = true;
    context.todo.save = true;
    context.effects.note(fmt::format("{} is no longer suspected", name_of(context, node)));
    return;
  }
  if (!record.fail) return;
  if (record.replica || slots_owned_by(context.state, node) == 0 ||
      peer_memory(context.state, node).fail_is_old) {
    clear_failed(context, node);
    context.effects.note(fmt::format("{} is no longer failed", name_of(context, node)));
    return;
  }
  context.effects.note("stays failed: a master with slots that failed lately");
}

void process_gossip(Context& context, NodeId sender, const protocol::Packet& packet) {
  const NodeRecord* record = sender == kNoNode ? nullptr : context.find(sender);
  const NodeId known_sender = record == nullptr || record->handshake ? kNoNode : sender;
  for (const protocol::GossipEntry& entry : packet.gossip) {
    const NodeRecord* about = context.find(entry.node);
    if (about != nullptr && !about->handshake) {
      gossip_about_known(context, known_sender, entry);
    } else {
      gossip_about_unknown(context, known_sender, entry);
    }
  }
  drop_reports_left_out(context, known_sender, packet);
}

}  // namespace slotlab::node
