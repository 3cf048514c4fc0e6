// From suspicion to FAIL and back, seen from one node: A, B and C are masters with slots, so a
// majority is two.
#include "models/node/failover/detection.h"

#include <gtest/gtest.h>

#include "tests/models/node/failover_bench.h"
#include "models/node/failover/cluster_state.h"

namespace slotlab::node {
namespace {

using protocol::PacketType;
using protocol::Rule;

// `node` at `bench` has been suspected.
void suspects(Bench& bench, NodeId node) {
  bench.act([&](Context& context) { suspect(context, node); });
}
void is_told(Bench& bench, NodeId failing, NodeId reporter) {
  bench.act([&](Context& context) { on_fail_report(context, failing, reporter); });
}
void answers(Bench& bench, NodeId node) {
  bench.act([&](Context& context) { clear_failure_if_needed(context, node); });
}

protocol::Packet gossip_about(Bench& bench, NodeId sender, protocol::GossipEntry entry) {
  protocol::Packet packet = bench.header_of(sender);
  packet.gossip = {entry};
  return packet;
}

TEST(Suspicion, IsPfailAndNotSaved) {
  Bench a(A);
  suspects(a, B);
  EXPECT_TRUE(a.record(B).pfail);
  EXPECT_FALSE(a.record(B).fail);
  EXPECT_FALSE(a.asked.save);
  EXPECT_FALSE(a.state.written.nodes.at(B).pfail);
  EXPECT_TRUE(a.effects.outputs.empty());
}

TEST(Suspicion, OfOneOfThreeMastersLeavesTheStateOk) {
  Bench a(A);
  suspects(a, B);
  EXPECT_TRUE(a.state.memory.state_ok);
  suspects(a, C);
  EXPECT_FALSE(a.state.memory.state_ok);
  EXPECT_TRUE(a.noted("cluster state fail: in a minority"));
}

TEST(FailReport, BecomesFailWithAMajority) {
  Bench a(A);
  suspects(a, B);
  is_told(a, B, C);
  EXPECT_TRUE(a.record(B).fail);
  EXPECT_FALSE(a.record(B).pfail);
  EXPECT_TRUE(a.noted("B is failed: a majority says so"));
  EXPECT_EQ(a.packets_of(PacketType::fail), 4u);  // B, C, A1 and B1
  EXPECT_EQ(a.sent_to(C).front().subject, B);
  EXPECT_TRUE(a.state.written.nodes.at(B).fail);
}

TEST(FailReport, DoesNothingWhileIReachTheNodeMyself) {
  Bench a(A);
  is_told(a, B, C);
  EXPECT_FALSE(a.record(B).fail);
  EXPECT_TRUE(a.noted("fail report: I can reach it"));
  EXPECT_EQ(a.remembers(B).fail_reports.count(C), 1u);
}

TEST(FailReport, OfAReplicaCountsOnlyTheMasters) {
  Bench a1(A1);
  suspects(a1, A);
  is_told(a1, A, B);
  EXPECT_FALSE(a1.record(A).fail);
  EXPECT_TRUE(a1.noted("fail report: no majority yet"));
  is_told(a1, A, C);
  EXPECT_TRUE(a1.record(A).fail);
  EXPECT_GT(a1.packets_of(PacketType::fail), 0u);
}

TEST(FailReport, AReplicaOfRedis30DoesNotBroadcastFail) {
  Bench a1(A1, failing_lab("redis-3.0"));
  suspects(a1, A);
  is_told(a1, A, B);
  is_told(a1, A, C);
  EXPECT_TRUE(a1.record(A).fail);
  EXPECT_EQ(a1.packets_of(PacketType::fail), 0u);
}

TEST(FailReport, AFailedNodeStaysAsItIs) {
  Bench a(A);
  suspects(a, B);
  is_told(a, B, C);
  is_told(a, B, C);
  EXPECT_TRUE(a.noted("fail report: already failed"));
  EXPECT_TRUE(a.effects.outputs.empty());
}

TEST(Suspicion, ALoneMasterOfRedis72DecidesAlone) {
  for (const bool alone : {false, true}) {
    LabOptions options = failing_lab(alone ? "redis-7.2" : "redis-7.0");
    options.of_a = {kHomeA, kSeven};
    Bench a(A, options);
    for (NodeId& owner : a.config().owner) owner = A;
    a.act([](Context& context) { context.todo.update_state = true; });
    ASSERT_EQ(a.state.memory.size, 1);
    suspects(a, A1);
    EXPECT_EQ(a.record(A1).fail, alone);
  }
}

TEST(FailPacket, IsBelievedWithoutQuorum) {
  Bench a(A);
  a.act([](Context& context) { on_fail_packet(context, C, B); });
  EXPECT_TRUE(a.record(B).fail);
  EXPECT_TRUE(a.asked.save);
  EXPECT_TRUE(a.effects.outputs.empty());
  EXPECT_FALSE(a.state.memory.state_ok);  // B's slots are not served
}

TEST(FailPacket, IsIgnoredForANamedReason) {
  Bench a(A);
  const auto told = [&](NodeId sender, NodeId failed) {
    a.act([&](Context& context) { on_fail_packet(context, sender, failed); });
  };
  told(kNoNode, B);
  EXPECT_TRUE(a.noted("FAIL ignored: unknown sender"));
  told(C, A);
  EXPECT_TRUE(a.noted("FAIL ignored: it is about me"));
  told(C, D);
  EXPECT_TRUE(a.noted("FAIL ignored: unknown node"));
  told(C, B);
  told(C, B);
  EXPECT_TRUE(a.noted("FAIL ignored: already failed"));
}

TEST(Answer, EndsASuspicion) {
  Bench a(A);
  suspects(a, B);
  answers(a, B);
  EXPECT_FALSE(a.record(B).pfail);
  EXPECT_TRUE(a.asked.save);
  EXPECT_TRUE(a.noted("B is no longer suspected"));
}

TEST(Answer, OfAFailedMasterWithSlotsIsBelievedOnlyLater) {
  Bench a(A);
  a.act([](Context& context) { on_fail_packet(context, C, B); });
  answers(a, B);
  EXPECT_TRUE(a.record(B).fail);
  EXPECT_TRUE(a.noted("stays failed: a master with slots that failed lately"));
  a.take(make_step(StepKind::fail_gets_old, B));
  answers(a, B);
  EXPECT_FALSE(a.record(B).fail);
  EXPECT_FALSE(a.remembers(B).fail_is_old);
  EXPECT_TRUE(a.state.memory.state_ok);
}

TEST(Answer, OfAFailedReplicaOrEmptyMasterIsBelievedAtOnce) {
  Bench a(A);
  a.act([](Context& context) { on_fail_packet(context, C, B1); });
  answers(a, B1);
  EXPECT_FALSE(a.record(B1).fail);
  a.act([](Context& context) { on_fail_packet(context, C, B); });
  for (NodeId& owner : a.config().owner) {
    if (owner == B) owner = A;
  }
  answers(a, B);
  EXPECT_FALSE(a.record(B).fail);
}

TEST(Gossip, OfAMasterMakesAndWithdrawsReports) {
  Bench a(A);
  const auto hears = [&](protocol::GossipEntry entry) {
    const auto packet = gossip_about(a, C, entry);
    a.act([&](Context& context) { process_gossip(context, C, packet); });
  };
  hears({.node = B, .pfail = true});
  EXPECT_EQ(a.remembers(B).fail_reports.count(C), 1u);
  hears({.node = B});
  EXPECT_EQ(a.remembers(B), PeerMemory{});
  EXPECT_TRUE(a.state.memory.peers.empty());
  EXPECT_TRUE(a.noted("C no longer reports B"));
  hears({.node = A, .fail = true});
  EXPECT_FALSE(a.mine().fail);
  EXPECT_TRUE(a.noted("fail report ignored: it is about me"));
}

TEST(Gossip, OfAMergedHeartbeatWithdrawsTheReportsItLeavesOut) {
  Bench a(A);
  protocol::Packet packet = gossip_about(a, C, {.node = B, .pfail = true});
  a.hears(packet);
  EXPECT_EQ(a.remembers(B).fail_reports.count(C), 1u);
  packet.gossip.clear();
  a.hears(packet);
  EXPECT_TRUE(a.remembers(B).fail_reports.empty());
  EXPECT_TRUE(a.noted("C no longer reports B"));
}

TEST(Gossip, OfAReplicaIsNoReport) {
  Bench a(A);
  const auto packet = gossip_about(a, B1, {.node = B, .pfail = true});
  a.act([&](Context& context) { process_gossip(context, B1, packet); });
  EXPECT_TRUE(a.remembers(B).fail_reports.empty());
  EXPECT_TRUE(a.noted("fail report ignored: not from a voter"));
}

TEST(Gossip, OfAnEmptyMasterCountsUntilValkey8) {
  for (const std::string dialect : {"redis-7.0", "valkey-8.0"}) {
    LabOptions options = failing_lab(dialect);
    options.of_a = {kHomeA, kSeven, kHomeB};
    options.of_b = {};
    Bench a(A, options);
    const auto packet = gossip_about(a, B, {.node = C, .pfail = true});
    a.act([&](Context& context) { process_gossip(context, B, packet); });
    EXPECT_EQ(a.remembers(C).fail_reports.empty(), dialect == "valkey-8.0") << dialect;
  }
}

TEST(Gossip, AddsAnUnknownNodeWithItsFlags) {
  Bench a(A);
  const auto packet = gossip_about(a, B, {.node = D, .replica = true, .fail = true});
  a.act([&](Context& context) { process_gossip(context, B, packet); });
  ASSERT_NE(a.config().nodes.count(D), 0u);
  EXPECT_TRUE(a.record(D).replica);
  EXPECT_TRUE(a.record(D).fail);
  EXPECT_EQ(a.record(D).master, kNoNode);
  EXPECT_EQ(a.record(D).config_epoch, 0u);
  EXPECT_FALSE(a.asked.save);
}

TEST(Gossip, ShakesHandsWithAnUnknownNodeInRedis30) {
  Bench a(A, failing_lab("redis-3.0"));
  const auto packet = gossip_about(a, B, {.node = D});
  a.act([&](Context& context) { process_gossip(context, B, packet); });
  EXPECT_TRUE(a.record(D).handshake);
  ASSERT_EQ(a.sent_to(D).size(), 1u);
  EXPECT_EQ(a.sent_to(D).front().header.type, PacketType::meet);
}

TEST(Gossip, DoesNotBringBackWhoWasForgotten) {
  Bench a(A);
  ASSERT_EQ(a.answer("CLUSTER FORGET B1"), "OK");
  const auto packet = gossip_about(a, C, {.node = B1, .replica = true});
  a.act([&](Context& context) { process_gossip(context, C, packet); });
  EXPECT_EQ(a.config().nodes.count(B1), 0u);
  EXPECT_TRUE(a.noted("gossip ignored: a forgotten node"));
  a.take(make_step(StepKind::membership_expires, B1, 0));
  a.act([&](Context& context) { process_gossip(context, C, packet); });
  EXPECT_EQ(a.config().nodes.count(B1), 1u);
}

TEST(Gossip, OfAnUnknownSenderTeachesNothing) {
  Bench a(A);
  protocol::Packet packet;
  packet.gossip = {{.node = D}, {.node = B, .pfail = true}};
  a.act([&](Context& context) { process_gossip(context, D, packet); });
  EXPECT_EQ(a.config().nodes.count(D), 0u);
  EXPECT_TRUE(a.remembers(B).fail_reports.empty());
  EXPECT_TRUE(a.noted("gossip ignored: unknown sender"));
  EXPECT_TRUE(a.noted("fail report ignored: unknown sender"));
}

TEST(Gossip, OfANodeWithoutAddressTeachesNothing) {
  Bench a(A);
  const auto packet = gossip_about(a, B, {.node = D, .no_addr = true});
  a.act([&](Context& context) { process_gossip(context, B, packet); });
  EXPECT_EQ(a.config().nodes.count(D), 0u);
  EXPECT_TRUE(a.noted("gossip ignored: a node without address"));
}

}  // namespace
}  // namespace slotlab::node
