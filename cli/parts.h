// Searches that together stand for one: with messages that last, or one for each process that may
// crash. docs/reductions.md says what follows from what.
#pragma once

#include <optional>

#include "cli/subject.h"
#include "sim/check/explorer.h"

namespace slotlab::cli {

struct PartsResult {
  sim::ExploreResult result;  // of all parts together
  // Of the ordinary search for real runs, where lasting messages made one possible.
  std::optional<sim::ExploreResult> real;
};

// REQUIRES: `subject` has parts.
PartsResult explore_parts(const Subject& subject, const sim::ExploreOptions& options);

}  // namespace slotlab::cli
