// Replica migration: when a master is left without a working replica, the replica with the smallest
// id among the masters that have most of them moves there. It changes who can be failed over to,
// never who owns a slot.
#pragma once

#include <vector>

#include "models/node/context.h"

namespace slotlab::node {

// The masters to which this node may move now, ascending; empty for all who may not.
// cluster-migration-barrier is 1. SOURCE: Redis 7.0.15, clusterCron and
// clusterHandleSlaveMigration.
std::vector<NodeId> replica_migration_targets(const NodeState& state, const NodeSettings& settings);

// Becomes a replica of `orphan`. REQUIRES: it is among the targets. Raises no save before 7.2: a
// restart before the next one goes back to the old master.
void migrate_replica(Context& context, NodeId orphan);

}  // namespace slotlab::node
