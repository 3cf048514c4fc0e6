// What a node believes, as a person who knows the servers would say it, one line per fact.
#pragma once

#include <string>
#include <vector>

#include "models/node/config.h"
#include "models/node/state.h"

namespace slotlab::node {

// In a fixed order: role, epochs, slots, marks, other nodes, elections, keys. A fact that is as one
// would expect (a peer is fine, no election runs) has no line.
std::vector<std::string> belief_lines(const NodeState& state, const NodeSettings& settings);

}  // namespace slotlab::node
