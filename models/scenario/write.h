// A Scenario as the text of a file that says the same. Whatever makes scenarios (an import, a
// shrinker) hands them to people in this form.
#pragma once

#include <string>

#include "models/scenario/scenario.h"

namespace slotlab::scenario {

// load_text(to_yaml(s), "") == s for every scenario that came from the loader. Keys at their
// default value are left out; comments of a file it was read from are lost.
std::string to_yaml(const Scenario& scenario);

}  // namespace slotlab::scenario
