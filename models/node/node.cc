// The actor. Each handler: make a context, let the room that knows the event change the state,
// finish.
#include "models/node/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/node/before_sleep.h"
#include "models/node/beliefs.h"
#include "models/node/commands/dispatch.h"
#include "models/node/failover/peer_memory.h"
#include "models/node/failover/steps.h"
#include "models/node/heartbeat.h"
#include "models/node/ownership/setslot.h"
#include "models/node/persistence/persistence.h"
#include "models/node/receive.h"
#include "models/node/replication.h"
#include "models/node/serving/keyspace.h"
#include "models/node/serving/migrate.h"
#include "models/node/step_codes.h"
#include "sim/base/assert.h"

namespace slotlab::node {
namespace {

using protocol::PacketType;
using protocol::Reply;
using protocol::Rule;

constexpr sim::Duration kSetslotTimeout = sim::milliseconds(2000);
constexpr sim::Duration kReplicationTimeout = sim::seconds(60);

bool is_peer(const NodeState& state, NodeId id, const NodeRecord& record) {
  return id != state.config.me && !record.no_addr;
}

void reply_to(Context& context, const Caller& caller, Reply reply) {
  auto message = std::make_shared<protocol::ReplyMessage>();
  message->reply = std::move(reply);
  message->connection = caller.connection;
  if (caller.node) {
    context.effects.send(caller.actor, protocol::kDataReplies, std::move(message));
  } else {
    context.effects.reply(caller.actor, std::move(message));
  }
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

constexpr std::size_t kStepArguments = 256;
constexpr sim::Duration kExpireCycle = sim::milliseconds(100);

// Keys with an expiry: first their time comes, then, at a master, the servers find them.
void offer_expiries(const NodeState& state, std::vector<sim::Offer>& out) {
  const bool master = !state.config.nodes.at(state.config.me).replica;
  std::uint32_t number = 0;
  for (const auto& [key, expiry] : state.expires) {
    if (number == kStepArguments) return;
    sim::Offer offer;
    const DataStep step = expiry.passed ? DataStep::key_deleted : DataStep::key_expires;
    offer.code = make_step(StepKind::data, number++, static_cast<std::uint32_t>(step));
    offer.delay_min = expiry.passed ? sim::Duration{} : sim::milliseconds(expiry.ttl_ms);
    offer.delay_max = expiry.passed ? kExpireCycle : offer.delay_min;
    if (master || !expiry.passed) out.push_back(offer);
  }
}

// The clients that a crash left without an answer find their connections closed, and so does
// whoever is in the middle of a MIGRATE to this node.
void tell_disconnected(Context& context) {
  const auto message = std::make_shared<const protocol::Disconnected>();
  for (const sim::ActorId caller : context.state.unanswered) context.effects.reply(caller, message);
  context.state.unanswered.clear();
  if (!context.settings.data_links) return;
  for (const auto& [id, record] : context.config().nodes) {
    if (id != context.me()) context.effects.reply(context.actor_of(id), message);
  }
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
  sim::encode(out, std::tie(state_.config, state_.memory, state_.keys, state_.expires,
                            state_.ghosts, state_.unanswered));
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
    offer.code = make_step(StepKind::replication, master, kCopies);
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
    sim::Offer offer;
    offer.code = make_step(StepKind::replication, replica, kReplicaLost);
    offer.need = sim::Need::unreachable;
    offer.peer = settings_->directory[replica].actor;
    offer.delay_max = kReplicationTimeout;
    out.push_back(offer);
  }
}

void Node::offers(std::vector<sim::Offer>& out) const {
  if (busy()) {
    offer_migration(state_, *settings_, out);
    return;
  }
  offer_heartbeats(out);
  offer_replication(out);
  offer_expiries(state_, out);
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
  } else if (step_kind(code) == StepKind::replication) {
    if (step_b(code) == kCopies) {
      request_copy(now);
    } else {
      on_detached(now, peer);
    }
  } else if (step_kind(code) == StepKind::setslot_times_out) {
    time_out_setslot(now, step_b(code));
  } else {
    SIM_ASSERT(step_kind(code) == StepKind::data);
    take_data_step(now, code);
  }
  finish(now);
}

void Node::take_data_step(Context& context, sim::StepCode code) {
  const auto number = static_cast<std::size_t>(index(step_node(code)));
  switch (static_cast<DataStep>(step_b(code))) {
    case DataStep::key_expires:
      return expire_key(context, number);
    case DataStep::key_deleted:
      return delete_expired_key(context, number);
    default:
      return migration_ended(context, take_migration_step(context, code));
  }
}

// One command of a client, or of another node in a MIGRATE. While busy, it waits.
void Node::run(Context& context, const Caller& caller, const Words& words) {
  if (busy()) {
    state_.memory.waiting.push_back({.caller = caller, .words = words});
    context.effects.note("busy with MIGRATE: the command waits");
    return;
  }
  context.caller = caller;
  context.reply_later = context.in_exec = false;
  Reply reply = serve(context, words);
  finish(context);
  if (!context.reply_later) reply_to(context, caller, std::move(reply));
}

// What comes after the end of a MIGRATE: the rest of its transaction, its reply, and the commands
// that have waited. `result`: nothing if it has not ended.
void Node::migration_ended(Context& context, std::optional<Reply> result) {
  if (!result) return;
  Migration ended = *std::exchange(state_.memory.migration, std::nullopt);
  const Caller caller = ended.caller;
  std::optional<Reply> reply = go_on(context, std::move(ended), *std::move(result));
  finish(context);
  if (reply) reply_to(context, caller, *std::move(reply));
  while (!busy() && !state_.memory.waiting.empty()) {
    const WaitingCommand next = state_.memory.waiting.front();
    state_.memory.waiting.erase(state_.memory.waiting.begin());
    run(context, next.caller, next.words);
  }
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
    reply_to(context, {.actor = ready.caller, .connection = ready.connection}, std::move(reply));
  }
}

