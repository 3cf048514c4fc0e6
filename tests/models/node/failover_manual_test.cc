// Manual failover, step by step: the operator's command at A1, MFSTART at A, the paused header at
// A1.
#include "models/node/failover/manual.h"

#include <gtest/gtest.h>

#include "tests/models/node/failover_bench.h"
#include "models/node/failover/detection.h"

namespace slotlab::node {
namespace {

using protocol::PacketType;

protocol::Packet mfstart_of(Bench& bench, NodeId replica) {
  protocol::Packet packet = bench.header_of(replica);
  packet.header.type = PacketType::mfstart;
  return packet;
}

TEST(FailoverCommand, AsksTheMasterToPause) {
  Bench a1(A1);
  EXPECT_EQ(a1.answer("CLUSTER FAILOVER"), "OK");
  ASSERT_EQ(a1.sent_to(A).size(), 1u);
  EXPECT_EQ(a1.sent_to(A).front().header.type, PacketType::mfstart);
  EXPECT_TRUE(a1.state.memory.manual.running);
  EXPECT_FALSE(a1.state.memory.manual.can_start);
}

TEST(FailoverCommand, IsRefusedInTheServersWords) {
  Bench a(A);
  EXPECT_EQ(a.answer("CLUSTER FAILOVER"), "ERR You should send CLUSTER FAILOVER to a replica");
  EXPECT_EQ(a.answer("CLUSTER FAILOVER BOGUS"), "ERR syntax error");
  Bench old(A, failing_lab("redis-3.0"));
  EXPECT_EQ(old.answer("CLUSTER FAILOVER"), "ERR You should send CLUSTER FAILOVER to a slave");
  Bench a1(A1);
  a1.act([](Context& context) { suspect(context, A); });
  EXPECT_EQ(a1.answer("CLUSTER FAILOVER"),
            "ERR Master is down or failed, please use CLUSTER FAILOVER FORCE");
  a1.mine().master = kNoNode;
  EXPECT_EQ(a1.answer("CLUSTER FAILOVER"), "ERR I'm a replica but my master is unknown to me");
}

TEST(Mfstart, PausesTheMasterAndIsAnsweredWithTheOffset) {
  Bench a(A);
  a.state.memory.offset = 9;
  a.hears(mfstart_of(a, A1));
  EXPECT_TRUE(writes_are_paused(a.state));
  EXPECT_EQ(a.state.memory.manual.replica, A1);
  ASSERT_EQ(a.sent_to(A1).size(), 1u);
  EXPECT_TRUE(a.sent_to(A1).front().header.paused);
  EXPECT_EQ(a.sent_to(A1).front().header.offset, 9u);
}

TEST(Mfstart, IsIgnoredForANamedReason) {
  Bench a(A);
  a.hears(mfstart_of(a, B1));
  EXPECT_TRUE(a.noted("MFSTART ignored: not from a replica of mine"));
  Bench b1(B1);
  b1.hears(mfstart_of(b1, A1));
  EXPECT_TRUE(b1.noted("MFSTART ignored: I am a replica"));
  a.act([](Context& context) { on_mfstart(context, D); });
  EXPECT_TRUE(a.noted("MFSTART ignored: unknown sender"));
}

TEST(ManualFailover, StartsAnElectionAtOnceWhenCaughtUp) {
  Bench a1(A1);
  a1.state.memory.offset = 9;
  ASSERT_EQ(a1.answer("CLUSTER FAILOVER"), "OK");
  protocol::Packet paused = a1.header_of(A);
  paused.header.paused = true;
  paused.header.offset = 9;
  a1.hears(paused);
  EXPECT_EQ(a1.packets_of(PacketType::auth_request), 4u);
  EXPECT_TRUE(a1.sent_to(B).back().header.force_ack);
  EXPECT_EQ(a1.config().current_epoch, 4u);
}

TEST(ManualFailover, WaitsWhileTheReplicaLags) {
  Bench a1(A1);
  a1.state.memory.offset = 8;
  ASSERT_EQ(a1.answer("CLUSTER FAILOVER"), "OK");
  protocol::Packet paused = a1.header_of(A);
  paused.header.paused = true;
  paused.header.offset = 9;
  a1.hears(paused);
  EXPECT_TRUE(a1.noted("manual failover: I lag behind my master"));
  EXPECT_EQ(a1.offered(make_step(StepKind::election_scheduled)), nullptr);
  a1.state.memory.offset = 9;
  ASSERT_NE(a1.offered(make_step(StepKind::election_scheduled)), nullptr);
  a1.take(make_step(StepKind::election_scheduled));
  EXPECT_EQ(a1.packets_of(PacketType::auth_request), 4u);
}

TEST(PausedHeader, IsIgnoredForANamedReason) {
  Bench a1(A1);
  protocol::Packet paused = a1.header_of(A);
  paused.header.paused = true;
  a1.hears(paused);
  EXPECT_TRUE(a1.noted("pause ignored: no manual failover of mine"));
  ASSERT_EQ(a1.answer("CLUSTER FAILOVER"), "OK");
  protocol::Packet other = a1.header_of(B);
  other.header.paused = true;
  a1.hears(other);
  EXPECT_TRUE(a1.noted("pause ignored: it is not my master"));
  paused.header.offset = 9;
  a1.hears(paused);
  a1.hears(paused);
  EXPECT_TRUE(a1.noted("pause ignored: I know its offset already"));
}

TEST(ManualFailover, NeedsACopyOfTheMastersData) {
  Bench a1(A1);
  a1.state.memory.replicating_from = kNoNode;
  ASSERT_EQ(a1.answer("CLUSTER FAILOVER"), "OK");
  protocol::Packet paused = a1.header_of(A);
  paused.header.paused = true;
  a1.hears(paused);
  EXPECT_TRUE(a1.noted("manual failover: I lag behind my master"));
}

TEST(ManualFailover, GoesOnAtTheNextTimerInRedis30) {
  Bench a1(A1, failing_lab("redis-3.0"));
  ASSERT_EQ(a1.answer("CLUSTER FAILOVER"), "OK");
  protocol::Packet paused = a1.header_of(A);
  paused.header.paused = true;
  a1.hears(paused);
  EXPECT_EQ(a1.packets_of(PacketType::auth_request), 0u);
  const sim::StepCode timer = make_step(StepKind::election_scheduled);
  std::size_t steps = 0;
  while (a1.packets_of(PacketType::auth_request) == 0) {
    ASSERT_NE(a1.offered(timer), nullptr);
    ASSERT_LT(++steps, 4u);
    a1.take(timer);
  }
}

TEST(ManualFailover, TimesOutOnBothSides) {
  Bench a(A);
  a.hears(mfstart_of(a, A1));
  ASSERT_NE(a.offered(make_step(StepKind::manual_ends)), nullptr);
  EXPECT_EQ(a.offered(make_step(StepKind::manual_ends))->delay_min, sim::seconds(5));
  a.take(make_step(StepKind::manual_ends));
  EXPECT_FALSE(writes_are_paused(a.state));
  EXPECT_EQ(a.state.memory.manual, ManualFailover{});
}

TEST(Force, NeedsVotesButNoPause) {
  Bench a1(A1);
  a1.act([](Context& context) { on_fail_packet(context, C, A); });
  ASSERT_EQ(a1.answer("CLUSTER FAILOVER FORCE"), "OK");
  EXPECT_TRUE(a1.effects.outputs.empty());
  a1.take(make_step(StepKind::election_scheduled));
  EXPECT_EQ(a1.packets_of(PacketType::auth_request), 4u);
  EXPECT_TRUE(a1.mine().replica);
}

TEST(Takeover, AsksNobody) {
  Bench a1(A1);
  ASSERT_EQ(a1.answer("CLUSTER FAILOVER TAKEOVER"), "OK");
  EXPECT_FALSE(a1.mine().replica);
  EXPECT_EQ(a1.mine().config_epoch, 4u);
  EXPECT_EQ(a1.owner(kSeven), A1);
  EXPECT_EQ(a1.state.memory.manual, ManualFailover{});
  EXPECT_EQ(a1.packets_of(PacketType::heartbeat), 4u);
}

}  // namespace
}  // namespace slotlab::node
