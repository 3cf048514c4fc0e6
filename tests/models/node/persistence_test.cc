// What a crash loses, what a restart reads back, and what start-up does with keys of foreign slots.
#include "models/node/persistence/persistence.h"

#include <gtest/gtest.h>

#include "tests/models/node/lab.h"

namespace slotlab::node {
namespace {

using protocol::Rule;
using sim::CrashKind;

TEST(ProcessKill, KeepsWhatACommandWrote) {
  Lab b(B);
  b.setslot("7 IMPORTING A");
  b.dies();
  b.starts();
  EXPECT_EQ(b.config().importing_from[kSeven], A);
  EXPECT_EQ(b.mine().config_epoch, 2u);
}

TEST(ProcessKill, LosesACurrentEpochThatWasOnlyHeard) {
  Lab c(C);
  protocol::Packet packet = c.header_of(A);
  packet.header.current_epoch = 8;
  c.hears(packet);
  ASSERT_EQ(c.config().current_epoch, 8u);
  c.dies();
  c.starts();
  EXPECT_EQ(c.config().current_epoch, 3u);  // the greatest config epoch in the file
}

TEST(ProcessKill, LosesAllMemory) {
  Lab c(C);
  c.state.memory.not_claiming.add(kSeven);
  c.state.memory.blacklist.insert(D);
  c.dies();
  EXPECT_EQ(c.state.memory, Volatile{});
}

TEST(ProcessKill, OfANodeThatHasNotCountedMastersDependsOnTheDialect) {
  Lab old(C);
  old.dies();
  EXPECT_EQ(old.state.memory.size, 1u);
  Lab recent(C, {.dialect = "redis-7.2"});
  recent.dies();
  EXPECT_EQ(recent.state.memory.size, 0u);
}

TEST(PowerLoss, TakesBackWhatWasNotSynced) {
  Lab b(B, {.power_loss = true});
  b.setslot("7 IMPORTING A");  // saved, not synced
  b.dies(CrashKind::power_loss);
  b.starts();
  EXPECT_EQ(b.config().importing_from[kSeven], kNoNode);
}

TEST(PowerLoss, KeepsWhatWasSynced) {
  Lab b(B, {.power_loss = true});
  b.setslot("7 IMPORTING A");
  b.setslot("7 NODE B");  // takes a new epoch: synced
  b.dies(CrashKind::power_loss);
  b.starts();
  EXPECT_EQ(b.owner(kSeven), B);
  EXPECT_EQ(b.mine().config_epoch, 4u);
}

TEST(File, AMigratingMarkHidesAnImportingOne) {
  Lab a(A);
  a.config().importing_from[kSeven] = C;
  a.setslot("7 MIGRATING B");
  a.dies();
  a.starts();
  EXPECT_EQ(a.config().migrating_to[kSeven], B);
  EXPECT_EQ(a.config().importing_from[kSeven], kNoNode);
}

TEST(File, AReplicasEpochIsReadBackOnlyIn30) {
  for (const auto& [dialect, epoch] : {std::pair{"redis-3.0", 7u}, std::pair{"redis-7.0", 0u}}) {
    Lab c(C, {.dialect = dialect, .replicas = true});
    c.record(A1).config_epoch = 7;
    c.setslot("7 IMPORTING A");  // any save
    c.dies();
    c.starts();
    EXPECT_EQ(c.record(A1).config_epoch, epoch) << dialect;
  }
}

TEST(File, HoldsNoHandshakes) {
  Lab c(C);
  c.config().nodes[D].handshake = true;
  c.setslot("7 IMPORTING A");
  c.dies();
  EXPECT_EQ(c.config().nodes.count(D), 0u);
}

TEST(File, HoldsNoCurrentEpochThatItsConfigEpochsImply) {
  Lab c(C);
  EXPECT_EQ(as_saved(c.state.config, *c.settings).current_epoch, 0u);
  c.config().current_epoch = 9;
  EXPECT_EQ(as_saved(c.state.config, *c.settings).current_epoch, 9u);
}

TEST(Vote, IsOnDiskBeforeItIsSentExceptIn30) {
  for (const auto& [dialect, voted] : {std::pair{"redis-3.0", 0u}, std::pair{"redis-7.0", 4u}}) {
    Lab c(C, {.dialect = dialect, .replicas = true, .failure_detection = true});
    c.record(A).fail = true;
    protocol::Packet request = c.header_of(A1);
    request.header.type = protocol::PacketType::auth_request;
    request.header.current_epoch = 4;
    c.hears(request);
    ASSERT_EQ(c.config().last_vote_epoch, 4u) << dialect;
    c.dies();
    c.starts();
    EXPECT_EQ(c.config().last_vote_epoch, voted) << dialect;
  }
}

TEST(Start, KeysOfAForeignSlotMarkItImporting) {
  Lab b(B);
  b.put_key(kSeven);
  b.dies();
  b.starts();
  EXPECT_EQ(b.config().importing_from[kSeven], A);
  EXPECT_FALSE(b.state.keys[kSeven].empty());
  EXPECT_TRUE(b.noted("keys of another node's slot: marked importing"));
  EXPECT_EQ(b.state.written.importing_from[kSeven], A);  // saved at once
}

TEST(Start, KeysOfAForeignSlotAreDeletedInValkey) {  // hazard H16
  Lab b(B, {.dialect = "valkey-8.0"});
  b.put_key(kSeven);
  b.dies();
  b.starts();
  EXPECT_EQ(b.config().importing_from[kSeven], kNoNode);
  EXPECT_TRUE(b.state.keys[kSeven].empty());
  EXPECT_TRUE(b.noted("keys of another node's slot: deleted"));
}

TEST(Start, AnImportingSlotKeepsItsKeysInAllDialects) {
  for (const char* dialect : {"redis-7.0", "valkey-8.0"}) {
    Lab b(B, {.dialect = dialect});
    b.setslot("7 IMPORTING A");
    b.put_key(kSeven);
    b.dies();
    b.starts();
    EXPECT_FALSE(b.state.keys[kSeven].empty()) << dialect;
  }
}

TEST(Start, KeysOfAFreeSlotClaimItWithoutANewEpoch) {  // hazard H22
  Lab a(A, {.of_a = {kHomeA}});
  a.put_key(kSeven);
  a.dies();
  a.starts();
  EXPECT_EQ(a.owner(kSeven), A);
  EXPECT_EQ(a.mine().config_epoch, 1u);
  EXPECT_TRUE(a.noted("keys of a slot without owner: claimed"));
}

TEST(Start, AReplicaLeavesItsKeysAlone) {
  Lab b1(B1, {.replicas = true});
  b1.put_key(kSeven);
  b1.dies();
  b1.starts();
  EXPECT_EQ(b1.config().importing_from[kSeven], kNoNode);
  EXPECT_FALSE(b1.state.keys[kSeven].empty());
}

TEST(Start, WithoutAnAppendOnlyFileThereAreNoKeys) {
  Lab a(A, {.persist_keys = false});
  a.put_key(kSeven);
  a.dies();
  EXPECT_TRUE(a.state.keys[kSeven].empty());
}

}  // namespace
}  // namespace slotlab::node
