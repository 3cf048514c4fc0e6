// The slot table and the roles: every binding of a slot to a node, and every change of who is whose
// replica, ends in one of these functions.
#include "models/node/ownership/slot_table.h"

#include <algorithm>

#include "models/node/replication.h"
#include "sim/base/assert.h"

namespace slotlab::node {
namespace {

using protocol::Rule;

SlotClass slot_class(std::size_t i) { return static_cast<SlotClass>(i); }

bool any_master_has_replicas(const NodeState& state) {
  const auto& nodes = state.config.nodes;
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& entry) {
    const NodeRecord& record = entry.second;
    if (!record.replica) return false;
    const auto master = nodes.find(record.master);
    return master != nodes.end() && !master->second.replica;
  });
}

// MIGRATE_TO. Kept only where replicas may migrate at all, so that it splits no states elsewhere.
void mark_migrate_target(Context& context, NodeId node, bool target) {
  if (!context.settings.failure_detection || node == context.me()) return;
  auto& peers = context.memory().peers;
  if (!target && !peers.contains(node)) return;
  PeerMemory& peer = peers[node];
  peer.migrate_target = target;
  if (peer == PeerMemory{}) peers.erase(node);
}

void forget_marks_of(Context& context, NodeId node) {
  Durable& config = context.config();
  std::replace(config.migrating_to.begin(), config.migrating_to.end(), node, kNoNode);
  std::replace(config.importing_from.begin(), config.importing_from.end(), node, kNoNode);
}

void forget_reports_of(Context& context, NodeId node) {
  auto& peers = context.memory().peers;
  peers.erase(node);
  for (auto at = peers.begin(); at != peers.end();) {
    at->second.fail_reports.erase(node);
    at = at->second == PeerMemory{} ? peers.erase(at) : std::next(at);
  }
}

}  // namespace

bool unclaimed(const Context& context, SlotClass slot) {
  const NodeState& state = context.state;
  return state.config.owner[slot] == kNoNode ||
         (context.rule(Rule::not_claiming_remembered) && state.memory.not_claiming.has(slot));
}

std::size_t slots_owned_by(const NodeState& state, NodeId node) {
  const auto& owner = state.config.owner;
  return static_cast<std::size_t>(std::count(owner.begin(), owner.end(), node));
}

SlotSet slots_of(const NodeState& state, NodeId node, std::size_t classes) {
  SlotSet set(classes);
  for (std::size_t i = 0; i < state.config.owner.size(); ++i) {
    if (state.config.owner[i] == node) set.add(slot_class(i));
  }
  return set;
}

bool has_keys(const NodeState& state, SlotClass slot) { return !state.keys[slot].empty(); }

// SOURCE: Redis 7.0.15, clusterAddSlot.
bool add_slot(Context& context, NodeId node, SlotClass slot) {
  SIM_ASSERT(node != kNoNode);
  if (context.config().owner[slot] != kNoNode) return false;
  const bool first = slots_owned_by(context.state, node) == 0;
  context.config().owner[slot] = node;
  if (context.rule(Rule::addslot_clears_not_claiming)) context.memory().not_claiming.remove(slot);
  if (first && any_master_has_replicas(context.state)) mark_migrate_target(context, node, true);
  return true;
}

// SOURCE: Redis 7.0.15, clusterDelSlot.
bool del_slot(Context& context, SlotClass slot) {
  NodeId& owner = context.config().owner[slot];
  if (owner == kNoNode) return false;
  owner = kNoNode;
  if (context.rule(Rule::delslot_clears_not_claiming)) context.memory().not_claiming.remove(slot);
  return true;
}

void del_node_slots(Context& context, NodeId node) {
  for (std::size_t i = 0; i < context.slot_classes(); ++i) {
    if (context.config().owner[i] == node) del_slot(context, slot_class(i));
  }
}

void close_all_slots(Context& context) {
  Durable& config = context.config();
  std::fill(config.migrating_to.begin(), config.migrating_to.end(), kNoNode);
  std::fill(config.importing_from.begin(), config.importing_from.end(), kNoNode);
}

// SOURCE: Redis 7.0.15, clusterSetNodeAsMaster.
void set_node_as_master(Context& context, NodeId node) {
  NodeRecord* record = context.find(node);
  SIM_ASSERT(record != nullptr);
  if (!record->replica) return;
  if (record->master != kNoNode) mark_migrate_target(context, node, true);
  record->replica = false;
  record->master = kNoNode;
  context.todo.save = context.todo.update_state = true;
}

// SOURCE: Redis 7.0.15, clusterSetMaster; Valkey 8.0.1, clusterSetPrimary.
void set_my_master(Context& context, SetMyMaster to) {
  SIM_ASSERT(to.master != context.me() && context.find(to.master) != nullptr);
  if (slots_owned_by(context.state, context.me()) != 0) {
    context.effects.note("the server would abort here: a replica must not own slots");
    return;
  }
  NodeRecord& mine = context.my_record();
  const bool decided_by_caller = context.rule(Rule::shard_mates_keep_marks);
  if (decided_by_caller ? to.close_slots : !mine.replica) close_all_slots(context);
  mine.replica = true;
  mine.master = to.master;
  if (context.rule(Rule::shard_ids)) mine.shard = context.find(to.master)->shard;
  leave_replication(context);
  context.memory().manual = {};
  if (!context.rule(Rule::votes_survive_reparenting)) context.memory().election = {};
  context.effects.note("became a replica");
}

// SOURCE: Redis 7.0.15, clusterDelNode.
void del_node(Context& context, NodeId node) {
  SIM_ASSERT(node != context.me());
  del_node_slots(context, node);
  forget_marks_of(context, node);
  forget_reports_of(context, node);
  for (auto& [id, record] : context.config().nodes) {
    if (record.master == node) record.master = kNoNode;
  }
  context.config().nodes.erase(node);
}

NodeId top_master(const NodeState& state, NodeId node) {
  // Records may name each other in a ring while news is on its way; a chain is never longer than
  // this.
  for (std::size_t steps = 0; steps < state.config.nodes.size(); ++steps) {
    const auto at = state.config.nodes.find(node);
    if (at == state.config.nodes.end() || at->second.master == kNoNode) return node;
    node = at->second.master;
  }
  return node;
}

bool same_shard(const Context& context, NodeId a, NodeId b) {
  if (!context.rule(Rule::shard_ids)) {
    return top_master(context.state, a) == top_master(context.state, b);
  }
  const auto& nodes = context.state.config.nodes;
  const auto at = nodes.find(a);
  const auto bt = nodes.find(b);
  return at != nodes.end() && bt != nodes.end() && at->second.shard == bt->second.shard;
}

}  // namespace slotlab::node
