// See picture.h.
#include "models/properties/picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "models/properties/view.h"

namespace slotlab::properties {

namespace {

using node::Durable;
using protocol::NodeId;
using protocol::SlotClass;

std::string name_of(const Cast& cast, NodeId id) {
  return id == protocol::kNoNode ? "nobody" : cast.directory[id].name;
}

std::string range_text(const Cast& cast, SlotClass slot) {
  const protocol::SlotRange range = cast.slots.range(slot);
  return range.first == range.last ? fmt::format("{}", range.first)
                                   : fmt::format("{}-{}", range.first, range.last);
}

Picture::Ownership ownership_of(const Cast& cast, const sim::SystemView& view, SlotClass slot) {
  Picture::Ownership out{.slot = range_text(cast, slot), .says = {}, .owned = false};
  for (const sim::ActorId id : cast.nodes) {
    const Durable* config = lasting(view, id);
    out.owned = out.owned || (config != nullptr && claims(*config, slot));
    if (!alive(view, id)) continue;
    const Durable& own = node_state(view, id).config;
    out.says.emplace_back(view.system().name(id), name_of(cast, own.owner[slot]));
  }
  return out;
}

void add_marks(const Cast& cast, const sim::SystemView& view, SlotClass slot, Picture& picture) {
  for (const sim::ActorId id : cast.nodes) {
    const Durable* config = lasting(view, id);
    if (config == nullptr) continue;
    for (const bool migrating : {true, false}) {
      const NodeId peer = (migrating ? config->migrating_to : config->importing_from)[slot];
      if (peer == protocol::kNoNode) continue;
      picture.marks.push_back({.node = view.system().name(id),
                               .slot = range_text(cast, slot),
                               .peer = name_of(cast, peer),
                               .migrating = migrating});
    }
  }
}

void add_keys(const Cast& cast, const sim::SystemView& view, SlotClass slot, Picture& picture) {
  std::map<std::string, std::vector<std::string>> at;
  for (const auto& [of, key] : cast.first_keys) {
    if (of == slot) at[key];
  }
  for (const sim::ActorId id : cast.nodes) {
    if (status(view, id) == sim::Status::gone) continue;
    for (const auto& [key, value] : node_state(view, id).keys[slot]) {
      at[key].push_back(view.system().name(id));
    }
  }
  for (auto& [key, nodes] : at) {
    picture.keys.push_back({.key = key, .slot = range_text(cast, slot), .at = std::move(nodes)});
  }
}

std::string slot_part(const Picture::Ownership& slot) {
  const std::string owner = owner_text(slot);
  if (slot.says.empty()) return fmt::format("{}: no node lives", slot.slot);
  if (owner != "split") return fmt::format("{}: all say {}", slot.slot, owner);
  std::map<std::string, std::vector<std::string>> by_owner;
  for (const auto& [who, says] : slot.says) by_owner[says].push_back(who);
  std::vector<std::string> views;
  for (const auto& [says, who] : by_owner) {
    views.push_back(fmt::format("{} say{} {}", fmt::join(who, " and "), who.size() == 1 ? "s" : "",
                                says));
  }
  return fmt::format("{}: {}", slot.slot, fmt::join(views, ", "));
}

// Keys that lie at the same places, together.
void add_key_parts(const Picture& picture, std::vector<std::string>& parts) {
  std::map<std::vector<std::string>, std::vector<std::string>> by_place;
  for (const Picture::Key& key : picture.keys) by_place[key.at].push_back(key.key);
  for (const auto& [at, keys] : by_place) {
    const std::string where =
        at.empty() ? std::string("nowhere") : fmt::format("at {}", fmt::join(at, " and "));
    parts.push_back(fmt::format("{} {}", fmt::join(keys, " and "), where));
  }
}

}  // namespace

Picture picture_of(const Cast& cast, const sim::SystemView& view) {
  Picture picture;
  for (std::size_t i = 0; i < cast.slots.count(); ++i) {
    const auto slot = static_cast<SlotClass>(i);
    if (cast.home_of[i] == sim::kNoActor) {
      picture.slots.push_back(ownership_of(cast, view, slot));
    }
    add_marks(cast, view, slot, picture);
    add_keys(cast, view, slot, picture);
  }
  for (const sim::ActorId id : cast.nodes) {
    if (status(view, id) == sim::Status::down) picture.down.push_back(view.system().name(id));
    if (status(view, id) == sim::Status::gone) picture.gone.push_back(view.system().name(id));
  }
  for (const sim::ActorId id : cast.operators) {
    picture.operators.emplace_back(view.system().name(id),
                                   fmt::format("{}", fmt::join(operator_of(view, id).beliefs(),
                                                               ", ")));
  }
  return picture;
}

std::string owner_text(const Picture::Ownership& slot) {
  std::set<std::string> named;
  for (const auto& [who, owner] : slot.says) named.insert(owner);
  if (named.empty()) return "nobody asks";
  return named.size() == 1 ? *named.begin() : "split";
}

std::string picture_text(const Picture& picture) {
  std::vector<std::string> parts;
  for (const Picture::Ownership& slot : picture.slots) parts.push_back(slot_part(slot));
  for (const Picture::Mark& mark : picture.marks) {
    parts.push_back(fmt::format("{} {} {} {} {}", mark.node,
                                mark.migrating ? "migrating" : "importing", mark.slot,
                                mark.migrating ? "to" : "from", mark.peer));
  }
  add_key_parts(picture, parts);
  if (!picture.down.empty()) {
    parts.push_back(fmt::format("{} down", fmt::join(picture.down, " and ")));
  }
  if (!picture.gone.empty()) {
    parts.push_back(fmt::format("{} gone", fmt::join(picture.gone, " and ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace slotlab::properties
