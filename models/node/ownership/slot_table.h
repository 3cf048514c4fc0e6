// The primitive operations on the slot table and on roles. Everything that changes who owns a slot
// or who is whose replica, in whatever handler, goes through these.
#pragma once

#include "models/node/context.h"
#include "models/node/ownership/epochs.h"

namespace slotlab::node {

// The slot has no owner, or its owner stopped claiming it (where the dialect remembers that).
bool unclaimed(const Context& context, SlotClass slot);
// How many slot classes are bound to `node`, and which.
std::size_t slots_owned_by(const NodeState& state, NodeId node);
SlotSet slots_of(const NodeState& state, NodeId node, std::size_t classes);
bool has_keys(const NodeState& state, SlotClass slot);

// Binds a free slot. False: it is bound already, and stays as it is.
// SOURCE: Redis 7.0.15, clusterAddSlot in src/cluster.c.
bool add_slot(Context& context, NodeId node, SlotClass slot);
// Frees a bound slot. False: it is free. SOURCE: Redis 7.0.15, clusterDelSlot.
bool del_slot(Context& context, SlotClass slot);
// SOURCE: Redis 7.0.15, clusterDelNodeSlots.
void del_node_slots(Context& context, NodeId node);
// Takes all migrating and importing marks away. SOURCE: Redis 7.0.15, clusterCloseAllSlots.
void close_all_slots(Context& context);

// Changes nothing if it is one already. REQUIRES: `node` is known.
// SOURCE: Redis 7.0.15, clusterSetNodeAsMaster.
void set_node_as_master(Context& context, NodeId node);

// The data set is copied from the new master later, by the step `replication`; a partial resync and
// a full one leave the same keys, so they are not told apart.
struct SetMyMaster {
  NodeId master = kNoNode;
  bool close_slots = true;  // Valkey 8.0 decides; before, only a master closes its slots
};
// This node becomes a replica, or a replica of another master. A node that owns slots stays as it
// is, with a note: the server would abort. REQUIRES: the master is known and another node. SOURCE:
// Redis 7.0.15, clusterSetMaster; Valkey 8.0.1, clusterSetPrimary.
void set_my_master(Context& context, SetMyMaster to);

// Removes a node's record, slots, marks and reports. REQUIRES: it is another node.
// SOURCE: Redis 7.0.15, clusterDelNode.
void del_node(Context& context, NodeId node);

// The master at the top of a node's shard as its records chain: itself if it is a master.
NodeId top_master(const NodeState& state, NodeId node);
// The two nodes are in one shard: by shard id where the dialect has them, else by their master.
bool same_shard(const Context& context, NodeId a, NodeId b);

}  // namespace slotlab::node
