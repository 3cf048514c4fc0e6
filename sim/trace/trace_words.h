// The fixed words of the trace format, shared by the printer and the parser.
#pragma once

#include <string_view>

namespace slotlab::sim {

inline constexpr std::string_view kTraceMagic = "slotlab-trace ";
inline constexpr std::string_view kTraceFirstLine = "slotlab-trace 1";
inline constexpr std::string_view kScenarioLine = "--- scenario";
inline constexpr std::string_view kCycleLine = "-- from here for ever --";

inline constexpr std::string_view kScenarioKey = "scenario";
inline constexpr std::string_view kScenarioHashKey = "scenario-hash";
inline constexpr std::string_view kDriverKey = "driver";
inline constexpr std::string_view kSeedKey = "seed";
inline constexpr std::string_view kPropertyKey = "property";
inline constexpr std::string_view kClockKey = "clock";  // "virtual": every event has its time
inline constexpr std::string_view kVirtualClock = "virtual";
inline constexpr std::string_view kSettingPrefix = "setting ";
inline constexpr std::string_view kFingerprintKey = "fingerprint";

// A lower-case letter, then lower-case letters, digits and hyphens.
inline constexpr bool is_setting_name(std::string_view name) {
  if (name.empty() || name[0] < 'a' || name[0] > 'z') return false;
  for (const char letter : name) {
    const bool allowed = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
                         letter == '-';
    if (!allowed) return false;
  }
  return true;
}

}  // namespace slotlab::sim
