#include "sim/drive/run.h"

#include "sim/base/assert.h"

namespace slotlab::sim {

std::string_view to_text(StopReason reason) {
  switch (reason) {
    case StopReason::nothing_possible: return "nothing is possible any more";
    case StopReason::until: return "the condition holds";
    case StopReason::quiet: return "all is quiet";
    case StopReason::horizon: return "the time is over";
    case StopReason::steps: return "the number of events is reached";
    case StopReason::list_end: return "the list is at its end";
    case StopReason::not_possible: return "the next event is not possible";
  }
  SIM_ASSERT(false, std::string("a reason that is none"));
}

std::vector<TraceEvent> trace_events(const RunResult& run, Clock clock) {
  std::vector<TraceEvent> events;
  events.reserve(run.steps.size());
  for (const RunStep& step : run.steps) {
    TraceEvent event;
    if (clock == Clock::virtual_time) event.at = step.at;
    event.sentence = step.event.text;
    events.push_back(std::move(event));
  }
  return events;
}

std::vector<RunStep> follow(World& world, std::span<const Action> actions, bool record_beliefs) {
  std::vector<RunStep> steps;
  steps.reserve(actions.size());
  for (const Action action : actions) {
    steps.push_back({Instant{}, world.take(action, record_beliefs)});
  }
  return steps;
}

}  // namespace slotlab::sim
