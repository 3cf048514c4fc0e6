// A Scenario becomes a system: nodes in their starting states, operators with their procedures,
// links, faults, and the properties to check with what is expected of each. Nothing is refused
// here; the loader has refused it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/node/config.h"
#include "models/properties/registry.h"
#include "models/scenario/scenario.h"
#include "sim/property/property.h"
#include "sim/system/system.h"

namespace slotlab::scenario {

struct BuildOptions {
  // One of the scenario's, or any that protocol::dialect_named() knows; empty: its first.
  std::string dialect = {};
  // For runs in virtual time only: guards that compare clocks are kept. Such a run need not be a
  // path of the graph that is checked without them.
  bool timed_guards = false;
  sim::Duration pause_min = sim::milliseconds(10);  // of operators, between two commands
  sim::Duration pause_max = sim::milliseconds(1000);
};

struct Built {
  std::shared_ptr<const sim::System> system;
  std::vector<sim::Property> properties;  // in the order of the file
  std::vector<Expectation> expectations;  // of each property, in this dialect
  // What was assumed, each with its value, for the verdict: {"dialect", "redis-7.0"}, ...
  std::vector<std::pair<std::string, std::string>> settings;
  std::string dialect;
  node::Settings node_settings;
  properties::CastPtr cast;  // which actors are nodes, which operators
};

// Actors: the nodes in the order of the file, then the operators.
// ERRORS: throws InputError if `options.dialect` is unknown.
Built build(const Scenario& scenario, const BuildOptions& options = {});

// The slot that 'home' stands for at each node that has it, in the order of the nodes: from 16383
// downwards, without the slots that the scenario names.
std::vector<std::pair<std::string, protocol::Slot>> home_slots(const Scenario& scenario);

}  // namespace slotlab::scenario
