// The unilateral bump and the resolution of collisions.
#include "models/node/ownership/epochs.h"

#include <gtest/gtest.h>

#include "tests/models/node/lab.h"

namespace slotlab::node {
namespace {

using protocol::Rule;

bool bump(Lab& lab) {
  sim::Effects effects;
  Context context{lab.state, *lab.settings, effects};
  return bump_config_epoch_without_consensus(context);
}

TEST(Bump, ANodeWithoutTheGreatestEpochTakesANewOne) {
  Lab b(B);
  EXPECT_TRUE(bump(b));
  EXPECT_EQ(b.mine().config_epoch, 4u);
  EXPECT_EQ(b.config().current_epoch, 4u);
}

TEST(Bump, TheGreatestEpochIsKept) {
  Lab c(C);
  EXPECT_FALSE(bump(c));
  EXPECT_EQ(c.mine().config_epoch, 3u);
}

TEST(Bump, TheCurrentEpochCountsAsWell) {
  Lab c(C, {.current_epoch = 7});
  EXPECT_TRUE(bump(c));
  EXPECT_EQ(c.mine().config_epoch, 8u);
}

TEST(Bump, EpochZeroIsNeverTheGreatest) {
  Lab a(A, {.epoch_a = 0, .epoch_b = 0, .epoch_c = 0});
  EXPECT_TRUE(bump(a));
  EXPECT_EQ(a.mine().config_epoch, 1u);
}

TEST(Collision, TheSmallerIdMovesOnAndTellsNobody) {
  Lab a(A, {.epoch_b = 1});
  a.hears(a.header_of(B));
  EXPECT_EQ(a.mine().config_epoch, 4u);
  EXPECT_EQ(a.config().current_epoch, 4u);
  EXPECT_TRUE(a.asked.save && a.asked.fsync);
  EXPECT_TRUE(a.effects.outputs.empty());
}

TEST(Collision, TheGreaterIdWaits) {
  Lab b(B, {.epoch_b = 1});
  b.hears(b.header_of(A));
  EXPECT_EQ(b.mine().config_epoch, 1u);
  EXPECT_TRUE(b.noted("epoch collision left to the smaller id"));
}

TEST(Collision, MastersWithoutSlotsCollideAsWell) {
  Lab a(A, {.epoch_b = 1, .of_b = {}});
  a.hears(a.header_of(B));
  EXPECT_EQ(a.mine().config_epoch, 4u);
}

TEST(Collision, AReplicaThatSpeaksForItsMasterDoesNotCollide) {
  Lab b(B, {.epoch_a = 2, .replicas = true});
  b.hears(b.header_of(A1));
  EXPECT_EQ(b.mine().config_epoch, 2u);
}

TEST(Collision, TheResolutionCanBeSwitchedOff) {
  Lab a(A, {.rules = {{Rule::epoch_collision_resolved, false}}, .epoch_b = 1});
  a.hears(a.header_of(B));
  EXPECT_EQ(a.mine().config_epoch, 1u);
}

}  // namespace
}  // namespace slotlab::node
