// The actor. Each handler: make a context, let the room that knows the event change the state,
// finish.
#include "models/node/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/node/before_sleep.h"
#include "models/node/beliefs.h"
#include "models/node/commands/commands.h"
#include "models/node/failover/peer_memory.h"
#include "models/node/failover/steps.h"
#include "models/node/heartbeat.h"
#include "models/node/ownership/setslot.h"
#include "models/node/persistence/persistence.h"
#include "models/node/receive.h"
#include "models/node/replication.h"
#include "models/node/step_codes.h"
#include "sim/base/assert.h"

namespace slotlab::node {
namespace {

using protocol::PacketType;
using protocol::Reply;
using protocol::Rule;

constexpr sim::Duration kSetslotTimeout = sim::milliseconds(2000);
constexpr sim::Duration kReplicationTimeout = sim::seconds(60);
constexpr sim::Duration kResetNoticed = sim::milliseconds(1);

bool is_peer(const NodeState& state, NodeId id, const NodeRecord& record) {
  return id != state.config.me && !record.no_addr;
}

void reply_to(Context& context, sim::ActorId caller, std::uint8_t connection, Reply reply) {
  auto message = std::make_shared<protocol::ReplyMessage>();
  message->reply = std::move(reply);
  message->connection = connection;
  context.effects.reply(caller, std::move(message));
}

// A peer is pinged when it has been silent for half the node timeout, and one peer, drawn at
// random, each second; here both are one timer for each peer.
sim::Offer ping_offer(const NodeState& state, const NodeSettings& settings, NodeId peer) {
  const sim::Duration turn = sim::seconds(state.config.nodes.size());
  const sim::Duration half{settings.node_timeout.us / 2};
  const sim::Duration period = std::min(turn, half);
  sim::Offer offer;
  offer.code = make_step(StepKind::ping, peer);
  offer.need = sim::Need::room;
  offer.peer = settings.directory[peer].actor;
  offer.stream = protocol::kOutbound;
  offer.delay_min = sim::Duration{period.us / 10 * 9};
  offer.delay_max = sim::Duration{period.us / 10 * 11};
  if (!has_link(state, peer)) {  // connects at the next tick, and pings at once
    offer.delay_min = sim::Duration{};
    offer.delay_max = sim::milliseconds(100);
  }
  return offer;
}

sim::Offer heartbeat_offer(const NodeSettings& settings, NodeId peer, std::uint8_t stream) {
  sim::Offer offer;
  offer.code = make_step(StepKind::heartbeat, peer, stream);
  offer.need = sim::Need::room;
  offer.peer = settings.directory[peer].actor;
  offer.stream = stream;
  offer.delay_min = sim::milliseconds(500);
  offer.delay_max = sim::milliseconds(1500);
  return offer;
}

// A peer in handshake is greeted with MEET until it answers.
void send_heartbeat(Context& context, NodeId to, PacketType type, std::uint8_t stream) {
  send_packet(context, to, build_packet(context, type, to), stream);
}

// The first thing that a server does when its timers start: it connects to every node it knows and
// sends a PING on each connection, long before the others notice that it is back.
// SOURCE: Redis 7.0.15, clusterCron and clusterLinkConnectHandler in src/cluster.c.
void greet_all(Context& context) {
  for (const auto& [id, record] : context.config().nodes) {
    if (!is_peer(context.state, id, record)) continue;
    protocol::Packet ping = build_packet(context, PacketType::ping, id);
    ping.header.fresh = context.settings.timed_guards;
    send_packet(context, id, std::move(ping));
  }
}

}  // namespace

Node::Node(Settings settings, NodeState state)
    : settings_(std::move(settings)), state_(std::move(state)) {
  SIM_ASSERT(settings_ != nullptr && state_.config.nodes.contains(state_.config.me));
  SIM_ASSERT(state_.config.owner.size() == settings_->slots.count());
  SIM_ASSERT(state_.keys.size() == settings_->slots.count());
}

std::unique_ptr<sim::Actor> Node::clone() const { return std::make_unique<Node>(*this); }

void Node::encode(sim::Encoder& out) const {
  sim::encode(out, std::tie(state_.config, state_.memory, state_.keys));
  if (settings_->can_crash) sim::encode(out, state_.written);
  if (settings_->power_loss) sim::encode(out, state_.synced);
}

void Node::offer_heartbeats(std::vector<sim::Offer>& out) const {
  for (const auto& [id, record] : state_.config.nodes) {
    if (!is_peer(state_, id, record)) continue;
    if (settings_->heartbeats == Heartbeats::ping_pong) {
      out.push_back(ping_offer(state_, *settings_, id));
      continue;
    }
    for (std::uint8_t stream = 0; stream < settings_->streams; ++stream) {
      out.push_back(heartbeat_offer(*settings_, id, stream));
    }
  }
}

void Node::offer_replication(std::vector<sim::Offer>& out) const {
  if (wants_copy(state_)) {
    const NodeId master = state_.config.nodes.at(me()).master;
    sim::Offer offer;
    offer.code = make_step(StepKind::synchronise, master);
    offer.need = sim::Need::reachable;
    offer.peer = settings_->directory[master].actor;
    offer.delay_min = sim::milliseconds(100);
    offer.delay_max = sim::milliseconds(1100);
    out.push_back(offer);
  }
  if (!settings_->dialect.has(Rule::setslot_replicated_first)) return;
  for (std::size_t i = 0; i < state_.memory.pending.size(); ++i) {
    if (!state_.memory.pending[i].times_out) continue;
    sim::Offer offer;
    offer.code = make_step(StepKind::setslot_times_out, 0u, static_cast<std::uint32_t>(i));
    offer.delay_min = offer.delay_max = kSetslotTimeout;
    out.push_back(offer);
  }
  for (const NodeId replica : state_.memory.attached) {
    // The end of a process closes its connections, which is noticed at once; nothing else is.
    for (const std::uint32_t dead : {0u, 1u}) {
      sim::Offer offer;
      offer.code = make_step(StepKind::replica_lost, replica, dead);
      offer.need = dead != 0 ? sim::Need::dead : sim::Need::cut_off;
      offer.peer = settings_->directory[replica].actor;
      offer.delay_max = dead != 0 ? kResetNoticed : kReplicationTimeout;
      out.push_back(offer);
    }
  }
}

void Node::offers(std::vector<sim::Offer>& out) const {
  offer_heartbeats(out);
  offer_replication(out);
  failover_offers(state_, *settings_, out);
}

void Node::take(sim::StepCode code, sim::Effects& effects) {
  Context now = context(effects);
  const NodeId peer = step_node(code);
  if (is_failover_step(code)) {
    take_failover_step(now, code);
  } else if (step_kind(code) == StepKind::heartbeat || step_kind(code) == StepKind::ping) {
    const bool greets = now.find(peer)->handshake;
    if (!has_link(state_, peer)) {
      change_peer_memory(now, peer, [](PeerMemory& memory) { memory.no_link = false; });
    }
    const PacketType usual =
        step_kind(code) == StepKind::ping ? PacketType::ping : PacketType::heartbeat;
    send_heartbeat(now, peer, greets ? PacketType::meet : usual, step_b(code));
  } else if (step_kind(code) == StepKind::synchronise) {
    request_copy(now);
  } else if (step_kind(code) == StepKind::setslot_times_out) {
    time_out_setslot(now, step_b(code));
  } else {
    SIM_ASSERT(step_kind(code) == StepKind::replica_lost);
    on_detached(now, peer);
  }
  finish(now);
}

void Node::run(Context& context, const protocol::Command& command, sim::ActorId caller) {
  context.connection = command.connection;
  Reply reply = run_command(context, command, caller);
  finish(context);
  if (!context.reply_later) reply_to(context, caller, command.connection, std::move(reply));
}

void Node::replicate(Context& context, const protocol::Replicated& command) {
  if (on_replicated(context, command) != Arrival::run_setslot) return;
  const Reply reply = setslot_from_master(context, command.words);
  if (reply.is_error()) context.effects.note("replicated SETSLOT refused: " + reply.text);
  acknowledge(context, command);
}

void Node::acknowledged(Context& context, const protocol::Acknowledged& ack) {
  auto& pending = state_.memory.pending;
  for (PendingSetslot& each : pending) {
    if (ack.offset >= each.offset) each.acknowledged.insert(ack.replica);
  }
  while (!pending.empty() && pending.front().acknowledged.size() >= pending.front().needed) {
    const PendingSetslot ready = pending.front();
    pending.erase(pending.begin());
    context.effects.note("SETSLOT goes on: the replicas have it");
    Reply reply = setslot_again(context, ready.words);
    finish(context);
    reply_to(context, ready.caller, ready.connection, std::move(reply));
  }
}

void Node::time_out_setslot(Context& context, std::size_t which) {
  auto& pending = state_.memory.pending;
  const PendingSetslot late = pending.at(which);
  pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(which));
  context.effects.note("SETSLOT given up: the replicas did not acknowledge in time");
  reply_to(context, late.caller, late.connection,
           Reply::error("NOREPLICAS Not enough good replicas to write."));
}

