// Properties of ownership and epochs. Each has a search for the first offence, which the predicate
// asks whether there is one and the explanation what it is: the two cannot disagree.
#include "models/properties/ownership.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "models/properties/view.h"

namespace slotlab::properties {

namespace {

using node::Durable;
using protocol::kNoNode;
using protocol::NodeId;
using protocol::SlotClass;

const std::string& name_of(const Cast& cast, NodeId id) { return cast.directory[id].name; }

// The first slot class that `offends`.
template <class Offends>
std::optional<SlotClass> first_slot(const Cast& cast, Offends offends) {
  for (std::size_t slot = 0; slot < cast.slots.count(); ++slot) {
    if (offends(static_cast<SlotClass>(slot))) return static_cast<SlotClass>(slot);
  }
  return std::nullopt;
}

// A private slot of a node that is gone for good.
bool excused(const Cast& cast, const sim::SystemView& view, SlotClass slot) {
  const sim::ActorId home = cast.home_of[slot];
  return home != sim::kNoActor && status(view, home) == sim::Status::gone;
}

std::optional<SlotClass> slot_without_owner(const Cast& cast, const sim::SystemView& view) {
  return first_slot(cast, [&](SlotClass slot) {
    if (excused(cast, view, slot)) return false;
    return std::none_of(cast.nodes.begin(), cast.nodes.end(), [&](sim::ActorId id) {
      const Durable* config = lasting(view, id);
      return config != nullptr && claims(*config, slot);
    });
  });
}

std::optional<SlotClass> slot_claimed_by_both(const Cast& cast, const Durable& a,
                                              const Durable& b) {
  return first_slot(cast, [&](SlotClass slot) { return claims(a, slot) && claims(b, slot); });
}

auto pair_with_one_slot_and_epoch(const Cast& cast, const sim::SystemView& view) {
  return clashing_pair(cast, view, [&](const Durable& a, const Durable& b) {
    return own_epoch(a) == own_epoch(b) && slot_claimed_by_both(cast, a, b).has_value();
  });
}

auto pair_with_one_epoch(const Cast& cast, const sim::SystemView& view) {
  return clashing_pair(
      cast, view, [](const Durable& a, const Durable& b) { return own_epoch(a) == own_epoch(b); });
}

// What is wrong with the owner of `slot` in the eyes of the live nodes; empty if nothing.
std::string disagreement(const Cast& cast, const sim::SystemView& view, SlotClass slot) {
  if (excused(cast, view, slot)) return "";
  NodeId owner = kNoNode;
  NodeId says = kNoNode;  // the first live node, whose word the others are held to
  for (sim::ActorId id : cast.nodes) {
    if (!alive(view, id)) continue;
    const Durable& config = node_state(view, id).config;
    const NodeId named = config.owner[slot];
    if (named == kNoNode) return fmt::format("{} knows no owner", name_of(cast, config.me));
    if (says == kNoNode) {
      owner = named;
      says = config.me;
    } else if (named != owner) {
      return fmt::format("{} says {}, {} says {}", name_of(cast, says), name_of(cast, owner),
                         name_of(cast, config.me), name_of(cast, named));
    }
  }
  if (says == kNoNode) return "";  // nobody is left to disagree
  const Durable* at_owner = lasting(view, cast.directory[owner].actor);
  if (at_owner == nullptr) {
    return fmt::format("all say {}, which never comes back", name_of(cast, owner));
  }
  if (at_owner->me == owner && claims(*at_owner, slot)) return "";
  return fmt::format("all say {}, which does not claim it", name_of(cast, owner));
}

struct OpenSlot {
  SlotClass slot = 0;
  NodeId at = kNoNode;
  NodeId peer = kNoNode;
  bool migrating = false;
};

// "slot 7 is still marked at A: migrating to B".
std::string mark_text(const Cast& cast, const OpenSlot& open, const char* is_marked) {
  return fmt::format("{} {} at {}: {} {}", slot_text(cast, open.slot), is_marked,
                     name_of(cast, open.at), open.migrating ? "migrating to" : "importing from",
                     name_of(cast, open.peer));
}

// The first mark that `offends`, given the marked node's configuration and whom the mark names.
template <class Offends>
std::optional<OpenSlot> first_mark(const Cast& cast, const sim::SystemView& view,
                                   Offends offends) {
  for (sim::ActorId id : cast.nodes) {
    const Durable* config = lasting(view, id);
    if (config == nullptr) continue;
    for (std::size_t i = 0; i < cast.slots.count(); ++i) {
      const auto slot = static_cast<SlotClass>(i);
      if (config->migrating_to[i] != kNoNode && offends(*config, config->migrating_to[i])) {
        return OpenSlot{slot, config->me, config->migrating_to[i], true};
      }
      if (config->importing_from[i] != kNoNode && offends(*config, config->importing_from[i])) {
        return OpenSlot{slot, config->me, config->importing_from[i], false};
      }
    }
  }
  return std::nullopt;
}

std::optional<OpenSlot> first_open_slot(const Cast& cast, const sim::SystemView& view) {
  return first_mark(cast, view, [](const Durable&, NodeId) { return true; });
}

std::optional<OpenSlot> first_mark_without_master(const Cast& cast, const sim::SystemView& view) {
  return first_mark(cast, view, [](const Durable& config, NodeId named) {
    const auto known = config.nodes.find(named);
    return known == config.nodes.end() || known->second.replica;
  });
}

// A live node in cluster state FAIL; kNoActor if there is none.
sim::ActorId node_in_state_fail(const Cast& cast, const sim::SystemView& view) {
  const auto at = std::find_if(cast.nodes.begin(), cast.nodes.end(), [&](sim::ActorId id) {
    return alive(view, id) && !node_state(view, id).memory.state_ok;
  });
  return at == cast.nodes.end() ? sim::kNoActor : *at;
}

}  // namespace

bool owned(const Cast& cast, const sim::SystemView& view) {
  return !slot_without_owner(cast, view).has_value();
}

std::string explain_owned(const Cast& cast, const sim::SystemView& view) {
  const auto slot = slot_without_owner(cast, view);
  return slot ? slot_text(cast, *slot) + " has no owner" : "";
}

bool one_owner(const Cast& cast, const sim::SystemView& view) {
  return pair_with_one_slot_and_epoch(cast, view).first == nullptr;
}

std::string explain_one_owner(const Cast& cast, const sim::SystemView& view) {
  const auto [a, b] = pair_with_one_slot_and_epoch(cast, view);
  if (a == nullptr) return "";
  return fmt::format("{} is claimed by {} and {} with config epoch {}",
                     slot_text(cast, *slot_claimed_by_both(cast, *a, *b)), name_of(cast, a->me),
                     name_of(cast, b->me), own_epoch(*a));
}

bool unique_epochs(const Cast& cast, const sim::SystemView& view) {
  return pair_with_one_epoch(cast, view).first == nullptr;
}

std::string explain_unique_epochs(const Cast& cast, const sim::SystemView& view) {
  const auto [a, b] = pair_with_one_epoch(cast, view);
  if (a == nullptr) return "";
  return fmt::format("{} and {} both have config epoch {}", name_of(cast, a->me),
                     name_of(cast, b->me), own_epoch(*a));
}

bool agreed(const Cast& cast, const sim::SystemView& view) {
  return !first_slot(cast, [&](SlotClass slot) {
            return !disagreement(cast, view, slot).empty();
          }).has_value();
}

std::string explain_agreed(const Cast& cast, const sim::SystemView& view) {
  const auto slot =
      first_slot(cast, [&](SlotClass each) { return !disagreement(cast, view, each).empty(); });
  return slot ? slot_text(cast, *slot) + ": " + disagreement(cast, view, *slot) : "";
}

bool closed(const Cast& cast, const sim::SystemView& view) {
  return !first_open_slot(cast, view).has_value();
}

std::string explain_closed(const Cast& cast, const sim::SystemView& view) {
  const auto open = first_open_slot(cast, view);
  return open ? mark_text(cast, *open, "is still marked") : "";
}

bool marks_name_masters(const Cast& cast, const sim::SystemView& view) {
  return !first_mark_without_master(cast, view).has_value();
}

std::string explain_marks_name_masters(const Cast& cast, const sim::SystemView& view) {
  const auto open = first_mark_without_master(cast, view);
  if (!open) return "";
  return fmt::format("{}, which is no master", mark_text(cast, *open, "is marked"));
}

bool state_ok(const Cast& cast, const sim::SystemView& view) {
  return node_in_state_fail(cast, view) == sim::kNoActor;
}

std::string explain_state_ok(const Cast& cast, const sim::SystemView& view) {
  const sim::ActorId id = node_in_state_fail(cast, view);
  if (id == sim::kNoActor) return "";
  return fmt::format("{} is in cluster state fail", view.system().name(id));
}

}  // namespace slotlab::properties
