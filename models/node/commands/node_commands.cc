// FORGET, REPLICATE, RESET, MEET, FAILOVER, COUNT-FAILURE-REPORTS and SAVECONFIG.
// SOURCE: Redis 7.0.15, clusterCommand and clusterReset in src/cluster.c; node.md 2.8 to 2.12, 2.20
// and 2.22.
#include "models/node/commands/node_commands.h"

#include <fmt/format.h>

#include "models/node/failover/cluster_state.h"
#include "models/node/failover/election.h"
#include "models/node/failover/manual.h"
#include "models/node/failover/membership.h"
#include "models/node/failover/peer_memory.h"
#include "models/node/heartbeat.h"
#include "models/node/ownership/epochs.h"
#include "models/node/ownership/slot_table.h"
#include "models/node/replication.h"
#include "models/node/serving/keyspace.h"
#include "models/node/step_codes.h"

namespace slotlab::node {

namespace {

using protocol::Rule;
using protocol::Wording;

// "a replica" in the words of the version.
std::string_view replica_word(const Context& context) {
  return worded_as(context, Wording::redis_3_0) ? "slave" : "replica";
}

void replicate_master(Context& context, NodeId master) {
  set_my_master(context, {.master = master, .close_slots = true});
  context.todo.update_state = true;
  context.todo.save = true;
  if (context.rule(Rule::replicate_broadcasts)) broadcast_pong(context);
}

void become_nobody(Context& context) {
  if (context.my_record().replica) {
    set_node_as_master(context, context.me());
    remove_all_keys(context);
    if (context.rule(Rule::shard_ids)) context.my_record().shard = context.me();
  }
  leave_replication(context);
  close_all_slots(context);
  reset_manual_failover(context);
  for (std::size_t c = 0; c < context.slot_classes(); ++c) {
    del_slot(context, static_cast<SlotClass>(c));
  }
  std::vector<NodeId> others;
  for (const auto& [node, record] : context.config().nodes) {
    if (node != context.me()) others.push_back(node);
  }
  for (const NodeId node : others) del_node(context, node);
  if (context.rule(Rule::forget_gossiped)) context.memory().blacklist.clear();
}

void take_identity(Context& context, NodeId next) {
  Durable& config = context.config();
  NodeRecord mine = context.my_record();
  mine.config_epoch = 0;
  if (context.rule(Rule::shard_ids)) mine.shard = next;
  config.nodes.clear();
  config.nodes.emplace(next, mine);
  config.me = next;
  config.current_epoch = 0;
  config.last_vote_epoch = 0;
}

std::optional<std::int64_t> read_port(std::string_view word) { return read_integer(word); }

Reply invalid_port(const Context& context, bool bus, std::string_view word) {
  switch (context.settings.dialect.wording) {
    case Wording::redis_3_0: return err(fmt::format("Invalid TCP port specified: {}", word));
    case Wording::redis_7_0:
      return err(fmt::format("Invalid TCP {} port specified: {}", bus ? "bus" : "base", word));
    case Wording::redis_7_2:
    case Wording::valkey_8_0: break;
  }
  return err(fmt::format("Invalid {} port specified: {}", bus ? "bus" : "base", word));
}

// Four numbers with dots, or something with colons: the servers ask their C library.
bool is_address(std::string_view ip) {
  if (ip.find(':') != std::string_view::npos) {
    return ip.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
  }
  std::size_t parts = 0;
  while (true) {
    const auto dot = ip.find('.');
    const auto part = read_integer(ip.substr(0, dot));
    if (!part || *part < 0 || *part > 255) return false;
    ++parts;
    if (dot == std::string_view::npos) return parts == 4;
    ip.remove_prefix(dot + 1);
  }
}

enum class How : std::uint8_t { ask, force, takeover };

std::optional<How> read_how(const Words& words) {
  if (words.size() == 2) return How::ask;
  if (same_word(words[2], "FORCE")) return How::force;
  if (same_word(words[2], "TAKEOVER")) return How::takeover;
  return std::nullopt;
}

std::optional<Reply> refuse_failover(Context& context, How how) {
  const NodeRecord& me = context.my_record();
  if (!me.replica) {
    return err(fmt::format("You should send CLUSTER FAILOVER to a {}", replica_word(context)));
  }
  const NodeRecord* master = me.master == kNoNode ? nullptr : context.find(me.master);
  if (master == nullptr) {
    return err(fmt::format("I'm a {} but my master is unknown to me", replica_word(context)));
  }
  // A suspected master stands for one without a link, see failing().
  if (how == How::ask && failing(*master)) {
    return err("Master is down or failed, please use CLUSTER FAILOVER FORCE");
  }
  return std::nullopt;
}

}  // namespace

Reply forget(Context& context, const Words& words) {
  const NodeId node = known_node(context.state, context.settings, words[2]);
  if (node == kNoNode) {
    const NodeId id = context.settings.directory.by_id(words[2]);
    const bool forgotten = id != kNoNode && context.memory().blacklist.count(id) != 0;
    if (context.rule(Rule::forget_gossiped) && forgotten) {
      context.effects.note("FORGET: forgotten already");
      return Reply::ok();
    }
    return unknown_node(words[2]);
  }
  if (node == context.me()) return err("I tried hard but I can't forget myself...");
  if (context.my_record().replica && context.my_record().master == node) {
    return err("Can't forget my master!");
  }
  forget_node(context, node);
  context.effects.rearm(make_step(StepKind::membership_expires, node));
  return Reply::ok();
}

Reply replicate(Context& context, const Words& words) {
  const NodeId node = known_node(context.state, context.settings, words[2]);
  if (node == kNoNode) return unknown_node(words[2]);
  if (node == context.me()) return err("Can't replicate myself");
  if (context.find(node)->replica) {
    return err(fmt::format("I can only replicate a master, not a {}.", replica_word(context)));
  }
  const NodeRecord& me = context.my_record();
  const bool owns_slots = slots_owned_by(context.state, context.me()) != 0;
  if (!me.replica && (owns_slots || has_any_keys(context.state))) {
    return err("To set a master the node must be empty and without assigned slots.");
  }
  if (context.rule(Rule::replicate_broadcasts) && me.replica && me.master == node) {
    context.effects.note("REPLICATE: it is my master already");
    return Reply::ok();
  }
  replicate_master(context, node);
  return Reply::ok();
}

Reply reset(Context& context, const Words& words) {
  const bool hard = words.size() > 2 && same_word(words[2], "HARD");
  if (words.size() > 2 && !hard && !same_word(words[2], "SOFT")) return err("syntax error");
  if (!context.my_record().replica && has_any_keys(context.state)) {
    return err("CLUSTER RESET can't be called with master nodes containing keys");
  }
  const auto& after = context.settings.directory.after_reset;
  const NodeId next = index(context.me()) < after.size() ? after[index(context.me())] : kNoNode;
  if (hard && next == kNoNode) {
    return err("this scenario has no further identity for a hard reset of this node");
  }
  become_nobody(context);
  if (hard) take_identity(context, next);
  context.todo.save = true;
  context.todo.update_state = true;
  context.todo.fsync = true;
  return Reply::ok();
}

Reply meet(Context& context, const Words& words) {
  const auto port = read_port(words[3]);
  if (!port) return invalid_port(context, false, words[3]);
  const auto bus_port = words.size() > 4 ? read_port(words[4]) : std::optional(*port + 10000);
  if (!bus_port) return invalid_port(context, true, words[4]);
  const auto in_range = [](std::int64_t number) { return number > 0 && number <= 65535; };
  if (!is_address(words[2]) || !in_range(*port) || !in_range(*bus_port)) {
    return err(fmt::format("Invalid node address specified: {}:{}", words[2], words[3]));
  }
  const NodeId node = identity_at(context.state, context.settings, words[2],
                                  static_cast<std::uint16_t>(*port));
  if (node == kNoNode) {
    context.effects.note("MEET: nobody lives at this address");
  } else {
    start_handshake(context, node, Greeting::meet);
  }
  return Reply::ok();
}

Reply failover(Context& context, const Words& words) {
  const auto how = read_how(words);
  if (!how) return err("syntax error");
  if (const auto refused = refuse_failover(context, *how)) return *refused;
  reset_manual_failover(context);
  ManualFailover& manual = context.memory().manual;
  manual.running = true;
  context.effects.rearm(make_step(StepKind::manual_ends));
  switch (*how) {
    case How::takeover:
      bump_config_epoch_without_consensus(context);
      take_over(context);
      break;
    case How::force:
      manual.can_start = true;  // the 100 ms timer goes on from here
      break;
    case How::ask:
      send_packet(context, context.my_record().master,
                  build_packet(context, protocol::PacketType::mfstart));
      break;
  }
  return Reply::ok();
}

Reply count_failure_reports(Context& context, const Words& words) {
  const NodeId node = known_node(context.state, context.settings, words[2]);
  if (node == kNoNode) return unknown_node(words[2]);
  return Reply::integer(
      static_cast<std::int64_t>(peer_memory(context.state, node).fail_reports.size()));
}

Reply save_config_now(Context& context) {
  context.todo.save = true;
  context.todo.fsync = true;
  return Reply::ok();
}

}  // namespace slotlab::node
