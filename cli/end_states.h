// How the runs of a system can end, in one line each: who is taken for the owner of each slot that
// can move, by whom, and which marks are left.
#pragma once

#include <atomic>
#include <set>
#include <string>

#include "models/properties/registry.h"
#include "sim/check/tuple_space.h"

namespace slotlab::cli {

struct EndStates {
  std::set<std::string> without_faults;
  std::set<std::string> with_faults;  // any number of them, none included
};

// REQUIRES: `space` has been explored to the end. Empty if interrupted.
EndStates end_states(const sim::TupleSpace& space, const properties::Cast& cast,
                     const std::atomic<bool>& interrupt);

}  // namespace slotlab::cli
