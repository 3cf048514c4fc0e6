// Peterson's lock for two processes: mutual exclusion by two flags and one turn, with reads and
// writes of single variables as the only atomic steps. Besides `always` it has something to say in
// every other mood, fairness included, so it is the engine's test piece for those.
#pragma once

#include <memory>

#include "sim/check/space.h"

namespace slotlab::textbook {

std::unique_ptr<sim::Space> make_peterson_space();

}  // namespace slotlab::textbook
