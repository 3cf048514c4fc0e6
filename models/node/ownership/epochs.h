// Config epochs: the number that decides between two claims on one slot. They grow in three ways:
// elections (failover/), the unilateral bump of an operator's command, and the resolution of a
// collision between two masters. Nothing but the last undoes two nodes choosing one number.
#pragma once

#include "models/node/context.h"

namespace slotlab::node {

// The greatest config epoch of all known nodes, and the current epoch.
// SOURCE: Redis 7.0.15, clusterGetMaxEpoch in src/cluster.c.
Epoch max_epoch(const NodeState& state);

// Takes a new config epoch without asking anybody, unless mine is set and already the greatest.
// True: BUMPED, and a synced save is due; false: STILL, nothing changed.
// SOURCE: Redis 7.0.15, clusterBumpConfigEpochWithoutConsensus in src/cluster.c.
bool bump_config_epoch_without_consensus(Context& context);

// Two masters with one config epoch: the one with the smaller id moves on to a new one. `sender` is
// the node whose header showed the collision. REQUIRES: `sender` is known.
// SOURCE: Redis 7.0.15, clusterHandleConfigEpochCollision in src/cluster.c.
void handle_config_epoch_collision(Context& context, NodeId sender);

}  // namespace slotlab::node
