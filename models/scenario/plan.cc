// Directory, slot classes and settings of a scenario: what the builder fixes first.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "models/node/initial.h"
#include "models/protocol/key_slot.h"
#include "models/scenario/build.h"
#include "models/scenario/build_parts.h"

namespace slotlab::scenario {

namespace {

using protocol::NodeId;
using protocol::Slot;
using protocol::SlotRange;

constexpr std::uint16_t kFirstPort = 7001;

// The ids made up for nodes rise in the order of the file, since that order decides epoch
// collisions: the first node is the first to move on.
std::string made_up_id(std::size_t number) {
  std::string id;
  for (int i = 0; i < 20; ++i) id += fmt::format("{:02x}", number);
  return id;
}

std::string unused_id(std::size_t number, const std::set<std::string>& used) {
  std::string id = made_up_id(number);
  for (std::size_t other = 0; used.contains(id); ++other) {
    id = fmt::format("{:02x}{:038x}", number, other);
  }
  return id;
}

// A tool that chooses slots itself may choose any, so each is one of its own.
void add_all_slots(const Scenario& scenario, std::vector<SlotRange>& named) {
  for (const NodeSpec& node : scenario.nodes) {
    for (const auto& range : node.slots) {
      for (int slot = range.value.first; slot <= range.value.last; ++slot) {
        named.push_back({static_cast<Slot>(slot), static_cast<Slot>(slot)});
      }
    }
  }
}

std::vector<SlotRange> named_slots(const Scenario& scenario) {
  std::vector<SlotRange> named;
  for (const NodeSpec& node : scenario.nodes) {
    for (const auto& range : node.slots) named.push_back(range.value);
    for (const KeysInSlot& keys : node.keys) named.push_back({keys.slot.value, keys.slot.value});
  }
  for (const ViewSpec& view : scenario.views) {
    for (const auto* marks : {&view.owners, &view.migrating, &view.importing}) {
      for (const auto& mark : *marks) named.push_back(mark.slots.value);
    }
  }
  for (const OperatorSpec& op : scenario.operators) {
    for (const StepSpec& step : op.steps) {
      if (step.move) named.push_back({step.move->slot.value, step.move->slot.value});
      if (step.send) named.insert(named.end(), step.send->slots.begin(), step.send->slots.end());
    }
    if (op.tool && !op.tool->chooses()) {
      named.push_back({op.tool->slot.value, op.tool->slot.value});
    }
    if (op.tool && op.tool->chooses()) add_all_slots(scenario, named);
  }
  for (const SessionSpec& session : scenario.clients.sessions) {
    for (const client::Item& item : session.program) {
      for (const client::Words& command : item.commands) {
        const Slot slot = protocol::key_slot(client::keys_of(command).front());
        named.push_back({slot, slot});
      }
    }
  }
  return named;
}

// The identities that nodes take when they are reset hard, one for each.
void add_spare_identities(protocol::Directory& directory, std::set<std::string>& used) {
  const std::size_t nodes = directory.count();
  for (std::size_t i = 0; i < nodes; ++i) {
    protocol::Identity spare = directory.identities[i];
    spare.name += "'";
    spare.id = unused_id(0x80 + i, used);
    used.insert(spare.id);
    directory.after_reset[i] = NodeId{static_cast<std::uint8_t>(nodes + i)};
    directory.identities.push_back(std::move(spare));
    directory.after_reset.push_back(protocol::kNoNode);
  }
}

protocol::Directory make_directory(const Scenario& scenario) {
  protocol::Directory directory;
  std::set<std::string> used;
  for (const NodeSpec& node : scenario.nodes) {
    if (node.id) used.insert(node.id->value);
  }
  for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
    const NodeSpec& node = scenario.nodes[i];
    protocol::Identity identity;
    identity.name = node.name.value;
    identity.id = node.id ? node.id->value : unused_id(i + 1, used);
    identity.actor = sim::ActorId{static_cast<std::uint8_t>(i)};
    identity.port = static_cast<std::uint16_t>(kFirstPort + i);
    used.insert(identity.id);
    directory.identities.push_back(std::move(identity));
    directory.after_reset.push_back(protocol::kNoNode);
  }
  if (sends(scenario, {"CLUSTER", "RESET"})) add_spare_identities(directory, used);
  return directory;
}

protocol::Dialect make_dialect(const Scenario& scenario, const std::string& name) {
  const auto found = protocol::dialect_named(name);
  if (!found) {
    throw InputError(scenario.file, {},
                     fmt::format("no dialect is called {}; known are {}", in_quotes(name),
                                 one_of(protocol::dialect_names())));
  }
  protocol::Dialect dialect = *found;
  for (const RuleSetting& rule : scenario.rules) {
    if (dialect.has(rule.rule.value) != rule.on) dialect = dialect.with(rule.rule.value, rule.on);
  }
  return dialect;
}

NodeId node_id(const Plan& plan, const std::string& name) {
  return name.empty() ? protocol::kNoNode : plan.directory.by_name(name);
}

std::map<protocol::SlotClass, NodeId> marks_of(const Plan& plan,
                                               const std::vector<ViewSpec::OfSlots>& marks) {
  std::map<protocol::SlotClass, NodeId> out;
  for (const ViewSpec::OfSlots& mark : marks) {
    for (std::size_t i = 0; i < plan.slots.count(); ++i) {
      const SlotRange range = plan.slots.range(static_cast<protocol::SlotClass>(i));
      if (mark.slots.value.first > range.first || range.last > mark.slots.value.last) continue;
      out[static_cast<protocol::SlotClass>(i)] = node_id(plan, mark.node);
    }
  }
  return out;
}

node::InitialView initial_view(const Plan& plan, const ViewSpec& spec) {
  node::InitialView view;
  view.current_epoch = spec.current_epoch;
  view.last_vote_epoch = spec.last_vote_epoch;
  for (const auto& [name, epoch] : spec.epochs) view.config_epochs[node_id(plan, name)] = epoch;
  view.owners = marks_of(plan, spec.owners);
  view.migrating_to = marks_of(plan, spec.migrating);
  view.importing_from = marks_of(plan, spec.importing);
  for (const auto& [name, of] : spec.replicas) {
    view.masters_of[node_id(plan, name)] = node_id(plan, of);
  }
  for (const std::string& name : spec.masters) {
    view.masters_of[node_id(plan, name)] = protocol::kNoNode;
  }
  for (const std::string& name : spec.suspects) view.suspected.insert(node_id(plan, name));
  for (const std::string& name : spec.failed) view.failed.insert(node_id(plan, name));
  for (const std::string& name : spec.unknown) view.unknown.insert(node_id(plan, name));
  return view;
}

node::InitialCluster initial_cluster(const Plan& plan) {
  node::InitialCluster cluster;
  cluster.current_epoch =
      plan.scenario->current_epoch ? plan.scenario->current_epoch->value : protocol::Epoch{0};
  protocol::Epoch masters = 0;
  for (const NodeSpec& spec : plan.scenario->nodes) {
    node::InitialNode node;
    if (spec.replica_of) {
      node.master = plan.directory.by_name(spec.replica_of->value);
    } else {
      ++masters;
      node.config_epoch = spec.epoch ? spec.epoch->value : masters;
    }
    for (std::size_t i = 0; i < plan.slots.count(); ++i) {
      const SlotRange range = plan.slots.range(static_cast<protocol::SlotClass>(i));
      const auto within = [&](const auto& own) {
        return own.value.first <= range.first && range.last <= own.value.last;
      };
      const auto home = plan.homes.find(spec.name.value);
      const bool at_home = home != plan.homes.end() && home->second == range.first;
      if (at_home || std::any_of(spec.slots.begin(), spec.slots.end(), within)) {
        node.owned.push_back(static_cast<protocol::SlotClass>(i));
      }
    }
    cluster.nodes[plan.directory.by_name(spec.name.value)] = std::move(node);
  }
  for (const ViewSpec& view : plan.scenario->views) {
    cluster.views[plan.directory.by_name(view.node.value)] = initial_view(plan, view);
  }
  return cluster;
}

// A replica that says nothing of keys holds its master's, since the cluster has settled.
void add_keys(const Plan& plan, const NodeSpec& spec, node::NodeState& state) {
  const NodeSpec* source = &spec;
  if (spec.keys.empty() && spec.replica_of) source = plan.scenario->node(spec.replica_of->value);
  for (const KeysInSlot& keys : source->keys) {
    const auto slot = plan.slots.of(keys.slot.value);
    SIM_ASSERT(slot.has_value());
    for (const auto& name : keys.names) state.keys[*slot][name.value] = "v0";
  }
}

// What exists of the slots: "7 and a home of each node".
std::string slot_list(const Plan& plan) {
  std::set<Slot> homes;
  for (const auto& [name, slot] : plan.homes) homes.insert(slot);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < plan.slots.count(); ++i) {
    const SlotRange range = plan.slots.range(static_cast<protocol::SlotClass>(i));
    if (homes.contains(range.first)) continue;
    out.push_back(range.first == range.last ? fmt::format("{}", range.first)
                                            : fmt::format("{}-{}", range.first, range.last));
  }
  if (!homes.empty()) out.push_back(fmt::format("{} home(s)", homes.size()));
  return out.empty() ? "none" : fmt::format("{}", fmt::join(out, ", "));
}

}  // namespace

