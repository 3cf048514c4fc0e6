// A run as the states it passes through: what printing, explaining and checking a reported run
// starts from.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/check/explorer.h"

namespace slotlab::sim {

// The states of `run` in order, the initial one first; one more than there are actions.
// ERRORS: throws std::invalid_argument if the run starts from no initial state or takes an action
// that is not possible where it is taken; the text names the step, counted from 1.
std::vector<std::vector<std::uint32_t>> states_along(const Space& space, const Run& run);

// The components of a successor of `from`.
std::vector<std::uint32_t> successor_state(const std::vector<std::uint32_t>& from,
                                           const Successors& successors,
                                           const Successors::Entry& entry);

}  // namespace slotlab::sim
