// What a claim heard on the bus does to the slot table: the heart of slot ownership. A master's
// header, or an UPDATE about a third node, says "node N serves these slots at epoch E"; here it is
// decided slot by slot who keeps what, and whether this node has lost everything and must follow N.
#pragma once

#include "models/node/context.h"

namespace slotlab::node {

// Applies the claim of `sender` on `slots` at `epoch`. REQUIRES: `sender` is known.
// SOURCE: Redis 7.0.15, clusterUpdateSlotsConfigWith in src/cluster.c.
void update_slots_config_with(Context& context, NodeId sender, Epoch epoch, const SlotSet& slots);

}  // namespace slotlab::node
