// Which timers run when, and that a timer that could change nothing is not offered.
#include "models/node/failover/steps.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/models/node/failover_bench.h"
#include "models/node/failover/cluster_state.h"
#include "models/node/failover/detection.h"
#include "models/node/failover/replica_migration.h"

namespace slotlab::node {
namespace {

using sim::Need;

TEST(Timers, AHealthyClusterOnlySuspects) {
  Bench a(A);
  for (const sim::Offer& offer : a.offers()) {
    EXPECT_EQ(step_kind(offer.code), StepKind::suspect);
  }
  EXPECT_EQ(a.offers().size(), 8u);  // four peers, each reachable or not
  LabOptions quiet = failing_lab();
  quiet.failure_detection = false;
  EXPECT_TRUE(Bench(A, quiet).offers().empty());
}

TEST(Timers, ToSuspectAPeerThatCanBeReachedIsRationed) {
  Bench a(A);
  const sim::Offer* dead = a.offered(make_step(StepKind::suspect, B, 0));
  ASSERT_NE(dead, nullptr);
  EXPECT_EQ(dead->need, Need::unreachable);
  EXPECT_EQ(dead->budget, sim::kNoBudget);
  EXPECT_TRUE(dead->fair);
  EXPECT_EQ(dead->delay_min, sim::seconds(15));
  const sim::Offer* slow = a.offered(make_step(StepKind::suspect, B, 1));
  ASSERT_NE(slow, nullptr);
  EXPECT_EQ(slow->need, Need::reachable);
  EXPECT_EQ(slow->budget, kSuspicionBudget);
  EXPECT_FALSE(slow->fair);
}

TEST(Timers, OffersHaveDistinctCodesAndTexts) {
  Bench a1(A1);
  a1.act([](Context& context) { on_fail_packet(context, C, A); });
  a1.act([](Context& context) { suspect(context, B); });
  a1.act([](Context& context) { on_fail_report(context, B, C); });
  a1.state.memory.blacklist = {D};
  a1.take(make_step(StepKind::election_scheduled));
  ASSERT_EQ(a1.answer("CLUSTER FAILOVER FORCE"), "OK");
  std::set<sim::StepCode> codes;
  std::set<std::string> texts;
  for (const sim::Offer& offer : a1.offers()) {
    EXPECT_TRUE(is_failover_step(offer.code));
    EXPECT_LE(offer.code, sim::kStepCodeMax);
    EXPECT_LE(offer.delay_min, offer.delay_max);
    codes.insert(offer.code);
    texts.insert(failover_step_text(a1.state, *a1.settings, offer.code));
  }
  EXPECT_EQ(codes.size(), a1.offers().size());
  EXPECT_EQ(texts.size(), a1.offers().size());
}

TEST(Timers, AReportExpiresOnceItsReporterIsGone) {
  Bench a(A);
  a.act([](Context& context) { on_fail_report(context, B, C); });
  const sim::StepCode expiry = make_step(StepKind::report_expires, B, 2);
  const sim::Offer* offer = a.offered(expiry);
  ASSERT_NE(offer, nullptr);
  EXPECT_EQ(offer->need, Need::unreachable);
  EXPECT_EQ(offer->peer, actor_of(C));
  a.take(expiry);
  EXPECT_TRUE(a.state.memory.peers.empty());
}

TEST(Timers, AFailureGetsOldFromItsBeginningIfThereIsAClock) {
  for (const bool timed_guards : {false, true}) {
    Bench a(A, failing_lab(), timed_guards);
    for (NodeId& owner : a.config().owner) {
      if (owner == B) owner = B1;  // B was failed over
    }
    a.act([](Context& context) { on_fail_packet(context, C, B); });
    // B may own a slot again when it returns; its failure is old then.
    EXPECT_EQ(a.offered(make_step(StepKind::fail_gets_old, B)) != nullptr, timed_guards);
    a.config().owner[kHomeB] = B;
    EXPECT_NE(a.offered(make_step(StepKind::fail_gets_old, B)), nullptr);
  }
}

TEST(Timers, AReportExpiresByTheClockIfThereIsOne) {
  Bench a(A, failing_lab(), true);
  a.act([](Context& context) { on_fail_report(context, B, C); });
  const sim::StepCode expiry = make_step(StepKind::report_expires, B, 2);
  ASSERT_NE(a.offered(expiry), nullptr);
  EXPECT_EQ(a.offered(expiry)->need, Need::nothing);
  EXPECT_EQ(a.offered(expiry)->delay_min, sim::seconds(30));
  EXPECT_EQ(a.effects.rearmed, std::vector<sim::StepCode>{expiry});
}

TEST(ClusterState, AMasterWaitsBeforeItIsOkAgainWithTimedGuards) {
  Bench a(A, failing_lab(), true);
  a.act([](Context& context) { suspect(context, B); });
  a.act([](Context& context) { suspect(context, C); });
  EXPECT_FALSE(a.state.memory.state_ok);
  const sim::StepCode may = make_step(StepKind::may_be_ok, std::uint32_t{0}, 0);
  EXPECT_EQ(a.offered(may), nullptr);  // still in a minority
  a.act([](Context& context) { clear_failure_if_needed(context, B); });
  EXPECT_FALSE(a.state.memory.state_ok);
  EXPECT_TRUE(a.noted("cluster state stays fail: too early for a master"));
  ASSERT_NE(a.offered(may), nullptr);
  a.take(may);
  EXPECT_TRUE(a.state.memory.state_ok);
}

TEST(ClusterState, AMasterWaitsAfterItsStartWithTimedGuards) {
  for (const bool timed_guards : {false, true}) {
    Bench a(A, failing_lab(), timed_guards);
    a.dies();
    a.act([](Context& context) { context.todo.update_state = true; });
    EXPECT_EQ(a.state.memory.state_ok, !timed_guards);
  }
}

TEST(ClusterState, AnUnassignedSlotCountsOnlyWithFullCoverage) {
  for (const bool full : {true, false}) {
    Bench a(A);
    auto changed = std::make_shared<NodeSettings>(*a.settings);
    changed->full_coverage = full;
    a.settings = changed;
    a.config().owner[kSeven] = kNoNode;
    a.act([](Context& context) { update_state(context); });
    EXPECT_EQ(a.state.memory.state_ok, !full);
  }
}

TEST(ClusterState, ASlotThatNobodyClaimsIsCovered) {
  Bench a(A);
  a.state.memory.not_claiming.add(kHomeB);
  a.act([](Context& context) { update_state(context); });
  EXPECT_TRUE(a.state.memory.state_ok);
}

TEST(ClusterState, IsEvaluatedAgainWhenOnlyTheTimerWouldNotice) {
  Bench a(A);
  a.state.memory.state_ok = false;
  const sim::StepCode again = make_step(StepKind::may_be_ok, std::uint32_t{0}, 1);
  ASSERT_NE(a.offered(again), nullptr);
  a.take(again);
  EXPECT_TRUE(a.state.memory.state_ok);
  EXPECT_EQ(a.offered(again), nullptr);
}

TEST(ReplicaMigration, TheReplicaWithTheSmallestIdMovesToAnOrphan) {
  Bench a1(A1);
  a1.record(B1).master = A;            // A has two replicas, B none
  a1.state.memory.peers[B].migrate_target = true;
  EXPECT_EQ(replica_migration_targets(a1.state, *a1.settings), std::vector<NodeId>{B});
  Bench b1(B1);
  b1.mine().master = A;
  b1.state.memory.peers[B].migrate_target = true;
  EXPECT_TRUE(replica_migration_targets(b1.state, *b1.settings).empty());
  const sim::StepCode move = make_step(StepKind::migrate_replica, B);
  ASSERT_NE(a1.offered(move), nullptr);
  a1.take(move);
  EXPECT_EQ(a1.mine().master, B);
  EXPECT_FALSE(a1.asked.save);
}

TEST(ReplicaMigration, LeavesAMasterNoWorseThanOneReplica) {
  Bench a1(A1);
  a1.state.memory.peers[B].migrate_target = true;
  a1.record(B1).master = C;
  EXPECT_TRUE(replica_migration_targets(a1.state, *a1.settings).empty());
}

}  // namespace
}  // namespace slotlab::node
