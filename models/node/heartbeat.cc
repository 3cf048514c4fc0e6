// Bus packets are built here, from the state at the moment of sending.
#include "models/node/heartbeat.h"

#include <algorithm>
#include <memory>

#include "models/node/ownership/slot_table.h"

namespace slotlab::node {
namespace {

using protocol::GossipEntry;
using protocol::Header;
using protocol::Packet;
using protocol::PacketType;
using protocol::Rule;

bool has_gossip(PacketType type) {
  return type == PacketType::ping || type == PacketType::pong || type == PacketType::meet ||
         type == PacketType::heartbeat;
}

// Offsets are told only where somebody compares them, since each value is another message.
std::uint64_t told_offset(const Context& context, bool paused) {
  if (!paused && !context.settings.timed_guards) return 0;
  return context.state.memory.offset;
}

Header build_header(const Context& context, PacketType type) {
  const NodeState& state = context.state;
  const NodeRecord& mine = state.config.nodes.at(state.config.me);
  const auto master = state.config.nodes.find(mine.master);
  const bool speaks_for_master = mine.replica && master != state.config.nodes.end();
  const NodeId claimant = speaks_for_master ? mine.master : state.config.me;
  Header header;
  header.type = type;
  header.sender = state.config.me;
  header.current_epoch = state.config.current_epoch;
  header.config_epoch = speaks_for_master ? master->second.config_epoch : mine.config_epoch;
  header.slots = slots_of(state, claimant, context.settings.slots.count());
  header.master_of = mine.replica ? mine.master : kNoNode;
  header.replica = mine.replica;
  header.no_failover = mine.no_failover;
  header.paused = !mine.replica && state.memory.manual.running;
  header.force_ack = type == PacketType::auth_request && state.memory.manual.running;
  header.offset = told_offset(context, header.paused);
  return header;
}

GossipEntry gossip_entry(NodeId id, const NodeRecord& record) {
  return {.node = id,
          .replica = record.replica,
          .pfail = record.pfail,
          .fail = record.fail,
          .no_addr = record.no_addr};
}

// Adds up to `wanted` nodes that follow `from` in the table, around its end if need be.
void choose_behind(NodeId from, std::size_t wanted, const Context& context, NodeId to,
                   std::set<NodeId>& chosen) {
  const auto& nodes = context.state.config.nodes;
  auto at = nodes.upper_bound(from);
  for (std::size_t seen = 0; seen < nodes.size() && wanted > 0; ++seen) {
    if (at == nodes.end()) at = nodes.begin();
    const auto& [id, record] = *at++;
    if (id == context.state.config.me || id == to || record.handshake || record.no_addr) continue;
    if (chosen.insert(id).second) --wanted;
  }
}

// Merged heartbeats tell of failures only. Others tell of all suspects and of as many nodes as the
// servers choose at random: here those behind the sender and the one behind the receiver. So who
// knows of a node tells the node before it, and that one tells everybody.
std::vector<GossipEntry> build_gossip(const Context& context, NodeId to) {
  const auto& nodes = context.state.config.nodes;
  const bool merged = context.settings.heartbeats == Heartbeats::merged;
  std::vector<GossipEntry> gossip;
  if (merged && !context.settings.failure_detection) return gossip;
  std::set<NodeId> chosen;
  for (const auto& [id, record] : nodes) {
    if (record.pfail || record.fail) chosen.insert(id);
  }
  if (!merged) {
    const std::size_t wanted = std::max<std::size_t>(3, nodes.size() / 10);
    choose_behind(context.state.config.me, wanted - 1, context, to, chosen);
    choose_behind(to, 1, context, to, chosen);
  }
  chosen.erase(context.state.config.me);
  chosen.erase(to);
  for (const NodeId id : chosen) {
    const NodeRecord& record = nodes.at(id);
    if (!record.handshake) gossip.push_back(gossip_entry(id, record));
  }
  return gossip;
}

}  // namespace

Packet build_packet(const Context& context, PacketType type, NodeId to) {
  Packet packet;
  packet.header = build_header(context, type);
  if (!has_gossip(type)) return packet;
  packet.gossip = build_gossip(context, to);
  const Durable& config = context.state.config;
  if (context.rule(Rule::shard_ids)) packet.shard = config.nodes.at(config.me).shard;
  if (context.rule(Rule::forget_gossiped)) {
    packet.forgotten.assign(context.state.memory.blacklist.begin(),
                            context.state.memory.blacklist.end());
  }
  return packet;
}

bool has_link(const NodeState& state, NodeId to) {
  const auto at = state.memory.peers.find(to);
  return at == state.memory.peers.end() || !at->second.no_link;
}

void send_packet(Context& context, NodeId to, Packet packet, std::uint8_t stream) {
  if (stream == protocol::kOutbound && !has_link(context.state, to)) {
    context.effects.note("not sent: no link to it yet");
    return;
  }
  context.effects.send(context.actor_of(to), stream,
                       std::make_shared<const Packet>(std::move(packet)));
}

void answer_packet(Context& context, sim::ActorId to, Packet packet) {
  const std::uint8_t stream =
      context.settings.streams == 1 ? protocol::kOutbound : protocol::kReplies;
  context.effects.send(to, stream, std::make_shared<const Packet>(std::move(packet)));
}

void broadcast_packet(Context& context, const Packet& packet) {
  const auto shared = std::make_shared<const Packet>(packet);
  for (const auto& [id, record] : context.config().nodes) {
    if (id == context.me() || record.handshake || record.no_addr) continue;
    if (!has_link(context.state, id)) continue;
    context.effects.send(context.actor_of(id), protocol::kOutbound, shared);
  }
}

namespace {

PacketType pong_type(const Context& context) {
  return context.settings.heartbeats == Heartbeats::merged ? PacketType::heartbeat
                                                           : PacketType::pong;
}

}  // namespace

void broadcast_pong(Context& context) {
  for (const auto& [id, record] : context.config().nodes) {
    if (id == context.me() || record.handshake || record.no_addr) continue;
    send_packet(context, id, build_packet(context, pong_type(context), id));
  }
}

void broadcast_pong_to_local_replicas(Context& context) {
  const NodeRecord& mine = context.my_record();
  const NodeId master = mine.replica ? mine.master : context.me();
  for (const auto& [id, record] : context.config().nodes) {
    if (id == context.me() || record.handshake || record.no_addr) continue;
    if (!record.replica || record.master != master) continue;
    send_packet(context, id, build_packet(context, pong_type(context), id));
  }
}

void send_update(Context& context, NodeId to, NodeId subject) {
  Packet packet = build_packet(context, PacketType::update);
  packet.subject = subject;
  packet.subject_epoch = context.find(subject)->config_epoch;
  packet.subject_slots = slots_of(context.state, subject, context.slot_classes());
  if (context.rule(Rule::update_masks_not_claiming)) {
    for (std::size_t i = 0; i < context.slot_classes(); ++i) {
      const auto slot = static_cast<SlotClass>(i);
      if (context.memory().not_claiming.has(slot)) packet.subject_slots.remove(slot);
    }
  }
  send_packet(context, to, std::move(packet));
  context.effects.note("UPDATE sent to a stale node");
}

}  // namespace slotlab::node