bool sends(const Scenario& scenario, const std::vector<std::string>& words) {
  const auto begins = [&](const StepSpec& step) {
    if (!step.send || step.send->words.size() < words.size()) return false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::string word = step.send->words[i].text;
      for (char& c : word) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      if (word != words[i]) return false;
    }
    return true;
  };
  return std::any_of(scenario.operators.begin(), scenario.operators.end(),
                     [&](const OperatorSpec& op) {
                       return std::any_of(op.steps.begin(), op.steps.end(), begins);
                     });
}

bool uses_keys(const Scenario& scenario) {
  const bool held = std::any_of(scenario.nodes.begin(), scenario.nodes.end(),
                                [](const NodeSpec& node) { return !node.keys.empty(); });
  return held || sends(scenario, {"SET"});
}

std::vector<std::pair<std::string, Slot>> home_slots(const Scenario& scenario) {
  const std::vector<SlotRange> named = named_slots(scenario);
  const auto is_named = [&](int slot) {
    return std::any_of(named.begin(), named.end(), [&](const SlotRange& range) {
      return range.first <= slot && slot <= range.last;
    });
  };
  std::vector<std::pair<std::string, Slot>> homes;
  int slot = protocol::kSlots - 1;
  for (const NodeSpec& node : scenario.nodes) {
    if (!node.home) continue;
    while (slot >= 0 && is_named(slot)) --slot;
    if (slot < 0) break;  // all slots are named: nobody's home is left
    homes.emplace_back(node.name.value, static_cast<Slot>(slot--));
  }
  return homes;
}