void Node::time_out_setslot(Context& context, std::size_t which) {
  auto& pending = state_.memory.pending;
  const PendingSetslot late = pending.at(which);
  pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(which));
  context.effects.note("SETSLOT given up: the replicas did not acknowledge in time");
  reply_to(context, {.actor = late.caller, .connection = late.connection},
           Reply::error("NOREPLICAS Not enough good replicas to write."));
}

void Node::receive(sim::ActorId from, std::uint8_t stream, const sim::Message& message,
                   sim::Effects& effects) {
  Context now = context(effects);
  if (const auto* packet = dynamic_cast<const protocol::Packet*>(&message)) {
    receive_packet(now, from, stream, *packet);
  } else if (const auto* command = dynamic_cast<const protocol::Command*>(&message)) {
    const Caller caller{from, command->connection, stream == protocol::kData};
    run(now, caller, command->words);
    return;
  } else if (const auto* answer = dynamic_cast<const protocol::ReplyMessage*>(&message)) {
    migration_ended(now, on_target_answer(now, from, *answer));
  } else if (dynamic_cast<const protocol::Disconnected*>(&message) != nullptr) {
    migration_ended(now, on_target_gone(now, from));
  } else if (const auto* replicated = dynamic_cast<const protocol::Replicated*>(&message)) {
    replicate(now, *replicated);
  } else if (const auto* ack = dynamic_cast<const protocol::Acknowledged*>(&message)) {
    acknowledged(now, *ack);
  } else if (const auto* request = dynamic_cast<const protocol::SyncRequest*>(&message)) {
    if (busy()) {
      now.effects.note("busy with MIGRATE: no copy now");
    } else {
      on_sync_request(now, from, *request);
    }
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
  tell_disconnected(now);
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
    case StepKind::replication:
      return step_b(code) == kCopies
                 ? fmt::format("copies the data set of {}", name())
                 : fmt::format("finds the connection of replica {} broken", name());
    case StepKind::setslot_times_out:
      return fmt::format("waiting SETSLOT {} times out", step_b(code) + 1);
    default:
      return data_step_text(code);
  }
}

std::string Node::data_step_text(sim::StepCode code) const {
  const auto step = static_cast<DataStep>(step_b(code));
  if (step != DataStep::key_expires && step != DataStep::key_deleted) {
    return migration_step_text(*state_.memory.migration, code);
  }
  const std::string* key = volatile_key(state_, index(step_node(code)));
  SIM_ASSERT(key != nullptr);
  return fmt::format("key {} {}", *key,
                     step == DataStep::key_expires ? "expires" : "is found expired and deleted");
}

bool Node::hears_while_busy(sim::ActorId, std::uint8_t stream) const {
  return stream == protocol::kDataReplies;
}

std::string Node::message_text(const sim::Message& message) const {
  if (const auto* packet = dynamic_cast<const protocol::Packet*>(&message)) {
    return protocol::text(*packet, settings_->directory, settings_->slots);
  }
  if (const auto* command = dynamic_cast<const protocol::Command*>(&message)) {
    return protocol::text(*command);
  }
  if (const auto* answer = dynamic_cast<const protocol::ReplyMessage*>(&message)) {
    return protocol::text(answer->reply);
  }
  if (dynamic_cast<const protocol::Disconnected*>(&message) != nullptr) return {};
  return protocol::replication_text(message, settings_->directory);
}

std::vector<std::string> Node::beliefs() const { return belief_lines(state_, *settings_); }

}  // namespace slotlab::node
