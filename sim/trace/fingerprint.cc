#include "sim/trace/fingerprint.h"

// The hash is compiled in from its header: its speed matters little here, and no library is linked.
#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <charconv>

namespace slotlab::sim {

std::uint64_t xxhash64(std::string_view text) { return XXH64(text.data(), text.size(), 0); }

std::string to_hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::optional<std::uint64_t> parse_hex(std::string_view text) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || to_hex(value) != text) return std::nullopt;
  return value;
}

void RunFingerprint::add(const std::optional<Instant>& at, std::string_view sentence) {
  ++events_;
  const std::string line = at ? fmt::format("{} {} {}", events_, at->us, sentence)
                              : fmt::format("{} - {}", events_, sentence);
  // Chained through the seed, so that the fingerprint of every beginning of the run is at hand.
  value_ = XXH64(line.data(), line.size(), value_);
}

}  // namespace slotlab::sim
