// A violating run made smaller: fewest faults, then fewest events, then fewest changes from one
// actor to another. Whatever is tried is replayed on the space itself, so the result is a run that
// violates the same property, and it is never larger than what was given. No randomness: the same
// run gives the same result.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sim/check/explorer.h"
#include "sim/check/space.h"
#include "sim/system/system.h"

namespace slotlab::sim {

struct RunCost {
  std::uint64_t faults = 0;
  std::uint64_t events = 0;
  std::uint64_t switches = 0;  // changes from one actor to another
  auto operator<=>(const RunCost&) const = default;
};

// `system` says who acts; null for a model of no actors, whose runs have neither faults nor
// switches.
RunCost cost_of(const Run& run, const System* system);

// The part of `run` that violates the property by itself: an `always` ends with the first state
// without P. None if the run violates nothing: a cycle must be fair and lead back to where it
// began; without a cycle, nothing may be possible at the end. REQUIRES: `run` is a path of `space`.
std::optional<Run> violating_part(const Space& space, const Run& run, std::size_t property);

struct ShrinkOptions {
  std::size_t property = 0;
  const System* system = nullptr;
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const RunCost&)> progress = nullptr;  // after each improvement
};

// The smallest run that leaving out and moving events leads to.
// REQUIRES: violating_part(space, run, options.property) is `run`.
Run shrink(const Space& space, const Run& run, const ShrinkOptions& options);

}  // namespace slotlab::sim
