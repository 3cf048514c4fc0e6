// The bodies of lab.h.
#include "tests/models/node/lab.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "models/node/before_sleep.h"
#include "models/node/heartbeat.h"
#include "models/node/ownership/setslot.h"
#include "models/node/persistence/persistence.h"
#include "models/node/receive.h"

namespace slotlab::node {
namespace {

constexpr const char* kNames[] = {"A", "B", "C", "A1", "B1", "D"};

std::vector<std::string> words_of(const protocol::Directory& directory, std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words = {"CLUSTER", "SETSLOT"};
  for (std::string word; in >> word;) {
    const NodeId node = directory.by_name(word);
    words.push_back(node == kNoNode ? word : directory[node].id);
  }
  return words;
}

constexpr sim::ActorId kOperator{100};

}  // namespace

std::string id_of(NodeId node) {
  return std::string(39, '0') + static_cast<char>('a' + protocol::index(node));
}

sim::ActorId actor_of(NodeId node) {
  return sim::ActorId{static_cast<std::uint8_t>(protocol::index(node))};
}

Settings lab_settings(const LabOptions& options) {
  auto settings = std::make_shared<NodeSettings>();
  settings->dialect = protocol::dialect_named(options.dialect).value();
  for (const auto& [rule, on] : options.rules) {
    settings->dialect = settings->dialect.with(rule, on);
  }
  for (std::uint8_t i = 0; i < std::size(kNames); ++i) {
    settings->directory.identities.push_back({.name = kNames[i],
                                              .id = id_of(NodeId{i}),
                                              .actor = actor_of(NodeId{i}),
                                              .port = static_cast<std::uint16_t>(7001 + i)});
  }
  settings->directory.after_reset.assign(std::size(kNames), kNoNode);
  const std::vector<protocol::SlotRange> slots = {{1, 1}, {2, 2}, {3, 3}, {7, 7}, {8, 8}};
  settings->slots = protocol::SlotClasses::cut(slots, slots);
  settings->heartbeats = options.heartbeats;
  settings->streams = options.streams;
  settings->failure_detection = options.failure_detection;
  settings->power_loss = options.power_loss;
  settings->persist_keys = options.persist_keys;
  settings->allow_replica_migration = options.replica_migration;
  return settings;
}

InitialCluster lab_cluster(const LabOptions& options) {
  InitialCluster cluster;
  cluster.nodes[A] = {.config_epoch = options.epoch_a, .owned = options.of_a};
  cluster.nodes[B] = {.config_epoch = options.epoch_b, .owned = options.of_b};
  cluster.nodes[C] = {.config_epoch = options.epoch_c, .owned = {kHomeC, kEight}};
  if (options.replicas) {
    cluster.nodes[A1] = {.master = A, .owned = {}};
    cluster.nodes[B1] = {.master = B, .owned = {}};
  }
  cluster.current_epoch = options.current_epoch;
  return cluster;
}

Lab::Lab(NodeId me, const LabOptions& options)
    : settings(lab_settings(options)), state(initial_state(*settings, me, lab_cluster(options))) {}

template <class Handler>
auto Lab::event(Handler handler) {
  effects = {};
  Context context{state, *settings, effects};
  struct AtEnd {
    Context& context;
    Todo& asked;
    ~AtEnd() noexcept(false) {
      asked = context.todo;
      finish(context);
    }
  } at_end{context, asked};
  return handler(context);
}

protocol::Reply Lab::setslot(std::string_view words) {
  return event([&](Context& context) {
    return node::setslot(context, words_of(settings->directory, words), kOperator);
  });
}

protocol::Packet Lab::header_of(NodeId node) const {
  NodeState other = state;
  other.config.me = node;
  other.memory = {};
  sim::Effects none;
  const Context context{other, *settings, none};
  return build_packet(context, protocol::PacketType::heartbeat);
}

void Lab::hears(const protocol::Packet& packet, std::uint8_t stream) {
  hears_from(settings->directory[packet.header.sender].actor, packet, stream);
}

void Lab::hears_from(sim::ActorId from, const protocol::Packet& packet, std::uint8_t stream) {
  event([&](Context& context) { receive_packet(context, from, stream, packet); });
}

void Lab::dies(sim::CrashKind kind) { lose_volatile(state, *settings, kind); }

void Lab::starts() {
  event([&](Context& context) {
    load_config(context);
    verify_config_with_data(context);
  });
}

bool Lab::noted(std::string_view reason) const {
  return std::find(effects.notes.begin(), effects.notes.end(), reason) != effects.notes.end();
}

std::vector<protocol::Packet> Lab::sent_to(NodeId node) const {
  std::vector<protocol::Packet> packets;
  for (const sim::Output& output : effects.outputs) {
    if (output.kind != sim::Output::Kind::send || output.to != node::actor_of(node)) continue;
    const auto* packet = dynamic_cast<const protocol::Packet*>(output.message.get());
    if (packet != nullptr) packets.push_back(*packet);
  }
  return packets;
}

}  // namespace slotlab::node

namespace slotlab::protocol {

std::ostream& operator<<(std::ostream& out, NodeId node) {
  return node == kNoNode ? out << "nobody" : out << node::kNames[index(node)];
}

}  // namespace slotlab::protocol
