// See look.h.
#include "sim/check/look.h"

namespace slotlab::sim {

std::string look_of(const System& system, std::span<const Property> properties, ActorId id,
                    const Actor& actor) {
  Encoder out;
  for (const FaultRule& rule : system.spec().faults) {
    if (rule.window && rule.window->actor == id) encode(out, actor.phase());
  }
  for (const Property& property : properties) {
    if (property.mood != Mood::always && property.mood != Mood::sometimes) continue;
    if (property.sees) {
      property.sees(id, actor, out);
    } else {
      actor.encode(out);
    }
  }
  return out.str();
}

}  // namespace slotlab::sim
