// A settled cluster, from the view of one of its nodes.
#include "models/node/initial.h"

#include <algorithm>

#include "models/node/failover/cluster_state.h"
#include "models/node/persistence/persistence.h"
#include "sim/base/assert.h"

namespace slotlab::node {
namespace {

// Where a replica's header raises its record's epoch, it has done so long ago.
Epoch recorded_epoch(const NodeSettings& settings, NodeId me, NodeId id,
                     const InitialCluster& cluster) {
  const InitialNode& node = cluster.nodes.at(id);
  const bool raised = node.master != kNoNode && id != me &&
                      settings.dialect.has(protocol::Rule::replica_header_raises_epoch);
  return raised ? cluster.nodes.at(node.master).config_epoch : node.config_epoch;
}

NodeRecord record_of(const NodeSettings& settings, NodeId id, const InitialNode& node) {
  NodeRecord record;
  record.replica = node.master != kNoNode;
  record.master = node.master;
  if (settings.dialect.has(protocol::Rule::shard_ids)) {
    record.shard = record.replica ? node.master : id;
  }
  return record;
}

Epoch greatest_epoch(const InitialCluster& cluster) {
  Epoch max = cluster.current_epoch;
  for (const auto& [id, node] : cluster.nodes) max = std::max(max, node.config_epoch);
  return max;
}

void add_node(NodeState& state, const NodeSettings& settings, NodeId id,
              const InitialCluster& cluster) {
  const InitialNode& node = cluster.nodes.at(id);
  NodeRecord& record = state.config.nodes[id];
  record = record_of(settings, id, node);
  record.config_epoch = recorded_epoch(settings, state.config.me, id, cluster);
  for (const SlotClass slot : node.owned) {
    SIM_ASSERT(slot < state.config.owner.size() && state.config.owner[slot] == kNoNode);
    state.config.owner[slot] = id;
  }
  if (node.master == state.config.me) state.memory.attached.insert(id);
}

// Slots, epochs and marks as the view has them. An unknown node is forgotten with all it had.
void apply_view(NodeState& state, const InitialView& view) {
  Durable& config = state.config;
  if (view.current_epoch) config.current_epoch = *view.current_epoch;
  if (view.last_vote_epoch) config.last_vote_epoch = *view.last_vote_epoch;
  for (const auto& [id, epoch] : view.config_epochs) config.nodes.at(id).config_epoch = epoch;
  for (const auto& [slot, owner] : view.owners) config.owner[slot] = owner;
  for (const auto& [slot, to] : view.migrating_to) config.migrating_to[slot] = to;
  for (const auto& [slot, from] : view.importing_from) config.importing_from[slot] = from;
  for (const auto& [id, master] : view.masters_of) {
    NodeRecord& record = config.nodes.at(id);
    record.replica = master != kNoNode;
    record.master = master;
    if (record.shard != kNoNode) record.shard = record.replica ? master : id;
  }
  for (const NodeId id : view.suspected) config.nodes.at(id).pfail = true;
  for (const NodeId id : view.failed) config.nodes.at(id).fail = true;
  for (const NodeId id : view.unknown) {
    config.nodes.erase(id);
    std::replace(config.owner.begin(), config.owner.end(), id, kNoNode);
    for (auto& [other, record] : config.nodes) {
      if (record.master == id) record.master = kNoNode;
    }
  }
}

}  // namespace

NodeState initial_state(const NodeSettings& settings, NodeId me, const InitialCluster& cluster) {
  const std::size_t classes = settings.slots.count();
  const InitialNode& mine = cluster.nodes.at(me);
  NodeState state;
  state.config.me = me;
  state.config.owner.assign(classes, kNoNode);
  state.config.migrating_to.assign(classes, kNoNode);
  state.config.importing_from.assign(classes, kNoNode);
  state.keys.resize(classes);
  if (cluster.alone) {
    state.config.current_epoch = std::max(cluster.current_epoch, mine.config_epoch);
    SIM_ASSERT(mine.master == kNoNode, std::string("a replica is never alone"));
    add_node(state, settings, me, cluster);
  } else {
    state.config.current_epoch = greatest_epoch(cluster);
    for (const auto& [id, node] : cluster.nodes) add_node(state, settings, id, cluster);
    state.memory.replicating_from = mine.master;
  }
  const auto view = cluster.views.find(me);
  if (view != cluster.views.end()) apply_view(state, view->second);
  const ClusterVerdict verdict = judge_cluster(state, settings);
  state.memory.size = verdict.size;
  state.memory.state_ok = verdict.ok();
  if (settings.can_crash) {
    state.written = as_saved(state.config, settings);
    state.synced = state.written;
  }
  return state;
}

}  // namespace slotlab::node
