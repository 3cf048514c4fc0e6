// When a cluster of virtual nodes has settled, by the rules under which the transcripts were
// recorded: for 2.2 s no live node's view has changed, live nodes see each other up, those that are
// gone are suspected or failed alike for all, and replicas are in sync; or, where something stays
// odd for good, nothing has changed for 8 s.
#pragma once

#include <string>
#include <vector>

#include "models/node/node.h"
#include "sim/drive/timed.h"
#include "sim/system/world.h"

namespace slotlab::conform {

// The nodes of a world, by actor; other actors do not count.
using NodeActors = std::vector<sim::ActorId>;

const node::Node& node_at(const sim::World& world, sim::ActorId actor);

// The replica has all that its master has.
bool in_sync(const sim::World& world, const node::Node& replica);
// Nothing is visibly under way.
bool is_calm(const sim::World& world, const NodeActors& nodes);

// Lets virtual time pass until the cluster has settled, up to `limit`. `watch` is shown every
// event; it may be empty. False: it has not settled.
bool settle(const sim::World& world, sim::TimedDriver& driver, const NodeActors& nodes,
            sim::Duration limit, const sim::Watch& watch);

}  // namespace slotlab::conform
