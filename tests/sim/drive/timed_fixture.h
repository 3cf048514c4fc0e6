// What the tests of the timed driver share: runs as lines of time and sentence, options in which
// nothing is left to chance, and faults on the toys.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/drive/timed.h"
#include "sim/time/time_text.h"
#include "tests/sim/toy_actors.h"

namespace slotlab::sim::toys {

using Lines = std::vector<std::string>;

// "+1.200ms A -> B: ball 2"
inline Lines lines(const RunResult& run) {
  Lines out;
  for (const RunStep& step : run.steps) out.push_back(to_text(step.at) + " " + step.event.text);
  return out;
}

inline TimedOptions fixed_latency(Duration latency) {
  TimedOptions options;
  options.latency_min = options.latency_max = latency;
  options.mend = false;
  return options;
}

inline FaultRule fault(FaultKind kind, std::vector<ActorId> actors) {
  FaultRule rule;
  rule.kind = kind;
  rule.name = "fault";
  rule.actors = std::move(actors);
  return rule;
}

inline FaultRule cut_of_a_and_b() {
  FaultRule rule;
  rule.kind = FaultKind::cut;
  rule.name = "cut";
  rule.pairs = {{id(0), id(1)}};
  return rule;
}

inline RunResult run(SystemSpec spec, const TimedOptions& options) {
  World world(make_system(std::move(spec)));
  return run_timed(world, options);
}

}  // namespace slotlab::sim::toys
