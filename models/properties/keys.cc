// Where keys lie. See keys.h.
#include "models/properties/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "models/properties/view.h"

namespace slotlab::properties {

namespace {

using protocol::SlotClass;

// The first key at a live master that does not own its slot, as a sentence; empty: there is none.
std::string stray_key(const Cast& cast, const sim::SystemView& view) {
  for (const sim::ActorId id : cast.nodes) {
    if (!alive(view, id)) continue;
    const node::NodeState& state = node_state(view, id);
    if (!is_master(state.config)) continue;
    for (std::size_t i = 0; i < cast.slots.count(); ++i) {
      const auto slot = static_cast<SlotClass>(i);
      if (state.keys[i].empty() || claims(state.config, slot)) continue;
      return fmt::format("{} holds {} of {}, which is not its own",
                         cast.directory[state.config.me].name, state.keys[i].begin()->first,
                         slot_text(cast, slot));
    }
  }
  return {};
}

bool lies_somewhere(const Cast& cast, const sim::SystemView& view, SlotClass slot,
                    const std::string& key) {
  return std::any_of(cast.nodes.begin(), cast.nodes.end(), [&](sim::ActorId id) {
    return status(view, id) != sim::Status::gone &&
           node_state(view, id).keys[slot].contains(key);
  });
}

std::optional<std::string> lost_key(const Cast& cast, const sim::SystemView& view) {
  for (const auto& [slot, key] : cast.first_keys) {
    if (!lies_somewhere(cast, view, slot, key)) return key;
  }
  return std::nullopt;
}

}  // namespace

bool no_stray_key(const Cast& cast, const sim::SystemView& view) {
  return stray_key(cast, view).empty();
}

std::string explain_no_stray_key(const Cast& cast, const sim::SystemView& view) {
  return stray_key(cast, view);
}

bool keys_kept(const Cast& cast, const sim::SystemView& view) {
  return !lost_key(cast, view).has_value();
}

std::string explain_keys_kept(const Cast& cast, const sim::SystemView& view) {
  const auto key = lost_key(cast, view);
  return key ? *key + " is nowhere any more" : "";
}

}  // namespace slotlab::properties
