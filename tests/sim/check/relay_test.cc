// What a search with several threads is made of: batches that are taken in order, fingerprints that
// were met a moment ago, and a table that is looked into while it is filled.
#include "sim/check/relay.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <thread>

#include "sim/check/fingerprint.h"
#include "sim/check/recent_set.h"
#include "sim/check/visited_set.h"

namespace slotlab::sim {
namespace {

TEST(Relay, TakesEveryBatchInOrderWithAnyNumberOfThreads) {
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    WorkerPool pool(threads);
    Relay relay(pool);
    for (const std::size_t count : {0u, 1u, 7u, 500u}) {
      std::vector<std::size_t> made(relay.slots());
      std::vector<std::size_t> last(threads, 0);
      std::vector<std::size_t> taken;
      relay.run(
          count,
          [&](std::size_t batch, std::size_t slot, std::size_t thread) {
            EXPECT_LE(last[thread], batch);
            last[thread] = batch;
            made[slot] = batch;
          },
          [&](std::size_t slot) { taken.push_back(made[slot]); });
      std::vector<std::size_t> expected(count);
      std::iota(expected.begin(), expected.end(), std::size_t{0});
      EXPECT_EQ(taken, expected);
    }
  }
}

TEST(Relay, PassesOnWhatMakingOrTakingThrows) {
  for (const unsigned threads : {1u, 2u, 8u}) {
    WorkerPool pool(threads);
    Relay relay(pool);
    const auto nothing = [](std::size_t) {};
    EXPECT_THROW(relay.run(
                     300,
                     [](std::size_t batch, std::size_t, std::size_t) {
                       if (batch == 150) throw std::runtime_error("made");
                     },
                     nothing),
                 std::runtime_error);
    int taken = 0;
    EXPECT_THROW(relay.run(
                     300, [](std::size_t, std::size_t, std::size_t) {},
                     [&](std::size_t) {
                       if (++taken == 100) throw std::runtime_error("taken");
                     }),
                 std::runtime_error);
    // It is of use afterwards.
    taken = 0;
    relay.run(40, [](std::size_t, std::size_t, std::size_t) {}, [&](std::size_t) { ++taken; });
    EXPECT_EQ(taken, 40);
  }
}

TEST(Relay, NobodyWaitsForEverAfterAFailure) {
  WorkerPool pool(6);
  Relay relay(pool);
  for (std::size_t repeat = 0; repeat < 2000; ++repeat) {
    EXPECT_THROW(relay.run(
                     200,
                     [&](std::size_t batch, std::size_t, std::size_t thread) {
                       if (batch >= repeat % 150 && thread != 0) throw std::runtime_error("made");
                     },
                     [](std::size_t slot) {
                       if (slot % 7 == 6) throw std::runtime_error("taken");
                     }),
                 std::runtime_error);
  }
}

TEST(RecentSet, RemembersUntilAnotherTakesThePlace) {
  RecentSet recent;
  EXPECT_FALSE(recent.meet({0, 0}));
  EXPECT_TRUE(recent.meet({0, 0}));
  EXPECT_FALSE(recent.meet({5, 0}));
  const std::uint64_t beside = 5 + RecentSet::bytes() / sizeof(std::uint64_t);
  EXPECT_FALSE(recent.meet({beside, 0}));
  EXPECT_FALSE(recent.meet({5, 0})) << "forgotten, and never taken for the other";
  for (unsigned bit = 15; bit < 64; ++bit) {
    const std::uint64_t other = 5 ^ std::uint64_t{1} << bit;
    EXPECT_FALSE(recent.meet({other, 0})) << "differs in bit " << bit;
    EXPECT_TRUE(recent.meet({other, 0}));
  }
}

TEST(RecentSet, IsEmptyAtFirstInEveryPlace) {
  RecentSet recent;
  for (std::uint64_t key = 2; key < RecentSet::bytes(); ++key) ASSERT_FALSE(recent.meet({key, 0}));
}

class LooksBeside : public testing::TestWithParam<FingerprintWidth> {};

TEST_P(LooksBeside, FindNothingThatIsNotThereAndAllThatWasBefore) {
  VisitedSet visited(GetParam());
  constexpr std::uint32_t kCount = 6000;
  for (std::uint32_t i = 0; i < kCount / 2; ++i) visited.insert(component_fingerprint(0, i));
  std::atomic<bool> wrong{false};
  std::thread other([&] {
    for (int repeat = 0; repeat < 20; ++repeat) {
      for (std::uint32_t i = 0; i < kCount / 2; ++i) {
        if (!visited.contains(component_fingerprint(0, i))) wrong = true;
        if (visited.contains(component_fingerprint(1, i))) wrong = true;
      }
    }
  });
  for (std::uint32_t i = kCount / 2; i < kCount; ++i) visited.insert(component_fingerprint(0, i));
  other.join();
  EXPECT_FALSE(wrong);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    ASSERT_TRUE(visited.contains(component_fingerprint(0, i)));
  }
}

TEST_P(LooksBeside, NothingIsLostWhenThreadsMoveTheTable) {
  VisitedSet visited(GetParam());
  WorkerPool pool(3);
  constexpr std::uint32_t kCount = 400'000;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    if (visited.crowded()) visited.grow(i % 2 == 0 ? &pool : nullptr);
    ASSERT_TRUE(visited.insert(component_fingerprint(0, i)));
  }
  visited.grow(&pool);
  EXPECT_EQ(visited.size(), kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    ASSERT_TRUE(visited.contains(component_fingerprint(0, i)));
    ASSERT_FALSE(visited.insert(component_fingerprint(0, i)));
  }
  EXPECT_FALSE(visited.contains(component_fingerprint(1, 0)));
}

INSTANTIATE_TEST_SUITE_P(Widths, LooksBeside,
                         testing::Values(FingerprintWidth::bits64, FingerprintWidth::bits128));

}  // namespace
}  // namespace slotlab::sim
