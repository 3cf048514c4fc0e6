// From a run of a search that folds states (symmetry) back to a run of the system, in which every
// thing keeps its name from the first event to the last.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/check/run_path.h"

namespace slotlab::sim {

struct RealPath {
  Run run;
  std::vector<std::vector<std::uint32_t>> states;  // that it passes through; one more than actions
};

// The run that passes through likes of the states that `run` passes through in `space`; `run`
// itself if the space folds nothing. None only if the search ended before it could find out that
// things which it took for interchangeable are not.
std::optional<RealPath> real_path(const Space& space, const Run& run);

}  // namespace slotlab::sim
