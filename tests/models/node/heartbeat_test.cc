// What a node's packets say: whose slots and epoch, and which other nodes the gossip mentions.
#include "models/node/heartbeat.h"

#include <gtest/gtest.h>

#include "tests/models/node/lab.h"

namespace slotlab::node {
namespace {

using protocol::Packet;
using protocol::PacketType;
using protocol::Rule;

Packet built(Lab& lab, PacketType type, NodeId to = kNoNode) {
  sim::Effects effects;
  const Context context{lab.state, *lab.settings, effects};
  return build_packet(context, type, to);
}

std::vector<NodeId> mentioned(const Packet& packet) {
  std::vector<NodeId> nodes;
  for (const protocol::GossipEntry& entry : packet.gossip) nodes.push_back(entry.node);
  return nodes;
}

TEST(PacketHeader, OfAMasterClaimsItsOwnSlots) {
  Lab a(A);
  const Packet packet = built(a, PacketType::heartbeat);
  EXPECT_EQ(packet.header.sender, A);
  EXPECT_EQ(packet.header.config_epoch, 1u);
  EXPECT_EQ(packet.header.current_epoch, 3u);
  EXPECT_TRUE(packet.header.slots.has(kSeven) && packet.header.slots.has(kHomeA));
  EXPECT_EQ(packet.header.slots.count(), 2u);
  EXPECT_EQ(packet.header.master_of, kNoNode);
}

TEST(PacketHeader, OfAReplicaTellsItsViewOfItsMaster) {
  Lab a1(A1, {.replicas = true});
  a1.config().owner[kSeven] = B;
  const Packet packet = built(a1, PacketType::heartbeat);
  EXPECT_TRUE(packet.header.replica);
  EXPECT_EQ(packet.header.master_of, A);
  EXPECT_EQ(packet.header.config_epoch, 1u);
  EXPECT_FALSE(packet.header.slots.has(kSeven));
  EXPECT_TRUE(packet.header.slots.has(kHomeA));
}

TEST(PacketHeader, OfAReplicaWithoutKnownMasterTellsItsOwn) {
  Lab a1(A1, {.replicas = true});
  a1.mine().master = kNoNode;
  const Packet packet = built(a1, PacketType::heartbeat);
  EXPECT_TRUE(packet.header.replica);
  EXPECT_TRUE(packet.header.slots.empty());
}

TEST(PacketHeader, OffsetsAreToldOnlyWhereSomebodyComparesThem) {
  Lab a(A);
  a.state.memory.offset = 5;
  EXPECT_EQ(built(a, PacketType::heartbeat).header.offset, 0u);
  a.state.memory.manual.running = true;  // a paused master
  EXPECT_EQ(built(a, PacketType::heartbeat).header.offset, 5u);
  EXPECT_TRUE(built(a, PacketType::heartbeat).header.paused);
}

TEST(Gossip, OfMergedHeartbeatsTellsOfFailuresOnly) {
  Lab a(A, {.failure_detection = true});
  EXPECT_TRUE(built(a, PacketType::heartbeat, B).gossip.empty());
  a.record(C).pfail = true;
  EXPECT_EQ(mentioned(built(a, PacketType::heartbeat, B)), std::vector<NodeId>{C});
  EXPECT_TRUE(built(a, PacketType::heartbeat, C).gossip.empty());  // not of the receiver itself
  Lab quiet(A);
  quiet.record(C).pfail = true;
  EXPECT_TRUE(built(quiet, PacketType::heartbeat, B).gossip.empty());
}

TEST(Gossip, OfPingsTellsOfTheNextNodesAndOfAllSuspects) {
  Lab a(A, {.replicas = true, .heartbeats = Heartbeats::ping_pong});
  EXPECT_EQ(mentioned(built(a, PacketType::ping, B)), (std::vector<NodeId>{C, A1, B1}));
  EXPECT_EQ(mentioned(built(a, PacketType::ping, A1)), (std::vector<NodeId>{B, C, B1}));
  a.config().nodes[D].handshake = true;
  EXPECT_EQ(mentioned(built(a, PacketType::ping, B1)), (std::vector<NodeId>{B, C, A1}));
}

TEST(Gossip, IsOnlyInHeartbeats) {
  Lab a(A, {.failure_detection = true});
  a.record(C).fail = true;
  EXPECT_TRUE(built(a, PacketType::auth_request, B).gossip.empty());
}

TEST(Extensions, ShardAndForgottenNodesAreToldFrom72On) {
  for (const auto& [dialect, told] :
       {std::pair{"redis-7.0", false}, std::pair{"redis-7.2", true}}) {
    Lab a1(A1, {.dialect = dialect, .replicas = true});
    a1.state.memory.blacklist.insert(D);
    const Packet packet = built(a1, PacketType::heartbeat);
    EXPECT_EQ(packet.shard == A, told) << dialect;
    EXPECT_EQ(packet.forgotten == std::vector<NodeId>{D}, told) << dialect;
  }
}

TEST(Broadcast, ReachesAllKnownNodesButThoseInHandshakeOrWithoutAddress) {
  Lab a(A, {.replicas = true});
  a.config().nodes[D].handshake = true;
  a.record(C).no_addr = true;
  sim::Effects effects;
  Context context{a.state, *a.settings, effects};
  broadcast_pong(context);
  std::vector<sim::ActorId> to;
  for (const sim::Output& output : effects.outputs) to.push_back(output.to);
  EXPECT_EQ(to, (std::vector<sim::ActorId>{actor_of(B), actor_of(A1), actor_of(B1)}));
  effects = {};
  broadcast_pong_to_local_replicas(context);
  ASSERT_EQ(effects.outputs.size(), 1u);
  EXPECT_EQ(effects.outputs[0].to, actor_of(A1));
}

}  // namespace
}  // namespace slotlab::node
