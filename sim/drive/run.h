// What all drivers share: the run that comes out of them, when it ends, and who may watch. A driver
// only ever takes actions that World::possible() contains, so each of its runs is a path of the
// graph that the exhaustive driver explores.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/system/world.h"
#include "sim/time/instant.h"
#include "sim/trace/trace.h"

namespace slotlab::sim {

// One event of a run, and when it happened; the time is 0 in drivers without a clock.
struct RunStep {
  Instant at;
  World::Event event;
};

enum class StopReason : std::uint8_t {
  nothing_possible,  // no action is possible, or none will ever be due
  until,             // the caller's condition held
  quiet,             // timed: nothing changed for the length asked for
  horizon,           // timed: the end of the time allowed
  steps,             // the number of events allowed
  list_end,          // replay: every sentence was taken
  not_possible,      // replay: a sentence was not possible
};
std::string_view to_text(StopReason reason);  // "nothing is possible any more", ...

// True ends the run; asked once before the first event and again after each.
using Until = std::function<bool(const World&)>;
// Called after each event, before it is asked whether to stop.
using Watch = std::function<void(const World&, const RunStep&)>;

struct RunResult {
  std::vector<RunStep> steps;      // empty if the options said not to keep them
  std::uint64_t events = 0;        // how many events happened, kept or not
  std::uint64_t fingerprint = 0;   // see RunFingerprint; with times if the driver has a clock
  Instant end;                     // timed: when the run stopped
  StopReason stopped = StopReason::nothing_possible;
  std::vector<std::string> unused; // timed: planned sentences that were not possible when due
};

enum class Clock : std::uint8_t { none, virtual_time };

// The events of a run as a trace holds them.
std::vector<TraceEvent> trace_events(const RunResult& run, Clock clock);

// Takes the actions one by one: turns the explorer's Run into sentences and events.
// REQUIRES: each is possible when its turn comes.
std::vector<RunStep> follow(World& world, std::span<const Action> actions,
                            bool record_beliefs = false);

}  // namespace slotlab::sim
