// The CLUSTER commands about nodes, and the dispatch of all of them.
#include <gtest/gtest.h>

#include "tests/models/node/failover_bench.h"

namespace slotlab::node {
namespace {

using protocol::PacketType;
using protocol::Reply;

TEST(Dispatch, KnowsTheNumberOfWordsOfEachSubcommand) {
  Bench a(A);
  const auto wrong = [](const std::string& name) {
    return "ERR wrong number of arguments for 'cluster|" + name + "' command";
  };
  EXPECT_EQ(a.answer("CLUSTER ADDSLOTS"), wrong("addslots"));
  EXPECT_EQ(a.answer("cluster Setslot 7"), wrong("setslot"));
  EXPECT_EQ(a.answer("CLUSTER COUNTKEYSINSLOT"), wrong("countkeysinslot"));
  EXPECT_EQ(a.answer("CLUSTER GETKEYSINSLOT 7"), wrong("getkeysinslot"));
  EXPECT_EQ(a.answer("CLUSTER KEYSLOT"), wrong("keyslot"));
  EXPECT_EQ(a.answer("CLUSTER FORGET"), wrong("forget"));
  EXPECT_EQ(a.answer("CLUSTER MEET 127.0.0.1"), wrong("meet"));
  EXPECT_EQ(a.answer("CLUSTER NODES x"), wrong("nodes"));
  EXPECT_EQ(a.answer("CLUSTER SET-CONFIG-EPOCH"), wrong("set-config-epoch"));
  EXPECT_EQ(a.answer("CLUSTER"), "ERR wrong number of arguments for 'cluster' command");
}

TEST(Dispatch, RefusesWhatItDoesNotKnow) {
  Bench a(A);
  EXPECT_EQ(a.answer("CLUSTER Bogus 1"), "ERR unknown subcommand 'Bogus'. Try CLUSTER HELP.");
  EXPECT_EQ(a.answer("CLUSTER MYSHARDID"), "ERR unknown subcommand 'MYSHARDID'. Try CLUSTER HELP.");
  EXPECT_EQ(a.answer("CLUSTER RESET HARD now"),
            "ERR unknown subcommand 'RESET'. Try CLUSTER HELP.");
  EXPECT_EQ(a.answer("FOO bar 1"),
            "ERR unknown command 'FOO', with args beginning with: 'bar' '1' ");
}

TEST(Dispatch, HasOneErrorForAllOfThisInRedis30) {
  Bench a(A, failing_lab("redis-3.0"));
  for (const char* text : {"CLUSTER ADDSLOTS", "CLUSTER BOGUS", "CLUSTER SHARDS",
                           "CLUSTER REPLICAS A", "CLUSTER BUMPEPOCH x"}) {
    EXPECT_EQ(a.answer(text), "ERR Wrong CLUSTER subcommand or number of arguments") << text;
  }
}

TEST(Forget, RefusesInTheServersWords) {
  Bench a1(A1);
  EXPECT_EQ(a1.answer("CLUSTER FORGET D"), "ERR Unknown node " + id_of(D));
  EXPECT_EQ(a1.answer("CLUSTER FORGET A1"), "ERR I tried hard but I can't forget myself...");
  EXPECT_EQ(a1.answer("CLUSTER FORGET A"), "ERR Can't forget my master!");
}

TEST(Forget, UnbindsTheSlotsOfTheNodeHere) {
  Bench a(A);
  ASSERT_EQ(a.setslot("7 MIGRATING B").text, "OK");
  EXPECT_EQ(a.answer("CLUSTER FORGET B"), "OK");
  EXPECT_EQ(a.config().nodes.count(B), 0u);
  EXPECT_EQ(a.owner(kHomeB), kNoNode);
  EXPECT_EQ(a.config().migrating_to[kSeven], kNoNode);
  EXPECT_EQ(a.record(B1).master, kNoNode);
  EXPECT_EQ(a.answer("CLUSTER FORGET B"), "ERR Unknown node " + id_of(B));
}

TEST(Forget, IsOkAgainSinceRedis72) {
  Bench a(A, failing_lab("redis-7.2"));
  EXPECT_EQ(a.answer("CLUSTER FORGET B"), "OK");
  EXPECT_EQ(a.answer("CLUSTER FORGET B"), "OK");
  EXPECT_EQ(a.answer("CLUSTER FORGET D"), "ERR Unknown node " + id_of(D));
}

TEST(Forget, SpreadsByGossipSinceRedis72) {
  Bench a(A, failing_lab("redis-7.2"));
  protocol::Packet packet = a.header_of(C);
  packet.forgotten = {A, B};
  a.hears(packet);
  EXPECT_EQ(a.config().nodes.count(B), 0u);
  EXPECT_TRUE(a.noted("forgotten node ignored: that is me"));
  EXPECT_EQ(a.state.memory.blacklist, std::set<NodeId>{B});
  Bench b1(B1, failing_lab("redis-7.2"));
  b1.hears(packet);
  EXPECT_TRUE(b1.noted("forgotten node ignored: it is my master"));
}

TEST(Replicate, RefusesInTheServersWords) {
  Bench c(C);
  EXPECT_EQ(c.answer("CLUSTER REPLICATE D"), "ERR Unknown node " + id_of(D));
  EXPECT_EQ(c.answer("CLUSTER REPLICATE C"), "ERR Can't replicate myself");
  EXPECT_EQ(c.answer("CLUSTER REPLICATE B1"), "ERR I can only replicate a master, not a replica.");
  EXPECT_EQ(c.answer("CLUSTER REPLICATE A"),
            "ERR To set a master the node must be empty and without assigned slots.");
  Bench old(C, failing_lab("redis-3.0"));
  EXPECT_EQ(old.answer("CLUSTER REPLICATE B1"), "ERR I can only replicate a master, not a slave.");
}

TEST(Replicate, MakesAReplicaFollowAnotherMaster) {
  Bench a1(A1);
  EXPECT_EQ(a1.answer("CLUSTER REPLICATE C"), "OK");
  EXPECT_EQ(a1.mine().master, C);
  EXPECT_NE(a1.state.memory.replicating_from, C);  // its data set is still to be copied
  EXPECT_TRUE(a1.asked.save);
}

TEST(Replicate, OfTheOwnMasterDoesNothingInValkey) {
  for (const std::string dialect : {"redis-7.2", "valkey-8.0"}) {
    Bench a1(A1, failing_lab(dialect));
    EXPECT_EQ(a1.answer("CLUSTER REPLICATE A"), "OK");
    EXPECT_EQ(a1.asked.save, dialect == "redis-7.2") << dialect;
    EXPECT_EQ(a1.answer("CLUSTER REPLICATE C"), "OK");
    EXPECT_EQ(a1.packets_of(PacketType::heartbeat), dialect == "redis-7.2" ? 0u : 4u) << dialect;
  }
}

TEST(Reset, RefusesInTheServersWords) {
  Bench a(A);
  a.put_key(kSeven);
  EXPECT_EQ(a.answer("CLUSTER RESET BOGUS"), "ERR syntax error");
  EXPECT_EQ(a.answer("CLUSTER RESET"),
            "ERR CLUSTER RESET can't be called with master nodes containing keys");
}

TEST(Reset, SoftKeepsIdAndEpochs) {
  Bench a(A);
  a.config().last_vote_epoch = 2;
  ASSERT_EQ(a.setslot("7 MIGRATING B").text, "OK");
  EXPECT_EQ(a.answer("CLUSTER RESET SOFT"), "OK");
  EXPECT_EQ(a.config().nodes.size(), 1u);
  EXPECT_EQ(a.config().me, A);
  EXPECT_EQ(a.mine().config_epoch, 1u);
  EXPECT_EQ(a.config().current_epoch, 3u);
  EXPECT_EQ(a.config().last_vote_epoch, 2u);
  for (const NodeId owner : a.config().owner) EXPECT_EQ(owner, kNoNode);
  EXPECT_EQ(a.config().migrating_to[kSeven], kNoNode);
  EXPECT_TRUE(a.asked.fsync);
}

TEST(Reset, HardTakesANewIdAndNoEpochs) {
  Bench c(C);
  EXPECT_EQ(c.answer("CLUSTER RESET HARD"), "OK");
  EXPECT_EQ(c.config().me, D);
  EXPECT_EQ(c.mine().config_epoch, 0u);
  EXPECT_EQ(c.config().current_epoch, 0u);
  EXPECT_EQ(c.config().nodes.size(), 1u);
  EXPECT_EQ(c.answer("CLUSTER MYID"), id_of(D));
  EXPECT_EQ(c.answer("CLUSTER RESET HARD"),
            "ERR this scenario has no further identity for a hard reset of this node");
}

TEST(Reset, MakesAReplicaAnEmptyMasterEvenWithKeys) {
  Bench a1(A1);
  a1.put_key(kSeven);
  EXPECT_EQ(a1.answer("CLUSTER RESET"), "OK");
  EXPECT_FALSE(a1.mine().replica);
  EXPECT_TRUE(a1.state.keys[kSeven].empty());
  EXPECT_EQ(a1.config().nodes.size(), 1u);
}

TEST(Meet, RefusesInTheWordsOfEachVersion) {
  const std::vector<std::pair<std::string, std::string>> words = {
      {"redis-3.0", "ERR Invalid TCP port specified: x"},
      {"redis-7.0", "ERR Invalid TCP base port specified: x"},
      {"redis-7.2", "ERR Invalid base port specified: x"},
      {"valkey-8.0", "ERR Invalid base port specified: x"}};
  for (const auto& [dialect, text] : words) {
    Bench a(A, failing_lab(dialect));
    EXPECT_EQ(a.answer("CLUSTER MEET 127.0.0.1 x"), text) << dialect;
  }
  Bench a(A);
  EXPECT_EQ(a.answer("CLUSTER MEET 127.0.0.1 7001 x"), "ERR Invalid TCP bus port specified: x");
  EXPECT_EQ(a.answer("CLUSTER MEET nowhere 7001"),
            "ERR Invalid node address specified: nowhere:7001");
  EXPECT_EQ(a.answer("CLUSTER MEET 127.0.0.1 0"),
            "ERR Invalid node address specified: 127.0.0.1:0");
  EXPECT_EQ(a.answer("CLUSTER MEET 127.0.0.1 65530"),
            "ERR Invalid node address specified: 127.0.0.1:65530");
}

TEST(Meet, GreetsAndShakesHands) {
  Bench a(A);
  EXPECT_EQ(a.answer("CLUSTER MEET 127.0.0.1 7006"), "OK");
  EXPECT_TRUE(a.record(D).handshake);
  ASSERT_EQ(a.sent_to(D).size(), 1u);
  EXPECT_EQ(a.sent_to(D).front().header.type, PacketType::meet);
  EXPECT_EQ(a.answer("CLUSTER FORGET D"), "ERR Unknown node " + id_of(D));
  EXPECT_EQ(a.state.written.nodes.count(D), 0u);
  const sim::StepCode times_out = make_step(StepKind::membership_expires, D, 1);
  ASSERT_NE(a.offered(times_out), nullptr);
  a.take(times_out);
  EXPECT_EQ(a.config().nodes.count(D), 0u);
}

TEST(Meet, OfAKnownNodeChangesNothing) {
  Bench a(A);
  const Durable before = a.config();
  EXPECT_EQ(a.answer("CLUSTER MEET 127.0.0.1 7002"), "OK");
  EXPECT_TRUE(a.noted("handshake: already known"));
  EXPECT_EQ(a.answer("CLUSTER MEET 127.0.0.1 7001"), "OK");
  EXPECT_TRUE(a.noted("handshake: that is me"));
  EXPECT_EQ(a.answer("CLUSTER MEET 127.0.0.1 9999"), "OK");
  EXPECT_TRUE(a.noted("MEET: nobody lives at this address"));
  EXPECT_EQ(a.config(), before);
}

TEST(CountFailureReports, CountsWhoReports) {
  Bench a(A);
  EXPECT_EQ(a.answer("CLUSTER COUNT-FAILURE-REPORTS D"), "ERR Unknown node " + id_of(D));
  EXPECT_EQ(a.run("CLUSTER COUNT-FAILURE-REPORTS B"), Reply::integer(0));
  a.state.memory.peers[B].fail_reports = {C};
  EXPECT_EQ(a.run("CLUSTER COUNT-FAILURE-REPORTS B"), Reply::integer(1));
}

TEST(Saveconfig, SyncsTheFile) {
  Bench a(A);
  a.config().current_epoch = 9;
  EXPECT_EQ(a.answer("CLUSTER SAVECONFIG"), "OK");
  EXPECT_EQ(a.state.synced.current_epoch, 9u);
}

}  // namespace
}  // namespace slotlab::node
