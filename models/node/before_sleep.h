// The end of every event of a node: the work that handlers asked for by raising flags, in the
// servers' order. An event and this work are one atomic step (docs/abstractions.md).
#pragma once

#include "models/node/context.h"

namespace slotlab::node {

// Manual failover and election step, cluster state, save; again while those raise flags of their
// own. SOURCE: Redis 7.0.15, clusterBeforeSleep in src/cluster.c.
void finish(Context& context);

}  // namespace slotlab::node
