// Tries to refute the dropping of inert messages: over random systems the reachable combinations of
// local states and environments must be the same with and without it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/sim/check/random_system.h"
#include "tests/sim/check/reached.h"

namespace slotlab::sim {
namespace {

using testing::explore_all;
using testing::Reached;

RC_GTEST_PROP(InertMessages, ReachTheSameCombinationsOfLocalStates, ()) {
  const std::shared_ptr<const System> system = testing::random_system();
  const Reached full = explore_all(system, {});
  // A message lost at a full link is where the argument stops (docs/reductions.md).
  RC_PRE(!full.capacity_hit);
  const Reached dropped = explore_all(system, {.drop_inert = true});
  RC_ASSERT(dropped.combinations == full.combinations);
  RC_ASSERT(dropped.states <= full.states);
  RC_CLASSIFY(dropped.states < full.states, "smaller");
  RC_CLASSIFY(dropped.rounds > 1, "more than one round");
}

}  // namespace
}  // namespace slotlab::sim
