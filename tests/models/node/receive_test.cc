// A packet at one node: what its header does, in which order its parts are applied, and why a
// packet is ignored. Epochs are A 1, B 2, C 3, and slot 7 is A's, unless said otherwise.
#include <gtest/gtest.h>

#include "tests/models/node/lab.h"

namespace slotlab::node {
namespace {

using protocol::kReplies;
using protocol::Packet;
using protocol::PacketType;
using protocol::Rule;

Packet with_type(Packet packet, PacketType type) {
  packet.header.type = type;
  return packet;
}

Packet update_about(const Lab& lab, NodeId sender, NodeId subject, Epoch epoch) {
  Packet packet = with_type(lab.header_of(sender), PacketType::update);
  packet.subject = subject;
  packet.subject_epoch = epoch;
  packet.subject_slots = lab.header_of(subject).header.slots;
  return packet;
}

Packet replica_header(const Lab& lab, NodeId sender, NodeId master) {
  Packet packet = lab.header_of(sender);
  packet.header.replica = true;
  packet.header.master_of = master;
  return packet;
}

// --- Headers ---

TEST(Header, RaisesTheCurrentEpochWithoutAskingForASave) {
  Lab c(C);
  Packet packet = c.header_of(A);
  packet.header.current_epoch = 8;
  c.hears(packet);
  EXPECT_EQ(c.config().current_epoch, 8u);
  EXPECT_FALSE(c.asked.save);
  packet.header.current_epoch = 5;
  c.hears(packet);
  EXPECT_EQ(c.config().current_epoch, 8u);
}

TEST(Header, OfEveryTypeIsApplied) {
  for (const PacketType type : {PacketType::update, PacketType::auth_request, PacketType::fail,
                                PacketType::mfstart, PacketType::auth_ack}) {
    Lab c(C);
    Packet packet = with_type(c.header_of(A), type);
    packet.header.current_epoch = packet.header.config_epoch = 8;
    packet.subject = C;
    c.hears(packet);
    EXPECT_EQ(c.config().current_epoch, 8u);
    EXPECT_EQ(c.record(A).config_epoch, 8u);
    EXPECT_TRUE(c.asked.save && c.asked.fsync);
  }
}

TEST(Header, OfAReplicaRaisesItsRecordsEpochBeforeValkey) {
  for (const auto& [dialect, epoch] : {std::pair{"redis-7.2", 9u}, std::pair{"valkey-8.0", 0u}}) {
    Lab c(C, {.dialect = dialect, .replicas = true});
    Packet packet = c.header_of(A1);
    packet.header.config_epoch = 9;
    c.hears(packet);
    EXPECT_EQ(c.record(A1).config_epoch, epoch) << dialect;
    EXPECT_EQ(c.record(A).config_epoch, 1u);
  }
}

TEST(Header, OfAStrangerChangesNothing) {
  Lab c(C);
  Packet packet = c.header_of(A);
  packet.header.sender = D;
  packet.header.current_epoch = 9;
  c.hears(packet);
  EXPECT_EQ(c.config().current_epoch, 3u);
  EXPECT_TRUE(c.noted("heartbeat ignored: the sender is not known"));
  c.hears(with_type(packet, PacketType::update));
  EXPECT_TRUE(c.noted("packet ignored: the sender is not known"));
}

TEST(Header, FromMyOwnIdIsIgnored) {
  Lab c(C);
  Packet packet = c.header_of(C);
  packet.header.current_epoch = 9;
  c.hears(packet);
  EXPECT_EQ(c.config().current_epoch, 3u);
  EXPECT_TRUE(c.noted("packet ignored: the sender claims to be me"));
}

// --- Answers ---

TEST(Ping, IsAnsweredBeforeItChangesWhoOwnsWhat) {
  Lab a(A, {.heartbeats = Heartbeats::ping_pong, .streams = 2});
  Packet ping = with_type(a.header_of(B), PacketType::ping);
  ping.header.slots.add(kSeven);
  ping.header.config_epoch = ping.header.current_epoch = 4;
  a.hears(ping);
  EXPECT_EQ(a.owner(kSeven), B);
  ASSERT_EQ(a.sent_to(B).size(), 1u);
  const Packet pong = a.sent_to(B)[0];
  EXPECT_EQ(pong.header.type, PacketType::pong);
  EXPECT_TRUE(pong.header.slots.has(kSeven));  // as before the PING
  EXPECT_EQ(pong.header.current_epoch, 4u);    // the header comes first
  EXPECT_EQ(a.effects.outputs[0].stream, kReplies);
}

TEST(Ping, OfAStrangerIsAnsweredAndDoesNothingElse) {
  Lab a(A, {.heartbeats = Heartbeats::ping_pong});
  Packet ping = with_type(a.header_of(B), PacketType::ping);
  ping.header.sender = D;
  a.hears(ping);
  EXPECT_EQ(a.sent_to(D).size(), 1u);
  EXPECT_EQ(a.config().nodes.count(D), 0u);
}

TEST(Heartbeat, IsNeverAnswered) {
  Lab a(A);
  a.hears(a.header_of(B));
  EXPECT_TRUE(a.effects.outputs.empty());
}

TEST(Pong, OverMyOwnConnectionEndsASuspicion) {
  Lab a(A, {.failure_detection = true, .heartbeats = Heartbeats::ping_pong, .streams = 2});
  a.record(B).pfail = true;
  const Packet pong = with_type(a.header_of(B), PacketType::pong);
  a.hears(pong, protocol::kOutbound);  // a broadcast
  EXPECT_TRUE(a.record(B).pfail);
  a.hears(pong, kReplies);
  EXPECT_FALSE(a.record(B).pfail);
}

TEST(Heartbeat, CountsAsAnAnswerOnTheReplyStreamOrWhereThereIsOnlyOne) {
  Lab two(A, {.failure_detection = true, .streams = 2});
  two.record(B).pfail = true;
  two.hears(two.header_of(B), protocol::kOutbound);
  EXPECT_TRUE(two.record(B).pfail);
  two.hears(two.header_of(B), kReplies);
  EXPECT_FALSE(two.record(B).pfail);
  Lab one(A, {.failure_detection = true});
  one.record(B).pfail = true;
  one.hears(one.header_of(B));
  EXPECT_FALSE(one.record(B).pfail);
}

// --- Roles ---

TEST(Role, AMasterThatTurnsReplicaLosesItsSlotsHere) {
  Lab c(C);
  c.hears(replica_header(c, A, B));
  EXPECT_TRUE(c.record(A).replica);
  EXPECT_EQ(c.record(A).master, B);
  EXPECT_EQ(c.owner(kSeven), kNoNode);
  EXPECT_EQ(c.owner(kHomeA), kNoNode);
  EXPECT_TRUE(c.noted("a demoted master lost its slots"));
  EXPECT_TRUE(c.asked.save && c.asked.update_state);
}

TEST(Role, AnUnknownMasterIsNotRecorded) {
  Lab c(C);
  c.hears(replica_header(c, A, D));
  EXPECT_TRUE(c.record(A).replica);
  EXPECT_EQ(c.record(A).master, kNoNode);
  EXPECT_TRUE(c.noted("the sender's master is not known"));
}

TEST(Role, AReplicaThatTurnsMasterIsOne) {
  Lab c(C, {.replicas = true});
  Packet packet = c.header_of(A1);
  packet.header.replica = false;
  packet.header.master_of = kNoNode;
  packet.header.slots = {};
  c.hears(packet);
  EXPECT_FALSE(c.record(A1).replica);
  EXPECT_EQ(c.record(A1).master, kNoNode);
}

TEST(RoleValkey, AMasterThatFollowsItsShardKeepsItsSlotsUntilTheSuccessorClaims) {
  Lab c(C, {.dialect = "valkey-8.0", .replicas = true});
  Packet packet = replica_header(c, A, A1);
  packet.header.config_epoch = packet.header.current_epoch = 4;
  c.hears(packet);
  EXPECT_EQ(c.owner(kSeven), A);
  EXPECT_FALSE(c.record(A1).replica);
  EXPECT_EQ(c.record(A1).config_epoch, 4u);
  EXPECT_TRUE(c.noted("successor of a demoted master learned from it"));

  Lab without(C, {.dialect = "valkey-8.0",
                  .rules = {{Rule::same_shard_keeps_slots, false}},
                  .replicas = true});
  without.hears(packet);
  EXPECT_EQ(without.owner(kSeven), kNoNode);
}

TEST(RoleValkey, AStaleHeaderOfADemotedMasterStillMakesItAReplica) {
  Lab c(C, {.dialect = "valkey-8.0", .epoch_a = 5, .replicas = true});
  Packet packet = replica_header(c, A, A1);
  packet.header.config_epoch = 4;
  c.hears(packet);
  EXPECT_TRUE(c.record(A).replica);
  EXPECT_TRUE(c.record(A1).replica);  // not promoted
  EXPECT_TRUE(c.noted("stale header of a demoted master"));
}

TEST(RoleValkey, AnotherShardsDemotedMasterLosesItsSlots) {
  Lab c(C, {.dialect = "valkey-8.0"});
  c.hears(replica_header(c, A, B));
  EXPECT_EQ(c.owner(kSeven), kNoNode);
}

TEST(RoleValkey, ShardsAreAdoptedWithTheMasterAndLearnedFromTheSender) {
  Lab c(C, {.dialect = "valkey-8.0", .replicas = true});
  Packet packet = replica_header(c, A1, B);  // A1 has moved to B
  packet.shard = A;                          // but does not say so yet
  c.hears(packet);
  EXPECT_EQ(c.record(A1).master, B);
  EXPECT_EQ(c.record(A1).shard, A);  // what the sender says of itself comes last
  packet.shard = B;
  c.hears(packet);
  EXPECT_EQ(c.record(A1).shard, B);
  packet.shard = kNoNode;  // a node of a version without shards
  packet.header.master_of = A;
  c.hears(packet);
  EXPECT_EQ(c.record(A1).shard, A);
}

TEST(RoleValkey, AReplicaMovesOnAtOnceWhenItsMasterTurnsReplica) {
  for (const auto& [dialect, master] : {std::pair{"valkey-8.0", B}, std::pair{"redis-3.0", A}}) {
    Lab a1(A1, {.dialect = dialect, .replicas = true, .of_a = {}});
    a1.hears(replica_header(a1, A, B));
    EXPECT_EQ(a1.mine().master, master) << dialect;
  }
}

TEST(RoleValkey, ItMovesOnOnlyInTheEventInWhichItsMasterTurns) {
  Lab a1(A1, {.dialect = "valkey-8.0", .replicas = true, .of_a = {}});
  a1.record(A).replica = true;
  a1.record(A).master = B;
  a1.hears(replica_header(a1, A, B));
  EXPECT_EQ(a1.mine().master, A);
}

// --- Slots and UPDATE ---

TEST(StaleSender, IsToldOnceAboutTheOwner) {
  Lab c(C);  // in C's view 7 and home A are B's at epoch 9; A has not heard of it
  c.record(B).config_epoch = c.config().current_epoch = 9;
  const Packet old = c.header_of(A);
  c.config().owner[kSeven] = c.config().owner[kHomeA] = B;
  c.hears(old);
  ASSERT_EQ(c.sent_to(A).size(), 1u);
  const Packet update = c.sent_to(A)[0];
  EXPECT_EQ(update.header.type, PacketType::update);
  EXPECT_EQ(update.subject, B);
  EXPECT_EQ(update.subject_epoch, 9u);
  EXPECT_TRUE(update.subject_slots.has(kSeven));
  EXPECT_EQ(c.owner(kSeven), B);
}

TEST(StaleSender, WithTheOwnersEpochIsNotStale) {
  Lab c(C);
  c.record(B).config_epoch = 1;  // as A's
  const Packet same = c.header_of(A);
  c.config().owner[kSeven] = B;
  c.hears(same);
  EXPECT_TRUE(c.effects.outputs.empty());
}

TEST(StaleSender, IsNotToldWhereTheRuleIsOff) {
  Lab c(C, {.rules = {{Rule::update_to_stale_sender, false}}});
  c.record(B).config_epoch = 9;
  const Packet old = c.header_of(A);
  c.config().owner[kSeven] = B;
  c.hears(old);
  EXPECT_TRUE(c.effects.outputs.empty());
}

TEST(StaleSender, LearnsNothingOfSlotsTheirOwnerStoppedClaiming) {
  Lab c(C);
  c.record(B).config_epoch = 9;
  const Packet old = c.header_of(A);
  c.config().owner[kSeven] = B;
  c.config().owner[kHomeA] = B;
  c.state.memory.not_claiming.add(kSeven);
  Packet only_seven = old;
  only_seven.header.slots.remove(kHomeA);
  c.hears(only_seven);
  EXPECT_EQ(c.owner(kSeven), A);  // the claim wins instead
  EXPECT_TRUE(c.effects.outputs.empty());
}

TEST(StaleSender, TheUpdateIsMaskedFrom70On) {
  for (const auto& [masked, has] : {std::pair{true, false}, std::pair{false, true}}) {
    Lab c(C, {.rules = {{Rule::update_masks_not_claiming, masked}}});
    c.record(B).config_epoch = 9;
    c.state.memory.not_claiming.add(kHomeB);
    const Packet old = c.header_of(A);
    c.config().owner[kSeven] = B;
    c.hears(old);
    ASSERT_EQ(c.sent_to(A).size(), 1u);
    EXPECT_EQ(c.sent_to(A)[0].subject_slots.has(kHomeB), has);
  }
}

TEST(StaleSender, ReplicasAreToldBeforeValkey) {
  for (const auto& [dialect, updates] : {std::pair{"redis-7.0", 1u}, std::pair{"valkey-8.0", 0u}}) {
    Lab c(C, {.dialect = dialect, .replicas = true});
    c.record(B).config_epoch = 9;
    const Packet old = c.header_of(A1);
    c.config().owner[kSeven] = B;
    c.hears(old);
    EXPECT_EQ(c.sent_to(A1).size(), updates) << dialect;
  }
}

TEST(StaleSender, AReplicaWithAnOldEpochButTheRightSlotsIsNotTold) {
  Lab c(C, {.replicas = true});
  Packet packet = c.header_of(A1);
  c.record(A).config_epoch = 9;
  c.hears(packet);
  EXPECT_TRUE(c.effects.outputs.empty());
}

TEST(Slots, AReplicasHeaderNeverRebinds) {
  Lab c(C, {.replicas = true, .of_a = {kHomeA}});
  Packet packet = c.header_of(A1);
  packet.header.slots.add(kSeven);
  packet.header.config_epoch = 9;
  c.hears(packet);
  EXPECT_EQ(c.owner(kSeven), kNoNode);
}

TEST(Slots, ThePromotedNodesFirstHeaderAlwaysRunsTheUpdateInValkey) {
  for (const auto& [rule, noted] : {std::pair{true, true}, std::pair{false, false}}) {
    Lab c(C, {.dialect = "valkey-8.0",
              .rules = {{Rule::promotion_always_updates, rule}},
              .replicas = true});
    c.config().importing_from[kSeven] = A1;  // A1 claims nothing: only the update can notice
    Packet packet = c.header_of(A1);
    packet.header.replica = false;
    packet.header.master_of = kNoNode;
    packet.header.slots = {};
    c.hears(packet);
    EXPECT_EQ(c.owner(kSeven) == C, noted);
  }
}

TEST(Update, AboutAThirdNodeRebindsItsSlots) {
  Lab a(A);
  Packet update = update_about(a, C, B, 9);
  update.subject_slots.add(kSeven);
  a.hears(update);
  EXPECT_EQ(a.owner(kSeven), B);
  EXPECT_EQ(a.record(B).config_epoch, 9u);
  EXPECT_TRUE(a.asked.save && a.asked.fsync);
}

TEST(Update, WithNothingNewIsIgnoredEvenIfItsSlotsDiffer) {
  Lab a(A);
  Packet update = update_about(a, C, B, 2);  // B has epoch 2 already
  update.subject_slots.add(kSeven);
  a.hears(update);
  EXPECT_EQ(a.owner(kSeven), A);
  EXPECT_TRUE(a.noted("UPDATE ignored: nothing new"));
}

TEST(Update, AboutAStrangerIsIgnored) {
  Lab a(A);
  Packet update = with_type(a.header_of(C), PacketType::update);
  update.subject = D;
  update.subject_epoch = 9;
  a.hears(update);
  EXPECT_TRUE(a.noted("UPDATE ignored: about an unknown node"));
}

TEST(Update, MakesAReplicaAMaster) {
  Lab a(A, {.replicas = true});
  Packet update = with_type(a.header_of(C), PacketType::update);
  update.subject = B1;
  update.subject_epoch = 9;
  a.hears(update);
  EXPECT_FALSE(a.record(B1).replica);
}

}  // namespace
}  // namespace slotlab::node
