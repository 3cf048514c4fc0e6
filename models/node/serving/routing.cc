// The steps D1 to D15, each a line or two; see routing.h.
#include "models/node/serving/routing.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/node/ownership/slot_table.h"
#include "models/node/serving/keyspace.h"
#include "models/protocol/key_slot.h"

namespace slotlab::node {
namespace {

using protocol::Rule;

// What one pass over the keys finds out.
struct Seen {
  protocol::Slot slot = 0;
  NodeId owner = kNoNode;
  NodeId migrating_to = kNoNode;
  bool importing = false;
  bool distinct = false;  // two different names
  std::size_t existing = 0;
  std::size_t missing = 0;
};

Reply cluster_down(std::string_view text) {
  return Reply::error(fmt::format("CLUSTERDOWN {}", text));
}

Reply redirect(const Context& context, std::string_view word, protocol::Slot slot, NodeId to) {
  const protocol::Identity& there = context.settings.directory[to];
  return Reply::error(fmt::format("{} {} {}:{}", word, slot, there.ip, there.port));
}

Reply try_again() {
  return Reply::error("TRYAGAIN Multiple keys request during rehashing of slot");
}

// Whose slots this node serves as its own: a replica of Valkey knows its master's open slots.
bool minds_open_slots(const Context& context, const Connection& connection) {
  if (!context.rule(Rule::replicas_know_open_slots)) return true;
  const NodeRecord& mine = context.state.config.nodes.at(context.me());
  return !mine.replica || connection.readonly;
}

NodeId my_primary(const Context& context) {
  return context.rule(Rule::replicas_know_open_slots) ? top_master(context.state, context.me())
                                                      : context.me();
}

void look_at_open_slot(const Context& context, const RoutedRequest& request,
                       const Connection& connection, SlotClass slot, Seen& seen) {
  if (!minds_open_slots(context, connection)) return;
  const Durable& config = context.state.config;
  if (seen.owner == my_primary(context) && config.migrating_to[slot] != kNoNode) {
    seen.migrating_to = config.migrating_to[slot];
  } else {
    seen.importing = config.importing_from[slot] != kNoNode;
  }
  if (request.pubsubshard || (seen.migrating_to == kNoNode && !seen.importing)) return;
  for (const std::string& key : request.keys) {
    ++(key_exists(context, key) ? seen.existing : seen.missing);
  }
}

// D2 and D3, which come before everything else. Nothing: the pass went through.
std::optional<Reply> pass(const Context& context, const RoutedRequest& request,
                          const Connection& connection, Seen& seen) {
  seen.slot = protocol::key_slot(request.keys.front());
  const auto slot = context.settings.slots.of(seen.slot);
  if (slot) seen.owner = context.state.config.owner[*slot];
  if (seen.owner == kNoNode) return cluster_down("Hash slot not served");
  for (const std::string& key : request.keys) {
    if (key == request.keys.front()) continue;
    if (protocol::key_slot(key) != seen.slot) {
      return Reply::error("CROSSSLOT Keys in request don't hash to the same slot");
    }
    seen.distinct = true;
  }
  look_at_open_slot(context, request, connection, *slot, seen);
  return std::nullopt;
}

// D5 to D7.
std::optional<Reply> refuse_when_down(const Context& context, const RoutedRequest& request) {
  if (context.rule(Rule::cluster_down_checked_first)) return std::nullopt;  // made earlier
  if (context.state.memory.state_ok) return std::nullopt;
  if (request.pubsubshard) {
    if (context.settings.pubsubshard_when_down) return std::nullopt;
    return cluster_down("The cluster is down");
  }
  if (!context.settings.reads_when_down) return cluster_down("The cluster is down");
  if (request.write) return cluster_down("The cluster is down and only accepts read commands");
  return std::nullopt;
}

// D13.
bool replica_serves(const Context& context, const RoutedRequest& request,
                    const Connection& connection, NodeId owner) {
  const NodeRecord& mine = context.state.config.nodes.at(context.me());
  if (!mine.replica || mine.master != owner) return false;
  if (request.write || request.writes_inside) return false;
  if (context.rule(Rule::replica_reads_by_flag) && !request.readonly_flag) return false;
  return connection.readonly || request.pubsubshard;
}

bool may_migrate_here(const Context& context) {
  return !context.rule(Rule::replicas_know_open_slots) ||
         !context.state.config.nodes.at(context.me()).replica;
}

}  // namespace

std::optional<Reply> route(const Context& context, const RoutedRequest& request,
                           const Connection& connection) {
  if (request.keys.empty()) return std::nullopt;  // D4
  Seen seen;
  if (auto refused = pass(context, request, connection, seen)) return refused;
  if (auto refused = refuse_when_down(context, request)) return refused;
  const bool migrating = seen.migrating_to != kNoNode;
  if ((migrating || seen.importing) && request.migrate && may_migrate_here(context)) {
    return std::nullopt;  // D8
  }
  if (migrating && seen.missing > 0) {  // D9, D10
    const bool some = seen.existing > 0 && context.rule(Rule::ask_with_missing_keys_tryagain);
    return some ? try_again() : redirect(context, "ASK", seen.slot, seen.migrating_to);
  }
  if (seen.importing && (connection.asking || request.asking_flag)) {  // D11, D12
    if (seen.distinct && seen.missing > 0) return try_again();
    return std::nullopt;
  }
  if (replica_serves(context, request, connection, seen.owner)) return std::nullopt;
  if (seen.owner == context.me()) return std::nullopt;            // D14
  return redirect(context, "MOVED", seen.slot, seen.owner);       // D15
}

}  // namespace slotlab::node
