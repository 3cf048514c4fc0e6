// Properties of who owns a slot, and of the epochs that decide it. Inside models/properties only;
// registry.cc lists them with their meaning.
#pragma once

#include <string>

#include "models/properties/registry.h"

namespace slotlab::properties {

bool owned(const Cast& cast, const sim::SystemView& view);
std::string explain_owned(const Cast& cast, const sim::SystemView& view);
bool one_owner(const Cast& cast, const sim::SystemView& view);
std::string explain_one_owner(const Cast& cast, const sim::SystemView& view);
bool unique_epochs(const Cast& cast, const sim::SystemView& view);
std::string explain_unique_epochs(const Cast& cast, const sim::SystemView& view);
bool agreed(const Cast& cast, const sim::SystemView& view);
std::string explain_agreed(const Cast& cast, const sim::SystemView& view);
bool closed(const Cast& cast, const sim::SystemView& view);
std::string explain_closed(const Cast& cast, const sim::SystemView& view);
bool marks_name_masters(const Cast& cast, const sim::SystemView& view);
std::string explain_marks_name_masters(const Cast& cast, const sim::SystemView& view);
bool state_ok(const Cast& cast, const sim::SystemView& view);
std::string explain_state_ok(const Cast& cast, const sim::SystemView& view);

}  // namespace slotlab::properties
