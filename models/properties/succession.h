// Whether masters that never come back can be replaced. Inside models/properties only.
#pragma once

#include <string>

#include "models/properties/registry.h"

namespace slotlab::properties {

bool replaceable(const Cast& cast, const sim::SystemView& view);
bool irreplaceable(const Cast& cast, const sim::SystemView& view);
std::string explain_replaceable(const Cast& cast, const sim::SystemView& view);

}  // namespace slotlab::properties
