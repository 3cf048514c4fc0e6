// What is fixed for a virtual node during a run: the dialect, the directory, the slot classes, the
// server settings, and which abstractions the scenario chose. Never part of the state.
#pragma once

#include <cstdint>
#include <memory>

#include "models/protocol/dialect.h"
#include "models/protocol/words.h"
#include "sim/system/actor.h"
#include "sim/time/instant.h"

namespace slotlab::node {

// How heartbeats are modelled (docs/abstractions.md).
enum class Heartbeats : std::uint8_t {
  merged,     // PING, PONG and broadcast are one message, sent freely whenever a link has room
  ping_pong,  // PING by timer, answered by PONG at once, as the servers do
};

struct NodeSettings {
  protocol::Dialect dialect;
  protocol::Directory directory;
  protocol::SlotClasses slots;
  Heartbeats heartbeats = Heartbeats::merged;
  std::uint8_t streams = 1;             // 1 or 2 FIFO streams per ordered pair of nodes
  bool failure_detection = false;       // nodes may suspect others: PFAIL, FAIL, elections
  bool timed_guards = false;            // guards that compare clocks are kept (timed driver)
  bool power_loss = false;              // keep the synced image apart from the written one
  bool can_crash = true;                // false: no fault ends a node, so no file image is kept
  bool full_coverage = true;            // cluster-require-full-coverage
  bool allow_replica_migration = true;  // cluster-allow-replica-migration
  sim::Duration node_timeout = sim::milliseconds(15000);
  bool persist_keys = true;  // keys survive a restart (an append-only file)
  bool reads_when_down = false;       // cluster-allow-reads-when-down
  bool pubsubshard_when_down = true;  // cluster-allow-pubsubshard-when-down
  bool data_links = false;            // MIGRATE can connect to other nodes
  // The step budget that a MIGRATE takes to time out although its target can be reached;
  // sim::kNoBudget: that does not happen.
  std::uint8_t slow_target_budget = sim::kNoBudget;
};
using Settings = std::shared_ptr<const NodeSettings>;

}  // namespace slotlab::node
