// A workbench for one node: three masters A, B and C (and a replica A1 of A, B1 of B on request),
// each with a home slot that nobody moves, and slot 7, which is A's. Everything has a default, so
// every option that a test sets matters to it. Node names stand for their ids in commands.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/node/context.h"
#include "models/node/initial.h"
#include "models/protocol/command.h"
#include "models/protocol/packet.h"

namespace slotlab::node {

inline constexpr NodeId A{0}, B{1}, C{2}, A1{3}, B1{4}, D{5};  // D is a stranger
// Slot classes: each is one slot.
inline constexpr SlotClass kHomeA = 0, kHomeB = 1, kHomeC = 2, kSeven = 3, kEight = 4;

std::string id_of(NodeId node);  // ascending with the node's index
sim::ActorId actor_of(NodeId node);

struct LabOptions {
  std::string dialect = "redis-7.0";
  std::vector<std::pair<protocol::Rule, bool>> rules =
      {};  // switched on or off on top of the dialect
  Epoch epoch_a = 1, epoch_b = 2, epoch_c = 3;
  Epoch current_epoch = 0;  // raised to the greatest config epoch
  bool replicas = false;    // A1 and B1 exist
  std::vector<SlotClass> of_a = {kHomeA, kSeven};
  std::vector<SlotClass> of_b = {kHomeB};
  bool replica_migration = true;
  bool power_loss = false;
  bool persist_keys = true;
  bool failure_detection = false;
  Heartbeats heartbeats = Heartbeats::merged;
  std::uint8_t streams = 1;
};

Settings lab_settings(const LabOptions& options);
InitialCluster lab_cluster(const LabOptions& options);

// One node, and what it did in its last event.
class Lab {
 public:
  explicit Lab(NodeId me, const LabOptions& options = {});

  // "7 IMPORTING A", as the words after CLUSTER SETSLOT, with names for ids; then what follows it.
  protocol::Reply setslot(std::string_view words);
  // The header that `node` sends in this node's own view, to be changed by the test and then heard.
  protocol::Packet header_of(NodeId node) const;
  void hears(const protocol::Packet& packet, std::uint8_t stream = protocol::kOutbound);
  void hears_from(sim::ActorId from, const protocol::Packet& packet,
                  std::uint8_t stream = protocol::kOutbound);
  // Its process ends and starts again.
  void dies(sim::CrashKind kind = sim::CrashKind::process_kill);
  void starts();

  Durable& config() { return state.config; }
  NodeId owner(SlotClass slot) const { return state.config.owner[slot]; }
  NodeRecord& record(NodeId node) { return state.config.nodes.at(node); }
  NodeRecord& mine() { return record(state.config.me); }
  void put_key(SlotClass slot, const std::string& key = "k") { state.keys[slot][key] = "v"; }

  bool noted(std::string_view reason) const;  // in the last event
  std::vector<protocol::Packet> sent_to(NodeId node) const;

  Settings settings;
  NodeState state;
  sim::Effects effects;  // of the last event
  Todo asked;            // what the last handler asked for

 private:
  template <class Handler>
  auto event(Handler handler);
};

}  // namespace slotlab::node

// For readable failures.

namespace slotlab::protocol {
std::ostream& operator<<(std::ostream& out, NodeId node);
}
