// Two results that must not differ in anything but time and memory.
#pragma once

#include <gtest/gtest.h>

#include "sim/check/explorer.h"

namespace slotlab::sim {

inline void expect_same_result(const ExploreResult& a, const ExploreResult& b) {
  EXPECT_EQ(a.complete, b.complete);
  EXPECT_EQ(a.stopped_by, b.stopped_by);
  EXPECT_EQ(a.states, b.states);
  EXPECT_EQ(a.transitions, b.transitions);
  EXPECT_EQ(a.depth, b.depth);
  EXPECT_EQ(a.rounds, b.rounds);
  ASSERT_EQ(a.properties.size(), b.properties.size());
  for (std::size_t p = 0; p < a.properties.size(); ++p) {
    SCOPED_TRACE(a.properties[p].name);
    EXPECT_EQ(a.properties[p].verdict, b.properties[p].verdict);
    EXPECT_EQ(a.properties[p].states, b.properties[p].states);
    EXPECT_EQ(a.properties[p].depth, b.properties[p].depth);
    EXPECT_TRUE(a.properties[p].run == b.properties[p].run);
    EXPECT_EQ(a.properties[p].explanation, b.properties[p].explanation);
  }
  EXPECT_EQ(a.figures.size(), b.figures.size());
}

}  // namespace slotlab::sim
