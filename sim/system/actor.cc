#include "sim/system/actor.h"

#include <typeinfo>

#include "sim/base/assert.h"

namespace slotlab::sim {

std::string canonical_message(const Message& message) {
  Encoder out;
  encode(out, std::string(typeid(message).name()));
  message.encode(out);
  return out.str();
}

void Actor::no_answer(ActorId, const Message&, Effects&) {}
bool Actor::hears_while_busy(ActorId, std::uint8_t) const { return false; }
void Actor::crash(CrashKind) {}
void Actor::restart(Effects&) {}
void Actor::stop() { SIM_ASSERT(false, std::string("this actor cannot stop")); }
bool Actor::can_stop() const { return false; }
std::uint32_t Actor::phase() const { return 0; }
std::string Actor::message_text(const Message&) const { return "a message"; }
std::vector<std::string> Actor::beliefs() const { return {}; }

}  // namespace slotlab::sim
