#include "cli/conform/build_system.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "cli/conform/client.h"
#include "cli/conform/words.h"
#include "models/node/initial.h"
#include "models/node/node.h"
#include "models/protocol/key_slot.h"
#include "models/protocol/packet.h"
#include "sim/random/random.h"

namespace slotlab::conform {
namespace {

using protocol::NodeId;

constexpr std::uint16_t kFirstPort = 7600;
constexpr std::uint32_t kNodeTimeoutMs = 1000;
constexpr std::uint8_t kFaultsMax = 254;
constexpr std::uint16_t kMessagesMax = 4096;  // on one link; a paused node's peers go on talking

NodeId id_number(std::size_t i) { return NodeId{static_cast<std::uint8_t>(i)}; }
sim::ActorId actor_number(std::size_t i) { return sim::ActorId{static_cast<std::uint8_t>(i)}; }

// An id that a node takes in a hard reset: as random as the servers', the same in every run.
std::string reset_id(const std::string& node, std::size_t number) {
  sim::Random random = sim::Random(number).stream(node);
  std::string id;
  for (int i = 0; i < 40; ++i) id += "0123456789abcdef"[random.below(16)];
  return id;
}

std::size_t hard_resets(const Transcript& transcript, const std::string& node) {
  return static_cast<std::size_t>(
      std::count_if(transcript.steps.begin(), transcript.steps.end(), [&](const Step& step) {
        const auto* command = std::get_if<CommandStep>(&step.what);
        return command != nullptr && command->at == node && is_hard_reset(command->words);
      }));
}

// First the nodes in their order, so that a node's number is its first identity; then what resets
// take.
protocol::Directory directory_of(const Transcript& transcript) {
  protocol::Directory directory;
  std::vector<NodeId> last;
  for (std::size_t i = 0; i < transcript.nodes.size(); ++i) {
    protocol::Identity identity;
    identity.name = transcript.nodes[i].name;
    identity.id = transcript.nodes[i].id;
    identity.actor = actor_number(i);
    identity.port = static_cast<std::uint16_t>(kFirstPort + i);
    directory.identities.push_back(std::move(identity));
    directory.after_reset.push_back(protocol::kNoNode);
    last.push_back(id_number(i));
  }
  for (std::size_t i = 0; i < transcript.nodes.size(); ++i) {
    const std::size_t resets = hard_resets(transcript, transcript.nodes[i].name);
    for (std::size_t number = 1; number <= resets; ++number) {
      protocol::Identity identity = directory.identities[i];
      identity.id = reset_id(identity.name, number);
      identity.name += fmt::format("#{}", number + 1);
      if (directory.count() >= 250) {
        throw cli::InputError(fmt::format("{}: too many hard resets", transcript.file));
      }
      directory.after_reset[protocol::index(last[i])] = id_number(directory.count());
      last[i] = id_number(directory.count());
      directory.identities.push_back(std::move(identity));
      directory.after_reset.push_back(protocol::kNoNode);
    }
  }
  return directory;
}

void tell_apart_words(const CommandStep& command, std::vector<protocol::SlotRange>& out) {
  for (const std::string& word : command.words) {
    unsigned slot = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), slot);
    const bool number = error == std::errc{} && end == word.data() + word.size();
    if (number && slot < protocol::kSlots) {
      out.push_back({static_cast<protocol::Slot>(slot), static_cast<protocol::Slot>(slot)});
    }
    if (!is_cluster_command(command.words)) {
      // Any word may be a key; one slot too many that is told apart does no harm.
      const protocol::Slot of_key = protocol::key_slot(word);
      out.push_back({of_key, of_key});
    }
  }
}

node::InitialCluster initial_cluster(const Transcript& transcript, std::size_t me,
                                     const protocol::SlotClasses& classes) {
  node::InitialCluster cluster;
  cluster.alone = transcript.nodes[me].alone;
  for (std::size_t i = 0; i < transcript.nodes.size(); ++i) {
    const NodeSpec& spec = transcript.nodes[i];
    if (cluster.alone ? i != me : spec.alone) continue;
    node::InitialNode node;
    node.config_epoch = spec.epoch;
    if (spec.of) {
      node.master = id_number(static_cast<std::size_t>(transcript.node(*spec.of) -
                                                       transcript.nodes.data()));
    }
    for (std::size_t c = 0; c < classes.count(); ++c) {
      const auto in = static_cast<protocol::SlotClass>(c);
      for (const protocol::SlotRange& range : spec.slots) {
        const bool owned = range.first <= classes.range(in).first &&
                           classes.range(in).last <= range.last;
        if (owned) node.owned.push_back(in);
      }
    }
    cluster.nodes[id_number(i)] = std::move(node);
  }
  return cluster;
}

node::NodeSettings settings_of(const Transcript& transcript, const protocol::Dialect& dialect) {
  node::NodeSettings settings;
  settings.dialect = dialect;
  settings.directory = directory_of(transcript);
  settings.slots = slot_classes_of(transcript);
  settings.heartbeats = node::Heartbeats::ping_pong;
  settings.streams = 2;
  settings.failure_detection = true;
  settings.timed_guards = true;
  settings.node_timeout = sim::milliseconds(kNodeTimeoutMs);
  settings.persist_keys = transcript.persistent;
  settings.data_links = true;
  return settings;
}

