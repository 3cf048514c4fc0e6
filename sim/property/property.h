// What must hold. A property is a named predicate with a mood:
//
//   always P             P in every reachable state
//   eventually always P  every fair run settles in P once faults and operators are spent
//   P leads to Q         in every fair run, P is followed by Q sooner or later
//   sometimes P          P in some reachable state: proof that a situation was reached at all
//
// Predicates see actors and the environment, never what is on its way in links: that is what makes
// inert messages (sim/check) safe to drop.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/system/system.h"

namespace slotlab::sim {

enum class Mood : std::uint8_t { always, eventually_always, leads_to, sometimes };

// The part of a global state that predicates may look at.
class SystemView {
 public:
  virtual ~SystemView() = default;
  virtual const Actor& actor(ActorId id) const = 0;
  virtual const Environment& environment() const = 0;
  virtual const System& system() const = 0;
};

// All lines of belief of all actors, "A: owner of 7: B", with a line for each actor that is down or
// paused; in the order of actors.
std::vector<std::string> beliefs_of(const SystemView& view);

using Predicate = std::function<bool(const SystemView&)>;

struct Property {
  std::string name;       // "owned"
  Mood mood = Mood::always;
  Predicate holds;        // P
  Predicate then;         // Q, leads_to only
  // One sentence for a violation in this state, or empty: "slot 7 has no owner".
  std::function<std::string(const SystemView&)> explain = nullptr;
  // Appends all that the predicates look at in an actor; null: they may look at anything. Two local
  // states with equal bytes are the same to them, whatever the other actors and the environment. Of
  // the environment they never look at how often faults have happened.
  std::function<void(ActorId, const Actor&, Encoder&)> sees = nullptr;
  // Whether the predicates may look at which links are cut.
  bool sees_cuts = true;
};

}  // namespace slotlab::sim