Plan make_plan(const Scenario& scenario, const std::string& dialect) {
  Plan plan;
  plan.scenario = &scenario;
  plan.dialect = make_dialect(scenario, dialect);
  plan.directory = make_directory(scenario);
  std::uint8_t next = 0;
  for (const NodeSpec& node : scenario.nodes) plan.actors[node.name.value] = sim::ActorId{next++};
  for (const OperatorSpec& op : scenario.operators) {
    plan.actors[op.name.value] = sim::ActorId{next++};
  }
  if (!scenario.clients.sessions.empty()) plan.actors["clients"] = sim::ActorId{next++};
  std::vector<SlotRange> apart = named_slots(scenario);
  for (const auto& [name, slot] : home_slots(scenario)) {
    plan.homes[name] = slot;
    apart.push_back({slot, slot});
  }
  plan.slots = protocol::SlotClasses::cut(apart, apart);
  return plan;
}

node::NodeSettings make_node_settings(const Plan& plan) {
  const Scenario& scenario = *plan.scenario;
  node::NodeSettings settings;
  settings.dialect = plan.dialect;
  settings.directory = plan.directory;
  settings.slots = plan.slots;
  settings.heartbeats =
      scenario.network.merged_heartbeats ? node::Heartbeats::merged : node::Heartbeats::ping_pong;
  settings.streams = scenario.network.streams;
  settings.failure_detection = scenario.servers.failure_detection;
  settings.full_coverage = scenario.servers.require_full_coverage;
  settings.allow_replica_migration = scenario.servers.allow_replica_migration;
  settings.node_timeout = sim::milliseconds(scenario.servers.node_timeout_ms);
  settings.persist_keys = scenario.servers.persist_keys;
  settings.reads_when_down = scenario.servers.reads_when_down;
  settings.data_links = uses_keys(scenario);
  const auto any_fault = [&](auto is) {
    return std::any_of(scenario.faults.begin(), scenario.faults.end(), is);
  };
  settings.can_crash =
      any_fault([](const FaultSpec& fault) { return fault.kind == sim::FaultKind::crash; });
  settings.power_loss = any_fault([](const FaultSpec& fault) { return fault.power_loss; });
  return settings;
}

