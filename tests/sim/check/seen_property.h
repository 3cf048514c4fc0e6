// A property of one actor that says what it sees of it, as those of real models do.
#pragma once

#include <string>

#include "sim/property/property.h"

namespace slotlab::sim::testing {

// Whether `looks_so` is reached for this actor; it sees just that.
template <class LooksSo>
Property sometimes_seen(std::string name, ActorId actor, LooksSo looks_so) {
  Property property;
  property.name = std::move(name);
  property.mood = Mood::sometimes;
  property.holds = [=](const SystemView& view) { return looks_so(view.actor(actor)); };
  property.sees = [=](ActorId id, const Actor& value, Encoder& out) {
    if (id == actor) sim::encode(out, looks_so(value));
  };
  return property;
}

}  // namespace slotlab::sim::testing
