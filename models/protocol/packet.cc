// One line of text for each bus packet, for traces that a person reads.
#include "models/protocol/packet.h"

#include <fmt/format.h>

namespace slotlab::protocol {
namespace {

std::string name_of(const Directory& directory, NodeId node) {
  return index(node) < directory.count() ? directory[node].name : "?";
}

std::string set_text(const SlotClasses& classes, const SlotSet& set) {
  return "{" + slots_text(classes, set) + "}";
}

std::string header_text(const Header& header, const Directory& directory,
                        const SlotClasses& classes) {
  std::string out = fmt::format("currentEpoch {} configEpoch {} slots {}", header.current_epoch,
                                header.config_epoch, set_text(classes, header.slots));
  if (header.replica) {
    out += header.master_of == kNoNode ? " replica of nobody known"
                                       : " replica of " + name_of(directory, header.master_of);
  }
  if (header.no_failover) out += " nofailover";
  if (header.paused) out += fmt::format(" paused at offset {}", header.offset);
  if (header.force_ack) out += " forceack";
  return out;
}

std::string gossip_text(const std::vector<GossipEntry>& gossip, const Directory& directory) {
  std::string out;
  for (const GossipEntry& entry : gossip) {
    if (!entry.pfail && !entry.fail) continue;
    out += fmt::format(" {} {}", name_of(directory, entry.node), entry.fail ? "fail" : "fail?");
  }
  return out;
}

}  // namespace

std::string_view packet_name(PacketType type) {
  switch (type) {
    case PacketType::ping:
      return "PING";
    case PacketType::pong:
      return "PONG";
    case PacketType::meet:
      return "MEET";
    case PacketType::fail:
      return "FAIL";
    case PacketType::update:
      return "UPDATE";
    case PacketType::auth_request:
      return "AUTH_REQUEST";
    case PacketType::auth_ack:
      return "AUTH_ACK";
    case PacketType::mfstart:
      return "MFSTART";
    case PacketType::heartbeat:
      return "HEARTBEAT";
  }
  return "?";
}

std::string text(const Packet& packet, const Directory& directory, const SlotClasses& classes) {
  std::string out = fmt::format("{} ", packet_name(packet.header.type));
  if (packet.header.type == PacketType::update) {
    out += fmt::format("about {} configEpoch {} slots {}, ", name_of(directory, packet.subject),
                       packet.subject_epoch, set_text(classes, packet.subject_slots));
  }
  if (packet.header.type == PacketType::fail) {
    out += fmt::format("of {}, ", name_of(directory, packet.subject));
  }
  out += header_text(packet.header, directory, classes);
  out += gossip_text(packet.gossip, directory);
  for (const NodeId node : packet.forgotten) out += " forgets " + name_of(directory, node);
  return out;
}

}  // namespace slotlab::protocol
