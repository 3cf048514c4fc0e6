// One model, four drivers: every event of a timed or random run of a real scenario is an edge of
// the graph that the exhaustive driver explores, and a run written down and replayed gives the same
// bytes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "models/scenario/build.h"
#include "models/scenario/load.h"
#include "sim/check/tuple_space.h"
#include "sim/drive/random.h"
#include "sim/drive/replay.h"
#include "sim/drive/timed.h"
#include "sim/trace/trace.h"
#include "tests/models/laws/drawn_scenarios.h"

namespace slotlab {
namespace {

// Follows a run event by event on the graph.
sim::Watch on_the_graph(sim::TupleSpace& space, std::vector<std::uint32_t>& state) {
  return [&space, &state](const sim::World& world, const sim::RunStep& step) {
    sim::Successors successors;
    space.expand(state, space.fingerprint(state), successors);
    const auto edge =
        std::find_if(successors.entries.begin(), successors.entries.end(),
                     [&](const auto& entry) { return entry.action == step.event.action; });
    RC_ASSERT(edge != successors.entries.end());
    RC_ASSERT(space.describe(state, step.event.action) == step.event.text);
    for (std::uint32_t c = 0; c < edge->change_count; ++c) {
      const sim::Change& change = successors.changes[edge->first_change + c];
      state[change.component] = change.value;
    }
    RC_ASSERT(state == space.state_of(world));
  };
}

// The trace of a run, replayed from its own text, printed again.
void replays_to_the_same_bytes(const std::string& scenario, const sim::RunResult& run,
                               const std::string& driver, sim::Clock clock) {
  sim::Trace trace;
  trace.scenario_path = "drawn";
  trace.driver = driver;
  trace.seed = 1;
  trace.events = sim::trace_events(run, clock);
  trace.scenario_text = scenario;
  const std::string text = sim::print_trace(trace);

  const auto read = sim::parse_trace(text, "drawn.trace");
  RC_ASSERT(std::holds_alternative<sim::Trace>(read));
  sim::Trace again = std::get<sim::Trace>(read);
  const scenario::Built built =
      scenario::build(scenario::load_text(again.scenario_text, "drawn"));
  sim::World world(built.system);
  const sim::ReplayResult replayed = sim::replay(world, sim::sentences_of(again));
  RC_ASSERT(!replayed.error);
  const auto events = sim::trace_events(replayed.run, sim::Clock::none);
  RC_ASSERT(events.size() == again.events.size());
  for (std::size_t i = 0; i < events.size(); ++i) again.events[i].sentence = events[i].sentence;
  RC_ASSERT(sim::print_trace(again) == text);
}

RC_GTEST_PROP(OneModel, EveryRunOfEveryDriverIsAPathOfTheGraphAndReplays, ()) {
  const std::string text = laws::drawn_scenario();
  RC_LOG() << text;
  const scenario::Built built = scenario::build(scenario::load_text(text, "drawn"));
  const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();

  sim::TupleSpace space(built.system, built.properties);
  std::vector<std::uint32_t> state = space.state_of(sim::World(built.system));
  sim::World random(built.system);
  sim::RandomOptions draw;
  draw.seed = seed;
  draw.steps_max = 60;
  draw.record.watch = on_the_graph(space, state);
  const sim::RunResult random_run = sim::run_random(random, draw);
  RC_ASSERT(random_run.events > 0u);
  replays_to_the_same_bytes(text, random_run, "random", sim::Clock::none);

  state = space.state_of(sim::World(built.system));
  sim::World timed(built.system);
  sim::TimedOptions clock;
  clock.seed = seed;
  clock.draw_faults = true;
  clock.events_max = 60;
  clock.record.watch = on_the_graph(space, state);
  const sim::RunResult timed_run = sim::run_timed(timed, clock);
  RC_ASSERT(timed_run.events > 0u);
  replays_to_the_same_bytes(text, timed_run, "timed", sim::Clock::virtual_time);
}

}  // namespace
}  // namespace slotlab
