// Two-phase commit, as stated by Gray and Lamport in "Consensus on Transaction Commit": resource
// managers and one transaction manager over a set of messages that are never taken out. It knows
// nothing of slots; it is here because its state counts are known in closed form, which makes it a
// test piece and a benchmark for the engine.
//
// With N resource managers: 2^N + 4^N + 6^N states, the farthest 3N + 1 steps from the start,
// and 1 + (N+1) 4^N + N 2^N + (4/3) N 6^N transitions.
#pragma once

#include <memory>

#include "sim/check/space.h"

namespace slotlab::textbook {

// `resource_managers`: 1..12. ERRORS: throws std::invalid_argument outside that range.
std::unique_ptr<sim::Space> make_two_phase_commit_space(unsigned resource_managers);

}  // namespace slotlab::textbook
