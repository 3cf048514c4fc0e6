// Properties of keys as they lie at the nodes, whatever clients see of them.
#pragma once

#include <string>

#include "models/properties/registry.h"

namespace slotlab::properties {

// No live master holds a key of a slot that it does not own in its own eyes.
bool no_stray_key(const Cast& cast, const sim::SystemView& view);
std::string explain_no_stray_key(const Cast& cast, const sim::SystemView& view);

// Every key that lay anywhere at the start lies at some node that is there or can come back.
bool keys_kept(const Cast& cast, const sim::SystemView& view);
std::string explain_keys_kept(const Cast& cast, const sim::SystemView& view);

}  // namespace slotlab::properties
