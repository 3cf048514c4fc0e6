// The state in which a node of a scenario starts: a cluster that has settled, as its nodes see it,
// or a fresh node that knows only itself.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "models/node/config.h"
#include "models/node/state.h"

namespace slotlab::node {

struct InitialNode {
  NodeId master = kNoNode;            // of a replica; kNoNode: it is a master
  Epoch config_epoch = 0;             // masters
  std::vector<SlotClass> owned = {};  // masters
};

// What one node believes where it differs from the settled cluster: a node that missed news, or an
// operator's half-done work. Everything that is not named is as in the cluster.
struct InitialView {
  std::optional<Epoch> current_epoch, last_vote_epoch;
  std::map<NodeId, Epoch> config_epochs;     // of other nodes
  std::map<SlotClass, NodeId> owners;        // kNoNode: nobody's
  std::map<SlotClass, NodeId> migrating_to, importing_from;
  std::map<NodeId, NodeId> masters_of;       // others' roles; kNoNode: a master
  std::set<NodeId> suspected, failed, unknown;
};

struct InitialCluster {
  std::map<NodeId, InitialNode> nodes = {};
  Epoch current_epoch = 0;  // raised to the greatest config epoch if smaller
  bool alone = false;       // each node knows only itself
  std::map<NodeId, InitialView> views = {};
};

// REQUIRES: `cluster.nodes` has `me`, each replica's master is a master in it, no slot class has
// two owners; a view names nodes of the cluster only, and not its own role, epoch or existence.
NodeState initial_state(const NodeSettings& settings, NodeId me, const InitialCluster& cluster);

}  // namespace slotlab::node
