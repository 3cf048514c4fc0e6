// Situations: what happened, rather than what must hold. Used with `sometimes` they prove that a
// search reached what a scenario is about; used with `leads to` they are what something must
// follow. Inside models/properties only.
#pragma once

#include <string>

#include "models/properties/registry.h"

namespace slotlab::properties {

bool procedure_ends(const Cast& cast, const sim::SystemView& view);
std::string explain_procedure_ends(const Cast& cast, const sim::SystemView& view);

bool procedure_done(const Cast& cast, const sim::SystemView& view);
bool operator_stopped(const Cast& cast, const sim::SystemView& view);
bool command_refused(const Cast& cast, const sim::SystemView& view);
bool crashed(const Cast& cast, const sim::SystemView& view);
bool paused(const Cast& cast, const sim::SystemView& view);
bool link_cut(const Cast& cast, const sim::SystemView& view);
bool owner_changed(const Cast& cast, const sim::SystemView& view);
bool unowned(const Cast& cast, const sim::SystemView& view);
bool two_claim(const Cast& cast, const sim::SystemView& view);
bool collision(const Cast& cast, const sim::SystemView& view);
bool marked_failed(const Cast& cast, const sim::SystemView& view);
bool promoted(const Cast& cast, const sim::SystemView& view);
bool promoted_and_unowned(const Cast& cast, const sim::SystemView& view);
bool demoted(const Cast& cast, const sim::SystemView& view);

std::string explain_nothing(const Cast& cast, const sim::SystemView& view);

}  // namespace slotlab::properties
