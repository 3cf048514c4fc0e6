// Instants and durations as people read and write them, exact to the microsecond: "+1204.050ms"
// for a point of a run, "200us", "2ms", "15s" for a length. What is printed parses to the same
// value, so traces and settings can carry times.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/time/instant.h"

namespace slotlab::sim {

// "+0.000ms", "+1204.050ms": milliseconds with three decimals.
std::string to_text(Instant at);
// Nothing if `text` is not exactly what to_text(Instant) prints for some instant.
std::optional<Instant> parse_instant(std::string_view text);

// The largest unit of us, ms, s in which the length is a whole number: "200us", "2ms", "15s".
std::string to_text(Duration length);
// A whole number followed at once by us, ms or s. Nothing for anything else, or if it overflows.
std::optional<Duration> parse_duration(std::string_view text);

}  // namespace slotlab::sim
