// The top of the loader: the keys of a file in the order in which they depend on each other.
#include "models/scenario/load.h"

#include <algorithm>
#include <tuple>

#include "models/scenario/load_parts.h"
#include "models/scenario/tree.h"
#include "sim/base/assert.h"

namespace slotlab::scenario {

namespace {

const std::vector<std::string> kTopKeys = {
    "title",     "teaches", "dialect", "rules",  "cluster", "views", "current epoch",
    "operator",  "operators", "clients", "faults",  "network", "servers", "check",  "expect"};

}  // namespace

Scenario load_text(std::string_view text, const std::string& name) {
  const Tree tree = parse_tree(text, name);
  if (tree.kind == Tree::Kind::nothing) {
    throw InputError(name, {}, "empty file; a scenario begins with 'title: ...'");
  }
  const MapReader top = Value(tree, tree.at, name, "the scenario").map(kTopKeys);
  Scenario scenario;
  scenario.file = name;
  scenario.title = top.need("title").text("a title");
  scenario.teaches = top.need("teaches").text("what the scenario teaches");
  scenario.dialects = read_dialects(top);
  scenario.rules = read_rules(top);
  scenario.nodes = read_cluster(top);
  if (const auto epoch = top.find("current epoch")) {
    scenario.current_epoch = {.value = epoch->number(0, UINT32_MAX), .at = epoch->at()};
  }
  scenario.views = read_views(top, scenario);
  scenario.network = read_network(top, scenario);
  scenario.servers = read_servers(top);
  scenario.operators = read_operators(top, scenario);
  scenario.clients = read_clients(top, scenario);
  scenario.faults = read_faults(top, scenario);
  scenario.checks = read_checks(top);
  scenario.expects = read_expects(top, scenario);
  return scenario;
}

Scenario load_file(const std::string& path) { return load_text(read_file(path), path); }

bool FaultSpec::operator==(const FaultSpec& other) const {
  const auto said = [](const FaultSpec& f) {
    return std::tie(f.kind, f.any, f.actors, f.both_ways, f.mends, f.power_loss, f.at_most,
                    f.window);
  };
  return said(*this) == said(other);
}

std::string CheckSpec::name() const {
  return mood == sim::Mood::leads_to ? property.value + " leads to " + then : property.value;
}

const char* expectation_text(Expectation expectation) {
  switch (expectation) {
    case Expectation::holds:
      return "holds";
    case Expectation::violated:
      return "violated";
    case Expectation::reached:
      return "reached";
    case Expectation::not_reached:
      break;
  }
  return "not reached";
}

const NodeSpec* Scenario::node(const std::string& name) const {
  const auto at = std::find_if(nodes.begin(), nodes.end(),
                               [&](const NodeSpec& node) { return node.name.value == name; });
  return at == nodes.end() ? nullptr : &*at;
}

std::vector<std::string> Scenario::node_names() const {
  std::vector<std::string> names;
  for (const NodeSpec& node : nodes) names.push_back(node.name.value);
  return names;
}

Expectation Scenario::expected(const std::string& check, const std::string& dialect) const {
  const ExpectSpec* best = nullptr;
  for (const ExpectSpec& expect : expects) {
    if (expect.check.value != check) continue;
    if (expect.dialect == dialect || (expect.dialect.empty() && best == nullptr)) best = &expect;
  }
  SIM_ASSERT(best != nullptr, check);
  return best->expectation;
}

bool Scenario::operator==(const Scenario& other) const {
  const auto said = [](const Scenario& s) {
    return std::tie(s.title, s.teaches, s.dialects, s.rules, s.current_epoch, s.nodes, s.views,
                    s.operators, s.clients,
                    s.faults, s.network, s.servers, s.checks, s.expects);
  };
  return said(*this) == said(other);
}

}  // namespace slotlab::scenario
