// Packed queues, the visited set and the other parts of the search by themselves.
#include "sim/check/packed_states.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>

#include "sim/check/exact_states.h"
#include "sim/check/fingerprint.h"
#include "sim/check/visited_set.h"
#include "sim/check/worker_pool.h"

namespace slotlab::sim {
namespace {

std::vector<std::vector<std::uint32_t>> contents(const PackedQueue& queue, std::size_t width) {
  std::vector<std::vector<std::uint32_t>> states;
  for (std::size_t b = 0; b < queue.block_count(); ++b) {
    for (std::size_t i = 0; i < queue.block(b).size(); ++i) {
      states.emplace_back(width);
      queue.block(b).load(i, 1, states.back().data());
    }
  }
  return states;
}

RC_GTEST_PROP(PackedQueue, GivesBackWhatWasPutIn, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(1, 20);
  const auto value = rc::gen::element<std::uint32_t>(0, 1, 255, 256, 65535, 65536, UINT32_MAX);
  const auto states = *rc::gen::container<std::vector<std::vector<std::uint32_t>>>(
      rc::gen::container<std::vector<std::uint32_t>>(width, value));
  PackedQueue queue(width);
  for (const auto& state : states) queue.append(state.data());
  RC_ASSERT(queue.size() == states.size());
  RC_ASSERT(contents(queue, width) == states);
}

TEST(PackedQueue, TakesAsFewBytesAsTheValuesNeed) {
  PackedQueue queue(18);
  std::vector<std::uint32_t> state(18, 19);
  for (int i = 0; i < 100'000; ++i) queue.append(state.data());
  EXPECT_LT(queue.bytes(), 100'000u * 19);
  state[3] = 1000;
  for (int i = 0; i < 100'000; ++i) queue.append(state.data());
  EXPECT_LT(queue.bytes(), 100'000u * (19 + 20));
  EXPECT_EQ(contents(queue, 18).back(), state);
}

TEST(PackedQueue, GetsNarrowAgainAfterLargeValues) {
  PackedQueue queue(4);
  const std::vector<std::uint32_t> large(4, 1u << 20);
  const std::vector<std::uint32_t> small(4, 1);
  queue.append(large.data());
  for (int i = 0; i < 100'000; ++i) queue.append(small.data());
  EXPECT_LT(queue.bytes(), 100'000u * 5);
}

class VisitedSets : public testing::TestWithParam<FingerprintWidth> {};

TEST_P(VisitedSets, FindsWhatWasInsertedWhileGrowing) {
  VisitedSet visited(GetParam());
  constexpr std::uint32_t kCount = 300'000;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const Fingerprint fingerprint = component_fingerprint(0, i);
    if (!visited.has_room()) visited.grow();
    ASSERT_TRUE(visited.insert(fingerprint));
  }
  EXPECT_EQ(visited.size(), kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    ASSERT_FALSE(visited.insert(component_fingerprint(0, i)));
  }
  const std::uint64_t bytes = visited.bytes_after_growth();
  visited.grow();
  EXPECT_EQ(visited.bytes(), bytes);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    ASSERT_FALSE(visited.insert(component_fingerprint(0, i)));
  }
  EXPECT_TRUE(visited.insert(component_fingerprint(1, 0)));
}

TEST_P(VisitedSets, HoldZero) {
  VisitedSet visited(GetParam());
  EXPECT_TRUE(visited.insert({0, 0}));
  EXPECT_FALSE(visited.insert({0, 0}));
}

INSTANTIATE_TEST_SUITE_P(Widths, VisitedSets,
                         testing::Values(FingerprintWidth::bits64, FingerprintWidth::bits128));

TEST(VisitedSet, Of128BitsTellsUpperHalvesApart) {
  VisitedSet visited(FingerprintWidth::bits128);
  EXPECT_TRUE(visited.insert({5, 1}));
  EXPECT_TRUE(visited.insert({5, 2}));
  EXPECT_FALSE(visited.insert({5, 1}));
}

TEST(VisitedSet, OverflowsFromFullLinesIntoTheNext) {
  VisitedSet visited(FingerprintWidth::bits64);
  // Neighbouring numbers belong to one line, and the top ones to the last, which wraps around.
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_TRUE(visited.insert({1000 + i, 0}));
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_TRUE(visited.insert({UINT64_MAX - i, 0}));
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_FALSE(visited.insert({1000 + i, 0}));
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_FALSE(visited.insert({UINT64_MAX - i, 0}));
}

TEST(ExactStates, NumbersNewStatesInOrder) {
  ExactStates states(2);
  EXPECT_TRUE(states.insert(std::vector<std::uint32_t>{1, 2}));
  EXPECT_TRUE(states.insert(std::vector<std::uint32_t>{2, 1}));
  EXPECT_FALSE(states.insert(std::vector<std::uint32_t>{1, 2}));
  EXPECT_TRUE(states.insert(std::vector<std::uint32_t>{0, 0}));
  EXPECT_TRUE(std::ranges::equal(states.state(2), std::vector<std::uint32_t>{0, 0}));
}

TEST(Fingerprint, FollowsChangesOfComponents) {
  const std::vector<std::uint32_t> before = {3, 1, 4};
  const std::vector<std::uint32_t> after = {3, 5, 4};
  EXPECT_EQ(tuple_fingerprint(before) - component_fingerprint(1, 1) + component_fingerprint(1, 5),
            tuple_fingerprint(after));
  EXPECT_NE(tuple_fingerprint(std::vector<std::uint32_t>{1, 2}),
            tuple_fingerprint(std::vector<std::uint32_t>{2, 1}));
  // Pinned: fingerprints are the same in every build, so traces and checkpoints may hold them.
  EXPECT_EQ(tuple_fingerprint(before).low, 0xd8a8f6d15bc79c7cu);
  EXPECT_EQ(tuple_fingerprint(before).high, 0x183e259f9edf8831u);
}

TEST(WorkerPool, RunsEveryTaskOnceWithAnyNumberOfThreads) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    WorkerPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (int repeat = 0; repeat < 50; ++repeat) {
      std::vector<std::atomic<int>> ran(97);
      pool.run(ran.size(), [&](std::size_t i) { ++ran[i]; });
      for (const auto& times : ran) ASSERT_EQ(times, 1);
    }
  }
}

TEST(WorkerPool, PassesOnAnExceptionAndGoesOnWorking) {
  for (const unsigned threads : {1u, 3u}) {
    WorkerPool pool(threads);
    EXPECT_THROW(pool.run(10,
                          [](std::size_t i) {
                            if (i == 4) throw std::runtime_error("task 4");
                          }),
                 std::runtime_error);
    std::atomic<int> ran = 0;
    pool.run(10, [&](std::size_t) { ++ran; });
    EXPECT_EQ(ran, 10);
  }
}

}  // namespace
}  // namespace slotlab::sim