void apply(const ServerConfig& config, node::NodeSettings& settings) {
  if (config.full_coverage) settings.full_coverage = *config.full_coverage;
  if (config.allow_replica_migration) {
    settings.allow_replica_migration = *config.allow_replica_migration;
  }
  if (config.node_timeout_ms) {
    settings.node_timeout = sim::milliseconds(*config.node_timeout_ms);
  }
}

std::shared_ptr<const sim::Actor> make_node(const Transcript& transcript, std::size_t i,
                                            node::NodeSettings settings) {
  const NodeSpec& spec = transcript.nodes[i];
  apply(transcript.config, settings);
  apply(spec.config, settings);
  const NodeId me = id_number(i);
  node::NodeState state =
      node::initial_state(settings, me, initial_cluster(transcript, i, settings.slots));
  if (spec.config.no_failover.value_or(transcript.config.no_failover.value_or(false))) {
    state.config.nodes.at(me).no_failover = true;
    state.written.nodes.at(me).no_failover = state.synced.nodes.at(me).no_failover = true;
  }
  return std::make_shared<node::Node>(
      std::make_shared<const node::NodeSettings>(std::move(settings)), std::move(state));
}

std::shared_ptr<const sim::Actor> make_client(const Transcript& transcript,
                                              const protocol::Directory& directory) {
  auto script = std::make_shared<ClientScript>();
  script->directory = directory;
  std::map<std::string, std::uint8_t> connections = {{"main", 0}};
  for (const Step& step : transcript.steps) {
    const auto* command = std::get_if<CommandStep>(&step.what);
    if (command == nullptr) continue;
    const auto number = static_cast<std::uint8_t>(connections.size());
    const std::uint8_t connection = connections.emplace(command->connection, number).first->second;
    script->commands.push_back(
        {.at = command->at, .words = command->words, .connection = connection});
  }
  Names names;
  for (std::size_t i = 0; i < transcript.nodes.size(); ++i) {
    const protocol::Identity& identity = directory.identities[i];
    names.add(identity.name, identity.id, identity.port);
  }
  return std::make_shared<Client>(std::move(script), std::move(names));
}

void add_links(sim::SystemSpec& spec, std::size_t nodes) {
  for (std::size_t from = 0; from < nodes; ++from) {
    for (std::size_t to = 0; to < nodes; ++to) {
      if (from == to) continue;
      for (const std::uint8_t stream :
           {protocol::kOutbound, protocol::kReplies, protocol::kReplication, protocol::kData,
            protocol::kDataReplies}) {
        spec.links.push_back({.from = actor_number(from),
                              .to = actor_number(to),
                              .stream = stream,
                              .room = stream == protocol::kData ? kMessagesMax : std::uint16_t{1},
                              .capacity = kMessagesMax});
      }
    }
  }
}

}  // namespace

protocol::SlotClasses slot_classes_of(const Transcript& transcript) {
  std::vector<protocol::SlotRange> apart;
  for (const NodeSpec& node : transcript.nodes) {
    apart.insert(apart.end(), node.slots.begin(), node.slots.end());
  }
  for (const protocol::Slot slot : transcript.watch) apart.push_back({slot, slot});
  for (const Step& step : transcript.steps) {
    if (const auto* command = std::get_if<CommandStep>(&step.what)) {
      tell_apart_words(*command, apart);
    } else if (const auto* wait = std::get_if<WaitStep>(&step.what)) {
      if (wait->condition.kind == Condition::Kind::sees_slot_at) {
        apart.push_back({wait->condition.slot, wait->condition.slot});
      }
    }
  }
  return protocol::SlotClasses::cut(apart);
}

BuiltSystem build_system(const Transcript& transcript, const protocol::Dialect& dialect) {
  if (transcript.nodes.size() > 200) {
    throw cli::InputError(fmt::format("{}: more than 200 nodes", transcript.file));
  }
  const node::NodeSettings settings = settings_of(transcript, dialect);
  sim::SystemSpec spec;
  BuiltSystem built;
  for (std::size_t i = 0; i < transcript.nodes.size(); ++i) {
    spec.names.push_back(transcript.nodes[i].name);
    spec.actors.push_back(make_node(transcript, i, settings));
    built.nodes.push_back(actor_number(i));
  }
  built.client = actor_number(spec.actors.size());
  spec.names.push_back("client");
  spec.actors.push_back(make_client(transcript, settings.directory));
  add_links(spec, transcript.nodes.size());
  sim::FaultRule crash;
  crash.kind = sim::FaultKind::crash;
  crash.name = "crashes";
  crash.actors = built.nodes;
  crash.at_most = kFaultsMax;
  sim::FaultRule pause = crash;
  pause.kind = sim::FaultKind::pause;
  pause.name = "pauses";
  spec.faults = {crash, pause};  // in the order of kCrashRule and kPauseRule
  // Nobody is suspected who can be reached: the recordings were taken without such stalls.
  spec.step_budgets = {{.name = "suspicions of a reachable peer", .at_most = 0}};
  if (transcript.steps.size() > kFaultsMax) {
    const auto faults = std::count_if(
        transcript.steps.begin(), transcript.steps.end(),
        [](const Step& step) { return std::holds_alternative<FaultStep>(step.what); });
    if (faults > kFaultsMax) throw cli::InputError(transcript.file + ": more than 254 faults");
  }
  built.system = std::make_shared<const sim::System>(std::move(spec));
  return built;
}

}  // namespace slotlab::conform
