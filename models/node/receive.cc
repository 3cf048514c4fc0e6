// The parts of a packet in their order. Steps that only adjust addresses or links have no place
// here: links belong to the environment, and addresses to the Directory.
#include "models/node/receive.h"

#include "models/node/failover/detection.h"
#include "models/node/failover/election.h"
#include "models/node/failover/manual.h"
#include "models/node/failover/membership.h"
#include "models/node/failover/peer_memory.h"
#include "models/node/heartbeat.h"
#include "models/node/ownership/epochs.h"
#include "models/node/ownership/slot_table.h"
#include "models/node/ownership/update_slots.h"
#include "models/node/step_codes.h"

namespace slotlab::node {
namespace {

using protocol::Header;
using protocol::Packet;
using protocol::PacketType;
using protocol::Rule;

// A packet being applied.
struct Arrived {
  Context& context;
  const Packet& packet;
  sim::ActorId from;
  NodeId sender = kNoNode;  // kNoNode while unknown or in handshake
  bool answer = false;      // it came over my own connection to the sender

  const Header& header() const { return packet.header; }
  NodeRecord& record() const { return *context.find(sender); }
};

bool is_heartbeat(PacketType type) {
  return type == PacketType::ping || type == PacketType::pong || type == PacketType::meet ||
         type == PacketType::heartbeat;
}

// With one stream, what counts as an answer cannot be told by the stream. Where heartbeats are
// merged both sides of a handshake may go on saying MEET, so that answers a handshake as well.
bool is_answer(Context& context, const Packet& packet, std::uint8_t stream) {
  const PacketType type = packet.header.type;
  const bool meets_again = type == PacketType::meet &&
                           context.settings.heartbeats == Heartbeats::merged &&
                           context.find(packet.header.sender) != nullptr;
  if (type != PacketType::pong && type != PacketType::heartbeat && !meets_again) return false;
  return context.settings.streams == 1 || stream == protocol::kReplies;
}

// What every header does, whatever the type.
void apply_header(const Arrived& in) {
  Context& context = in.context;
  const Header& header = in.header();
  if (header.current_epoch > context.config().current_epoch) {
    context.config().current_epoch = header.current_epoch;
  }
  NodeRecord& record = in.record();
  const bool may_raise =
      header.master_of == kNoNode || context.rule(Rule::replica_header_raises_epoch);
  if (header.config_epoch > record.config_epoch && may_raise) {
    record.config_epoch = header.config_epoch;
    context.todo.save = context.todo.fsync = true;
  }
  if (context.settings.timed_guards) {
    change_peer_memory(context, in.sender,
                       [&](PeerMemory& memory) { memory.offset = header.offset; });
  }
  if (header.paused) on_paused_header(context, in.sender, header.offset);
}

// A handshake is answered by an identity that was not expected at its address. Null: there is none.
NodeRecord* rename_handshake(const Arrived& in) {
  auto& nodes = in.context.config().nodes;
  for (auto at = nodes.begin(); at != nodes.end(); ++at) {
    if (!at->second.handshake || in.context.actor_of(at->first) != in.from) continue;
    NodeRecord record = at->second;
    if (record.shard == at->first) record.shard = in.header().sender;
    nodes.erase(at);
    return &nodes.emplace(in.header().sender, record).first->second;
  }
  return nullptr;
}

// A packet that should have come from one identity came from another that the same process bears
// now. False: the packet has no further effect.
bool apply_identity(const Arrived& in) {
  Context& context = in.context;
  NodeRecord* bearer = context.find(in.header().sender);
  if (bearer == nullptr) bearer = rename_handshake(in);
  if (bearer != nullptr && bearer->handshake) {
    bearer->handshake = false;
    bearer->replica = in.header().replica;
    context.todo.save = true;
    context.effects.note("handshake completed");
    return false;  // role and slots are learned from the next packet
  }
  for (auto& [id, record] : context.config().nodes) {
    if (id == context.me() || id == in.header().sender || record.no_addr || record.handshake ||
        context.actor_of(id) != in.from) {
      continue;
    }
    record.no_addr = true;
    context.todo.save = true;
    context.effects.note("another node answers at this address: the old one lost its address");
  }
  if (bearer != nullptr) return true;
  context.effects.note("heartbeat ignored: the sender is not known");
  return false;
}

void apply_liveness(const Arrived& in) {
  NodeRecord& record = in.record();
  record.no_failover = in.header().no_failover;
  if (!in.answer || (!record.pfail && !record.fail)) return;
  clear_failure_if_needed(in.context, in.sender);
}

void start_following(Context& context, NodeId sender, NodeId master) {
  NodeRecord& record = *context.find(sender);
  if (context.find(master) == nullptr) {
    context.effects.note("the sender's master is not known");
    return;
  }
  if (record.master == master) return;
  record.master = master;
  if (context.rule(Rule::shard_ids)) record.shard = context.find(master)->shard;
  context.todo.save = true;
}

// Valkey 8.0: my master follows another master now, so I do as well.
void follow_grand_master_at_once(const Arrived& in) {
  Context& context = in.context;
  const NodeRecord* master = context.find(context.my_record().master);
  if (!context.rule(Rule::grand_master_at_role_change) || master == nullptr ||
      context.find(master->master) == nullptr || master->master == context.me()) {
    return;
  }
  const NodeId grand_master = master->master;
  set_my_master(context, {.master = grand_master,
                          .close_slots = !same_shard(context, context.me(), grand_master)});
  context.todo.save = context.todo.fsync = context.todo.update_state = true;
}

// A recorded master says for the first time that it is a replica.
void demote_sender(const Arrived& in) {
  Context& context = in.context;
  const NodeId master = in.header().master_of;
  NodeRecord* successor = context.find(master);
  if (context.rule(Rule::same_shard_keeps_slots) && successor != nullptr &&
      same_shard(context, master, in.sender)) {
    if (in.record().config_epoch > in.header().config_epoch) {
      context.effects.note("stale header of a demoted master");
    } else {
      set_node_as_master(context, master);
      context.find(master)->config_epoch = in.header().config_epoch;
      context.effects.note("successor of a demoted master learned from it");
    }
  } else {
    del_node_slots(context, in.sender);
    context.effects.note("a demoted master lost its slots");
  }
  in.record().replica = true;
  context.todo.save = context.todo.update_state = true;
}

void apply_role(const Arrived& in) {
  Context& context = in.context;
  if (in.header().master_of == kNoNode) {
    set_node_as_master(context, in.sender);
    return;
  }
  if (!in.record().replica) demote_sender(in);
  const NodeId before = in.record().master;
  start_following(context, in.sender, in.header().master_of);
  if (in.record().master != before) follow_grand_master_at_once(in);
}

// The sender claims a slot that I know to belong to a node with a greater epoch: tell it, once.
void update_stale_sender(const Arrived& in) {
  Context& context = in.context;
  if (!context.rule(Rule::update_to_stale_sender)) return;
  for (std::size_t i = 0; i < context.slot_classes(); ++i) {
    const auto slot = static_cast<SlotClass>(i);
    if (!in.header().slots.has(slot)) continue;
    const NodeId owner = context.config().owner[i];
    if (owner == in.sender || unclaimed(context, slot)) continue;
    if (context.find(owner)->config_epoch > in.header().config_epoch) {
      send_update(context, in.sender, owner);
      return;
    }
  }
}

void apply_slots(const Arrived& in, bool was_replica) {
  Context& context = in.context;
  const NodeRecord& record = in.record();
  const NodeId claimant = record.replica ? record.master : in.sender;
  const bool known = context.find(claimant) != nullptr;
  const bool dirty =
      known && slots_of(context.state, claimant, context.slot_classes()) != in.header().slots;
  const bool promoted = context.rule(Rule::promotion_always_updates) && was_replica;
  const bool replica = record.replica;
  if (!replica && (dirty || promoted)) {
    update_slots_config_with(context, in.sender, in.header().config_epoch, in.header().slots);
  }
  if (replica ? dirty && context.rule(Rule::update_to_replicas) : dirty || promoted) {
    update_stale_sender(in);
  }
}

void apply_collision(const Arrived& in) {
  if (in.header().config_epoch != in.context.my_record().config_epoch) return;
  handle_config_epoch_collision(in.context, in.sender);
}

void apply_shard(const Arrived& in) {
  if (in.context.rule(Rule::shard_ids) && in.packet.shard != kNoNode) {
    in.record().shard = in.packet.shard;
  }
}

void greet(const Arrived& in) {
  Context& context = in.context;
  const PacketType type = in.header().type;
  if (type == PacketType::meet && in.sender == kNoNode) {
    start_handshake(context, in.header().sender, Greeting::ping);
    context.todo.save = true;
  }
  const bool asks = type == PacketType::ping || type == PacketType::meet;
  if (asks && context.settings.heartbeats == Heartbeats::ping_pong) {
    answer_packet(context, in.from, build_packet(context, PacketType::pong, in.header().sender));
  }
}

// PING, PONG, MEET and the merged heartbeat: greeting, identity, liveness, role, slots, collision,
// gossip, in this order.
void apply_heartbeat(const Arrived& in) {
  greet(in);
  if (in.answer && !apply_identity(in)) return;
  if (in.sender == kNoNode) {
    in.context.effects.note("heartbeat ignored: the sender is not known");
    return;
  }
  apply_liveness(in);
  const bool was_replica = in.record().replica;
  apply_role(in);
  apply_slots(in, was_replica);
  apply_collision(in);
  process_gossip(in.context, in.sender, in.packet);
  apply_shard(in);
  process_forgotten(in.context, in.sender, in.packet);
}

void apply_update(const Arrived& in) {
  Context& context = in.context;
  NodeRecord* subject = context.find(in.packet.subject);
  if (subject == nullptr || subject->handshake) {
    context.effects.note("UPDATE ignored: about an unknown node");
    return;
  }
  if (subject->config_epoch >= in.packet.subject_epoch) {
    context.effects.note("UPDATE ignored: nothing new");
    return;
  }
  set_node_as_master(context, in.packet.subject);
  subject->config_epoch = in.packet.subject_epoch;
  context.todo.save = context.todo.fsync = true;
  update_slots_config_with(context, in.packet.subject, in.packet.subject_epoch,
                           in.packet.subject_slots);
}

void apply_other(const Arrived& in) {
  if (in.sender == kNoNode) {
    in.context.effects.note("packet ignored: the sender is not known");
    return;
  }
  switch (in.header().type) {
    case PacketType::fail:
      on_fail_packet(in.context, in.sender, in.packet.subject);
      break;
    case PacketType::auth_request:
      on_auth_request(in.context, in.packet);
      break;
    case PacketType::auth_ack:
      on_auth_ack(in.context, in.packet);
      break;
    case PacketType::mfstart:
      on_mfstart(in.context, in.sender);
      break;
    case PacketType::update:
      apply_update(in);
      break;
    case PacketType::ping:
    case PacketType::pong:
    case PacketType::meet:
    case PacketType::heartbeat:
      break;
  }
}

}  // namespace

void receive_packet(Context& context, sim::ActorId from, std::uint8_t stream,
                    const Packet& packet) {
  const NodeRecord* record = context.find(packet.header.sender);
  const bool known = record != nullptr && !record->handshake;
  if (packet.header.sender == context.me()) {
    context.effects.note("packet ignored: the sender claims to be me");
    return;
  }
  const Arrived in{.context = context,
                   .packet = packet,
                   .from = from,
                   .sender = known ? packet.header.sender : kNoNode,
                   .answer = is_answer(context, packet, stream)};
  if (known) {
    if (context.settings.failure_detection) {
      context.effects.rearm(make_step(StepKind::suspect, in.sender, 0));
      context.effects.rearm(make_step(StepKind::suspect, in.sender, 1));
    }
    if (packet.header.fresh) {
      change_peer_memory(context, in.sender, [](PeerMemory& memory) { memory.no_link = true; });
    }
    apply_header(in);
  }
  is_heartbeat(packet.header.type) ? apply_heartbeat(in) : apply_other(in);
}

}  // namespace slotlab::node
