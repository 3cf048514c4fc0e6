// From a Scenario to text, section by section in the order of the reference. See write.h.
#include "models/scenario/write.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

namespace slotlab::scenario {

namespace {

// In double quotes wherever YAML could take the text for something else.
std::string scalar(const std::string& text) {
  const bool word = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' ||
           c == '-' || c == '_' || c == '.';
  });
  const bool edge = text.empty() || text.front() == ' ' || text.front() == '-' ||
                    text.front() == '.' || text.back() == ' ';
  const bool null = text == "null" || text == "Null" || text == "NULL";
  if (word && !edge && !null) return text;
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string names(const std::vector<Sourced<std::string>>& list) {
  std::vector<std::string> out;
  for (const auto& name : list) out.push_back(scalar(name.value));
  return fmt::format("[{}]", fmt::join(out, ", "));
}

const char* flag(bool on) { return on ? "on" : "off"; }

std::string range_text(const protocol::SlotRange& range) {
  return range.first == range.last ? fmt::format("{}", range.first)
                                   : fmt::format("{}-{}", range.first, range.last);
}

std::string in_braces(const std::vector<std::string>& pairs) {
  return fmt::format("{{{}}}", fmt::join(pairs, ", "));
}

std::string node_text(const NodeSpec& node) {
  std::vector<std::string> pairs;
  if (node.id) pairs.push_back(fmt::format("id: \"{}\"", node.id->value));
  if (node.replica_of) pairs.push_back("replica of: " + scalar(node.replica_of->value));
  if (node.epoch) pairs.push_back(fmt::format("epoch: {}", node.epoch->value));
  std::vector<std::string> slots;
  for (const auto& range : node.slots) slots.push_back(range_text(range.value));
  if (node.home) slots.emplace_back("home");
  if (!slots.empty()) pairs.push_back(fmt::format("slots: [{}]", fmt::join(slots, ", ")));
  std::vector<std::string> keys;
  for (const KeysInSlot& each : node.keys) {
    keys.push_back(fmt::format("{}: {}", each.slot.value, names(each.names)));
  }
  if (!keys.empty()) pairs.push_back("keys: " + in_braces(keys));
  return in_braces(pairs);
}

std::string slots_text(const std::vector<ViewSpec::OfSlots>& marks) {
  std::vector<std::string> pairs;
  for (const ViewSpec::OfSlots& mark : marks) {
    pairs.push_back(fmt::format("{}: {}", range_text(mark.slots.value),
                                mark.node.empty() ? "nobody" : scalar(mark.node)));
  }
  return in_braces(pairs);
}

std::string view_text(const ViewSpec& view) {
  std::string out;
  const auto line = [&](const char* key, const std::string& value) {
    out += fmt::format("    {}: {}\n", key, value);
  };
  const auto list = [&](const char* key, const std::vector<std::string>& nodes) {
    if (!nodes.empty()) line(key, fmt::format("[{}]", fmt::join(nodes, ", ")));
  };
  if (view.current_epoch) line("current epoch", std::to_string(*view.current_epoch));
  if (view.last_vote_epoch) line("last vote epoch", std::to_string(*view.last_vote_epoch));
  std::vector<std::string> epochs, replicas;
  for (const auto& [name, epoch] : view.epochs)
    epochs.push_back(fmt::format("{}: {}", name, epoch));
  for (const auto& [name, of] : view.replicas) {
    replicas.push_back(fmt::format("{}: {}", name, of.empty() ? "nobody" : of));
  }
  if (!epochs.empty()) line("epochs", in_braces(epochs));
  if (!view.owners.empty()) line("owners", slots_text(view.owners));
  if (!view.migrating.empty()) line("migrating", slots_text(view.migrating));
  if (!view.importing.empty()) line("importing", slots_text(view.importing));
  if (!replicas.empty()) line("replicas", in_braces(replicas));
  list("masters", view.masters);
  list("suspects", view.suspects);
  list("failed", view.failed);
  list("unknown", view.unknown);
  return out.empty() ? fmt::format("  {}: {{}}\n", scalar(view.node.value))
                     : fmt::format("  {}:\n{}", scalar(view.node.value), out);
}

void add_reaction(const oper::Reaction& reaction, std::vector<std::string>& pairs) {
  static constexpr const char* kOnError[] = {"stop", "continue", "retry"};
  static constexpr const char* kOnNoAnswer[] = {"wait", "stop", "skip", "retry"};
  const oper::Reaction usual;
  if (reaction.on_error != usual.on_error) {
    pairs.push_back(
        fmt::format("on error: {}", kOnError[static_cast<std::size_t>(reaction.on_error)]));
  }
  if (reaction.on_no_answer != usual.on_no_answer) {
    pairs.push_back(fmt::format("on no answer: {}",
                                kOnNoAnswer[static_cast<std::size_t>(reaction.on_no_answer)]));
  }
  if (reaction.retries_max != usual.retries_max) {
    pairs.push_back(reaction.retries_max == 0 ? "retries: any number"
                                              : fmt::format("retries: {}", reaction.retries_max));
  }
}

std::string step_text(const StepSpec& step) {
  std::vector<std::string> pairs = {"step: " + scalar(step.label.value)};
  if (step.move) {
    pairs.push_back(fmt::format("move keys: {}", step.move->slot.value));
    pairs.push_back("from: " + scalar(step.move->from.value));
    pairs.push_back("to: " + scalar(step.move->to.value));
    if (step.move->replace) pairs.emplace_back("replace: on");
  } else {
    pairs.push_back("to: " + scalar(step.to.value));
    pairs.push_back("send: " + scalar(step.send->typed.value));
  }
  add_reaction(step.reaction, pairs);
  if (step.only_if) {
    pairs.push_back("if: " + scalar(step.only_if->step.value + " " +
                                    oper::condition_text(step.only_if->condition)));
  }
  if (step.until) pairs.push_back("until: " + scalar(oper::condition_text(*step.until)));
  return in_braces(pairs);
}

std::string rebalance_text(const ToolSpec& tool, const std::string& indent) {
  std::string out;
  std::vector<std::string> weights;
  for (const auto& [node, weight] : tool.weights) {
    weights.push_back(fmt::format("{}: {}", scalar(node), weight));
  }
  if (!weights.empty()) out += fmt::format("{}  weights: {}\n", indent, in_braces(weights));
  if (tool.threshold != ToolSpec().threshold) {
    out += fmt::format("{}  threshold: {}\n", indent, tool.threshold);
  }
  if (tool.use_empty) out += indent + "  use empty masters: on\n";
  if (tool.replace) out += indent + "  replace: on\n";
  return out;
}

std::string tool_text(const ToolSpec& tool, const std::string& indent) {
  static constexpr const char* kKinds[] = {"reshard", "fix", "controller", "rebalance"};
  static constexpr const char* kVersions[] = {"3.0", "7.0", "8.0"};
  std::string out = fmt::format("{}  tool: {} {}\n", indent,
                                kKinds[static_cast<std::size_t>(tool.kind)],
                                kVersions[static_cast<std::size_t>(tool.flavour)]);
  if (tool.kind == oper::ToolKind::rebalance) return out + rebalance_text(tool, indent);
  out += tool.count > 0 ? fmt::format("{}  slots: {}\n", indent, tool.count)
                        : fmt::format("{}  slot: {}\n", indent, tool.slot.value);
  if (tool.kind != oper::ToolKind::fix) {
    std::vector<std::string> from;
    for (const auto& source : tool.sources) from.push_back(scalar(source.value));
    if (from.empty()) from.push_back(scalar(tool.from.value));
    const char* const form = tool.count > 0 ? "{0}  from: [{1}]\n{0}  to: {2}\n"
                                            : "{0}  from: {1}\n{0}  to: {2}\n";
    out += fmt::format(fmt::runtime(form), indent, fmt::join(from, ", "), scalar(tool.to.value));
  }
  if (tool.replace) out += indent + "  replace: on\n";
  if (tool.unreachable_masters) out += indent + "  with unreachable masters: on\n";
  return out;
}

std::string operators_text(const Scenario& scenario) {
  if (scenario.operators.empty()) return "";
  const bool one = scenario.operators.size() == 1 && scenario.operators[0].name.value == "operator";
  std::string out = one ? "" : "operators:\n";
  for (const OperatorSpec& op : scenario.operators) {
    const std::string indent = one ? "" : "  ";
    out += fmt::format("{}{}:\n", indent, op.name.value);
    if (op.may_stop) out += indent + "  may stop: on\n";
    if (op.fair) out += indent + "  fair: on\n";
    if (op.tool) out += tool_text(*op.tool, indent);
    if (!op.steps.empty()) out += indent + "  steps:\n";
    for (const StepSpec& step : op.steps) {
      out += fmt::format("{}    - {}\n", indent, step_text(step));
    }
  }
  return out;
}

std::string policy_text(const client::Policy& policy) {
  const client::Policy like = client::policy_named(policy.name).value_or(client::Policy());
  std::vector<std::string> pairs = {"like: " + policy.name};
  const auto add = [&](const char* key, bool now, bool usual) {
    if (now != usual) pairs.push_back(fmt::format("{}: {}", key, flag(now)));
  };
  add("asking", policy.asking, like.asking);
  add("asking together", policy.asking_together, like.asking_together);
  add("map on ask", policy.map_on_ask, like.map_on_ask);
  add("map on moved", policy.map_on_moved, like.map_on_moved);
  add("refresh on moved", policy.refresh_on_moved, like.refresh_on_moved);
  add("sticky", policy.sticky, like.sticky);
  add("follows unknown", policy.follows_unknown, like.follows_unknown);
  add("resends", policy.resends_unknown, like.resends_unknown);
  if (policy.sends_max != like.sends_max) {
    pairs.push_back(policy.sends_max == 0 ? "attempts: any number"
                                          : fmt::format("attempts: {}", policy.sends_max));
  }
  return pairs.size() == 1 ? policy.name : in_braces(pairs);
}

std::string item_text(const client::Item& item) {
  std::vector<std::string> commands;
  for (const client::Words& words : item.commands) {
    commands.push_back(scalar(fmt::format("{}", fmt::join(words, " "))));
  }
  const std::string list = fmt::format("[{}]", fmt::join(commands, ", "));
  if (item.kind == client::Item::Kind::transaction) return in_braces({"transaction: " + list});
  return commands.size() == 1 ? commands.front() : list;
}

std::string clients_text(const ClientsSpec& clients) {
  if (clients.sessions.empty()) return "";
  std::string out = "\nclients:\n";
  if (clients.shared_connection) out += "  shared connection: on\n";
  if (clients.redirects_max != 2) {
    out += fmt::format("  redirects at most: {}\n", clients.redirects_max);
  }
  if (clients.moved_max != 255) out += fmt::format("  moved at most: {}\n", clients.moved_max);
  out += "  sessions:\n";
  for (const SessionSpec& session : clients.sessions) {
    out += fmt::format("    {}:\n      policy: {}\n", scalar(session.name.value),
                       policy_text(session.policy));
    std::vector<std::string> map;
    for (const auto& [slot, node] : session.map) map.push_back(fmt::format("{}: {}", slot, node));
    if (!map.empty()) out += "      map: " + in_braces(map) + "\n";
    if (!session.asks.empty()) {
      out += fmt::format("      asks: [{}]\n", fmt::join(session.asks, ", "));
    }
    out += "      program:\n";
    for (const client::Item& item : session.program) out += "        - " + item_text(item) + "\n";
  }
  return out;
}

std::string fault_text(const FaultSpec& fault) {
  static constexpr const char* kKinds[] = {"crash", "cut", "pause", "stop", "lose reply"};
  const auto kind = static_cast<std::size_t>(fault.kind);
  std::vector<std::string> pairs;
  pairs.push_back(fmt::format("{}: {}", kKinds[kind], fault.any ? "any" : names(fault.actors)));
  if (!fault.both_ways) pairs.emplace_back("both ways: off");
  if (!fault.mends) {
    pairs.emplace_back(fault.kind == sim::FaultKind::cut ? "heals: never" : "restart: never");
  }
  if (fault.power_loss) pairs.emplace_back("power loss: on");
  if (fault.at_most != 1) pairs.push_back(fmt::format("at most: {}", fault.at_most));
  if (fault.window && fault.window->after) {
    pairs.push_back("after step: " + scalar(fault.window->after->value));
  }
  if (fault.window && fault.window->before) {
    pairs.push_back("before step: " + scalar(fault.window->before->value));
  }
  return in_braces(pairs);
}

std::string network_text(const NetworkSpec& network) {
  std::vector<std::string> silent;
  for (const SilenceSpec& each : network.silent) {
    silent.push_back(each.to ? fmt::format("[{}, {}]", each.from.value, each.to->value)
                             : each.from.value);
  }
  const std::string silence =
      silent.empty() ? "" : fmt::format(", silent: [{}]", fmt::join(silent, ", "));
  return fmt::format(
      "network: {{heartbeats: {}, streams: {}, heartbeats in flight: {}, messages in flight: "
      "{}{}}}\n",
      network.merged_heartbeats ? "merged" : "ping and pong", network.streams,
      network.heartbeats_in_flight, network.messages_in_flight, silence);
}

std::string servers_text(const ServerSpec& servers) {
  std::string out = "servers:\n";
  out += fmt::format("  require full coverage: {}\n", flag(servers.require_full_coverage));
  out += fmt::format("  allow replica migration: {}\n", flag(servers.allow_replica_migration));
  out += fmt::format("  persist keys: {}\n", flag(servers.persist_keys));
  out += fmt::format("  allow reads when down: {}\n", flag(servers.reads_when_down));
  out += fmt::format("  node timeout ms: {}\n", servers.node_timeout_ms);
  out += fmt::format("  failure detection: {}\n", flag(servers.failure_detection));
  out += fmt::format("  suspicions of live peers: {}\n", servers.suspicions_max);
  out += fmt::format("  elections: {}\n", servers.elections_max);
  return out + fmt::format("  slow targets: {}\n", servers.slow_targets_max);
}

std::string checks_text(const Scenario& scenario) {
  std::map<sim::Mood, std::vector<std::string>> by_mood;
  for (const CheckSpec& check : scenario.checks) {
    const bool leads = check.mood == sim::Mood::leads_to;
    by_mood[check.mood].push_back(
        leads ? fmt::format("{{{}: {}}}", check.property.value, check.then) : check.property.value);
  }
  std::string out = "check:\n";
  // In the order of the file; two checks of one mood stand together there, too.
  std::vector<sim::Mood> order;
  for (const CheckSpec& check : scenario.checks) {
    if (std::find(order.begin(), order.end(), check.mood) == order.end()) {
      order.push_back(check.mood);
    }
  }
  for (sim::Mood mood : order) {
    const char* word = mood == sim::Mood::always              ? "always"
                       : mood == sim::Mood::eventually_always ? "eventually always"
                       : mood == sim::Mood::leads_to          ? "leads to"
                                                              : "sometimes";
    out += fmt::format("  {}: [{}]\n", word, fmt::join(by_mood[mood], ", "));
  }
  return out;
}

std::string expects_text(const Scenario& scenario) {
  std::string out = "expect:\n";
  std::string dialect;
  for (const ExpectSpec& expect : scenario.expects) {
    if (expect.dialect != dialect) {
      dialect = expect.dialect;
      if (!dialect.empty()) out += fmt::format("  {}:\n", dialect);
    }
    out += fmt::format("  {}{}: {}\n", dialect.empty() ? "" : "  ", expect.check.value,
                       expectation_text(expect.expectation));
  }
  return out;
}

}  // namespace

