#include "sim/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <stdexcept>

#include "sim/base/whole_file.h"
#include "sim/time/time_text.h"
#include "sim/trace/escape.h"
#include "sim/trace/fingerprint.h"
#include "sim/trace/trace_words.h"
#include "sim/trace/utf8.h"

namespace slotlab::sim {
namespace {

void require(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(std::string("trace: ") + what);
}

void check(const Trace& trace) {
  std::set<std::string> names;
  for (const auto& [name, value] : trace.settings) {
    require(is_setting_name(name), "a setting's name is lower-case letters, digits and hyphens");
    require(names.insert(name).second, "a setting occurs twice");
  }
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const TraceEvent& event = trace.events[i];
    require(!event.sentence.empty(), "a sentence is empty");
    require(event.at.has_value() == trace.events[0].at.has_value(),
            "either all events have a time or none");
    require(i == 0 || event.at >= trace.events[i - 1].at, "time goes back");
  }
  require(!trace.cycle_start || *trace.cycle_start < trace.events.size(),
          "a cycle has at least one event");
}

std::string print_header(const Trace& trace) {
  std::string text = fmt::format("{}\n", kTraceFirstLine);
  const auto line = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) text += fmt::format("{}: {}\n", key, escape_line(value));
  };
  line(kScenarioKey, trace.scenario_path);
  line(kScenarioHashKey, to_hex(trace.scenario_hash()));
  line(kDriverKey, trace.driver);
  if (trace.seed) line(kSeedKey, std::to_string(*trace.seed));
  line(kPropertyKey, trace.property);
  if (!trace.events.empty() && trace.events[0].at) line(kClockKey, kVirtualClock);
  for (const auto& [name, value] : trace.settings) {
    text += fmt::format("{}{}: {}\n", kSettingPrefix, name, escape_line(value));
  }
  line(kFingerprintKey, to_hex(trace.fingerprint()));
  return text;
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

TraceError file_error(const std::string& path, const std::string& what) {
  return {path, 0, 0, fmt::format("cannot {}: {}", what, std::strerror(errno))};
}

}  // namespace

std::uint64_t Trace::scenario_hash() const { return xxhash64(scenario_text); }

std::uint64_t Trace::fingerprint() const {
  RunFingerprint fingerprint;
  for (const TraceEvent& event : events) fingerprint.add(event.at, event.sentence);
  return fingerprint.value();
}

std::string TraceError::text() const {
  if (line == 0) return file + ": " + message;
  return fmt::format("{}:{}:{}: {}", file, line, column, message);
}

std::string print_trace(const Trace& trace) {
  check(trace);
  std::string text = print_header(trace) + "\n";
  const std::size_t number_width =
      std::max<std::size_t>(3, std::to_string(trace.events.size()).size());
  // Times only grow, so the last is the widest.
  const bool timed = !trace.events.empty() && trace.events[0].at;
  const std::size_t time_width = timed ? to_text(*trace.events.back().at).size() : 0;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const TraceEvent& event = trace.events[i];
    if (trace.cycle_start == i) text += fmt::format("{}\n", kCycleLine);
    text += fmt::format("{:>{}}  ", i + 1, number_width);
    if (timed) text += fmt::format("{:>{}}  ", to_text(*event.at), time_width);
    text += escape_line(event.sentence) + "\n";
  }
  return text + fmt::format("{}\n", kScenarioLine) + trace.scenario_text;
}

std::variant<Trace, TraceError> read_trace(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return file_error(path, "open");
  std::string text;
  std::string block(std::size_t{1} << 16, '\0');
  // One byte more than allowed tells parse_trace() that there is more.
  while (text.size() <= kTraceBytesMax) {
    const std::size_t read = std::fread(block.data(), 1, block.size(), file.get());
    text.append(block, 0, read);
    if (read < block.size()) break;
  }
  if (std::ferror(file.get()) != 0) return file_error(path, "read");
  return parse_trace(text, path);
}

std::optional<TraceError> write_trace(const Trace& trace, const std::string& path) {
  if (first_invalid_utf8(trace.scenario_text) != trace.scenario_text.size()) {
    return TraceError{path, 0, 0, "the scenario is not UTF-8 text, so no trace can hold it"};
  }
  const std::string text = print_trace(trace);
  if (text.size() > kTraceBytesMax) {
    return TraceError{path, 0, 0, fmt::format("the trace has {} bytes; at most {} are possible",
                                              text.size(), kTraceBytesMax)};
  }
  if (const auto reason = write_whole_file(path, text)) return TraceError{path, 0, 0, *reason};
  return std::nullopt;
}

}  // namespace slotlab::sim
