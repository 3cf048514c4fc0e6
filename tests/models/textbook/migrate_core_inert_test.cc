// MigrateCore with inert messages dropped: the same verdicts as the full search, and as few states
// as the reduction's first prototype needed.
#include <gtest/gtest.h>

#include "models/textbook/migrate_core.h"
#include "sim/check/explorer.h"

namespace slotlab::textbook {
namespace {

struct Row {
  const char* spec;
  std::uint64_t states_max;
  std::uint64_t not_owned;
};

TEST(MigrateCoreInert, IsAsSmallAsExpected) {
  const Row rows[] = {{"3-right-1-1", 309, 0},
                      {"3-wrong-1-1", 225, 10},
                      {"3-right-1-1-ab-equal", 11913, 955},
                      {"3-right-1-1-bc-equal", 1667, 0},
                      {"4-right-1-1", 4403, 0},
                      {"5-right-1-1", 104353, 0}};
  for (const Row& row : rows) {
    const auto space = make_migrate_core_space(row.spec, true);
    const sim::ExploreResult result = sim::explore(*space, {});
    EXPECT_TRUE(result.complete) << row.spec;
    EXPECT_LE(result.states, row.states_max) << row.spec;
    EXPECT_EQ(result.properties[0].states != 0, row.not_owned != 0) << row.spec;
  }
}

TEST(MigrateCoreInert, FindsTheSameVerdictsFromAllStartingEpochs) {
  for (const bool right : {true, false}) {
    for (const InitialEpochs epochs : {InitialEpochs::distinct, InitialEpochs::ab_equal,
                                       InitialEpochs::bc_equal, InitialEpochs::all_equal}) {
      MigrateCore core;
      core.right_order = right;
      core.epochs = epochs;
      core.crashes_max = 1;
      core.admin_stops_max = 1;
      core.drop_inert = true;
      const auto space = make_migrate_core(core);
      const sim::ExploreResult result = sim::explore(*space, {});
      const bool equal_at_a =
          epochs == InitialEpochs::ab_equal || epochs == InitialEpochs::all_equal;
      EXPECT_EQ(result.properties[0].verdict == sim::Verdict::violated, !right || equal_at_a);
      EXPECT_EQ(result.properties[1].states != 0, right && equal_at_a);
    }
  }
}

}  // namespace
}  // namespace slotlab::textbook
