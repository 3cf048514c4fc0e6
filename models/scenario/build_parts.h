// The parts of the builder. Inside models/scenario only.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/node/config.h"
#include "models/node/state.h"
#include "models/operator/procedure.h"
#include "models/scenario/scenario.h"
#include "sim/system/system.h"

namespace slotlab::scenario {

using Settings = std::vector<std::pair<std::string, std::string>>;

// Who is where: fixed before anything is built.
struct Plan {
  const Scenario* scenario = nullptr;
  protocol::Dialect dialect;
  protocol::Directory directory;                // NodeId i is the i-th node of the file
  std::map<std::string, sim::ActorId> actors;   // nodes and operators by name
  std::map<std::string, protocol::Slot> homes;  // by node
  protocol::SlotClasses slots;
};

Plan make_plan(const Scenario& scenario, const std::string& dialect);

// One word as it goes over the wire: ids and addresses instead of names.
oper::ProcedurePtr make_procedure(const Plan& plan, const OperatorSpec& spec);
std::vector<sim::FaultRule> make_faults(const Plan& plan);
node::NodeSettings make_node_settings(const Plan& plan);
std::vector<node::NodeState> make_node_states(const Plan& plan, const node::NodeSettings& settings);
Settings describe_settings(const Plan& plan, const node::NodeSettings& settings);
// Some node holds keys, or some command writes one.
bool uses_keys(const Scenario& scenario);
// A command of some operator has these as its first words, in capitals.
bool sends(const Scenario& scenario, const std::vector<std::string>& words);

}  // namespace slotlab::scenario
