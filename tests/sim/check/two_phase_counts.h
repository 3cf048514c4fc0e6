// The closed forms of two-phase commit's counts, for the quick and the slow test.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "models/textbook/two_phase_commit.h"
#include "sim/check/explorer.h"

namespace slotlab::sim {

inline std::uint64_t power(std::uint64_t base, unsigned exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

inline void expect_two_phase_counts(unsigned n, const ExploreOptions& options) {
  const auto space = textbook::make_two_phase_commit_space(n);
  const ExploreResult result = explore(*space, options);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.states, power(2, n) + power(4, n) + power(6, n));
  EXPECT_EQ(result.transitions + 1,
            2 + (n + 1) * power(4, n) + n * power(2, n) + 4 * n * power(6, n) / 3);
  EXPECT_EQ(result.depth, 3 * n + 1);  // steps; 3n + 2 states lie on the way
  EXPECT_EQ(result.properties[0].verdict, Verdict::holds);
  EXPECT_EQ(result.properties[1].verdict, Verdict::holds);
  EXPECT_EQ(result.properties[1].states, 1u);
}

}  // namespace slotlab::sim
