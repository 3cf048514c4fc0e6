// Handshake, FORGET, and what gossip adds; node.md 2.8, 2.11 and 3.6.
#include "models/node/failover/membership.h"

#include <fmt/format.h>

#include "models/node/failover/peer_memory.h"
#include "models/node/heartbeat.h"
#include "models/node/ownership/slot_table.h"

namespace slotlab::node {

namespace {

using protocol::PacketType;
using protocol::Rule;

NodeId own_shard(NodeId node) { return node; }  // a new node founds a shard of its own

}  // namespace

void start_handshake(Context& context, NodeId node, Greeting greeting) {
  if (node == context.me()) return context.effects.note("handshake: that is me");
  if (const NodeRecord* record = context.find(node)) {
    return context.effects.note(record->handshake ? "handshake: already in progress"
                                                  : "handshake: already known");
  }
  NodeRecord record;
  record.handshake = true;
  record.shard = own_shard(node);
  context.config().nodes.emplace(node, record);
  const PacketType type = greeting == Greeting::meet ? PacketType::meet
                          : context.settings.heartbeats == Heartbeats::merged
                              ? PacketType::heartbeat
                              : PacketType::ping;
  send_packet(context, node, build_packet(context, type, node));
  context.effects.note(fmt::format("handshake with {}", context.settings.directory[node].name));
}

NodeId identity_at(const NodeState& state, const NodeSettings& settings, std::string_view ip,
                   std::uint16_t port) {
  NodeId node = settings.directory.by_address(ip, port);
  while (node != kNoNode && state.config.nodes.count(node) != 0) {
    const auto& after = settings.directory.after_reset;
    const NodeId next = index(node) < after.size() ? after[index(node)] : kNoNode;
    if (next == kNoNode) break;
    node = next;
  }
  return node;
}

void expire_handshake(Context& context, NodeId node) {
  const NodeRecord* record = context.find(node);
  if (record == nullptr || !record->handshake) return;
  del_node(context, node);
  context.effects.note(
      fmt::format("handshake with {} timed out", context.settings.directory[node].name));
}

void gossip_about_unknown(Context& context, NodeId sender, const protocol::GossipEntry& entry) {
  if (sender == kNoNode) return context.effects.note("gossip ignored: unknown sender");
  if (entry.node == context.me()) return context.effects.note("gossip ignored: it is about me");
  if (entry.no_addr) return context.effects.note("gossip ignored: a node without address");
  if (context.memory().blacklist.count(entry.node) != 0) {
    return context.effects.note("gossip ignored: a forgotten node");
  }
  if (!context.rule(Rule::gossip_adds_nodes)) {
    return start_handshake(context, entry.node, Greeting::meet);
  }
  if (context.find(entry.node) != nullptr) {
    // A server would now hold the node twice, under its id and under the handshake's; the next
    // answer removes the handshake. Here the record is one.
    context.effects.note("gossip ends a handshake: the node is known now");
  }
  NodeRecord record;
  record.replica = entry.replica;
  record.pfail = entry.pfail;
  record.fail = entry.fail;
  record.shard = own_shard(entry.node);
  context.config().nodes[entry.node] = record;
  if (entry.fail) {
    // The servers leave its time of failure at zero, which is long ago.
    change_peer_memory(context, entry.node, [](PeerMemory& memory) { memory.fail_is_old = true; });
  }
  context.effects.note(
      fmt::format("learns of {} by gossip", context.settings.directory[entry.node].name));
}

void forget_node(Context& context, NodeId node) {
  context.memory().blacklist.insert(node);
  del_node(context, node);
  context.todo.update_state = true;
  context.todo.save = true;
}

void process_forgotten(Context& context, NodeId sender, const protocol::Packet& packet) {
  if (!context.rule(Rule::forget_gossiped) || packet.forgotten.empty()) return;
  if (sender == kNoNode) return context.effects.note("forgotten nodes ignored: unknown sender");
  for (const NodeId node : packet.forgotten) {
    if (context.find(node) == nullptr) continue;
    if (node == context.me()) {
      context.effects.note("forgotten node ignored: that is me");
    } else if (node == context.my_record().master) {
      context.effects.note("forgotten node ignored: it is my master");
    } else {
      forget_node(context, node);
      context.effects.note(
          fmt::format("forgets {} as told", context.settings.directory[node].name));
    }
  }
}

}  // namespace slotlab::node
