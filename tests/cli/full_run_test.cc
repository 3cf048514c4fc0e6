// A run found by a reduced search is a run of the system itself, and shows the same violation.
#include "cli/full_run.h"

#include <gtest/gtest.h>

#include <string>

#include "cli/observed.h"
#include "models/textbook/textbook.h"

namespace slotlab::cli {
namespace {

class FullRun : public testing::TestWithParam<std::string> {};

TEST_P(FullRun, ShowsWhatTheReducedRunShows) {
  const auto reduced = textbook::make_textbook_space(GetParam(), {.drop_inert = true});
  const auto full = textbook::make_textbook_space(GetParam());
  const sim::ExploreResult result = sim::explore(*reduced, {});
  std::size_t violations = 0;
  for (std::size_t i = 0; i < result.properties.size(); ++i) {
    const sim::PropertyResult& property = result.properties[i];
    if (property.verdict != sim::Verdict::violated || !property.run) continue;
    ++violations;
    const sim::Run run = full_run(*reduced, *full, *property.run);
    EXPECT_GE(run.actions.size(), property.run->actions.size());
    EXPECT_TRUE(observe(*full, run)[i].violated) << property.name;
  }
  EXPECT_GE(violations, 1u);
}

INSTANTIATE_TEST_SUITE_P(MigrateCore, FullRun,
                         testing::Values("migrate-core/3-wrong-0-0", "migrate-core/3-wrong-1-1",
                                         "migrate-core/3-right-1-1-ab-equal"));

}  // namespace
}  // namespace slotlab::cli
