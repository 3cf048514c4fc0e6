// What a claim heard on the bus does to one node's slot table, rule by rule. Unless said otherwise
// the epochs are A 1, B 2, C 3, and slot 7 is A's.
#include <gtest/gtest.h>

#include "tests/models/node/lab.h"

namespace slotlab::node {
namespace {

using protocol::Packet;
using protocol::Rule;

// `node` claims slot 7 on top of what it has, at `epoch`.
Packet claim(const Lab& lab, NodeId node, Epoch epoch, SlotClass slot = kSeven) {
  Packet packet = lab.header_of(node);
  packet.header.slots.add(slot);
  packet.header.config_epoch = epoch;
  packet.header.current_epoch = std::max(packet.header.current_epoch, epoch);
  return packet;
}

Packet drop(const Lab& lab, NodeId node, SlotClass slot = kSeven) {
  Packet packet = lab.header_of(node);
  packet.header.slots.remove(slot);
  return packet;
}

TEST(UpdateSlots, AGreaterEpochTakesTheSlot) {
  Lab c(C);
  c.hears(claim(c, B, 4));
  EXPECT_EQ(c.owner(kSeven), B);
  EXPECT_TRUE(c.asked.save && c.asked.fsync && c.asked.update_state);
}

TEST(UpdateSlots, AnEqualEpochDoesNotTakeIt) {
  Lab c(C, {.epoch_a = 2});
  c.hears(claim(c, B, 2));
  EXPECT_EQ(c.owner(kSeven), A);
  EXPECT_TRUE(c.noted("claim ignored: the owner's epoch is not smaller"));
}

TEST(UpdateSlots, AFreeSlotGoesToAnyClaimant) {
  Lab c(C, {.of_a = {kHomeA}});
  ASSERT_EQ(c.owner(kSeven), kNoNode);
  c.hears(claim(c, A, 1));
  EXPECT_EQ(c.owner(kSeven), A);
}

TEST(UpdateSlots, AnOwnerThatStopsClaimingIsRememberedAndThenAnyClaimWins) {
  Lab c(C, {.epoch_a = 5});
  c.hears(drop(c, A));
  EXPECT_EQ(c.owner(kSeven), A);
  EXPECT_TRUE(c.state.memory.not_claiming.has(kSeven));
  EXPECT_TRUE(c.noted("the owner stopped claiming the slot"));
  c.hears(claim(c, B, 2));  // smaller than A's 5
  EXPECT_EQ(c.owner(kSeven), B);
  EXPECT_FALSE(c.state.memory.not_claiming.has(kSeven));
}

TEST(UpdateSlots, WithoutTheMemoryOnlyTheEpochCounts) {  // 3.0
  Lab c(C, {.dialect = "redis-3.0", .epoch_a = 5});
  c.hears(drop(c, A));
  EXPECT_FALSE(c.state.memory.not_claiming.has(kSeven));
  c.hears(claim(c, B, 2));
  EXPECT_EQ(c.owner(kSeven), A);
}

TEST(UpdateSlots, AnOwnerThatClaimsAgainIsForgivenWithTheNextUpdate) {
  Lab c(C);
  c.hears(drop(c, A));
  c.state.config.owner[kHomeA] = kNoNode;  // so that A's bitmap differs and the update runs
  Packet all = c.header_of(A);
  all.header.slots.add(kHomeA);
  c.hears(all);
  EXPECT_FALSE(c.state.memory.not_claiming.has(kSeven));
}

TEST(UpdateSlots, TheMemoryGoesStaleWhenTheOwnerClaimsAgainUnchanged) {  // hazard H11
  Lab c(C);
  c.hears(drop(c, A));
  c.hears(c.header_of(A));  // claims all that C has as A's: the update does not run
  EXPECT_TRUE(c.state.memory.not_claiming.has(kSeven));
}

TEST(UpdateSlots, AnImportingSlotIsPinned) {
  Lab b(B);
  b.setslot("7 IMPORTING A");
  b.hears(claim(b, C, 9));
  EXPECT_EQ(b.owner(kSeven), A);
  EXPECT_TRUE(b.noted("claim ignored: importing the slot"));

  Lab free(B, {.rules = {{Rule::importing_slot_pinned, false}}});
  free.setslot("7 IMPORTING A");
  free.hears(claim(free, C, 9));
  EXPECT_EQ(free.owner(kSeven), C);
}

TEST(UpdateSlots, TheMigratingMarkSurvivesTheLossOfTheSlot) {  // hazard H3
  Lab a(A);
  a.setslot("7 MIGRATING B");
  a.hears(claim(a, B, 4));
  EXPECT_EQ(a.owner(kSeven), B);
  EXPECT_EQ(a.config().migrating_to[kSeven], B);
}

TEST(UpdateSlots, ValkeyClearsTheMigratingMark) {
  Lab a(A, {.dialect = "valkey-8.0"});
  a.setslot("7 MIGRATING B");
  a.hears(claim(a, B, 4));
  EXPECT_EQ(a.config().migrating_to[kSeven], kNoNode);
  EXPECT_TRUE(a.noted("migrating mark cleared: another shard took the slot"));
}

TEST(UpdateSlots, KeysOfALostSlotAreDeleted) {  // hazard H2
  Lab a(A);
  a.put_key(kSeven);
  a.put_key(kHomeA);
  a.hears(claim(a, B, 4));
  EXPECT_TRUE(a.state.keys[kSeven].empty());
  EXPECT_FALSE(a.state.keys[kHomeA].empty());
  EXPECT_TRUE(a.noted("keys of a lost slot deleted"));
}

TEST(UpdateSlots, KeysOfASlotThatWasAnothersAreLeftAlone) {
  Lab c(C);
  c.put_key(kSeven);
  c.hears(claim(c, B, 4));
  EXPECT_FALSE(c.state.keys[kSeven].empty());
}

TEST(UpdateSlots, AnEmptiedMasterFollowsTheWinner) {
  Lab a(A, {.of_a = {kSeven}});
  a.put_key(kSeven);
  a.hears(claim(a, B, 4));
  EXPECT_TRUE(a.mine().replica);
  EXPECT_EQ(a.mine().master, B);
  EXPECT_FALSE(a.state.keys[kSeven].empty());  // left to the copy of B's data set
  EXPECT_TRUE(a.noted("became a replica"));
}

TEST(UpdateSlots, WithoutReplicaMigrationItFollowsOnlyANodeThatClaimsNothingElse) {
  const LabOptions off{.of_a = {kSeven}, .replica_migration = false};
  Lab a(A, off);
  a.put_key(kSeven);
  a.hears(claim(a, B, 4));  // B also has its home slot
  EXPECT_FALSE(a.mine().replica);
  EXPECT_TRUE(a.state.keys[kSeven].empty());

  LabOptions all_taken = off;
  all_taken.of_b = {};
  Lab follower(A, all_taken);
  follower.hears(claim(follower, B, 4));
  EXPECT_TRUE(follower.mine().replica);

  LabOptions old = off;
  old.dialect = "redis-3.0";
  Lab always(A, old);
  always.hears(claim(always, B, 4));
  EXPECT_TRUE(always.mine().replica);

  LabOptions valkey = off;
  valkey.dialect = "valkey-8.0";
  Lab stays(A, valkey);
  stays.put_key(kSeven);
  stays.hears(claim(stays, B, 4));
  EXPECT_FALSE(stays.mine().replica);
  EXPECT_TRUE(stays.noted("stays an empty master: replica migration is off"));
  EXPECT_FALSE(stays.state.keys[kSeven].empty());  // nor are the keys deleted
}

TEST(UpdateSlots, AReplicaFollowsWhenItsMasterHasLostEverything) {
  Lab a1(A1, {.replicas = true, .of_a = {kSeven}});
  a1.hears(claim(a1, B, 4));
  EXPECT_EQ(a1.mine().master, B);
}

TEST(UpdateSlots, AReplicaOfAReplicaMovesToTheGrandMaster) {
  Lab a1(A1, {.replicas = true});
  a1.record(A).replica = true;
  a1.record(A).master = B;
  a1.hears(claim(a1, C, 9, kHomeB));
  EXPECT_EQ(a1.mine().master, B);

  Lab old(A1, {.dialect = "redis-3.0", .replicas = true});
  old.record(A).replica = true;
  old.record(A).master = B;
  old.hears(claim(old, C, 9, kHomeB));
  EXPECT_EQ(old.mine().master, A);
}

TEST(UpdateSlots, AClaimAboutMyselfIsIgnored) {
  Lab a(A);
  Packet update = a.header_of(C);
  update.header.type = protocol::PacketType::update;
  update.subject = A;
  update.subject_epoch = 9;
  a.hears(update);
  EXPECT_EQ(a.owner(kSeven), A);
  EXPECT_TRUE(a.noted("claim ignored: it is about myself"));
}

// Valkey 8.0: an importing node finishes by itself.
TEST(UpdateSlotsValkey, TheImportIsFinalisedWhenTheSourceDropsTheSlot) {  // heals H1
  Lab b(B, {.dialect = "valkey-8.0"});
  b.setslot("7 IMPORTING A");
  b.hears(drop(b, A));
  EXPECT_EQ(b.owner(kSeven), B);
  EXPECT_EQ(b.mine().config_epoch, 4u);
  EXPECT_EQ(b.config().importing_from[kSeven], kNoNode);
  EXPECT_TRUE(b.effects.outputs.empty());  // it tells nobody

  Lab redis(B);
  redis.setslot("7 IMPORTING A");
  redis.hears(drop(redis, A));
  EXPECT_EQ(redis.owner(kSeven), A);
}

TEST(UpdateSlotsValkey, AReplicaDoesNotFinalise) {
  Lab b1(B1, {.dialect = "valkey-8.0", .replicas = true});
  b1.config().importing_from[kSeven] = A;
  b1.hears(drop(b1, A));
  EXPECT_EQ(b1.owner(kSeven), A);
  EXPECT_EQ(b1.config().importing_from[kSeven], A);
}

TEST(UpdateSlotsValkey, TheMigratingMarkFollowsTheTargetsFailover) {
  Lab a(A, {.dialect = "valkey-8.0", .replicas = true});
  a.config().migrating_to[kSeven] = B;
  Packet promoted = a.header_of(B1);
  promoted.header.replica = false;
  promoted.header.master_of = kNoNode;
  promoted.header.slots = {};
  promoted.header.slots.add(kHomeB);
  promoted.header.config_epoch = promoted.header.current_epoch = 4;
  a.hears(promoted);
  EXPECT_EQ(a.config().migrating_to[kSeven], B1);
  EXPECT_TRUE(a.noted("migrating mark follows the target's failover"));
}

TEST(UpdateSlotsValkey, TheMigratingMarkFollowsADemotedTargetWhateverItsEpoch) {
  for (const bool demoted : {true, false}) {
    Lab a(A, {.dialect = "valkey-8.0", .epoch_b = 9, .replicas = true});
    a.config().migrating_to[kSeven] = B;
    a.record(B).replica = demoted;
    Packet promoted = a.header_of(B1);
    promoted.header.replica = false;
    promoted.header.master_of = kNoNode;
    promoted.header.slots = {};
    promoted.header.slots.add(kHomeB);
    promoted.header.config_epoch = 4;
    a.hears(promoted);
    EXPECT_EQ(a.config().migrating_to[kSeven], demoted ? B1 : B);
  }
}

TEST(UpdateSlotsValkey, TheImportingMarkFollowsTheSourcesFailover) {
  Lab b(B, {.dialect = "valkey-8.0", .replicas = true});
  b.config().importing_from[kSeven] = A;
  Packet promoted = b.header_of(A1);
  promoted.header.replica = false;
  promoted.header.master_of = kNoNode;
  promoted.header.config_epoch = promoted.header.current_epoch = 4;  // claims all of A's slots
  b.hears(promoted);
  EXPECT_EQ(b.owner(kSeven), A1);
  EXPECT_EQ(b.config().importing_from[kSeven], A1);
}

TEST(UpdateSlotsValkey, AnImportingMarkIsClearedWhenAThirdShardTakesTheSlot) {
  Lab b(B, {.dialect = "valkey-8.0"});
  b.setslot("7 IMPORTING A");
  b.hears(claim(b, C, 9));
  EXPECT_EQ(b.owner(kSeven), C);
  EXPECT_EQ(b.config().importing_from[kSeven], kNoNode);
}

TEST(UpdateSlotsValkey, AMasterKeepsItsMarksWhenItFollowsItsShardsNewMaster) {
  for (const auto& [dialect, kept] :
       {std::pair{"valkey-8.0", true}, std::pair{"redis-7.2", false}}) {
    Lab a(A, {.dialect = dialect, .replicas = true});
    a.config().migrating_to[kSeven] = B;
    Packet promoted = a.header_of(A1);
    promoted.header.replica = false;
    promoted.header.master_of = kNoNode;
    promoted.header.config_epoch = promoted.header.current_epoch = 4;
    a.hears(promoted);
    EXPECT_EQ(a.mine().master, A1) << dialect;
    EXPECT_EQ(a.config().migrating_to[kSeven] == B, kept) << dialect;
  }
}

TEST(UpdateSlotsValkey, AnEmptyMasterFollowsASlotlessSuccessorInItsShard) {
  LabOptions options{.dialect = "valkey-8.0", .replicas = true, .of_a = {}};
  Lab a(A, options);
  Packet promoted = a.header_of(A1);
  promoted.header.replica = false;
  promoted.header.master_of = kNoNode;
  promoted.header.config_epoch = promoted.header.current_epoch = 4;
  a.hears(promoted);
  EXPECT_EQ(a.mine().master, A1);

  Packet equal = promoted;
  equal.header.config_epoch = 1;  // as A's own
  Lab waits(A, options);
  waits.hears(equal);
  EXPECT_FALSE(waits.mine().replica);

  options.rules = {{Rule::slotless_master_failover, false}};
  Lab stays(A, options);
  stays.hears(promoted);
  EXPECT_FALSE(stays.mine().replica);
}

TEST(UpdateSlots, DeletionsReachTheReplicasFrom72On) {
  for (const auto& [dialect, count] : {std::pair{"redis-7.0", 0u}, std::pair{"redis-7.2", 1u}}) {
    Lab a(A, {.dialect = dialect, .replicas = true});
    a.put_key(kSeven);
    a.hears(claim(a, B, 4));
    std::size_t replicated = 0;
    for (const sim::Output& output : a.effects.outputs) {
      if (output.to == actor_of(A1) && output.stream == protocol::kReplication) ++replicated;
    }
    EXPECT_EQ(replicated, count) << dialect;
  }
}

}  // namespace
}  // namespace slotlab::node
