// The state in which a node of a scenario starts: a cluster that has settled, as its nodes see it,
// or a fresh node that knows only itself.
#pragma once

#include <map>
#include <vector>

#include "models/node/config.h"
#include "models/node/state.h"

namespace slotlab::node {

struct InitialNode {
  NodeId master = kNoNode;            // of a replica; kNoNode: it is a master
  Epoch config_epoch = 0;             // masters
  std::vector<SlotClass> owned = {};  // masters
};

struct InitialCluster {
  std::map<NodeId, InitialNode> nodes = {};
  Epoch current_epoch = 0;  // raised to the greatest config epoch if smaller
  bool alone = false;       // each node knows only itself
};

// REQUIRES: `cluster.nodes` has `me`, each replica's master is a master in it, no slot class has
// two owners.
NodeState initial_state(const NodeSettings& settings, NodeId me, const InitialCluster& cluster);

}  // namespace slotlab::node
