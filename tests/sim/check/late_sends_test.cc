// Tries to refute late sends, alone and with inert messages dropped: over random systems the
// reachable combinations of local states and environments must be the same as in the full search.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/check/explorer.h"
#include "tests/sim/check/random_system.h"
#include "tests/sim/check/reached.h"

namespace slotlab::sim {
namespace {

using testing::explore_all;
using testing::Reached;

RC_GTEST_PROP(LateSends, ReachTheSameCombinationsOfLocalStates, ()) {
  const std::shared_ptr<const System> system = testing::random_system();
  const Reached full = explore_all(system, {});
  // A message lost at a full link is where the argument stops (docs/reductions.md).
  RC_PRE(!full.capacity_hit);
  const Reached late = explore_all(system, {.late_sends = true});
  RC_ASSERT(late.combinations == full.combinations);
  const Reached both = explore_all(system, {.drop_inert = true, .late_sends = true});
  RC_ASSERT(both.combinations == full.combinations);
  RC_CLASSIFY(late.states < full.states, "smaller");
}

}  // namespace
}  // namespace slotlab::sim
