// Fingerprints of texts and of runs: XXH64, seed 0. The fingerprint of a run covers, event by
// event, its number, its virtual time if the run has one, and its sentence, in this order; nothing
// else. Two runs that agree in it took the same events, so a run that is repeated in another
// process, or on another machine, can be compared by sixteen letters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/time/instant.h"

namespace slotlab::sim {

// XXH64 with seed 0.
std::uint64_t xxhash64(std::string_view text);

// Sixteen lower-case hexadecimal digits.
std::string to_hex(std::uint64_t value);
// Nothing unless `text` is exactly sixteen lower-case hexadecimal digits.
std::optional<std::uint64_t> parse_hex(std::string_view text);

// The fingerprint of a run, kept up to date as it grows.
class RunFingerprint {
 public:
  void add(const std::optional<Instant>& at, std::string_view sentence);
  std::uint64_t value() const { return value_; }  // of all events added so far
  std::uint64_t events() const { return events_; }

 private:
  std::uint64_t events_ = 0;
  std::uint64_t value_ = 0;
};

}  // namespace slotlab::sim