std::string to_yaml(const Scenario& scenario) {
  std::string out = fmt::format("title: {}\nteaches: {}\ndialect: {}\n", scalar(scenario.title),
                                scalar(scenario.teaches), names(scenario.dialects));
  std::vector<std::string> rules;
  for (const RuleSetting& rule : scenario.rules) {
    rules.push_back(fmt::format("{}: {}", protocol::rule_name(rule.rule.value), flag(rule.on)));
  }
  if (!rules.empty()) out += "rules: " + in_braces(rules) + "\n";
  out += "\ncluster:\n";
  for (const NodeSpec& node : scenario.nodes) {
    out += fmt::format("  {}: {}\n", scalar(node.name.value), node_text(node));
  }
  if (scenario.current_epoch) {
    out += fmt::format("current epoch: {}\n", scenario.current_epoch->value);
  }
  if (!scenario.views.empty()) out += "views:\n";
  for (const ViewSpec& view : scenario.views) out += view_text(view);
  out += "\n" + operators_text(scenario) + clients_text(scenario.clients);
  if (!scenario.faults.empty()) out += "\nfaults:\n";
  for (const FaultSpec& fault : scenario.faults) {
    out += fmt::format("  - {}\n", fault_text(fault));
  }
  if (scenario.network != NetworkSpec()) out += "\n" + network_text(scenario.network);
  if (scenario.servers != ServerSpec()) out += "\n" + servers_text(scenario.servers);
  return out + "\n" + checks_text(scenario) + "\n" + expects_text(scenario);
}

}  // namespace slotlab::scenario
