// Tries to refute the dropping of inert messages on real scenarios: in all dialects, with faults
// and steps in any order, the reachable combinations of local states must be the same as without.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "models/scenario/build.h"
#include "models/scenario/load.h"
#include "tests/models/laws/drawn_scenarios.h"
#include "tests/sim/check/reached.h"

namespace slotlab {
namespace {

RC_GTEST_PROP(Reductions, ReachTheSameCombinationsInDrawnScenarios, ()) {
  const std::string text = laws::drawn_scenario();
  RC_LOG() << text;
  const scenario::Built built = scenario::build(scenario::load_text(text, "drawn"));
  const sim::testing::Reached full = sim::testing::explore_all(built.system, {}, 20000);
  // A message lost at a full link is where the argument stops (docs/reductions.md).
  RC_PRE(!full.too_large && !full.capacity_hit);
  const sim::testing::Reached dropped =
      sim::testing::explore_all(built.system, {.drop_inert = true});
  RC_ASSERT(dropped.combinations == full.combinations);
  RC_ASSERT(dropped.states <= full.states);
  RC_CLASSIFY(dropped.states * 2 <= full.states, "at most half");
}

}  // namespace
}  // namespace slotlab
