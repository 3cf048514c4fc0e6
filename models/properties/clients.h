// Properties of what clients were told, and of whether the keys that they count on can still be
// had. Without clients the keys of the start are what counts.
#pragma once

#include <string>

#include "models/properties/registry.h"

namespace slotlab::properties {

// docs/decisions/0010-lost-keys.md says which losses count.
bool keys_safe(const Cast& cast, const sim::SystemView& view);
std::string explain_keys_safe(const Cast& cast, const sim::SystemView& view);
bool linearizable(const Cast& cast, const sim::SystemView& view);
std::string explain_linearizable(const Cast& cast, const sim::SystemView& view);
bool bounded_redirects(const Cast& cast, const sim::SystemView& view);
std::string explain_bounded_redirects(const Cast& cast, const sim::SystemView& view);
bool clients_end(const Cast& cast, const sim::SystemView& view);
std::string explain_clients_end(const Cast& cast, const sim::SystemView& view);
bool client_error(const Cast& cast, const sim::SystemView& view);
bool two_copies(const Cast& cast, const sim::SystemView& view);

}  // namespace slotlab::properties
