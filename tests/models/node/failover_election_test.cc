// Elections and takeovers, from the candidate's side (A1, replica of A) and from the voters'.
#include "models/node/failover/election.h"

#include <gtest/gtest.h>

#include "tests/models/node/failover_bench.h"
#include "models/node/failover/detection.h"

namespace slotlab::node {
namespace {

using protocol::PacketType;
using protocol::Rule;

void master_fails(Bench& bench, NodeId master = A) {
  bench.act([&](Context& context) { on_fail_packet(context, C, master); });
}

protocol::Packet request_of(Bench& bench, NodeId candidate) {
  protocol::Packet packet = bench.header_of(candidate);
  packet.header.type = PacketType::auth_request;
  packet.header.current_epoch = bench.config().current_epoch;
  return packet;
}

protocol::Packet vote_of(Bench& bench, NodeId voter) {
  protocol::Packet packet = bench.header_of(voter);
  packet.header.type = PacketType::auth_ack;
  return packet;
}

constexpr sim::StepCode kBegin = make_step(StepKind::election_scheduled);
constexpr sim::StepCode kDue = make_step(StepKind::election_due);
constexpr sim::StepCode kExpires = make_step(StepKind::election_expires, std::uint32_t{0}, 0);
constexpr sim::StepCode kRested = make_step(StepKind::election_expires, std::uint32_t{0}, 1);

TEST(Election, BeginsWhenTheMasterHasFailed) {
  Bench a1(A1);
  EXPECT_EQ(a1.offered(kBegin), nullptr);
  master_fails(a1);
  ASSERT_NE(a1.offered(kBegin), nullptr);
  EXPECT_EQ(a1.offered(kBegin)->budget, kElectionBudget);
  a1.take(kBegin);
  EXPECT_TRUE(a1.state.memory.election.scheduled);
  EXPECT_EQ(a1.offered(kBegin), nullptr);
  EXPECT_EQ(a1.config().current_epoch, 3u);
  a1.take(kDue);
  EXPECT_EQ(a1.config().current_epoch, 4u);
  EXPECT_EQ(a1.state.written.current_epoch, 4u);
  EXPECT_EQ(a1.packets_of(PacketType::auth_request), 4u);  // masters and replicas alike
  EXPECT_FALSE(a1.sent_to(B).front().header.force_ack);
  EXPECT_EQ(a1.sent_to(B).front().header.current_epoch, 4u);
}

TEST(Election, IsWonWithAMajorityAndTakesTheMastersSlots) {
  Bench a1(A1);
  master_fails(a1);
  a1.take(kBegin);
  a1.take(kDue);
  a1.hears(vote_of(a1, B));
  EXPECT_TRUE(a1.noted("election: no majority of votes yet"));
  EXPECT_TRUE(a1.mine().replica);
  a1.hears(vote_of(a1, C));
  EXPECT_FALSE(a1.mine().replica);
  EXPECT_EQ(a1.mine().config_epoch, 4u);
  EXPECT_EQ(a1.owner(kHomeA), A1);
  EXPECT_EQ(a1.owner(kSeven), A1);
  EXPECT_EQ(a1.owner(kHomeB), B);
  EXPECT_EQ(a1.state.written.owner[kSeven], A1);
  ASSERT_FALSE(a1.sent_to(B).empty());
  EXPECT_TRUE(a1.sent_to(B).back().header.slots.has(kSeven));
  EXPECT_EQ(a1.sent_to(B).back().header.config_epoch, 4u);
  EXPECT_TRUE(a1.state.memory.state_ok);
}

TEST(Election, TakesNoSlotThatLeftTheMaster) {
  Bench a1(A1);
  a1.config().owner[kSeven] = B;  // heard of before the failure
  master_fails(a1);
  a1.take(kBegin);
  a1.take(kDue);
  a1.hears(vote_of(a1, B));
  a1.hears(vote_of(a1, C));
  EXPECT_EQ(a1.owner(kHomeA), A1);
  EXPECT_EQ(a1.owner(kSeven), B);
}

TEST(Election, IsImpossibleForANamedReason) {
  Bench a(A);
  const auto step = [](Bench& bench) { bench.act([](Context& c) { election_step(c); }); };
  step(a);
  EXPECT_TRUE(a.noted("no election: I am a master"));
  Bench a1(A1);
  step(a1);
  EXPECT_TRUE(a1.noted("no election: my master has not failed"));
  master_fails(a1);
  a1.mine().no_failover = true;
  step(a1);
  EXPECT_TRUE(a1.noted("no election: not allowed to this replica"));
  a1.mine().no_failover = false;
  a1.mine().master = kNoNode;
  step(a1);
  EXPECT_TRUE(a1.noted("no election: my master is unknown"));
}

TEST(Election, ForAnEmptyMasterIsAValkeyRule) {
  for (const std::string dialect : {"redis-7.2", "valkey-8.0"}) {
    Bench a1(A1, failing_lab(dialect));
    for (NodeId& owner : a1.config().owner) {
      if (owner == A) owner = B;
    }
    master_fails(a1);
    EXPECT_EQ(a1.offered(kBegin) != nullptr, dialect == "valkey-8.0") << dialect;
  }
}

TEST(Election, ExpiresAndMayBeTriedAgain) {
  Bench a1(A1);
  master_fails(a1);
  a1.take(kBegin);
  EXPECT_EQ(a1.offered(kExpires), nullptr);
  a1.take(kDue);
  ASSERT_NE(a1.offered(kExpires), nullptr);
  a1.take(kExpires);
  EXPECT_EQ(a1.state.memory.election, Election{});
  a1.hears(vote_of(a1, B));
  EXPECT_TRUE(a1.noted("vote ignored: no election"));
  ASSERT_NE(a1.offered(kBegin), nullptr);
}

TEST(Election, RestsAfterAnAttemptWithTimedGuards) {
  Bench a1(A1, failing_lab(), true);
  master_fails(a1);
  EXPECT_EQ(a1.offered(kBegin)->budget, sim::kNoBudget);
  a1.take(kBegin);
  a1.take(kDue);
  EXPECT_EQ(a1.offered(kExpires)->delay_min, sim::milliseconds(30000));
  a1.take(kExpires);
  EXPECT_EQ(a1.offered(kBegin), nullptr);
  a1.act([](Context& context) { election_step(context); });
  EXPECT_TRUE(a1.noted("no election: the last attempt is too recent"));
  a1.take(kRested);
  EXPECT_NE(a1.offered(kBegin), nullptr);
}

TEST(Election, WaitsASecondForEachReplicaThatIsAhead) {
  Bench a1(A1, failing_lab(), true);
  a1.record(B1).master = A;
  a1.state.memory.peers[B1].offset = 5;
  a1.state.memory.offset = 4;
  master_fails(a1);
  a1.take(kBegin);
  EXPECT_EQ(a1.state.memory.election.rank, 1);
  EXPECT_EQ(a1.offered(kDue)->delay_min, sim::milliseconds(1500));
  EXPECT_EQ(a1.offered(kDue)->delay_max, sim::milliseconds(2099));
}

TEST(Election, EqualOffsetsAreRankedByIdInValkey) {
  for (const std::string dialect : {"redis-7.0", "valkey-8.0"}) {
    Bench b1(B1, failing_lab(dialect), true);
    b1.record(A1).master = B;  // A1's id is the smaller one
    EXPECT_EQ(election_rank(b1.state, *b1.settings), dialect == "valkey-8.0" ? 1 : 0) << dialect;
  }
}

TEST(Vote, IsGrantedOncePerEpochAndOnDiskBeforeItIsSent) {
  Bench b(B);
  master_fails(b);
  b.config().current_epoch = 4;
  b.hears(request_of(b, A1));
  ASSERT_EQ(b.sent_to(A1).size(), 1u);
  EXPECT_EQ(b.sent_to(A1).front().header.type, PacketType::auth_ack);
  EXPECT_EQ(b.config().last_vote_epoch, 4u);
  EXPECT_TRUE(b.asked.fsync);
  EXPECT_EQ(b.state.written.last_vote_epoch, 4u);
  b.hears(request_of(b, A1));
  EXPECT_TRUE(b.noted("no vote: I voted in this epoch"));
  EXPECT_TRUE(b.effects.outputs.empty());
}

TEST(Vote, IsNotOnDiskInRedis30) {
  Bench b(B, failing_lab("redis-3.0"));
  master_fails(b);
  b.record(A1).config_epoch = 1;  // so that the header has nothing new, which would be saved
  b.config().current_epoch = 4;
  b.hears(request_of(b, A1));
  EXPECT_EQ(b.config().last_vote_epoch, 4u);
  EXPECT_EQ(b.state.written.last_vote_epoch, 0u);
  EXPECT_EQ(b.packets_of(PacketType::auth_ack), 1u);
}

TEST(Vote, IsRefusedForANamedReason) {
  Bench a1(A1);
  a1.hears(request_of(a1, B1));
  EXPECT_TRUE(a1.noted("no vote: I am no master with slots"));
  Bench b(B);
  b.hears(request_of(b, A1));
  EXPECT_TRUE(b.noted("no vote: its master has not failed"));
  b.hears(request_of(b, C));
  EXPECT_TRUE(b.noted("no vote: the candidate is a master"));
  protocol::Packet old = request_of(b, A1);
  old.header.current_epoch = 2;
  b.hears(old);
  EXPECT_TRUE(b.noted("no vote: an epoch of the past"));
  b.record(A1).master = kNoNode;
  b.hears(request_of(b, A1));
  EXPECT_TRUE(b.noted("no vote: the candidate's master is unknown"));
}

TEST(Vote, IsGivenToAForcedRequestWhileTheMasterLives) {
  Bench b(B);
  protocol::Packet request = request_of(b, A1);
  request.header.force_ack = true;
  b.hears(request);
  EXPECT_EQ(b.packets_of(PacketType::auth_ack), 1u);
}

TEST(Vote, IsRefusedToACandidateWithAStaleSlot) {
  Bench b(B);
  master_fails(b);
  b.config().owner[kSeven] = B;
  protocol::Packet request = request_of(b, A1);
  request.header.slots.add(kSeven);
  request.header.config_epoch = 1;  // B holds slot 7 at epoch 2
  b.hears(request);
  EXPECT_TRUE(b.noted("no vote: a slot is claimed at a greater epoch"));
  b.state.memory.not_claiming.add(kSeven);  // the guard looks away then (H11)
  b.hears(request);
  EXPECT_EQ(b.packets_of(PacketType::auth_ack), 1u);
}

TEST(Vote, ForTheSameSlotsNeedsAPauseWithTimedGuards) {
  Bench b(B, failing_lab(), true);
  master_fails(b);
  b.config().current_epoch = 4;
  b.hears(request_of(b, A1));
  b.config().current_epoch = 5;
  b.hears(request_of(b, A1));
  EXPECT_TRUE(b.noted("no vote: I voted for this master's slots lately"));
  b.take(make_step(StepKind::vote_gets_old, A));
  b.hears(request_of(b, A1));
  EXPECT_EQ(b.packets_of(PacketType::auth_ack), 1u);
}

TEST(VoteCount, IgnoresReplicasAndPastEpochs) {
  Bench a1(A1);
  master_fails(a1);
  a1.take(kBegin);
  a1.take(kDue);
  a1.hears(vote_of(a1, B1));
  EXPECT_TRUE(a1.noted("vote ignored: not from a master with slots"));
  protocol::Packet old = vote_of(a1, B);
  old.header.current_epoch = 3;
  a1.hears(old);
  EXPECT_TRUE(a1.noted("vote ignored: of an epoch of the past"));
  EXPECT_EQ(a1.state.memory.election.votes, 0);
}

TEST(VoteCount, DoesNotAskWhetherItIsTheSameVoter) {
  Bench a1(A1);
  master_fails(a1);
  a1.take(kBegin);
  a1.take(kDue);
  a1.hears(vote_of(a1, B));
  a1.hears(vote_of(a1, B));
  EXPECT_FALSE(a1.mine().replica);
}

}  // namespace
}  // namespace slotlab::node
