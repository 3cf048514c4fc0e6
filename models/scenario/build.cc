// From a plan to the system. See build.h.
#include "models/scenario/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/client/client.h"
#include "models/node/node.h"
#include "models/operator/operator.h"
#include "models/scenario/build_parts.h"

namespace slotlab::scenario {

namespace {

// Room for all that one MIGRATE may send: the keys of the file or of one command, AUTH and SELECT.
std::uint16_t most_keys_sent(const Scenario& scenario) {
  std::size_t keys = 0, words = 0;
  for (const NodeSpec& node : scenario.nodes) {
    for (const KeysInSlot& each : node.keys) keys += each.names.size();
  }
  for (const OperatorSpec& op : scenario.operators) {
    for (const StepSpec& step : op.steps) {
      if (step.send) words = std::max(words, step.send->words.size());
    }
  }
  return static_cast<std::uint16_t>(std::min<std::size_t>(std::max(keys, words), 30000) + 2);
}

bool is_silent(const NetworkSpec& network, const std::string& from, const std::string& to) {
  return std::any_of(network.silent.begin(), network.silent.end(), [&](const SilenceSpec& each) {
    return each.from.value == from && (!each.to || each.to->value == to);
  });
}

std::vector<sim::LinkSpec> make_links(const Scenario& scenario) {
  std::vector<sim::LinkSpec> links;
  const NetworkSpec& network = scenario.network;
  const auto id = [](std::size_t i) { return sim::ActorId{static_cast<std::uint8_t>(i)}; };
  std::vector<std::uint8_t> streams = {protocol::kOutbound};
  if (network.streams == 2) streams.push_back(protocol::kReplies);
  // What a master sends its replicas, and their acknowledgements; any node may become a master.
  const bool replicas =
      std::any_of(scenario.nodes.begin(), scenario.nodes.end(),
                  [](const NodeSpec& node) { return node.replica_of.has_value(); });
  if (replicas) streams.push_back(protocol::kReplication);
  const bool data = uses_keys(scenario);
  if (data) streams.insert(streams.end(), {protocol::kData, protocol::kDataReplies});
  // What one MIGRATE sends is not held back by what heartbeats may take.
  const std::uint16_t migrate = std::max(network.messages_in_flight, most_keys_sent(scenario));
  for (std::size_t from = 0; from < scenario.nodes.size(); ++from) {
    for (std::size_t to = 0; to < scenario.nodes.size(); ++to) {
      for (const std::uint8_t stream : streams) {
        if (from == to) continue;
        const bool is_data = stream == protocol::kData || stream == protocol::kDataReplies;
        const bool silent =
            is_silent(network, scenario.nodes[from].name.value, scenario.nodes[to].name.value);
        const std::uint16_t room = silent ? std::uint16_t{0} : network.heartbeats_in_flight;
        links.push_back({.from = id(from),
                         .to = id(to),
                         .stream = stream,
                         .room = is_data ? migrate : room,
                         .capacity = is_data ? migrate : network.messages_in_flight,
                         .coalesce = !is_data,
                         .lasts = !is_data && stream != protocol::kReplication});
      }
    }
  }
  return links;
}

// "crash of B", "cut between A and B", "stop of operator".
std::string what_happens(const FaultSpec& fault) {
  std::vector<std::string> names;
  for (const auto& actor : fault.actors) names.push_back(actor.value);
  const auto of = [&](const char* kind, const char* anybody) {
    std::string out = fmt::format("{} of ", kind);
    if (fault.any) return out + anybody;
    for (std::size_t i = 0; i < names.size(); ++i) out += (i > 0 ? " or " : "") + names[i];
    return out;
  };
  switch (fault.kind) {
    case sim::FaultKind::crash:
      return of(fault.power_loss ? "power loss" : "crash", "any node") +
             (fault.mends ? "" : " for good");
    case sim::FaultKind::pause:
      return of("pause", "any node");
    case sim::FaultKind::stop:
      return of("stop", "any operator");
    case sim::FaultKind::lose_reply:
      return of("lost answer", "any operator");
    case sim::FaultKind::cut:
      break;
  }
  const std::string where = fault.any         ? "any two nodes"
                            : fault.both_ways ? fmt::format("{} and {}", names[0], names[1])
                                              : fmt::format("{} to {}", names[0], names[1]);
  return fmt::format("{} {} {}{}", fault.both_ways ? "cut" : "one-way cut",
                     !fault.any && !fault.both_ways ? "from" : "between", where,
                     fault.mends ? "" : " for good");
}

std::string fault_name(const FaultSpec& fault) {
  std::string name = what_happens(fault);
  if (!fault.window) return name;
  const WindowSpec& window = *fault.window;
  if (window.after && window.before) {
    return name +
           fmt::format(" between steps {} and {}", window.after->value, window.before->value);
  }
  return name + (window.after ? " after step " + window.after->value
                              : " before step " + window.before->value);
}

// Phases count finished steps: "after step i is done" begins at i + 1, "before j is done" ends at
// j.
sim::Window make_window(const Plan& plan, const WindowSpec& spec) {
  const auto& operators = plan.scenario->operators;
  const auto op = std::find_if(operators.begin(), operators.end(), [&](const OperatorSpec& each) {
    return each.name.value == spec.operator_name;
  });
  SIM_ASSERT(op != operators.end());
  const auto number = [&](const Sourced<std::string>& label) {
    const auto at = std::find_if(op->steps.begin(), op->steps.end(),
                                 [&](const StepSpec& step) { return step.label == label; });
    SIM_ASSERT(at != op->steps.end());
    return static_cast<std::uint32_t>(at - op->steps.begin());
  };
  sim::Window window{.actor = plan.actors.at(spec.operator_name)};
  if (spec.after) window.first = number(*spec.after) + 1;
  if (spec.before) window.last = number(*spec.before);
  return window;
}

std::vector<sim::ActorId> targets(const Plan& plan, const FaultSpec& fault) {
  std::vector<sim::ActorId> out;
  for (const auto& name : fault.actors) out.push_back(plan.actors.at(name.value));
  if (!fault.any) return out;
  const bool operators =
      fault.kind == sim::FaultKind::stop || fault.kind == sim::FaultKind::lose_reply;
  if (operators) {
    for (const auto& op : plan.scenario->operators) out.push_back(plan.actors.at(op.name.value));
  } else {
    for (const auto& node : plan.scenario->nodes) out.push_back(plan.actors.at(node.name.value));
  }
  return out;
}

sim::FaultRule make_fault(const Plan& plan, const FaultSpec& fault) {
  sim::FaultRule rule;
  rule.kind = fault.kind;
  rule.name = fault_name(fault);
  rule.both_ways = fault.both_ways;
  rule.mends = fault.mends;
  rule.crash = fault.power_loss ? sim::CrashKind::power_loss : sim::CrashKind::process_kill;
  rule.at_most = fault.at_most;
  if (fault.window) rule.window = make_window(plan, *fault.window);
  const std::vector<sim::ActorId> actors = targets(plan, fault);
  if (fault.kind != sim::FaultKind::cut) {
    rule.actors = actors;
    return rule;
  }
  // A pair stands for itself; 'any' for all pairs, each once if both directions are cut together.
  for (std::size_t i = 0; i < actors.size(); ++i) {
    for (std::size_t j = 0; j < actors.size(); ++j) {
      if (i < j || (i != j && fault.any && !fault.both_ways)) {
        rule.pairs.emplace_back(actors[i], actors[j]);
      }
    }
  }
  return rule;
}

oper::Step make_step(const Plan& plan, const StepSpec& spec) {
  oper::Step step;
  step.label = spec.label.value;
  step.target = plan.actors.at(spec.to.value);
  step.target_name = spec.to.value;
  step.reaction = spec.reaction;
  step.until = spec.until;
  if (spec.move) {
    const protocol::Identity& to = plan.directory[plan.directory.by_name(spec.move->to.value)];
    step.move = oper::MoveKeys{.slot = spec.move->slot.value,
                               .to = to.actor,
                               .to_name = to.name,
                               .host = to.ip,
                               .port = to.port,
                               .replace = spec.move->replace};
    return step;
  }
  step.typed = spec.send->typed.value;
  for (const CommandWord& word : spec.send->words) {
    if (word.kind == CommandWord::Kind::plain) {
      step.words.push_back(word.text);
      continue;
    }
    const protocol::Identity& node = plan.directory[plan.directory.by_name(word.text)];
    if (word.kind == CommandWord::Kind::node_id) {
      step.words.push_back(node.id);
    } else {
      step.words.push_back(node.ip);
      step.words.push_back(std::to_string(node.port));
    }
  }
  return step;
}

properties::CastPtr make_cast(const Plan& plan, const std::vector<node::NodeState>& states) {
  properties::Cast cast;
  for (const NodeSpec& node : plan.scenario->nodes) {
    cast.nodes.push_back(plan.actors.at(node.name.value));
  }
  for (const OperatorSpec& op : plan.scenario->operators) {
    cast.operators.push_back(plan.actors.at(op.name.value));
  }
  if (!plan.scenario->clients.sessions.empty()) {  // after nodes and operators
    cast.clients =
        sim::ActorId{static_cast<std::uint8_t>(cast.nodes.size() + cast.operators.size())};
  }
  cast.slots = plan.slots;
  cast.directory = plan.directory;
  cast.first_owner = states.front().config.owner;
  std::set<std::pair<protocol::SlotClass, std::string>> keys;
  for (const node::NodeState& state : states) {
    for (std::size_t slot = 0; slot < state.keys.size(); ++slot) {
      for (const auto& [key, value] : state.keys[slot]) {
        keys.emplace(static_cast<protocol::SlotClass>(slot), key);
      }
    }
  }
  cast.first_keys.assign(keys.begin(), keys.end());
  for (const node::NodeState& state : states) {  // who claims a slot goes before who is said to
    for (std::size_t slot = 0; slot < cast.first_owner.size(); ++slot) {
      if (state.config.owner[slot] == state.config.me) cast.first_owner[slot] = state.config.me;
    }
  }
  cast.home_of.assign(plan.slots.count(), sim::kNoActor);
  for (const auto& [name, slot] : plan.homes) {
    cast.home_of[*plan.slots.of(slot)] = plan.actors.at(name);
  }
  return std::make_shared<const properties::Cast>(std::move(cast));
}

std::vector<std::string> keys_at_start(const Scenario& scenario) {
  std::set<std::string> keys;
  for (const NodeSpec& node : scenario.nodes) {
    for (const KeysInSlot& each : node.keys) {
      for (const auto& name : each.names) keys.insert(name.value);
    }
  }
  return {keys.begin(), keys.end()};
}

client::ClientsSpecPtr make_clients(const Plan& plan) {
  const Scenario& scenario = *plan.scenario;
  client::ClientsSpec spec;
  const auto number = [&](const std::string& name) {
    return static_cast<std::uint8_t>(index(plan.directory.by_name(name)));
  };
  for (const NodeSpec& node : scenario.nodes) {
    const protocol::Identity& identity = plan.directory[plan.directory.by_name(node.name.value)];
    spec.nodes.push_back({identity.name, identity.actor, identity.ip, identity.port});
  }
  for (const SessionSpec& session : scenario.clients.sessions) {
    client::SessionSpec& out = spec.sessions.emplace_back();
    out.name = session.name.value;
    out.policy = session.policy;
    out.program = session.program;
    for (const auto& [slot, node] : session.map) out.map[slot] = number(node);
    for (const std::string& node : session.asks) out.asks.push_back(number(node));
    for (std::size_t i = 0; session.asks.empty() && i < spec.nodes.size(); ++i) {
      out.asks.push_back(static_cast<std::uint8_t>(i));
    }
  }
  spec.keys_at_start = keys_at_start(scenario);
  spec.shared_connection = scenario.clients.shared_connection;
  spec.redirects_max = scenario.clients.redirects_max;
  spec.moved_max = scenario.clients.moved_max;
  return std::make_shared<const client::ClientsSpec>(std::move(spec));
}

std::shared_ptr<const oper::Tool> make_tool(const Plan& plan, const ToolSpec& spec) {
  oper::Tool tool;
  tool.kind = spec.kind;
  tool.flavour = spec.flavour;
  tool.slot = spec.slot.value;
  tool.replace = spec.replace;
  tool.unreachable_masters = spec.unreachable_masters;
  tool.count = spec.count;
  tool.threshold = spec.threshold;
  tool.use_empty = spec.use_empty;
  for (const NodeSpec& node : plan.scenario->nodes) {
    const protocol::Identity& identity = plan.directory[plan.directory.by_name(node.name.value)];
    const auto number = static_cast<std::uint8_t>(tool.nodes.size());
    if (identity.name == spec.from.value) tool.from = number;
    if (identity.name == spec.to.value) tool.to = number;
    const auto is_it = [&](const auto& source) { return source.value == identity.name; };
    if (std::any_of(spec.sources.begin(), spec.sources.end(), is_it)) {
      tool.sources.push_back(number);
    }
    const auto weight =
        std::find_if(spec.weights.begin(), spec.weights.end(),
                     [&](const auto& each) { return each.first == identity.name; });
    tool.weights.push_back(weight == spec.weights.end() ? std::uint16_t{1} : weight->second);
    tool.nodes.push_back(
        {identity.name, identity.id, identity.actor, identity.ip, identity.port});
  }
  return std::make_shared<const oper::Tool>(std::move(tool));
}

// The budgets that the nodes' steps refer to; those of failover first, in their order.
std::vector<sim::StepBudget> make_budgets(const Scenario& scenario, node::NodeSettings& settings) {
  const ServerSpec& servers = scenario.servers;
  const bool elections = servers.failure_detection || sends(scenario, {"CLUSTER", "FAILOVER"});
  std::vector<sim::StepBudget> budgets;
  if (elections) {
    budgets = {{.name = "suspicion of a live peer", .at_most = servers.suspicions_max},
               {.name = "election", .at_most = servers.elections_max}};
  }
  if (servers.slow_targets_max > 0) {
    settings.slow_target_budget = static_cast<std::uint8_t>(budgets.size());
    budgets.push_back({.name = "MIGRATE to a slow target", .at_most = servers.slow_targets_max});
  }
  return budgets;
}

}  // namespace

oper::ProcedurePtr make_procedure(const Plan& plan, const OperatorSpec& spec,
                                  const BuildOptions& options) {
  oper::Procedure procedure;
  procedure.pause_min = options.pause_min;
  procedure.pause_max = options.pause_max;
  procedure.fair = spec.fair;
  for (const StepSpec& step : spec.steps) {
    procedure.steps.push_back(make_step(plan, step));
    if (!step.only_if) continue;
    const auto at = std::find_if(spec.steps.begin(), spec.steps.end(), [&](const StepSpec& each) {
      return each.label == step.only_if->step;
    });
    procedure.steps.back().only_if = {
        .step = static_cast<std::uint16_t>(at - spec.steps.begin()),
        .condition = step.only_if->condition};
  }
  if (spec.tool) {
    procedure.tool = make_tool(plan, *spec.tool);
    procedure.steps = oper::look_steps(*procedure.tool);
  }
  for (const protocol::Identity& node : plan.directory.identities) {
    procedure.names.emplace_back(node.id, node.name);
  }
  return std::make_shared<const oper::Procedure>(std::move(procedure));
}

std::vector<sim::FaultRule> make_faults(const Plan& plan) {
  std::vector<sim::FaultRule> faults;
  for (const OperatorSpec& op : plan.scenario->operators) {
    if (!op.may_stop) continue;
    FaultSpec stop;
    stop.kind = sim::FaultKind::stop;
    stop.actors = {op.name};
    faults.push_back(make_fault(plan, stop));
  }
  for (const FaultSpec& fault : plan.scenario->faults) faults.push_back(make_fault(plan, fault));
  return faults;
}

Built build(const Scenario& scenario, const BuildOptions& options) {
  Built built;
  built.dialect = options.dialect.empty() ? scenario.dialects.front().value : options.dialect;
  const Plan plan = make_plan(scenario, built.dialect);
  node::NodeSettings settings = make_node_settings(plan);
  settings.timed_guards = options.timed_guards;
  sim::SystemSpec spec;
  spec.step_budgets = make_budgets(scenario, settings);
  built.node_settings = std::make_shared<const node::NodeSettings>(std::move(settings));
  const std::vector<node::NodeState> states = make_node_states(plan, *built.node_settings);
  for (std::size_t i = 0; i < states.size(); ++i) {
    spec.names.push_back(scenario.nodes[i].name.value);
    spec.actors.push_back(std::make_shared<const node::Node>(built.node_settings, states[i]));
  }
  for (const OperatorSpec& op : scenario.operators) {
    spec.names.push_back(op.name.value);
    spec.actors.push_back(
        std::make_shared<const oper::Operator>(make_procedure(plan, op, options)));
  }
  if (!scenario.clients.sessions.empty()) {
    spec.names.emplace_back("clients");
    spec.actors.push_back(std::make_shared<const client::Clients>(make_clients(plan)));
  }
  spec.links = make_links(scenario);
  spec.faults = make_faults(plan);
  built.system = std::make_shared<const sim::System>(std::move(spec));
  built.cast = make_cast(plan, states);
  for (const CheckSpec& check : scenario.checks) {
    built.properties.push_back(
        check.mood == sim::Mood::leads_to
            ? properties::make_leads_to(check.property.value, check.then, built.cast)
            : properties::make(check.property.value, check.mood, built.cast));
    built.expectations.push_back(scenario.expected(check.name(), built.dialect));
  }
  built.settings = describe_settings(plan, *built.node_settings);
  return built;
}

}  // namespace slotlab::scenario
