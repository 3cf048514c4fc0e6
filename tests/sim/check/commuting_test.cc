// Tries to refute early deliveries: over drawn systems the verdicts and the states in which nothing
// is possible any more must be those of the full search.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/check/explorer.h"
#include "tests/sim/check/end_states.h"
#include "tests/sim/check/random_system.h"

namespace slotlab::sim {
namespace {

using testing::TableActor;

// Looks at one actor or at two.
Property drawn_property(const System& system, Mood mood, int number) {
  const auto below = [](int n) { return *rc::gen::inRange(0, n); };
  const int actors = static_cast<int>(system.actor_count());
  const int first = below(actors), second = below(actors);
  const int state = below(4), other = below(4);
  const bool both = below(2) == 0;
  const auto at = [](const SystemView& view, int actor, int wanted) {
    const ActorId id{static_cast<std::uint8_t>(actor)};
    return dynamic_cast<const TableActor&>(view.actor(id)).state() == wanted;
  };
  return {.name = "p" + std::to_string(number),
          .mood = mood,
          .holds =
              [=](const SystemView& view) {
                const bool here = at(view, first, state), there = at(view, second, other);
                const bool found = both ? here && there : here;
                return found == (mood == Mood::sometimes);
              },
          .then = nullptr,
          .explain = nullptr};
}

RC_GTEST_PROP(EarlyDeliveries, LeadToTheSameVerdictsAndEnds, ()) {
  const std::shared_ptr<const System> system = testing::random_system();
  std::vector<Property> properties;
  for (int p = *rc::gen::inRange(0, 4); p > 0; --p) {
    properties.push_back(drawn_property(*system, p % 2 == 0 ? Mood::always : Mood::sometimes, p));
  }
  const testing::Ends full = testing::ends_of(system, properties, {});
  // A message lost at a full link is where the argument stops (docs/reductions.md).
  RC_PRE(!full.capacity_hit);
  const testing::Ends inert = testing::ends_of(system, properties, {.drop_inert = true});
  const testing::Ends early =
      testing::ends_of(system, properties, {.drop_inert = true, .deliver_early = true});
  RC_ASSERT(early.verdicts == full.verdicts);
  RC_ASSERT(early.ends == full.ends);
  RC_ASSERT(early.states <= inert.states);
  RC_CLASSIFY(early.states < inert.states, "fewer states");
}

}  // namespace
}  // namespace slotlab::sim
