// One run of a hunt: what ends it, and when planned faults come. The systems are toys whose runs
// have a known length.
#include "sim/drive/hunt.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/sim/toy_actors.h"

namespace slotlab::sim {
namespace {

using namespace toys;

// The token goes round twice: 12 events, then nothing is possible.
World ring_world(std::vector<FaultRule> faults = {}) {
  SystemSpec spec = ring_spec();
  spec.faults = std::move(faults);
  return World(make_system(std::move(spec)));
}

TEST(Hunt, WhoeverCancelsEndsTheRunBeforeItsNextEvent) {
  int asked = 0;
  const HuntRun run = hunt_once(
      ring_world(), {.seed = 1, .cancelled = [&] { return ++asked > 3; }, .settle = true});
  EXPECT_TRUE(run.cancelled);
  EXPECT_FALSE(run.violated);
  EXPECT_EQ(run.actions.size(), 3u);
  EXPECT_EQ(run.cycle_start, SIZE_MAX);
}

TEST(Hunt, AViolationCountsThoughTheTimeIsOverAsWell) {
  const HuntRun run = hunt_once(ring_world(), {.seed = 1,
                                               .violated = [](const World&) { return true; },
                                               .cancelled = [] { return true; }});
  EXPECT_TRUE(run.violated);
  EXPECT_FALSE(run.cancelled);
}

// Whatever moment was drawn for a fault: where nothing else happens any more it comes at once.
TEST(Hunt, PlannedFaultsDoNotWaitForEventsThatNeverCome) {
  FaultRule crash;
  crash.kind = FaultKind::crash;
  crash.name = "crash";
  crash.actors = {ActorId{0}};
  crash.at_most = 1;
  int planned = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const HuntRun run = hunt_once(ring_world({crash}), {.seed = seed, .events_max = 1000});
    for (const PlannedFault& fault : run.plan) {
      ++planned;
      EXPECT_TRUE(fault.fired) << "seed " << seed << ", due " << fault.due;
    }
  }
  EXPECT_GT(planned, 10);
}

}  // namespace
}  // namespace slotlab::sim
