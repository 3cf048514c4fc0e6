// See quantities.h.
#include "cli/quantities.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "cli/input_error.h"

namespace slotlab::cli {
namespace {

struct Split {
  std::string_view digits;
  std::string_view unit;
};

// "60s" -> "60" and "s".
Split split(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789");
  if (end == std::string_view::npos) return {text, {}};
  return {text.substr(0, end), text.substr(end)};
}

std::optional<std::uint64_t> whole(std::string_view digits, std::uint64_t unit) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  if (n > UINT64_MAX / unit) return std::nullopt;
  return n * unit;
}

[[noreturn]] void refuse(std::string_view flag, std::string_view text, std::string_view expected) {
  throw InputError(fmt::format("{}: '{}' is not usable, expected {}", flag, text, expected));
}

}  // namespace

std::uint64_t parse_bytes(std::string_view flag, std::string_view text) {
  constexpr std::string_view kExpected = "a size such as 512M or 4G";
  const auto [digits, unit] = split(text);
  std::uint64_t factor = 1;
  if (unit == "K" || unit == "KB") {
    factor = 1ull << 10;
  } else if (unit == "M" || unit == "MB") {
    factor = 1ull << 20;
  } else if (unit == "G" || unit == "GB") {
    factor = 1ull << 30;
  } else if (!unit.empty() && unit != "B") {
    refuse(flag, text, kExpected);
  }
  const auto bytes = whole(digits, factor);
  if (!bytes || *bytes == 0) refuse(flag, text, kExpected);
  return *bytes;
}

double parse_seconds(std::string_view flag, std::string_view text) {
  constexpr std::string_view kExpected = "a time such as 200ms, 90s, 5m or 2h";
  const auto [digits, unit] = split(text);
  std::uint64_t factor = 1;
  double divisor = 1;
  if (unit == "m" || unit == "min") {
    factor = 60;
  } else if (unit == "h") {
    factor = 3600;
  } else if (unit == "ms") {
    divisor = 1000;
  } else if (unit != "s") {
    refuse(flag, text, kExpected);
  }
  const auto seconds = whole(digits, factor);
  // Two hundred years are enough for anybody and exact in a double.
  if (!seconds || *seconds == 0 || *seconds > 6'000'000'000) refuse(flag, text, kExpected);
  return static_cast<double>(*seconds) / divisor;
}

std::uint64_t parse_count(std::string_view flag, std::string_view text, std::uint64_t low,
                          std::uint64_t high) {
  const std::string expected = high == UINT64_MAX
                                   ? fmt::format("a whole number of at least {}", low)
                                   : fmt::format("a whole number from {} to {}", low, high);
  const auto [digits, unit] = split(text);
  std::uint64_t factor = 1;
  if (unit == "K") {
    factor = 1'000;
  } else if (unit == "M") {
    factor = 1'000'000;
  } else if (unit == "G") {
    factor = 1'000'000'000;
  } else if (!unit.empty()) {
    refuse(flag, text, expected);
  }
  const auto n = whole(digits, factor);
  if (!n || *n < low || *n > high) refuse(flag, text, expected);
  return *n;
}

std::string grouped(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string bytes_text(std::uint64_t n) {
  if (n < 1024) return fmt::format("{} B", n);
  double value = static_cast<double>(n) / 1024;
  const char* unit = "KB";
  for (const char* larger : {"MB", "GB", "TB"}) {
    if (value < 1024) break;
    value /= 1024;
    unit = larger;
  }
  return fmt::format("{:.1f} {}", value, unit);
}

std::string seconds_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.3f} s", seconds);
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  const auto whole_seconds = static_cast<std::uint64_t>(std::llround(seconds));
  return fmt::format("{} min {} s", whole_seconds / 60, whole_seconds % 60);
}

std::string counted(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(n), noun, n == 1 ? "" : "s");
}

}  // namespace slotlab::cli
