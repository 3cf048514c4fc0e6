#include "sim/time/time_text.h"

#include <fmt/format.h>

#include <charconv>

namespace slotlab::sim {
namespace {

// A decimal number that fills `digits` from end to end.
std::optional<std::uint64_t> whole_number(std::string_view digits) {
  if (digits.empty() || digits.front() < '0' || digits.front() > '9') return std::nullopt;
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::string to_text(Instant at) { return fmt::format("+{}.{:03}ms", at.us / 1000, at.us % 1000); }

std::optional<Instant> parse_instant(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos || !text.starts_with('+') || !text.ends_with("ms")) {
    return std::nullopt;
  }
  const auto ms = whole_number(text.substr(1, point - 1));
  const auto us = whole_number(text.substr(point + 1, text.size() - 2 - (point + 1)));
  if (!ms || !us || *ms > UINT64_MAX / 1000 || *us > 999) return std::nullopt;
  const Instant at{*ms * 1000 + *us};
  if (to_text(at) != text) return std::nullopt;  // leading zeros, a wrapped sum
  return at;
}

std::string to_text(Duration length) {
  if (length.us != 0 && length.us % 1'000'000 == 0) {
    return fmt::format("{}s", length.us / 1'000'000);
  }
  if (length.us != 0 && length.us % 1000 == 0) return fmt::format("{}ms", length.us / 1000);
  return fmt::format("{}us", length.us);
}

std::optional<Duration> parse_duration(std::string_view text) {
  std::uint64_t unit = 1'000'000;
  std::size_t letters = 1;
  if (text.ends_with("us") || text.ends_with("ms")) {
    unit = text.ends_with("us") ? 1 : 1000;
    letters = 2;
  } else if (!text.ends_with('s')) {
    return std::nullopt;
  }
  const auto count = whole_number(text.substr(0, text.size() - letters));
  if (!count || *count > UINT64_MAX / unit) return std::nullopt;
  return Duration{*count * unit};
}

}  // namespace slotlab::sim
