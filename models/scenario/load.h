// A scenario file becomes a Scenario, or one clear error. The loader is strict: a key it does not
// know, a value out of its range, a name that nothing bears, a property without an expectation are
// errors, since a scenario that is half understood proves something else than its author meant.
#pragma once

#include <string>
#include <string_view>

#include "models/scenario/scenario.h"

namespace slotlab::scenario {

// ERRORS: throws InputError (models/scenario/error.h).
Scenario load_file(const std::string& path);

// The same from a text in memory; `name` stands for the file's name.
Scenario load_text(std::string_view text, const std::string& name);

}  // namespace slotlab::scenario
