// What properties and fault rules see of a local state.
#pragma once

#include <span>
#include <string>

#include "sim/property/property.h"
#include "sim/system/system.h"

namespace slotlab::sim {

// Two local states of the actor with equal looks are the same to every `always` and `sometimes`
// among the properties, and to every rule that opens while an actor is in some phase.
std::string look_of(const System& system, std::span<const Property> properties, ActorId id,
                    const Actor& actor);

}  // namespace slotlab::sim
