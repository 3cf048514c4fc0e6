// The larger instances of two-phase commit, which take seconds in a debug build.
#include <gtest/gtest.h>

#include "tests/sim/check/two_phase_counts.h"

namespace slotlab::sim {
namespace {

TEST(TwoPhaseCommitSlow, SevenResourceManagersHaveTheKnownCounts) {
  expect_two_phase_counts(7, {});
}

TEST(TwoPhaseCommitSlow, EightResourceManagersHaveTheKnownCounts) {
  expect_two_phase_counts(8, {.threads = 2});
}

}  // namespace
}  // namespace slotlab::sim
