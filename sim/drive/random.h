// The random driver: at each step it lets a chooser pick one of the possible actions, up to a
// number of steps or until nothing is possible. For hunting in spaces too large to exhaust: a run
// is cheap, and its seed alone brings it back.
#pragma once

#include <cstdint>

#include "sim/drive/choosers.h"
#include "sim/drive/recorder.h"
#include "sim/drive/run.h"

namespace slotlab::sim {

enum class Choice : std::uint8_t { by_kind, uniform, pct };

struct RandomOptions {
  std::uint64_t seed = 1;
  std::uint64_t steps_max = 1000;   // events at most
  Choice choice = Choice::by_kind;
  KindWeights weights = {};         // by_kind only
  PctOptions pct = {};              // pct only
  RecordOptions record = {};
};

// Drives `world` on from where it is. Stops for: nothing_possible, until, steps.
// ERRORS: throws std::invalid_argument for options outside their ranges.
RunResult run_random(World& world, const RandomOptions& options);

// As run_random with a chooser of the caller's own.
RunResult run_chosen(World& world, Chooser& chooser, std::uint64_t steps_max,
                     const RecordOptions& record);

}  // namespace slotlab::sim
