// The timed driver: a run in virtual time, as a real cluster might have lived it. Messages take a
// drawn latency, the steps that actors offer are timers that fire after a drawn delay, faults and
// mendings come at drawn or given instants. Which event comes next follows from these times alone;
// every event taken is one that World::possible() contains at that moment.
//
//   message   arrives at max(arrival of the one before it on its link, sent + latency). While its
//             receiver is paused it waits, and arrives when the receiver resumes.
//   step      its delay is drawn when it becomes possible; the countdown is cancelled when it stops
//             being possible, and drawn anew after it was taken, when Effects::rearm names it, when
//             its delay range changes, and when its link had no room at the moment it was due.
//             While its actor is paused the countdown goes on; what became due meanwhile happens
//             when the actor resumes, after the messages that have waited.
//   fault     see TimedOptions::draw_faults and ::plan.
//   mending   after a drawn delay, unless the rule or the options forbid it.
//
// What is due at one instant happens in this order: planned events, deliveries, steps, faults,
// mendings; among equals, what was scheduled first. Each concern draws from a stream of its own, so
// that another latency leaves the operator's delays as they were.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/drive/recorder.h"
#include "sim/drive/run.h"
#include "sim/time/instant.h"

namespace slotlab::sim {

// An event that shall happen at a given instant, by its sentence: "B crashes". If it is not
// possible when it is due, it does not happen and RunResult::unused names it.
struct PlannedEvent {
  Instant at;
  std::string sentence;
};

struct TimedOptions {
  std::uint64_t seed = 1;
  Duration latency_min = microseconds(200);  // of a message, drawn uniformly from min to max
  Duration latency_max = milliseconds(2);
  Duration horizon = seconds(60);            // what is due later does not happen
  std::uint64_t events_max = 10'000'000;
  // Each fault rule is used 0 to at_most times, a number drawn at the start. A use is due a drawn
  // while after its window opened (for a rule without window: after the start, or after the use
  // before it). The while is drawn evenly over orders of magnitude, from 1 us to fault_span, so
  // that windows of a millisecond and of seconds are both met. A lost reply befalls the next call
  // of the chosen caller.
  bool draw_faults = false;
  Duration fault_span = seconds(10);         // 1 us or more
  bool mend = true;                          // restart, heal and resume happen by themselves
  Duration mend_min = milliseconds(100);     // how long after they became possible
  Duration mend_max = seconds(10);
  std::vector<PlannedEvent> plan = {};       // in any order
  // Ends the run once nothing has changed for this long: no actor's state, nobody's being up or cut
  // off. The countdown starts anew with each change and when the last of the fair timers that were
  // armed at the change has had its turn, and lasts latency_max at least; while a planned event, a
  // drawn fault or a mending is due, it is not quiet. Costs an encoding per actor touched.
  std::optional<Duration> quiet_for = {};
  RecordOptions record = {};
};

// A run that goes on in stretches, between which the caller may act: timers that are armed stay so,
// messages under way stay under way. (Stretches by run_timed() would each arm all timers anew, and
// a timer longer than a stretch would never fire.)
class TimedDriver {
 public:
  // Begins at instant 0. `world` must outlive it and change by this driver alone; the horizon and
  // the records of `options` do not count.
  // ERRORS: throws std::invalid_argument for options outside their ranges.
  TimedDriver(World& world, const TimedOptions& options);
  ~TimedDriver();
  TimedDriver(const TimedDriver&) = delete;
  TimedDriver& operator=(const TimedDriver&) = delete;

  // Lets at most `length` of virtual time pass. Stops for: nothing_possible, until, quiet, horizon,
  // steps. If nothing is possible, time does not pass.
  RunResult run(Duration length, const RecordOptions& record);
  // What the caller does at this instant. REQUIRES: it is possible.
  void take(Action action);
  Instant now() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Drives `world` on from where it is, beginning at instant 0, up to the horizon of `options`.
// ERRORS: throws std::invalid_argument for options outside their ranges.
RunResult run_timed(World& world, const TimedOptions& options);

}  // namespace slotlab::sim
