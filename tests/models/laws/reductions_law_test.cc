// Compares reductions with a search that does without them: on every scenario that is small enough,
// in each of its dialects, and on drawn ones. Verdicts must be the same, and early deliveries must
// leave the same states in which nothing is possible any more.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>

#include "models/scenario/build.h"
#include "models/scenario/load.h"
#include "models/scenario/rename.h"
#include "sim/check/similar_space.h"
#include "tests/models/laws/drawn_scenarios.h"
#include "tests/sim/check/end_states.h"

namespace slotlab {
namespace {

constexpr std::uint64_t kStatesMax = 12000;

// With lasting messages and similar states more can happen, never less. False if that search would
// be too large.
bool is_covered(const scenario::Built& built, const sim::testing::Ends& wanted,
                std::string& problem) {
  int looks = 0;
  sim::SimilarSpace space(built.system, built.properties, [&looks] { return ++looks < 3000; });
  const sim::ExploreResult found = sim::explore(
      space, {.threads = 2, .states_max = 2 * kStatesMax, .skip_long_run = true});
  if (!found.complete) return false;
  for (std::size_t p = 0; p < built.properties.size(); ++p) {
    const sim::Property& property = built.properties[p];
    const auto full = static_cast<sim::Verdict>(wanted.verdicts[p]);
    const auto verdict = found.properties[p].verdict;
    if (property.mood == sim::Mood::always && verdict == sim::Verdict::holds &&
        full != sim::Verdict::holds) {
      problem += property.name + " does not hold; ";
    }
    if (property.mood == sim::Mood::sometimes && !property.sees_cuts &&
        verdict == sim::Verdict::violated && full != sim::Verdict::violated) {
      problem += property.name + " is reached; ";
    }
  }
  return true;
}

// Nothing, if the scenario is too large.
void expect_same(const scenario::Built& built, std::uint64_t& compared,
                 std::uint64_t& covered) {
  const auto wanted = sim::testing::ends_of(built.system, built.properties, {.drop_inert = true},
                                            kStatesMax);
  if (!wanted.complete) return;
  ++compared;
  const auto early = sim::testing::ends_of(built.system, built.properties,
                                           {.drop_inert = true, .deliver_early = true});
  EXPECT_EQ(early.verdicts, wanted.verdicts) << "por";
  EXPECT_EQ(early.ends, wanted.ends) << "por";
  EXPECT_LE(early.states, wanted.states);
  std::string problem;
  if (wanted.states < kStatesMax / 4 && is_covered(built, wanted, problem)) ++covered;
  EXPECT_EQ(problem, "") << "lasting and similar";
  const auto group = scenario::find_renamings(built);
  if (group == nullptr) return;
  const auto folded = sim::testing::ends_of(built.system, built.properties,
                                            {.drop_inert = true, .symmetry = group});
  EXPECT_EQ(folded.verdicts, wanted.verdicts) << "symmetry";
  EXPECT_LE(folded.states, wanted.states);
}

TEST(ReductionsLaw, HoldsOfEverySmallScenario) {
  std::vector<std::filesystem::path> files;
  const auto folder = std::filesystem::path(SLOTLAB_SOURCE_DIR) / "scenarios";
  for (const auto& each : std::filesystem::recursive_directory_iterator(folder)) {
    if (each.path().extension() == ".yaml" && each.path().parent_path().filename() != "large") {
      files.push_back(each.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::uint64_t compared = 0, covered = 0;
  for (const auto& file : files) {
    const scenario::Scenario scenario = scenario::load_file(file.string());
    for (const auto& dialect : scenario.dialects) {
      SCOPED_TRACE(file.string() + " " + dialect.value);
      expect_same(scenario::build(scenario, {.dialect = dialect.value}), compared, covered);
    }
  }
  EXPECT_GE(compared, 150u);
  EXPECT_GE(covered, 100u);
}

RC_GTEST_PROP(ReductionsLaw, LastingMessagesAndSimilarStatesHoldOfDrawnScenarios, ()) {
  if (*rc::gen::inRange(0, 4) != 0) return;  // dear
  const std::string text = laws::drawn_scenario();
  RC_LOG() << text;
  const scenario::Built built = scenario::build(scenario::load_text(text, "drawn"));
  const auto wanted = sim::testing::ends_of(built.system, built.properties, {.drop_inert = true},
                                            kStatesMax);
  RC_PRE(wanted.complete);
  std::string problem;
  RC_PRE(is_covered(built, wanted, problem));
  RC_ASSERT(problem.empty());
  RC_CLASSIFY(wanted.verdicts[0] != 0, "violated");
}

RC_GTEST_PROP(ReductionsLaw, EarlyDeliveriesHoldOfDrawnScenarios, ()) {
  const std::string text = laws::drawn_scenario();
  RC_LOG() << text;
  const scenario::Built built = scenario::build(scenario::load_text(text, "drawn"));
  const auto wanted = sim::testing::ends_of(built.system, built.properties, {.drop_inert = true},
                                            kStatesMax / 4);
  RC_PRE(wanted.complete);
  const auto early = sim::testing::ends_of(built.system, built.properties,
                                           {.drop_inert = true, .deliver_early = true});
  RC_ASSERT(early.verdicts == wanted.verdicts);
  RC_ASSERT(early.ends == wanted.ends);
  RC_CLASSIFY(early.states < wanted.states, "fewer states");
}

}  // namespace
}  // namespace slotlab