void Node::receive(sim::ActorId from, std::uint8_t stream, const sim::Message& message,
                   sim::Effects& effects) {
  Context now = context(effects);
  if (const auto* packet = dynamic_cast<const protocol::Packet*>(&message)) {
    receive_packet(now, from, stream, *packet);
  } else if (const auto* command = dynamic_cast<const protocol::Command*>(&message)) {
    run(now, *command, from);
    return;
  } else if (const auto* replicated = dynamic_cast<const protocol::Replicated*>(&message)) {
    replicate(now, *replicated);
  } else if (const auto* ack = dynamic_cast<const protocol::Acknowledged*>(&message)) {
    acknowledged(now, *ack);
  } else if (const auto* request = dynamic_cast<const protocol::SyncRequest*>(&message)) {
    on_sync_request(now, from, *request);
  } else if (const auto* data = dynamic_cast<const protocol::SyncData*>(&message)) {
    on_sync_data(now, *data);
  } else if (const auto* detached = dynamic_cast<const protocol::Detached*>(&message)) {
    on_detached(now, detached->replica);
  } else {
    SIM_ASSERT(false, std::string("a message that no node understands"));
  }
  finish(now);
}

void Node::no_answer(sim::ActorId, const sim::Message&, sim::Effects& effects) {
  effects.note("no answer; the copy will be asked for again");
}

