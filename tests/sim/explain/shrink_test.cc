// What shrink promises, over runs of drawn systems: still violating, never larger, the same each
// time, and nothing left that could be left out alone.
#include "sim/explain/shrink.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "models/scenario/build.h"
#include "models/scenario/load.h"
#include "sim/check/run_path.h"
#include "sim/check/tuple_space.h"
#include "sim/drive/hunt.h"
#include "tests/models/laws/drawn_scenarios.h"

namespace slotlab::sim {
namespace {

RC_GTEST_PROP(Shrink, GivesASmallerRunThatViolatesTheSame, ()) {
  const std::string text = laws::drawn_scenario();
  RC_LOG() << text;
  const scenario::Built built = scenario::build(scenario::load_text(text, "drawn"));
  HuntOptions hunt{.seed = *rc::gen::arbitrary<std::uint64_t>(), .events_max = 80};
  hunt.choice = *rc::gen::element(Choice::uniform, Choice::pct);
  hunt.violated = [&](const World& world) { return !built.properties[0].holds(world); };
  const HuntRun found = hunt_once(World(built.system), hunt);
  RC_PRE(found.violated);
  RC_ASSERT(hunt_once(World(built.system), hunt).actions == found.actions);

  const TupleSpace space(built.system, built.properties);
  const auto given = violating_part(space, {.actions = found.actions}, 0);
  RC_ASSERT(given.has_value());
  const ShrinkOptions options{.property = 0, .system = built.system.get()};
  const Run smaller = shrink(space, *given, options);
  RC_ASSERT(cost_of(smaller, options.system) <= cost_of(*given, options.system));
  RC_ASSERT(violating_part(space, smaller, 0) == smaller);
  RC_ASSERT(shrink(space, *given, options) == smaller);
  RC_ASSERT(shrink(space, smaller, options) == smaller);
  for (std::size_t i = 0; i < smaller.actions.size(); ++i) {
    Run without = smaller;
    without.actions.erase(without.actions.begin() + static_cast<std::ptrdiff_t>(i));
    std::optional<Run> part;
    try {
      part = violating_part(space, without, 0);
    } catch (const std::invalid_argument&) {
      continue;  // what follows needs the event
    }
    RC_ASSERT(!part);
  }
}

TEST(Shrink, KeepsALassoALasso) {
  const scenario::Built built = scenario::build(
      scenario::load_file(std::string(SLOTLAB_SOURCE_DIR) + "/scenarios/manual/wrong-order.yaml"));
  const TupleSpace space(built.system, built.properties);
  std::size_t lassos = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const HuntRun found =
        hunt_once(World(built.system), {.seed = seed, .events_max = 60, .settle = true});
    const sim::Run run{.actions = found.actions, .cycle_start = found.cycle_start};
    constexpr std::size_t kAgreed = 1;
    if (!violating_part(space, run, kAgreed)) continue;
    ++lassos;
    const ShrinkOptions options{.property = kAgreed, .system = built.system.get()};
    const sim::Run smaller = shrink(space, run, options);
    EXPECT_LT(smaller.actions.size(), run.actions.size());
    EXPECT_EQ(violating_part(space, smaller, kAgreed), smaller);
  }
  EXPECT_GT(lassos, 0u);
}

}  // namespace
}  // namespace slotlab::sim
