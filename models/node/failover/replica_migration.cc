// Replica migration; node.md 4.8.
#include "models/node/failover/replica_migration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/node/failover/cluster_state.h"
#include "models/node/failover/peer_memory.h"
#include "models/node/ownership/slot_table.h"

namespace slotlab::node {

namespace {

constexpr std::size_t kMigrationBarrier = 1;

std::vector<NodeId> replicas_of(const NodeState& state, NodeId master) {
  std::vector<NodeId> replicas;
  for (const auto& [node, record] : state.config.nodes) {
    if (record.replica && record.master == master) replicas.push_back(node);
  }
  return replicas;
}

// How many replicas of each node, by NodeId, do not fail.
std::array<std::size_t, 256> count_working_replicas(const NodeState& state) {
  std::array<std::size_t, 256> working{};
  for (const auto& [node, record] : state.config.nodes) {
    if (record.replica && !failing(record)) ++working[protocol::index(record.master)];
  }
  return working;
}

// The replica with the smallest id among those of masters with `most` working replicas.
NodeId candidate(const NodeState& state, const NodeSettings& settings,
                 const std::array<std::size_t, 256>& working, std::size_t most) {
  NodeId best = state.config.me;
  for (const auto& [master, record] : state.config.nodes) {
    if (record.replica || working[protocol::index(master)] != most) continue;
    for (const NodeId node : replicas_of(state, master)) {
      if (settings.directory.smaller(node, best)) best = node;
    }
  }
  return best;
}

}  // namespace

std::vector<NodeId> replica_migration_targets(const NodeState& state,
                                              const NodeSettings& settings) {
  const NodeRecord& me = state.config.nodes.at(state.config.me);
  if (!settings.allow_replica_migration || !settings.failure_detection) return {};
  if (!me.replica || me.master == kNoNode || !state.memory.state_ok) return {};
  const auto all_working = count_working_replicas(state);
  std::size_t most = 0;
  std::vector<NodeId> orphans;
  for (const auto& [master, record] : state.config.nodes) {
    if (record.replica || record.handshake) continue;
    const std::size_t working = all_working[protocol::index(master)];
    most = std::max(most, working);
    if (working == 0 && !record.fail && peer_memory(state, master).migrate_target &&
        slots_owned_by(state, master) > 0) {
      orphans.push_back(master);
    }
  }
  const std::size_t mine = all_working[protocol::index(me.master)];
  if (most < 2 || mine != most || mine <= kMigrationBarrier) return {};
  if (candidate(state, settings, all_working, most) != state.config.me) return {};
  return orphans;
}

void migrate_replica(Context& context, NodeId orphan) {
  context.effects.note(
      fmt::format("migrates to the orphan {}", context.settings.directory[orphan].name));
  set_my_master(context, {.master = orphan, .close_slots = true});
  // Since 7.2 the change of the shard id raises a save; before, nothing does.
  if (context.rule(protocol::Rule::shard_ids)) context.todo.save = true;
}

}  // namespace slotlab::node
