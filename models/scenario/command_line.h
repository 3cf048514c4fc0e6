// A command as an operator types it, taken apart and checked as far as a careful reader could check
// it: a misspelt subcommand, a slot that does not exist, a node that does not exist. Virtual nodes
// would answer most of these with an error of their own, but in a scenario they are slips of the
// pen. A word in single quotes is taken as it stands, for scenarios that mean the error.
#pragma once

#include <string>
#include <vector>

#include "models/scenario/reader.h"
#include "models/scenario/scenario.h"

namespace slotlab::scenario {

// ERRORS: throws InputError at the value's place.
CommandSpec parse_command(const Value& value, const std::vector<std::string>& nodes);

// "7" as a slot, 0..16383. ERRORS: throws InputError with the word that is not one.
protocol::Slot parse_slot(const Value& value, const std::string& word);

}  // namespace slotlab::scenario
