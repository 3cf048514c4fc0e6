// What one node sees: its role, epochs, owners, marks and keys, as a transcript's views have it.
// Taken from the state of a virtual node; the same fields that CLUSTER NODES, CLUSTER INFO and
// CLUSTER GETKEYSINSLOT of a server tell.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/conform/json_tree.h"
#include "models/node/config.h"
#include "models/node/state.h"

namespace slotlab::conform {

// How a node is called now: an id that was given up in a hard reset is "A.old".
using NameOf = std::function<std::string(protocol::NodeId)>;

Json view_of(const node::NodeState& state, const node::NodeSettings& settings,
             const std::vector<protocol::Slot>& watch, const NameOf& name_of);

}  // namespace slotlab::conform