void Node::crash(sim::CrashKind kind) { lose_volatile(state_, *settings_, kind); }

void Node::restart(sim::Effects& effects) {
  Context now = context(effects);
  load_config(now);
  verify_config_with_data(now);
  now.todo.update_state = true;
  finish(now);
  if (settings_->heartbeats == Heartbeats::ping_pong) greet_all(now);
}

std::string Node::step_text(sim::StepCode code) const {
  if (is_failover_step(code)) return failover_step_text(state_, *settings_, code);
  const NodeId peer = step_node(code);
  const auto name = [&] { return settings_->directory[peer].name; };
  switch (step_kind(code)) {
    case StepKind::heartbeat:
      return step_b(code) == protocol::kOutbound
                 ? fmt::format("heartbeat to {}", name())
                 : fmt::format("heartbeat to {} as an answer", name());
    case StepKind::ping:
      return fmt::format("PING to {}", name());
    case StepKind::synchronise:
      return fmt::format("copies the data set of {}", name());
    case StepKind::setslot_times_out:
      return fmt::format("waiting SETSLOT {} times out", step_b(code) + 1);
    default:
      return step_b(code) != 0 ? fmt::format("finds that the process of replica {} ended", name())
                               : fmt::format("finds the connection of replica {} broken", name());
  }
}

std::string Node::message_text(const sim::Message& message) const {
  if (const auto* packet = dynamic_cast<const protocol::Packet*>(&message)) {
    return protocol::text(*packet, settings_->directory, settings_->slots);
  }
  if (const auto* command = dynamic_cast<const protocol::Command*>(&message)) {
    return protocol::text(*command);
  }
  return protocol::replication_text(message, settings_->directory);
}

std::vector<std::string> Node::beliefs() const { return belief_lines(state_, *settings_); }

}  // namespace slotlab::node
