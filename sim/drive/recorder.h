// Takes actions on a world for a driver and keeps the books of the run: its steps, its fingerprint,
// who watches, and whether to stop. Every driver goes through it, so all of them record alike.
#pragma once

#include <optional>
#include <utility>

#include "sim/drive/run.h"
#include "sim/trace/fingerprint.h"

namespace slotlab::sim {

struct RecordOptions {
  bool record_beliefs = false;  // fill Event::gained and lost; slow on large systems
  bool keep_steps = true;       // off: only counts and the fingerprint, for very long runs
  Until until;                  // may be empty
  Watch watch;                  // may be empty
};

class Recorder {
 public:
  Recorder(World& world, RecordOptions options, Clock clock)
      : world_(world), options_(std::move(options)), clock_(clock) {}

  bool should_stop() const { return options_.until && options_.until(world_); }

  // Returns the event, which stays valid until the next call.
  const World::Event& take(Action action, Instant at = {}) {
    if (!options_.keep_steps) result_.steps.clear();
    result_.steps.push_back({at, world_.take(action, options_.record_beliefs)});
    const RunStep& step = result_.steps.back();
    const bool timed = clock_ == Clock::virtual_time;
    fingerprint_.add(timed ? std::optional(at) : std::nullopt, step.event.text);
    if (options_.watch) options_.watch(world_, step);
    return step.event;
  }

  std::uint64_t events() const { return fingerprint_.events(); }

  RunResult finish(StopReason reason, Instant end = {}) {
    if (!options_.keep_steps) result_.steps.clear();
    result_.events = fingerprint_.events();
    result_.fingerprint = fingerprint_.value();
    result_.end = end;
    result_.stopped = reason;
    return std::move(result_);
  }

 private:
  World& world_;
  RecordOptions options_;
  Clock clock_;
  RunFingerprint fingerprint_;
  RunResult result_;
};

}  // namespace slotlab::sim