std::vector<node::NodeState> make_node_states(const Plan& plan,
                                              const node::NodeSettings& settings) {
  const node::InitialCluster cluster = initial_cluster(plan);
  std::vector<node::NodeState> states;
  for (const NodeSpec& spec : plan.scenario->nodes) {
    states.push_back(
        node::initial_state(settings, plan.directory.by_name(spec.name.value), cluster));
    add_keys(plan, spec, states.back());
  }
  return states;
}

Settings describe_settings(const Plan& plan, const node::NodeSettings& settings) {
  const Scenario& scenario = *plan.scenario;
  Settings out;
  out.emplace_back("dialect", plan.dialect.name);
  out.emplace_back("slots", slot_list(plan) + "; no others exist");
  out.emplace_back("heartbeats", scenario.network.merged_heartbeats
                                     ? "merged: PING, PONG and broadcasts are one message"
                                     : "PING and PONG as servers send them");
  out.emplace_back("streams", fmt::format("{} per ordered pair of nodes", settings.streams));
  out.emplace_back("heartbeats in flight",
                   fmt::format("at most {} per stream", scenario.network.heartbeats_in_flight));
  out.emplace_back("messages in flight",
                   fmt::format("at most {} per stream", scenario.network.messages_in_flight));
  if (!scenario.network.silent.empty()) {
    std::vector<std::string> silent;
    for (const SilenceSpec& each : scenario.network.silent) {
      silent.push_back(each.from.value + (each.to ? " to " + each.to->value : ""));
    }
    out.emplace_back("silent", fmt::format("no free heartbeats from {}", fmt::join(silent, ", ")));
  }
  out.emplace_back("failure detection", settings.failure_detection ? "on" : "off");
  for (const OperatorSpec& op : scenario.operators) {
    out.emplace_back(op.name.value, op.fair ? "fair: sends a possible command in the end"
                                            : "may idle for ever between two commands");
  }
  if (settings.data_links) {
    out.emplace_back("keys", settings.persist_keys ? "survive a restart, as with a file that is "
                                                     "synced at every write"
                                                   : "are gone after a restart");
  }
  if (settings.can_crash) {
    out.emplace_back("crashes", settings.power_loss ? "lose what was not synced to disk"
                                                    : "lose nothing that was written");
  }
  return out;
}

}  // namespace slotlab::scenario
