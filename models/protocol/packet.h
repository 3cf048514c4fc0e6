// Messages of the cluster bus. Every packet carries a header that its receiver applies before the
// packet's own meaning (SOURCE: Redis 7.0.15, clusterProcessPacket in src/cluster.c).
//
// For exhaustive search PING, PONG and broadcast PONG may be merged into `heartbeat`: the same
// header, sent freely on every stream, never answered (docs/abstractions.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "models/protocol/words.h"

namespace slotlab::protocol {

enum class PacketType : std::uint8_t {
  ping,
  pong,
  meet,
  fail,
  update,
  auth_request,
  auth_ack,
  mfstart,
  heartbeat,
};

// The two FIFO streams from X to Y: what X sends on its own connection to Y, and what X answers on
// the connection that Y opened. With one stream in a system both are stream 0.
inline constexpr std::uint8_t kOutbound = 0;
inline constexpr std::uint8_t kReplies = 1;
// A third stream, for the connection that a replica opens to its master: replicated commands one
// way, acknowledgements the other. Only systems with replicas have links for it. See replication.h.
inline constexpr std::uint8_t kReplication = 2;
// Two more for MIGRATE: what a source sends its target, and what that answers. Only systems with
// keys have links for them.
inline constexpr std::uint8_t kData = 3;
inline constexpr std::uint8_t kDataReplies = 4;

struct Header {
  PacketType type = PacketType::heartbeat;
  NodeId sender = kNoNode;
  Epoch current_epoch = 0;
  Epoch config_epoch = 0;      // of the sender, or of its master if the sender is a replica
  SlotSet slots = {};          // likewise
  NodeId master_of = kNoNode;  // kNoNode: "I am a master"
  bool replica = false;        // the sender's role flag
  bool no_failover = false;
  bool paused = false;       // a master in a manual failover
  bool force_ack = false;    // AUTH_REQUEST of a manual failover
  bool fresh = false;        // the first that a process sends; what TCP would tell its receiver
  std::uint64_t offset = 0;  // replication offset
  auto members() const {
    return std::tie(type, sender, current_epoch, config_epoch, slots, master_of, replica,
                    no_failover, paused, force_ack, fresh, offset);
  }
  bool operator==(const Header&) const = default;
};

// What the sender believes of one other node. Carries no epoch, master or slots.
struct GossipEntry {
  NodeId node = kNoNode;
  bool replica = false;
  bool pfail = false;
  bool fail = false;
  bool no_addr = false;
  auto members() const { return std::tie(node, replica, pfail, fail, no_addr); }
  bool operator==(const GossipEntry&) const = default;
};

struct Packet final : sim::Message {
  Header header;
  std::vector<GossipEntry> gossip;  // ping, pong, meet, heartbeat; ascending by node
  NodeId subject = kNoNode;         // fail: who failed; update: whose slots
  Epoch subject_epoch = 0;          // update
  SlotSet subject_slots;            // update
  NodeId shard = kNoNode;           // 7.2+: the sender's shard, named by its first master
  std::vector<NodeId> forgotten;    // 7.2+: nodes on the sender's blacklist, ascending
  auto members() const {
    return std::tie(header, gossip, subject, subject_epoch, subject_slots, shard, forgotten);
  }
  void encode(sim::Encoder& out) const override { sim::encode(out, members()); }
  // Only free heartbeats are limited in number; what a rule makes a node send is never held back by
  // them, nor they by it.
  bool takes_room() const override {
    return header.type == PacketType::heartbeat || header.type == PacketType::ping;
  }
};

// "PING currentEpoch 4 configEpoch 3 slots 7": one line, with names instead of ids.
std::string text(const Packet& packet, const Directory& directory, const SlotClasses& classes);
// "PING", "AUTH_REQUEST", "HEARTBEAT".
std::string_view packet_name(PacketType type);

}  // namespace slotlab::protocol
