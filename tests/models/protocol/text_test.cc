// Commands, replies and packets as one line that a person reads.
#include <gtest/gtest.h>

#include "models/protocol/command.h"
#include "models/protocol/packet.h"
#include "models/protocol/replication.h"

namespace slotlab::protocol {
namespace {

class Texts : public testing::Test {
 protected:
  Texts() {
    for (const char* name : {"A", "B", "C"}) {
      directory.identities.push_back({.name = name, .id = std::string(40, *name)});
    }
    packet.header.current_epoch = 4;
    packet.header.config_epoch = 3;
    packet.header.sender = NodeId{0};
    packet.header.slots.add(1);
  }
  std::string shown() const { return text(packet, directory, classes); }

  Directory directory;
  SlotClasses classes = SlotClasses::cut({{1, 1}, {7, 7}}, std::vector<SlotRange>{{1, 1}, {7, 7}});
  Packet packet;
};

TEST(ReplyText, ShowsEachKindAsATerminalClientWould) {
  EXPECT_EQ(text(Reply::ok()), "+OK");
  EXPECT_EQ(text(Reply::error("MOVED 7 127.0.0.1:7001")), "-MOVED 7 127.0.0.1:7001");
  EXPECT_EQ(text(Reply::integer(3)), "(integer) 3");
  EXPECT_EQ(text(Reply::bulk("v")), "\"v\"");
  EXPECT_EQ(text(Reply::nil()), "(nil)");
  EXPECT_EQ(text(Reply::array({Reply::bulk("a"), Reply::integer(1)})), "[\"a\", (integer) 1]");
  EXPECT_EQ(text(Reply::array({})), "[]");
}

TEST(CommandText, JoinsItsWords) {
  Command command;
  command.words = {"CLUSTER", "SETSLOT", "7", "STABLE"};
  EXPECT_EQ(text(command), "CLUSTER SETSLOT 7 STABLE");
}

TEST_F(Texts, APingShowsEpochsAndSlots) {
  packet.header.type = PacketType::ping;
  packet.header.slots.add(0);
  EXPECT_EQ(shown(), "PING currentEpoch 4 configEpoch 3 slots {1,7}");
}

TEST_F(Texts, AReplicaNamesItsMaster) {
  packet.header.replica = true;
  packet.header.master_of = NodeId{1};
  EXPECT_EQ(shown(), "HEARTBEAT currentEpoch 4 configEpoch 3 slots {7} replica of B");
  packet.header.master_of = kNoNode;
  EXPECT_EQ(shown(), "HEARTBEAT currentEpoch 4 configEpoch 3 slots {7} replica of nobody known");
}

TEST_F(Texts, GossipShowsOnlyWhoIsInTrouble) {
  packet.gossip = {{.node = NodeId{1}, .pfail = true}, {.node = NodeId{2}}};
  packet.forgotten = {NodeId{2}};
  EXPECT_EQ(shown(), "HEARTBEAT currentEpoch 4 configEpoch 3 slots {7} B fail? forgets C");
}

TEST_F(Texts, AnUpdateShowsWhomItIsAbout) {
  packet.header.type = PacketType::update;
  packet.subject = NodeId{1};
  packet.subject_epoch = 9;
  packet.subject_slots.add(1);
  EXPECT_EQ(shown(),
            "UPDATE about B configEpoch 9 slots {7}, currentEpoch 4 configEpoch 3 slots {7}");
}

TEST_F(Texts, FlagsOfAFailoverAreShown) {
  packet.header.type = PacketType::auth_request;
  packet.header.force_ack = true;
  EXPECT_EQ(shown(), "AUTH_REQUEST currentEpoch 4 configEpoch 3 slots {7} forceack");
  packet.header = {.type = PacketType::fail, .sender = NodeId{0}};
  packet.subject = NodeId{2};
  EXPECT_EQ(shown(), "FAIL of C, currentEpoch 0 configEpoch 0 slots {}");
}

TEST_F(Texts, ReplicationIsShownByCommand) {
  Replicated command;
  command.kind = Replicated::Kind::setslot;
  command.words = {"CLUSTER", "SETSLOT", "7", "STABLE"};
  command.offset = 3;
  EXPECT_EQ(replication_text(command, directory), "replicated CLUSTER SETSLOT 7 STABLE (offset 3)");
  Acknowledged ack;
  ack.replica = NodeId{1};
  ack.offset = 3;
  EXPECT_EQ(replication_text(ack, directory), "B acknowledges offset 3");
  EXPECT_EQ(replication_text(Command{}, directory), "a message");
}

}  // namespace
}  // namespace slotlab::protocol
