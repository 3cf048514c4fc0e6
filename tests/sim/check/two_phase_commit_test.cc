// Two-phase commit has its counts in closed form, so each instance checks the whole engine: counts,
// depth, verdicts, widths of fingerprints, and that threads change nothing but the time.
#include <gtest/gtest.h>

#include "models/textbook/two_phase_commit.h"
#include "sim/check/run_path.h"
#include "tests/sim/check/same_result.h"
#include "tests/sim/check/two_phase_counts.h"

namespace slotlab::sim {
namespace {

class TwoPhaseCommit : public testing::TestWithParam<unsigned> {};

TEST_P(TwoPhaseCommit, HasTheKnownCounts) { expect_two_phase_counts(GetParam(), {}); }

INSTANTIATE_TEST_SUITE_P(Small, TwoPhaseCommit, testing::Range(1u, 7u));

TEST(TwoPhaseCommitSearch, ReportsTheSameWithAnyNumberOfThreads) {
  const auto space = textbook::make_two_phase_commit_space(5);
  const ExploreResult alone = explore(*space, {.threads = 1});
  for (const unsigned threads : {2u, 5u}) {
    SCOPED_TRACE(threads);
    expect_same_result(explore(*space, {.threads = threads}), alone);
  }
}

TEST(TwoPhaseCommitSearch, StopsAtTheSamePlaceWithAnyNumberOfThreads) {
  const auto space = textbook::make_two_phase_commit_space(6);
  const ExploreResult alone = explore(*space, {.threads = 1, .states_max = 30'000});
  EXPECT_EQ(alone.stopped_by, "states");
  EXPECT_EQ(alone.properties[0].verdict, Verdict::inconclusive);
  for (const unsigned threads : {2u, 5u}) {
    SCOPED_TRACE(threads);
    expect_same_result(explore(*space, {.threads = threads, .states_max = 30'000}), alone);
  }
}

TEST(TwoPhaseCommitSearch, ReportsTheSameWithAnyWidthOfFingerprints) {
  const auto space = textbook::make_two_phase_commit_space(4);
  const ExploreResult narrow = explore(*space, {.width = FingerprintWidth::bits64});
  expect_same_result(explore(*space, {.width = FingerprintWidth::bits128}), narrow);
  ExploreResult exact = explore(*space, {.width = FingerprintWidth::exact});
  ASSERT_EQ(exact.figures.size(), 1u);
  EXPECT_EQ(exact.figures[0].value, 0u);  // no two states shared a fingerprint
  exact.figures.clear();
  expect_same_result(exact, narrow);
  const ExploreResult exact_threads =
      explore(*space, {.threads = 3, .width = FingerprintWidth::exact});
  EXPECT_EQ(exact_threads.states, narrow.states);
}

TEST(TwoPhaseCommitSearch, WitnessReplaysToAStateInWhichAllCommitted) {
  const auto space = textbook::make_two_phase_commit_space(3);
  const ExploreResult result = explore(*space, {});
  const PropertyResult& all_commit = result.properties[1];
  ASSERT_TRUE(all_commit.run);
  EXPECT_EQ(all_commit.run->actions.size(), 10u);
  const auto states = states_along(*space, *all_commit.run);
  for (std::size_t i = 0; i + 1 < states.size(); ++i) {
    EXPECT_EQ(space->check(states[i]) & 2, 0u) << "the witness is not the shortest";
  }
  EXPECT_EQ(space->check(states.back()) & 2, 2u);
  EXPECT_EQ(space->describe(states[9], all_commit.run->actions[9]).substr(0, 16),
            "resource manager");
}

TEST(TwoPhaseCommitSearch, FingerprintsOfSuccessorsAreThoseOfTheirStates) {
  const auto space = textbook::make_two_phase_commit_space(3);
  const auto from = states_along(*space, *explore(*space, {}).properties[1].run);
  for (const auto& state : from) {
    Successors successors;
    space->expand(state, space->fingerprint(state), successors);
    for (const auto& entry : successors.entries) {
      EXPECT_EQ(space->fingerprint(successor_state(state, successors, entry)), entry.fingerprint);
    }
  }
}

TEST(TwoPhaseCommitSearch, ReportsProgressFromTheCallingThreadOnly) {
  const auto space = textbook::make_two_phase_commit_space(6);
  std::uint64_t last = 0;
  ExploreOptions options;
  options.progress = [&](const Progress& progress) {
    EXPECT_GE(progress.states, last);
    last = progress.states;
  };
  EXPECT_TRUE(explore(*space, options).complete);
}

TEST(TwoPhaseCommitSpace, RefusesNumbersOutsideItsRange) {
  EXPECT_THROW(textbook::make_two_phase_commit_space(0), std::invalid_argument);
  EXPECT_THROW(textbook::make_two_phase_commit_space(13), std::invalid_argument);
}

}  // namespace
}  // namespace slotlab::sim
