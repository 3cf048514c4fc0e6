// The parts of the loader, one per section of a file. Each is given what the sections before it
// have found. Inside models/scenario only.
#pragma once

#include <string>
#include <vector>

#include "models/scenario/reader.h"
#include "models/scenario/scenario.h"

namespace slotlab::scenario {

// "A": letters, digits, '-' and '_', a letter first, at most 16 characters.
Sourced<std::string> read_name(const Key& key, const MapReader& map, std::size_t i);
// "7" or "0-5460".
protocol::SlotRange read_range(const Value& value, const std::string& word);
// One of `names`, which are those of all `what`: "node", "operator".
Sourced<std::string> read_reference(const Value& value, const std::vector<std::string>& names,
                                    const std::string& what);

// 1 to `max`, or 0 for 'any number'.
std::uint8_t read_tries(const Value& value, std::uint8_t max);

std::vector<Sourced<std::string>> read_dialects(const MapReader& top);
std::vector<RuleSetting> read_rules(const MapReader& top);
std::vector<NodeSpec> read_cluster(const MapReader& top);
std::vector<ViewSpec> read_views(const MapReader& top, const Scenario& so_far);
NetworkSpec read_network(const MapReader& top, const Scenario& so_far);
ServerSpec read_servers(const MapReader& top);
std::vector<OperatorSpec> read_operators(const MapReader& top, const Scenario& so_far);
ClientsSpec read_clients(const MapReader& top, const Scenario& so_far);
std::vector<FaultSpec> read_faults(const MapReader& top, const Scenario& so_far);
std::vector<CheckSpec> read_checks(const MapReader& top);
std::vector<ExpectSpec> read_expects(const MapReader& top, const Scenario& so_far);

}  // namespace slotlab::scenario
