// The replication stream. SOURCE: Redis 7.0.15, replicationFeedSlaves and syncCommand in
// src/replication.c, reduced to whole copies and whole commands.
#include "models/node/replication.h"

#include <memory>

#include "models/node/serving/keyspace.h"
#include "models/protocol/packet.h"
#include "sim/base/assert.h"

namespace slotlab::node {
namespace {

using protocol::Replicated;
using protocol::Rule;

void propagate(Context& context, Replicated command) {
  Volatile& memory = context.memory();
  command.master = context.me();
  command.offset = ++memory.offset;
  const auto message = std::make_shared<const Replicated>(std::move(command));
  for (const NodeId replica : memory.attached) {
    context.effects.send(context.actor_of(replica), protocol::kReplication, message);
  }
}

void detach_from(Context& context, NodeId master) {
  auto message = std::make_shared<protocol::Detached>();
  message->replica = context.me();
  context.effects.send(context.actor_of(master), protocol::kReplication, std::move(message));
}

}  // namespace

void leave_replication(Context& context) {
  NodeId& master = context.memory().replicating_from;
  if (master != kNoNode) detach_from(context, master);
  master = kNoNode;
  context.memory().attached.clear();
}

void propagate_set(Context& context, SlotClass slot, const std::string& key,
                   const Stored& stored) {
  if (context.memory().attached.empty()) return;
  Replicated command;
  command.kind = Replicated::Kind::set;
  command.slot = slot;
  command.key = key;
  command.value = stored.value;
  command.ttl_ms = stored.ttl_ms;
  propagate(context, std::move(command));
}

void propagate_delete(Context& context, SlotClass slot, const std::string& key) {
  if (context.memory().attached.empty()) return;
  Replicated command;
  command.kind = Replicated::Kind::remove;
  command.slot = slot;
  command.key = key;
  propagate(context, std::move(command));
}

std::uint64_t propagate_setslot(Context& context, const std::vector<std::string>& words) {
  if (!context.memory().attached.empty()) {
    Replicated command;
    command.kind = Replicated::Kind::setslot;
    command.words = words;
    propagate(context, std::move(command));
  }
  return context.memory().offset;
}

bool wants_copy(const NodeState& state) {
  const NodeRecord& mine = state.config.nodes.at(state.config.me);
  return mine.replica && mine.master != kNoNode && state.memory.replicating_from != mine.master;
}

void request_copy(Context& context) {
  SIM_ASSERT(wants_copy(context.state));
  auto request = std::make_shared<protocol::SyncRequest>();
  request->replica = context.me();
  request->master = context.my_record().master;
  const sim::ActorId master = context.actor_of(request->master);
  context.effects.call(master, std::move(request));
}

void on_sync_request(Context& context, sim::ActorId from, const protocol::SyncRequest& request) {
  if (request.master != context.me() || context.my_record().replica) {
    context.effects.note("copy refused: not a master");
    return;
  }
  context.memory().attached.insert(request.replica);
  auto data = std::make_shared<protocol::SyncData>();
  data->master = context.me();
  data->offset = context.memory().offset;
  data->keys = context.state.keys;
  for (const auto& [key, expiry] : context.state.expires) data->ttl_ms[key] = expiry.ttl_ms;
  if (context.rule(Rule::setslot_replicated_first)) {
    data->migrating_to = context.config().migrating_to;
    data->importing_from = context.config().importing_from;
  }
  context.effects.reply(from, std::move(data));
}

void on_sync_data(Context& context, const protocol::SyncData& data) {
  const NodeRecord& mine = context.my_record();
  if (!mine.replica || mine.master != data.master) {
    context.effects.note("copy ignored: no longer its replica");
    return;
  }
  context.memory().replicating_from = data.master;
  context.memory().offset = data.offset;
  context.state.keys = data.keys;
  context.state.expires.clear();
  for (const auto& [key, ttl_ms] : data.ttl_ms) context.state.expires[key] = {.ttl_ms = ttl_ms};
  context.state.ghosts.clear();  // the file is written anew as well
  touch_all_watched(context);
  // The master's marks are set, never cleared.
  for (std::size_t i = 0; i < data.migrating_to.size(); ++i) {
    if (data.migrating_to[i] != kNoNode) context.config().migrating_to[i] = data.migrating_to[i];
    if (data.importing_from[i] != kNoNode) {
      context.config().importing_from[i] = data.importing_from[i];
    }
  }
}

void on_detached(Context& context, NodeId replica) {
  context.memory().attached.erase(replica);
  context.effects.note("a replica has left");
}

Arrival on_replicated(Context& context, const protocol::Replicated& command) {
  Volatile& memory = context.memory();
  if (memory.replicating_from != command.master) {
    context.effects.note("replicated command ignored: not from my master");
    detach_from(context, command.master);
    return Arrival::ignored;
  }
  if (command.offset != memory.offset + 1) {
    memory.replicating_from = kNoNode;
    detach_from(context, command.master);
    context.effects.note("replication broken: a command is missing");
    return Arrival::ignored;
  }
  memory.offset = command.offset;
  switch (command.kind) {
    case Replicated::Kind::set:
      store_key_in(context, command.slot, command.key,
                   {.value = command.value, .ttl_ms = command.ttl_ms});
      return Arrival::applied;
    case Replicated::Kind::remove:
      remove_key_from(context, command.slot, command.key);
      return Arrival::applied;
    case Replicated::Kind::setslot:
      break;
  }
  return Arrival::run_setslot;
}

void acknowledge(Context& context, const protocol::Replicated& command) {
  auto ack = std::make_shared<protocol::Acknowledged>();
  ack->replica = context.me();
  ack->offset = command.offset;
  context.effects.send(context.actor_of(command.master), protocol::kReplication, std::move(ack));
}

}  // namespace slotlab::node
