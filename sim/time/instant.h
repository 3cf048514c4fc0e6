// Virtual time. An Instant is a point, a Duration a length, both whole microseconds in 64 bits
// unsigned (584,000 years). There is no conversion from or to the wall clock.
#pragma once

#include <compare>
#include <cstdint>

#include "sim/base/assert.h"

namespace slotlab::sim {

struct Duration {
  std::uint64_t us = 0;  // microseconds
  auto operator<=>(const Duration&) const = default;
};

constexpr Duration microseconds(std::uint64_t n) { return Duration{n}; }
constexpr Duration milliseconds(std::uint64_t n) { return Duration{n * 1000}; }
constexpr Duration seconds(std::uint64_t n) { return Duration{n * 1'000'000}; }

struct Instant {
  std::uint64_t us = 0;  // microseconds since the start of the run
  auto operator<=>(const Instant&) const = default;
};

constexpr Instant operator+(Instant at, Duration by) { return Instant{at.us + by.us}; }
constexpr Duration operator+(Duration a, Duration b) { return Duration{a.us + b.us}; }
// REQUIRES: later >= earlier.
constexpr Duration operator-(Instant later, Instant earlier) {
  SIM_ASSERT(later >= earlier);
  return Duration{later.us - earlier.us};
}

}  // namespace slotlab::sim
