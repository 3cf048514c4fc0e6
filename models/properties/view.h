// How predicates look at a system: its nodes' states, its operators' states, and what of a node
// would still count. Inside models/properties only.
#pragma once

#include <string>
#include <utility>

#include "models/node/node.h"
#include "models/node/state.h"
#include "models/operator/operator.h"
#include "models/properties/registry.h"

namespace slotlab::properties {

const node::NodeState& node_state(const sim::SystemView& view, sim::ActorId id);
const oper::Operator& operator_of(const sim::SystemView& view, sim::ActorId id);

inline sim::Status status(const sim::SystemView& view, sim::ActorId id) {
  return view.environment().status[sim::index(id)];
}
// Up or paused: it holds its beliefs and will act on them.
inline bool alive(const sim::SystemView& view, sim::ActorId id) {
  return status(view, id) <= sim::Status::paused;
}

// What counts of a node: the living configuration, or what a restart of a down node would read
// back; nullptr for a node that never comes back.
const node::Durable* lasting(const sim::SystemView& view, sim::ActorId id);

inline bool claims(const node::Durable& config, protocol::SlotClass slot) {
  return config.owner[slot] == config.me;
}
inline bool is_master(const node::Durable& config) { return !config.nodes.at(config.me).replica; }
inline protocol::Epoch own_epoch(const node::Durable& config) {
  return config.nodes.at(config.me).config_epoch;
}

// "slot 7", "slots 0-5460".
std::string slot_text(const Cast& cast, protocol::SlotClass slot);

// Whether two masters satisfy `clash`; the first such pair, in the order of the cast.
template <class Clash>
std::pair<const node::Durable*, const node::Durable*> clashing_pair(const Cast& cast,
                                                                    const sim::SystemView& view,
                                                                    Clash clash) {
  for (std::size_t i = 0; i < cast.nodes.size(); ++i) {
    if (!alive(view, cast.nodes[i])) continue;
    const node::Durable& a = node_state(view, cast.nodes[i]).config;
    if (!is_master(a)) continue;
    for (std::size_t j = i + 1; j < cast.nodes.size(); ++j) {
      if (!alive(view, cast.nodes[j])) continue;
      const node::Durable& b = node_state(view, cast.nodes[j]).config;
      if (is_master(b) && clash(a, b)) return {&a, &b};
    }
  }
  return {nullptr, nullptr};
}

}  // namespace slotlab::properties
