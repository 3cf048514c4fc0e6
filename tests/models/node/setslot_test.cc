// CLUSTER SETSLOT at one node: what each guard refuses, in the servers' words, and what each
// accepted command changes. Slot 7 is A's.
#include <gtest/gtest.h>

#include "tests/models/node/lab.h"

namespace slotlab::node {
namespace {

using protocol::PacketType;
using protocol::Rule;

TEST(SetslotMigrating, MarksTheSlotAndTellsNobody) {
  Lab a(A);
  EXPECT_EQ(a.setslot("7 MIGRATING B").text, "OK");
  EXPECT_EQ(a.config().migrating_to[kSeven], B);
  EXPECT_TRUE(a.effects.outputs.empty());
  EXPECT_TRUE(a.asked.save);
  EXPECT_FALSE(a.asked.fsync);
}

TEST(SetslotMigrating, OnlyTheOwnerMigrates) {
  Lab b(B);
  EXPECT_EQ(b.setslot("7 MIGRATING C").text, "ERR I'm not the owner of hash slot 7");
  EXPECT_EQ(b.config().migrating_to[kSeven], kNoNode);
}

TEST(SetslotMigrating, TheTargetMustBeKnown) {
  Lab a(A);
  EXPECT_EQ(a.setslot("7 MIGRATING D").text, "ERR I don't know about node " + id_of(D));
  EXPECT_EQ(a.setslot("7 MIGRATING x").text, "ERR I don't know about node x");
}

TEST(SetslotMigrating, ToItselfIsAccepted) {
  Lab a(A);
  EXPECT_EQ(a.setslot("7 migrating A").text, "OK");
  EXPECT_EQ(a.config().migrating_to[kSeven], A);
}

TEST(SetslotImporting, MarksTheSlotWhoeverOwnsIt) {
  Lab b(B);
  EXPECT_EQ(b.setslot("7 IMPORTING C").text, "OK");  // 7 is A's; nobody checks
  EXPECT_EQ(b.config().importing_from[kSeven], C);
  EXPECT_EQ(b.owner(kSeven), A);
}

TEST(SetslotImporting, TheOwnerDoesNotImport) {
  Lab a(A);
  EXPECT_EQ(a.setslot("7 IMPORTING B").text, "ERR I'm already the owner of hash slot 7");
}

TEST(SetslotImporting, UnknownSourceIsNamedByIdAndIn30ByTheKeyword) {
  EXPECT_EQ(Lab(B).setslot("7 Importing nobody").text, "ERR I don't know about node nobody");
  EXPECT_EQ(Lab(B, {.dialect = "redis-3.0"}).setslot("7 Importing nobody").text,
            "ERR I don't know about node Importing");
}

TEST(Setslot, ReplicaTargetsAreRefusedWhereTheDialectChecksThem) {
  const LabOptions with_replicas{.replicas = true};
  EXPECT_EQ(Lab(A, with_replicas).setslot("7 MIGRATING B1").text,
            "ERR Target node is not a master");
  EXPECT_EQ(Lab(B, with_replicas).setslot("7 IMPORTING A1").text,
            "ERR Target node is not a master");
  EXPECT_EQ(Lab(C, with_replicas).setslot("7 NODE B1").text, "ERR Target node is not a master");
  Lab old(A, {.dialect = "redis-3.0", .replicas = true});
  EXPECT_EQ(old.setslot("7 NODE B1").text, "OK");
  EXPECT_EQ(old.owner(kSeven), B1);
}

TEST(Setslot, ReplicasRefuseBeforeTheyLookAtTheSlot) {
  Lab a1(A1, {.replicas = true});
  EXPECT_EQ(a1.setslot("99999 STABLE").text, "ERR Please use SETSLOT only with masters.");
}

TEST(Setslot, BadSlots) {
  for (const char* slot : {"16384", "-1", "x", "7x", "+7", ""}) {
    if (*slot == '\0') continue;
    EXPECT_EQ(Lab(A).setslot(std::string(slot) + " STABLE").text,
              "ERR Invalid or out of range slot")
        << slot;
  }
}

TEST(Setslot, KeywordAndNumberOfWordsMustFit) {
  const std::string text =
      "ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP";
  for (const char* words : {"7 MOVING B", "7 MIGRATING", "7 STABLE now", "7 NODE B C"}) {
    EXPECT_EQ(Lab(A).setslot(words).text, text) << words;
  }
  EXPECT_EQ(Lab(A, {.dialect = "redis-3.0"}).setslot("7 MOVING B").text,
            "ERR Invalid CLUSTER SETSLOT action or number of arguments");
  EXPECT_EQ(Lab(A).setslot("7").text,
            "ERR wrong number of arguments for 'cluster|setslot' command");
}

TEST(Setslot, ASlotThatTheScenarioDoesNotTellApartIsNotGuessed) {
  EXPECT_EQ(Lab(A).setslot("9 STABLE").text, "ERR slot 9 is not told apart in this scenario");
}

TEST(SetslotStable, ClearsBothMarksAndKeepsTheOwner) {
  Lab b(B);
  b.setslot("7 IMPORTING A");
  b.config().migrating_to[kSeven] = C;
  EXPECT_EQ(b.setslot("7 STABLE").text, "OK");
  EXPECT_EQ(b.config().importing_from[kSeven], kNoNode);
  EXPECT_EQ(b.config().migrating_to[kSeven], kNoNode);
  EXPECT_EQ(b.owner(kSeven), A);
}

TEST(SetslotNode, UnknownNode) {
  EXPECT_EQ(Lab(A).setslot("7 NODE D").text, "ERR Unknown node " + id_of(D));
}

TEST(SetslotNode, ASourceThatHoldsKeysRefuses) {
  Lab a(A);
  a.put_key(kSeven);
  EXPECT_EQ(a.setslot("7 NODE B").text,
            "ERR Can't assign hashslot 7 to a different node while I still hold keys for this hash "
            "slot.");
  EXPECT_EQ(a.setslot("7 NODE A").text, "OK");  // to itself it may
}

TEST(SetslotNode, AtTheDestinationTakesANewEpochAndTellsAll) {
  Lab b(B);  // epoch 2, C has 3
  b.setslot("7 IMPORTING A");
  EXPECT_EQ(b.setslot("7 NODE B").text, "OK");
  EXPECT_EQ(b.owner(kSeven), B);
  EXPECT_EQ(b.mine().config_epoch, 4u);
  EXPECT_EQ(b.config().current_epoch, 4u);
  EXPECT_EQ(b.config().importing_from[kSeven], kNoNode);
  EXPECT_TRUE(b.asked.fsync);
  // The broadcast is built after the change.
  ASSERT_EQ(b.sent_to(A).size(), 1u);
  EXPECT_TRUE(b.sent_to(A)[0].header.slots.has(kSeven));
  EXPECT_EQ(b.sent_to(A)[0].header.config_epoch, 4u);
  EXPECT_EQ(b.sent_to(C).size(), 1u);
}

TEST(SetslotNode, ADestinationWithTheGreatestEpochKeepsItAndDoesNotSync) {
  Lab b(B, {.epoch_b = 9});
  b.setslot("7 IMPORTING A");
  b.setslot("7 NODE B");
  EXPECT_EQ(b.mine().config_epoch, 9u);
  EXPECT_TRUE(b.noted("epoch kept: already the greatest"));
  EXPECT_TRUE(b.asked.save);
  EXPECT_FALSE(b.asked.fsync);
}

TEST(SetslotNode, ADestinationThatDoesNotImportNeitherBumpsNorTells) {  // hazard H7
  Lab b(B);
  b.setslot("7 NODE B");
  EXPECT_EQ(b.owner(kSeven), B);
  EXPECT_EQ(b.mine().config_epoch, 2u);
  EXPECT_TRUE(b.effects.outputs.empty());
}

TEST(SetslotNode, ToAnotherNodeKeepsTheImportingMark) {
  Lab b(B);
  b.setslot("7 IMPORTING A");
  b.setslot("7 NODE C");
  EXPECT_EQ(b.config().importing_from[kSeven], A);
  EXPECT_EQ(b.owner(kSeven), C);
}

TEST(SetslotNode, AtTheSourceClearsTheMigratingMark) {
  Lab a(A);
  a.setslot("7 MIGRATING B");
  EXPECT_EQ(a.setslot("7 NODE B").text, "OK");
  EXPECT_EQ(a.config().migrating_to[kSeven], kNoNode);
  EXPECT_EQ(a.owner(kSeven), B);
  EXPECT_FALSE(a.mine().replica);  // it keeps its home slot
}

TEST(SetslotNode, KeysKeepAnOldMigratingMarkAlive) {  // hazard H3
  Lab a(A);
  a.setslot("7 MIGRATING B");
  a.put_key(kSeven);
  a.setslot("7 NODE A");
  EXPECT_EQ(a.config().migrating_to[kSeven], B);
}

TEST(SetslotNode, TheLastSlotMakesTheSourceAReplica) {
  Lab a(A, {.of_a = {kSeven}});
  a.config().importing_from[kHomeC] = C;
  EXPECT_EQ(a.setslot("7 NODE B").text, "OK");
  EXPECT_TRUE(a.mine().replica);
  EXPECT_EQ(a.mine().master, B);
  EXPECT_EQ(a.config().importing_from[kHomeC], kNoNode);  // all open slots are closed
  EXPECT_TRUE(a.asked.fsync);
}

TEST(SetslotNode, TheLastSlotLeavesAnEmptyMasterIn30OrWithoutReplicaMigration) {
  Lab old(A, {.dialect = "redis-3.0", .of_a = {kSeven}});
  old.setslot("7 NODE B");
  EXPECT_FALSE(old.mine().replica);
  Lab off(A, {.of_a = {kSeven}, .replica_migration = false});
  off.setslot("7 NODE B");
  EXPECT_FALSE(off.mine().replica);
}

TEST(SetslotNode, RulesOfTheImportCanBeSwitchedOff) {
  Lab silent(B, {.rules = {{Rule::broadcast_after_import, false}}});
  silent.setslot("7 IMPORTING A");
  silent.setslot("7 NODE B");
  EXPECT_EQ(silent.mine().config_epoch, 4u);
  EXPECT_TRUE(silent.effects.outputs.empty());

  Lab humble(B, {.rules = {{Rule::bump_on_import, false}}});
  humble.setslot("7 IMPORTING A");
  humble.setslot("7 NODE B");
  EXPECT_EQ(humble.mine().config_epoch, 2u);
  EXPECT_EQ(humble.sent_to(A).size(), 1u);
}

TEST(SetslotNode, PingPongSystemsBroadcastAPong) {
  Lab b(B, {.heartbeats = Heartbeats::ping_pong});
  b.setslot("7 IMPORTING A");
  b.setslot("7 NODE B");
  ASSERT_EQ(b.sent_to(A).size(), 1u);
  EXPECT_EQ(b.sent_to(A)[0].header.type, PacketType::pong);
}

TEST(SetslotNode, RebindingForgetsThatTheOwnerStoppedClaimingFrom72On) {
  for (const auto& [dialect, remembered] :
       {std::pair{"redis-7.0", true}, std::pair{"redis-7.2", false}}) {
    Lab c(C, {.dialect = dialect});
    c.state.memory.not_claiming.add(kSeven);
    c.setslot("7 NODE B");
    EXPECT_EQ(c.state.memory.not_claiming.has(kSeven), remembered) << dialect;
  }
}

TEST(SetslotValkey, ExtraWordsAreIgnoredAndTimeoutIsRead) {
  const LabOptions valkey{.dialect = "valkey-8.0"};
  EXPECT_EQ(Lab(A, valkey).setslot("7 STABLE please").text, "OK");
  EXPECT_EQ(Lab(A, valkey).setslot("7 MIGRATING B TIMEOUT 100").text, "OK");
  EXPECT_EQ(Lab(A, valkey).setslot("7 MIGRATING B timeout").text, "ERR Missing timeout value");
  EXPECT_EQ(Lab(A, valkey).setslot("7 STABLE TIMEOUT x").text,
            "ERR timeout is not an integer or out of range");
  EXPECT_EQ(Lab(A, valkey).setslot("7 STABLE TIMEOUT -1").text, "ERR timeout is negative");
  EXPECT_EQ(Lab(A, valkey).setslot("7 STABLE TIMEOUT 9223372036854775807").text,
            "ERR timeout is out of range");
  EXPECT_EQ(Lab(A, valkey).setslot("7 MIGRATING D TIMEOUT").text,
            "ERR I don't know about node " + id_of(D));  // the node is looked at first
}

}  // namespace
}  // namespace slotlab::node
