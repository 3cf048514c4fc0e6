// What one run shows of a property. The runs are those of MigrateCore, a Space at hand.
#include "cli/observed.h"

#include <gtest/gtest.h>

#include "models/textbook/migrate_core.h"

namespace slotlab::cli {
namespace {

// The shortest run that leaves the slot of MigrateCore without an owner.
sim::Run shortest_violation(sim::Space& space, std::size_t property) {
  const sim::ExploreResult result = sim::explore(space, {});
  EXPECT_EQ(result.properties.at(property).verdict, sim::Verdict::violated);
  return result.properties.at(property).run.value();
}

TEST(Observe, TellsTheEventAfterWhichAnAlwaysIsFalse) {
  const auto space = textbook::make_migrate_core_space("3-wrong-0-0");
  const sim::Run run = shortest_violation(*space, 0);
  const std::vector<Observed> observed = observe(*space, run);
  ASSERT_EQ(observed[0].name, "owned");
  EXPECT_TRUE(observed[0].violated);
  EXPECT_EQ(observed[0].event, run.actions.size());
  EXPECT_FALSE(observed[0].holds_at_end);
  EXPECT_TRUE(any_violated(observed));
}

TEST(Observe, ARunCutBeforeTheViolationBreaksNothing) {
  const auto space = textbook::make_migrate_core_space("3-wrong-0-0");
  sim::Run run = shortest_violation(*space, 0);
  run.actions.pop_back();
  EXPECT_FALSE(observe(*space, run)[0].violated);
  EXPECT_FALSE(any_violated(observe(*space, run)));
}

TEST(Observe, AnEventuallyAlwaysIsBrokenByACycleOnly) {
  const auto space = textbook::make_migrate_core_space("3-wrong-0-0");
  std::size_t eventually = 0;
  while (space->property_mood(eventually) != sim::Mood::eventually_always) ++eventually;
  sim::Run run = shortest_violation(*space, eventually);
  EXPECT_TRUE(observe(*space, run)[eventually].violated);
  run.cycle_start = SIZE_MAX;
  EXPECT_FALSE(observe(*space, run)[eventually].violated);
}

}  // namespace
}  // namespace slotlab::cli
