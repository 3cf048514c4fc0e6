// The generator's numbers are part of every recorded run: these tests pin them.
#include "sim/random/random.h"

#include <gtest/gtest.h>

#include <array>
#include <rapidcheck/gtest.h>
#include <set>
#include <vector>

#include "sim/base/assert.h"

namespace slotlab::sim {
namespace {

using Numbers = std::vector<std::uint64_t>;

TEST(Xoshiro256, GivesTheOutputsOfTheReferenceImplementation) {
  Xoshiro256 engine{{1, 2, 3, 4}};
  Numbers outputs;
  for (int i = 0; i < 6; ++i) outputs.push_back(engine());
  EXPECT_EQ(outputs, (Numbers{11520, 0, 1509978240, 1215971899390074240, 1216172134540287360,
                              607988272756665600}));
}

TEST(Splitmix64, GivesTheOutputsOfTheReferenceImplementation) {
  std::uint64_t state = 1234567;
  Numbers outputs;
  for (int i = 0; i < 5; ++i) outputs.push_back(splitmix64(state));
  EXPECT_EQ(outputs, (Numbers{6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                              4593380528125082431u, 16408922859458223821u}));
}

TEST(Random, FirstDrawsOfASeedNeverChange) {
  Random random(1);
  Numbers bits, below, between;
  for (int i = 0; i < 3; ++i) bits.push_back(random.bits());
  for (int i = 0; i < 8; ++i) below.push_back(random.below(10));
  for (int i = 0; i < 4; ++i) between.push_back(random.between(200, 2000));
  EXPECT_EQ(bits, (Numbers{12966619160104079557u, 9600361134598540522u, 10590380919521690900u}));
  EXPECT_EQ(below, (Numbers{3, 6, 1, 0, 3, 8, 5, 9}));
  EXPECT_EQ(between, (Numbers{1923, 1879, 1405, 1280}));
}

TEST(Random, FirstDrawsOfAStreamNeverChange) {
  Random latency = Random(1).stream("latency");
  Numbers bits;
  for (int i = 0; i < 3; ++i) bits.push_back(latency.bits());
  EXPECT_EQ(bits, (Numbers{5344789706455059161u, 4566501021419299368u, 6510215526151756229u}));
}

TEST(Random, StreamDependsOnSeedAndNameButNotOnEarlierDraws) {
  Random fresh(7), used(7);
  for (int i = 0; i < 100; ++i) used.bits();
  EXPECT_EQ(fresh.stream("faults").bits(), used.stream("faults").bits());
  EXPECT_NE(fresh.stream("faults").bits(), fresh.stream("latency").bits());
  EXPECT_NE(fresh.stream("faults").bits(), Random(8).stream("faults").bits());
  EXPECT_NE(fresh.stream("ab").stream("c").bits(), fresh.stream("a").stream("bc").bits());
}

TEST(Random, NamesThatLookAlikeGiveDifferentStreams) {
  std::set<std::uint64_t> first;
  for (const char* name : {"", "a", "aa", "aaa", "b", "ab", "ba", "a b", "1", "01", "10"}) {
    first.insert(Random(0).stream(name).bits());
  }
  EXPECT_EQ(first.size(), 11u);
}

TEST(Random, BelowCoversItsRangeEvenly) {
  Random random(3);
  std::array<int, 6> count{};
  for (int i = 0; i < 60'000; ++i) ++count[random.below(6)];
  for (const int c : count) {
    EXPECT_GT(c, 9'500);
    EXPECT_LT(c, 10'500);
  }
}

TEST(Random, BetweenIncludesBothEndsAndTheWholeRange) {
  Random random(4);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 200; ++i) seen.insert(random.between(5, 7));
  EXPECT_EQ(seen, (std::set<std::uint64_t>{5, 6, 7}));
  EXPECT_EQ(random.between(9, 9), 9u);
  std::uint64_t high_bits = 0;
  for (int i = 0; i < 64; ++i) high_bits |= random.between(0, UINT64_MAX);
  EXPECT_EQ(high_bits, UINT64_MAX);
}

TEST(Random, ChanceHoldsItsRatio) {
  Random random(5);
  int hits = 0;
  for (int i = 0; i < 30'000; ++i) hits += random.chance(1, 3) ? 1 : 0;
  EXPECT_GT(hits, 9'600);
  EXPECT_LT(hits, 10'400);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(random.chance(0, 3));
    EXPECT_TRUE(random.chance(3, 3));
  }
}

TEST(Random, ImpossibleRangesAreAsserts) {
  Random random(6);
  EXPECT_THROW(random.below(0), InternalError);
  EXPECT_THROW(random.between(2, 1), InternalError);
  EXPECT_THROW(random.chance(1, 0), InternalError);
  EXPECT_THROW(random.chance(4, 3), InternalError);
}

RC_GTEST_PROP(Random, DrawsStayWithinTheirRange, (std::uint64_t seed, std::uint64_t a,
                                                  std::uint64_t b)) {
  Random random(seed);
  const std::uint64_t low = std::min(a, b), high = std::max(a, b);
  const std::uint64_t drawn = random.between(low, high);
  RC_ASSERT(low <= drawn && drawn <= high);
}

}  // namespace
}  // namespace slotlab::sim
