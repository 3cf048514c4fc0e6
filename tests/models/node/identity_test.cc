// Handshakes, and identities that move from one process to another.
#include <gtest/gtest.h>

#include "tests/models/node/lab.h"

namespace slotlab::node {
namespace {

using protocol::Packet;
using protocol::PacketType;

Packet with_type(Packet packet, PacketType type) {
  packet.header.type = type;
  return packet;
}

TEST(Meet, OfAStrangerStartsAHandshake) {
  Lab a(A);
  Packet meet = with_type(a.header_of(B), PacketType::meet);
  meet.header.sender = D;
  a.hears(meet);
  ASSERT_EQ(a.config().nodes.count(D), 1u);
  EXPECT_TRUE(a.record(D).handshake);
  EXPECT_EQ(a.sent_to(D).size(), 1u);
  EXPECT_EQ(a.owner(kHomeB), B);  // what it claims has no effect yet
}

TEST(Handshake, IsCompletedByAnAnswerAndTheRoleComesWithTheNext) {
  Lab a(A);
  Packet meet = with_type(a.header_of(B), PacketType::meet);
  meet.header.sender = D;
  meet.header.slots = {};
  a.hears(meet);
  Packet answer = with_type(meet, PacketType::heartbeat);
  answer.header.config_epoch = 5;
  a.hears(answer);
  EXPECT_FALSE(a.record(D).handshake);
  EXPECT_TRUE(a.noted("handshake completed"));
  EXPECT_EQ(a.record(D).config_epoch, 0u);
  a.hears(answer);
  EXPECT_EQ(a.record(D).config_epoch, 5u);
}

TEST(Handshake, OfTwoNodesThatBothSayMeetEndsWhereHeartbeatsAreMerged) {
  Lab a(A);
  a.config().nodes[D].handshake = true;
  Packet meet = with_type(a.header_of(B), PacketType::meet);
  meet.header.sender = D;
  a.hears(meet);
  EXPECT_FALSE(a.record(D).handshake);
  Lab servers(A, {.heartbeats = Heartbeats::ping_pong});
  servers.config().nodes[D].handshake = true;
  servers.hears(meet);
  EXPECT_TRUE(servers.record(D).handshake);  // it waits for the PONG
}

TEST(Identity, AnotherNodeAtTheSameAddressTakesItAway) {
  Lab a(A);
  auto settings = std::make_shared<NodeSettings>(*a.settings);
  settings->directory.identities[protocol::index(D)].actor = actor_of(B);  // B was reset to D
  a.settings = settings;
  Packet answer = a.header_of(B);
  answer.header.sender = D;
  answer.header.slots = {};
  a.hears_from(actor_of(B), answer);
  EXPECT_TRUE(a.record(B).no_addr);
  EXPECT_TRUE(a.noted("another node answers at this address: the old one lost its address"));
  EXPECT_EQ(a.owner(kHomeB), B);
  EXPECT_EQ(a.config().nodes.count(D), 0u);
}

}  // namespace
}  // namespace slotlab::node
