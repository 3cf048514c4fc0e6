// What every handler of a node gets: the state to change, what is fixed, where to put outputs, and
// the work flags that handlers raise instead of doing things at once. A handler never writes
// nodes.conf itself: when it ends, finish() in before_sleep.cc does what the flags ask for, in the
// servers' order (manual failover and election step, state evaluation, save), as one atomic step
// with it. SOURCE: Redis 7.0.15, clusterState.todo_before_sleep and clusterBeforeSleep in
// src/cluster.c.
#pragma once

#include <cstdint>

#include "models/node/config.h"
#include "models/node/state.h"
#include "models/protocol/dialect.h"
#include "sim/system/actor.h"

namespace slotlab::node {

struct Todo {
  bool save = false;
  bool fsync = false;
  bool update_state = false;
  bool handle_failover = false;
  bool handle_manual_failover = false;
};

struct Context {
  NodeState& state;
  const NodeSettings& settings;
  sim::Effects& effects;
  Todo todo = {};
  Caller caller = {};           // of the command being run
  bool in_exec = false;         // the command being run is part of a transaction
  bool reply_later = false;     // raised by a command that answers in a later event

  Durable& config() { return state.config; }
  Volatile& memory() { return state.memory; }
  NodeId me() const { return state.config.me; }
  NodeRecord& my_record() { return state.config.nodes.at(state.config.me); }
  NodeRecord* find(NodeId id) {
    auto at = state.config.nodes.find(id);
    return at == state.config.nodes.end() ? nullptr : &at->second;
  }
  bool rule(protocol::Rule r) const { return settings.dialect.has(r); }
  sim::ActorId actor_of(NodeId id) const { return settings.directory[id].actor; }
  std::size_t slot_classes() const { return settings.slots.count(); }
};

}  // namespace slotlab::node
