// Replay: the same sentences give the same run, and a sentence that is not possible is refused with
// a list of what was. Runs of the other drivers are replayed to the state in which they ended.
#include "sim/drive/replay.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/drive/random.h"
#include "sim/drive/timed.h"
#include "tests/sim/toy_actors.h"

namespace slotlab::sim {
namespace {

using namespace toys;
using Lines = std::vector<std::string>;

SystemSpec faulty_beaters() {
  FaultRule crash;
  crash.name = "crash";
  crash.actors = {id(0), id(1), id(2)};
  crash.at_most = 2;
  FaultRule cut;
  cut.kind = FaultKind::cut;
  cut.name = "cut";
  cut.pairs = {{id(0), id(1)}, {id(1), id(2)}};
  cut.at_most = 2;
  return beaters_spec({.faults = {crash, cut}});
}

TEST(Replay, TakesTheEventsThatTheSentencesName) {
  World world(make_system(ping_pong_spec()));
  const ReplayResult result =
      replay(world, {"A serves ball 3", "A -> B: ball 3", "B -> A: ball 3"});
  EXPECT_FALSE(result.error);
  EXPECT_EQ(result.run.stopped, StopReason::list_end);
  EXPECT_EQ(result.run.steps.size(), 3u);
  EXPECT_EQ(as<Player>(world, 0).returned(), 1u);
}

TEST(Replay, RefusesAnEventThatIsNotPossibleAndListsWhatWas) {
  World world(make_system(ping_pong_spec()));
  const ReplayResult result = replay(world, {"A serves ball 3", "B -> A: ball 3"});
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.run.stopped, StopReason::not_possible);
  EXPECT_EQ(result.run.steps.size(), 1u);
  EXPECT_EQ(result.error->step, 1u);
  EXPECT_EQ(result.error->text(),
            "event 2 is not possible: B -> A: ball 3\n"
            "possible was there:\n"
            "  A -> B: ball 3\n");
}

TEST(Replay, ListsTenOfManyPossibleEventsInTheFixedOrder) {
  World world(make_system(beaters_spec({.actors = 4})));
  const ReplayResult result = replay(world, {"n9 sends its heartbeat 0"});
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->possible_count, 12u);
  ASSERT_EQ(result.error->possible.size(), 10u);
  EXPECT_EQ(result.error->possible[0], "n0 sends its heartbeat 1");
  EXPECT_NE(result.error->text().find("  and 2 more\n"), std::string::npos);
}

TEST(Replay, SaysWhenNothingWasPossible) {
  World world(make_system(ring_spec({.rounds = 0})));
  const ReplayResult result = replay(world, {"A passes the token"});
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->text(),
            "event 1 is not possible: A passes the token\nnothing was possible there\n");
}

TEST(Replay, StopsEarlyWhenTheConditionHolds) {
  World world(make_system(ping_pong_spec()));
  RecordOptions record;
  record.until = [](const World& now) { return !now.link(0).empty(); };
  const ReplayResult result = replay(world, {"A serves ball 3", "A -> B: ball 3"}, record);
  EXPECT_EQ(result.run.stopped, StopReason::until);
  EXPECT_EQ(result.run.steps.size(), 1u);
}

TEST(Replay, OfATimedOrRandomRunEndsInTheSameState) {
  const auto system = make_system(faulty_beaters());
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    World timed(system), random(system);
    const RunResult timed_run =
        run_timed(timed, {.seed = seed, .horizon = seconds(2), .draw_faults = true});
    const RunResult random_run = run_random(random, {.seed = seed, .steps_max = 300});
    for (const auto& [end, run] : {std::pair{&timed, &timed_run}, {&random, &random_run}}) {
      World again(system);
      Trace trace;
      trace.events = trace_events(*run, Clock::none);
      const ReplayResult result = replay(again, sentences_of(trace));
      ASSERT_FALSE(result.error) << result.error->text();
      EXPECT_EQ(result.run.events, run->events);
      EXPECT_EQ(again.canonical(), end->canonical());
    }
  }
}

TEST(Follow, TakesActionsAndGivesTheirSentences) {
  World world(make_system(ping_pong_spec()));
  const std::vector<Action> actions = {Action::make(ActionKind::step, 0, 0),
                                       Action::make(ActionKind::deliver, 0)};
  const std::vector<RunStep> steps = follow(world, actions);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].event.text, "A serves ball 3");
  EXPECT_EQ(steps[1].event.text, "A -> B: ball 3");
}

TEST(TraceEvents, HaveTimesOnlyIfAsked) {
  World world(make_system(ping_pong_spec({.serves = 1})));
  TimedOptions options;
  options.latency_min = options.latency_max = microseconds(200);
  const RunResult run = run_timed(world, options);
  const std::vector<TraceEvent> timed = trace_events(run, Clock::virtual_time);
  ASSERT_EQ(timed.size(), 3u);
  EXPECT_EQ(timed[1], (TraceEvent{Instant{1200}, "A -> B: ball 1"}));
  EXPECT_EQ(trace_events(run, Clock::none)[1], (TraceEvent{std::nullopt, "A -> B: ball 1"}));
  Trace trace;
  trace.events = timed;
  EXPECT_EQ(trace.fingerprint(), run.fingerprint);
}

}  // namespace
}  // namespace slotlab::sim
