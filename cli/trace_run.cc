// See trace_run.h.
#include "cli/trace_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "cli/input_error.h"
#include "cli/itf.h"
#include "cli/story.h"
#include "cli/suggest.h"
#include "models/scenario/error.h"
#include "sim/base/assert.h"
#include "sim/check/run_path.h"
#include "sim/explain/shrink.h"
#include "sim/trace/trace_words.h"

namespace slotlab::cli {
namespace {

constexpr std::size_t kListedMax = 10;

// Whoever may have chosen the events of a trace; docs/trace-format.md lists them.
const std::vector<std::string> kTraceDrivers = {"exhaustive", "timed", "random", "pct", "replay"};

constexpr std::size_t kBeginning = 4096;

// Enough of the file to see of what kind it is; empty if it cannot be read.
std::string beginning_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(kBeginning, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  return begin;
}

// A JSON object that says so in its first key.
bool is_itf(const std::string& begin) {
  const std::size_t first = begin.find_first_not_of(" \t\r\n");
  return first != std::string::npos && begin[first] == '{' &&
         begin.find("\"#meta\"") != std::string::npos;
}

// The action of `state` with this sentence.
std::optional<sim::Action> action_with(const sim::Space& space,
                                       const std::vector<std::uint32_t>& state,
                                       const std::string& sentence) {
  sim::Successors all;
  space.expand(state, space.fingerprint(state), all);
  for (const auto& entry : all.entries) {
    if (space.describe(state, entry.action) == sentence) return entry.action;
  }
  return std::nullopt;
}

std::string possible_there(const sim::Space& space, const std::vector<std::uint32_t>& state) {
  sim::Successors all;
  space.expand(state, space.fingerprint(state), all);
  std::string text;
  for (std::size_t i = 0; i < all.entries.size() && i < kListedMax; ++i) {
    text += "\n  " + space.describe(state, all.entries[i].action);
  }
  if (all.entries.size() > kListedMax) {
    text += fmt::format("\n  and {} more", all.entries.size() - kListedMax);
  }
  return text;
}

}  // namespace

bool is_trace_file(const std::string& path) {
  const std::string begin = beginning_of(path);
  return begin.starts_with(sim::kTraceMagic) || is_itf(begin);
}

sim::Trace read_trace_file(const std::string& path) {
  if (is_itf(beginning_of(path))) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return trace_of_itf(text, path);
  }
  auto read = sim::read_trace(path);
  if (const auto* error = std::get_if<sim::TraceError>(&read)) throw InputError(error->text());
  sim::Trace trace = std::get<sim::Trace>(std::move(read));
  if (std::find(kTraceDrivers.begin(), kTraceDrivers.end(), trace.driver) == kTraceDrivers.end()) {
    throw InputError(fmt::format("{}: driver: there is no '{}'{}", path, trace.driver,
                                 suggestion(trace.driver, kTraceDrivers)));
  }
  return trace;
}

std::string place_of(const std::string& path, std::size_t event) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  for (std::size_t number = 1, events = 0; std::getline(file, line); ++number) {
    const std::size_t digit = line.find_first_not_of(' ');
    if (line == "--- scenario" || line.starts_with("{")) break;
    // Only events begin with a number; headers begin with a letter, the mark of a cycle with '-'.
    if (digit == std::string::npos || line[digit] < '0' || line[digit] > '9') continue;
    if (events++ < event) continue;
    std::size_t column = line.find_first_not_of(' ', line.find(' ', digit));
    if (line[column] == '+') column = line.find_first_not_of(' ', line.find(' ', column));
    return fmt::format("{}:{}:{}", path, number, column + 1);
  }
  return path;
}

Subject subject_of(const sim::Trace& trace, const std::string& reductions) {
  const std::map<std::string, std::string> settings(trace.settings.begin(), trace.settings.end());
  if (is_textbook(trace.scenario_path)) return load_subject(trace.scenario_path, {}, reductions);
  const auto dialect = settings.find("dialect");
  Subject subject;
  try {
    subject = scenario_subject(
        trace.scenario_path, trace.scenario_text,
        dialect == settings.end() ? std::nullopt : std::optional(dialect->second), reductions);
  } catch (const scenario::InputError& error) {
    // The file of that name is not what was read.
    throw InputError(fmt::format("the scenario inside the trace, line {} of it: {}",
                                 error.at().line, error.message()));
  }
  if (!trace.property.empty()) {
    property_named(*subject.space, trace.property, "property of the trace");
  }
  return subject;
}

sim::Run run_of(const sim::Space& space, const sim::Trace& trace, const std::string& path) {
  sim::Run run;
  std::vector<std::uint32_t> state = space.initial().front();
  for (const sim::TraceEvent& event : trace.events) {
    const auto action = action_with(space, state, event.sentence);
    if (!action) {
      throw InputError(fmt::format("{}: event {} is not possible: {}\npossible there:{}",
                                   place_of(path, run.actions.size()), run.actions.size() + 1,
                                   event.sentence, possible_there(space, state)));
    }
    run.actions.push_back(*action);
    state = successor(space, state, *action);
  }
  if (trace.cycle_start) run.cycle_start = *trace.cycle_start;
  return run;
}

sim::Run reduced_run_of(const sim::Space& reduced, const sim::Trace& trace) {
  sim::Run run;
  std::vector<std::uint32_t> state = reduced.initial().front();
  for (const sim::TraceEvent& event : trace.events) {
    const auto action = action_with(reduced, state, event.sentence);
    if (!action) continue;  // the delivery of a message that had nothing to say
    run.actions.push_back(*action);
    state = successor(reduced, state, *action);
  }
  return run;
}

std::size_t property_named(const sim::Space& space, const std::string& name,
                           const std::string& flag) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < space.property_count(); ++i) {
    if (space.property_name(i) == name) return i;
    names.push_back(space.property_name(i));
  }
  throw InputError(
      fmt::format("{}: '{}' is not checked here{}", flag, name, suggestion(name, names)));
}

std::size_t property_of(const sim::Space& space, const sim::Run& run, const sim::Trace& trace,
                        const std::string& path) {
  if (!trace.property.empty()) {
    const std::size_t named = property_named(space, trace.property, path + ": property");
    if (sim::violating_part(space, run, named)) return named;
    throw InputError(
        fmt::format("{}: the run does not violate '{}', which the trace names; "
                    "expected a run that violates it",
                    path, trace.property));
  }
  for (std::size_t i = 0; i < space.property_count(); ++i) {
    if (sim::violating_part(space, run, i)) return i;
  }
  throw InputError(
      fmt::format("{}: the run violates nothing; expected a trace that check, hunt or "
                  "run saved of a violation",
                  path));
}

}  // namespace slotlab::cli
