// The CLUSTER commands about slots and epochs: guards in their order, the servers' words, and what
// is left behind. Slots 1, 2, 3, 7 and 8 exist; 7 is A's.
#include <gtest/gtest.h>

#include "tests/models/node/failover_bench.h"
#include "models/protocol/key_slot.h"

namespace slotlab::node {
namespace {

using protocol::Reply;

TEST(Addslots, BindsAnUnassignedSlotWithoutAnEpochOrABroadcast) {
  Bench b(B);
  b.config().owner[kSeven] = kNoNode;
  b.config().importing_from[kSeven] = A;
  EXPECT_EQ(b.answer("CLUSTER ADDSLOTS 7"), "OK");
  EXPECT_EQ(b.owner(kSeven), B);
  EXPECT_EQ(b.config().importing_from[kSeven], kNoNode);
  EXPECT_EQ(b.mine().config_epoch, 2u);
  EXPECT_TRUE(b.asked.save);
  EXPECT_FALSE(b.asked.fsync);
  EXPECT_TRUE(b.effects.outputs.empty());
}

TEST(Addslots, RefusesInTheServersWords) {
  Bench a(A);
  a.config().owner[kEight] = kNoNode;
  EXPECT_EQ(a.answer("CLUSTER ADDSLOTS 7"), "ERR Slot 7 is already busy");
  EXPECT_EQ(a.answer("CLUSTER ADDSLOTS 16384"), "ERR Invalid or out of range slot");
  EXPECT_EQ(a.answer("CLUSTER ADDSLOTS x"), "ERR Invalid or out of range slot");
  EXPECT_EQ(a.answer("CLUSTER ADDSLOTS -1"), "ERR Invalid or out of range slot");
  EXPECT_EQ(a.answer("CLUSTER ADDSLOTS 8 8"), "ERR Slot 8 specified multiple times");
  EXPECT_EQ(a.answer("CLUSTER ADDSLOTS 8 7"), "ERR Slot 7 is already busy");
  EXPECT_EQ(a.owner(kEight), kNoNode);
}

TEST(Addslots, Redis30ChecksOneSlotAfterTheOther) {
  for (const std::string dialect : {"redis-3.0", "redis-7.0"}) {
    Bench a(A, failing_lab(dialect));
    EXPECT_EQ(a.answer("CLUSTER ADDSLOTS 7 x"), dialect == "redis-3.0"
                                                    ? "ERR Slot 7 is already busy"
                                                    : "ERR Invalid or out of range slot");
  }
}

TEST(Delslots, UnbindsASlotWhoeverOwnsIt) {
  Bench a(A);
  a.put_key(kSeven);
  EXPECT_EQ(a.answer("CLUSTER DELSLOTS 7 2"), "OK");
  EXPECT_EQ(a.owner(kSeven), kNoNode);
  EXPECT_EQ(a.owner(kHomeB), kNoNode);
  EXPECT_FALSE(a.state.memory.state_ok);
  EXPECT_EQ(a.answer("CLUSTER DELSLOTS 7"), "ERR Slot 7 is already unassigned");
  EXPECT_EQ(a.answer("CLUSTER DELSLOTS 1 1"), "ERR Slot 1 specified multiple times");
  EXPECT_EQ(a.answer("CLUSTER DELSLOTS 100"), "ERR Slot 100 is already unassigned");
}

TEST(Ranges, AreCheckedBoundByBoundThenSlotBySlot) {
  Bench a(A);
  EXPECT_EQ(a.answer("CLUSTER DELSLOTSRANGE 7 8"), "OK");
  EXPECT_EQ(a.answer("CLUSTER ADDSLOTSRANGE 8 7"),
            "ERR start slot number 8 is greater than end slot number 7");
  EXPECT_EQ(a.answer("CLUSTER ADDSLOTSRANGE 3 7"), "ERR Slot 3 is already busy");
  EXPECT_EQ(a.answer("CLUSTER ADDSLOTSRANGE 7 16384"), "ERR Invalid or out of range slot");
  EXPECT_EQ(a.answer("CLUSTER ADDSLOTSRANGE 7 7 7 8"), "ERR Slot 7 specified multiple times");
  EXPECT_EQ(a.answer("CLUSTER ADDSLOTSRANGE 7 8 9"),
            "ERR wrong number of arguments for 'cluster|addslotsrange' command");
  EXPECT_EQ(a.answer("CLUSTER ADDSLOTSRANGE 7 8"), "OK");
  EXPECT_EQ(a.owner(kSeven), A);
  EXPECT_EQ(a.owner(kEight), A);
}

TEST(Ranges, DoNotExistInRedis30) {
  Bench a(A, failing_lab("redis-3.0"));
  EXPECT_EQ(a.answer("CLUSTER DELSLOTSRANGE 7 8"),
            "ERR Wrong CLUSTER subcommand or number of arguments");
}

TEST(Flushslots, NeedsAnEmptyDatabaseAndKeepsTheMarks) {
  Bench a(A);
  ASSERT_EQ(a.setslot("7 MIGRATING B").text, "OK");
  a.put_key(kHomeA);
  EXPECT_EQ(a.answer("CLUSTER FLUSHSLOTS"), "ERR DB must be empty to perform CLUSTER FLUSHSLOTS.");
  a.state.keys[kHomeA].clear();
  EXPECT_EQ(a.answer("CLUSTER FLUSHSLOTS"), "OK");
  EXPECT_EQ(a.owner(kSeven), kNoNode);
  EXPECT_EQ(a.owner(kHomeB), B);
  EXPECT_EQ(a.config().migrating_to[kSeven], B);
}

TEST(KeysInSlot, AreCountedWhoeverOwnsTheSlot) {
  Bench b(B);
  b.put_key(kSeven, "k1");
  b.put_key(kSeven, "k2");
  EXPECT_EQ(b.run("CLUSTER COUNTKEYSINSLOT 7"), Reply::integer(2));
  EXPECT_EQ(b.run("CLUSTER COUNTKEYSINSLOT 9"), Reply::integer(0));
  EXPECT_EQ(b.answer("CLUSTER COUNTKEYSINSLOT 16384"), "ERR Invalid slot");
  EXPECT_EQ(b.answer("CLUSTER COUNTKEYSINSLOT x"), "ERR value is not an integer or out of range");
  EXPECT_EQ(b.run("CLUSTER GETKEYSINSLOT 7 10"),
            Reply::array({Reply::bulk("k1"), Reply::bulk("k2")}));
  EXPECT_EQ(b.run("CLUSTER GETKEYSINSLOT 7 1").items.size(), 1u);
  EXPECT_TRUE(b.run("CLUSTER GETKEYSINSLOT 7 0").items.empty());
  EXPECT_EQ(b.answer("CLUSTER GETKEYSINSLOT 7 -1"), "ERR Invalid slot or number of keys");
  EXPECT_EQ(b.answer("CLUSTER GETKEYSINSLOT 16384 1"), "ERR Invalid slot or number of keys");
  EXPECT_EQ(b.answer("CLUSTER GETKEYSINSLOT 7 x"), "ERR value is not an integer or out of range");
}

TEST(Keyslot, IsTheHashOfTheTag) {
  Bench a(A);
  const std::vector<std::pair<std::string, std::int64_t>> known = {
      {"foo", 12182},      {"{foo}", 12182},     {"x{foo}y", 12182}, {"{foo}{bar}", 12182},
      {"{}foo", 9500},     {"foo{}{bar}", 8363}, {"foo{{bar}}", 4015}, {"{{foo}", 13308},
      {"foo{", 7673},      {"foo}", 15679},      {"}{foo}", 12182},  {"123456789", 12739},
      {"{t0}1", 13006},    {"{b}1", 3300}};
  for (const auto& [key, slot] : known) {
    EXPECT_EQ(a.run("CLUSTER KEYSLOT " + key), Reply::integer(slot)) << key;
  }
  EXPECT_EQ(protocol::key_slot(""), 0);
  EXPECT_EQ(protocol::crc16("123456789"), 0x31c3);
  EXPECT_EQ(protocol::key_slot("\xff\xfe"), 3374);
}

TEST(Bumpepoch, BumpsUnlessTheEpochIsTheGreatest) {
  Bench a(A);
  EXPECT_EQ(a.run("CLUSTER BUMPEPOCH"), Reply::status("BUMPED 4"));
  EXPECT_TRUE(a.asked.fsync);
  EXPECT_EQ(a.run("CLUSTER BUMPEPOCH"), Reply::status("STILL 4"));
  EXPECT_TRUE(a.effects.outputs.empty());
  EXPECT_EQ(a.answer("CLUSTER BUMPEPOCH x"),
            "ERR wrong number of arguments for 'cluster|bumpepoch' command");
}

TEST(SetConfigEpoch, IsForAFreshNodeAlone) {
  Bench a(A);
  EXPECT_EQ(a.answer("CLUSTER SET-CONFIG-EPOCH x"), "ERR value is not an integer or out of range");
  EXPECT_EQ(a.answer("CLUSTER SET-CONFIG-EPOCH -9"), "ERR Invalid config epoch specified: -9");
  EXPECT_EQ(a.answer("CLUSTER SET-CONFIG-EPOCH 9"),
            "ERR The user can assign a config epoch only when the node does not know any other "
            "node.");
  std::erase_if(a.config().nodes, [](const auto& entry) { return entry.first != A; });
  EXPECT_EQ(a.answer("CLUSTER SET-CONFIG-EPOCH 9"), "ERR Node config epoch is already non-zero");
  a.mine().config_epoch = 0;
  EXPECT_EQ(a.answer("CLUSTER SET-CONFIG-EPOCH 0"), "OK");
  EXPECT_EQ(a.answer("CLUSTER SET-CONFIG-EPOCH 7"), "OK");
  EXPECT_EQ(a.mine().config_epoch, 7u);
  EXPECT_EQ(a.config().current_epoch, 7u);
}

}  // namespace
}  // namespace slotlab::node
