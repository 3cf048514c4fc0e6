// Numbers as people type and read them: "4G", "60s", "10M" on the way in, "1,127,527,055" and
// "3.2 GB" on the way out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slotlab::cli {

// Each reads the value given to `flag`. ERRORS: throws InputError that names the flag, the value
// and what was expected.
std::uint64_t parse_bytes(std::string_view flag, std::string_view text);  // 1K is 1024 bytes
double parse_seconds(std::string_view flag, std::string_view text);       // "90s", "5m", "2h"
// A count in [low, high], with K, M or G for thousands, millions and milliards.
std::uint64_t parse_count(std::string_view flag, std::string_view text, std::uint64_t low,
                          std::uint64_t high);

std::string grouped(std::uint64_t n);        // "75,489,733"
std::string bytes_text(std::uint64_t n);     // "512 B", "3.2 MB"; 1 MB is 1024 * 1024 bytes
std::string seconds_text(double seconds);    // "0.004 s", "12.3 s", "3 min 20 s"
// "1 state", "2 states": the plural takes an s.
std::string counted(std::uint64_t n, std::string_view noun);

}  // namespace slotlab::cli
