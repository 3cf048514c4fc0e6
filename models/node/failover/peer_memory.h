// Access to what a node remembers of its peers. The map in the state holds an entry only where
// something differs from the default, so that equal memories have equal bytes; these two functions
// are the only way the failover room touches it, and keep that.
#pragma once

#include "models/node/context.h"

namespace slotlab::node {

// What is remembered of `node`; the default if nothing is.
inline PeerMemory peer_memory(const NodeState& state, NodeId node) {
  const auto at = state.memory.peers.find(node);
  return at == state.memory.peers.end() ? PeerMemory{} : at->second;
}

// Changes what is remembered of `node` by calling `change` on it.
template <class Change>
void change_peer_memory(Context& context, NodeId node, Change change) {
  PeerMemory& memory = context.memory().peers[node];
  change(memory);
  if (memory == PeerMemory{}) context.memory().peers.erase(node);
}

}  // namespace slotlab::node
