// Faults in timed runs: planned and drawn ones, what they cancel and lose, and the mendings after
// them. Nothing mends by itself unless a test is about that.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "sim/drive/timed.h"
#include "tests/sim/drive/timed_fixture.h"

namespace slotlab::sim {
namespace {

using namespace toys;

TEST(TimedFaults, CrashCancelsTheTimersAndARestartDrawsThemAnew) {
  TimedOptions options = fixed_latency(milliseconds(1));
  options.plan = {{Instant{50'000}, "A restarts"}, {Instant{20'000}, "A crashes"}};
  const RunResult result =
      run(counter_spec({.faults = {fault(FaultKind::crash, {id(0)})}}), options);
  EXPECT_EQ(lines(result),
            (Lines{"+10.000ms A counts to 1", "+20.000ms A crashes", "+50.000ms A restarts",
                   "+60.000ms A counts to 1", "+70.000ms A counts to 2", "+80.000ms A counts to 3",
                   "+85.000ms A saves 3"}));
  EXPECT_EQ(result.steps[2].event.notes, Lines{"A: reads back 0"});
  EXPECT_TRUE(result.unused.empty());
}

TEST(TimedFaults, MessageSentAfterALossDoesNotArriveWhenTheLostOneWouldHave) {
  TimedOptions options = fixed_latency(milliseconds(5));
  options.horizon = milliseconds(8);
  options.plan = {{Instant{1500}, "the links between n0 and n1 are cut"},
                  {Instant{1600}, "the links between n0 and n1 heal"}};
  SystemSpec spec =
      beaters_spec({.actors = 2, .delay = {milliseconds(1), milliseconds(1)}});
  spec.faults = {cut_of_a_and_b()};
  const RunResult result = run(std::move(spec), options);
  const auto arrival = std::find_if(
      result.steps.begin(), result.steps.end(),
      [](const RunStep& step) { return step.event.text == "n0 -> n1: heartbeat"; });
  ASSERT_NE(arrival, result.steps.end());
  // Sent at 1 ms and lost at 1.5 ms; the timers start anew at 1.6 ms, the next is sent at 2.6 ms.
  EXPECT_EQ(arrival->at, Instant{7600});
}

TEST(TimedFaults, MessagesToAPausedActorWaitUntilItResumes) {
  TimedOptions options = fixed_latency(microseconds(200));
  options.plan = {{Instant{1100}, "B pauses"}, {Instant{5000}, "B resumes"}};
  const RunResult result =
      run(ping_pong_spec({.serves = 1, .faults = {fault(FaultKind::pause, {id(1)})}}), options);
  EXPECT_EQ(lines(result), (Lines{"+1.000ms A serves ball 1", "+1.100ms B pauses",
                                  "+5.000ms B resumes", "+5.000ms A -> B: ball 1",
                                  "+5.200ms B -> A: ball 1"}));
}

// A process that is stopped does nothing, but its clock goes on.
TEST(TimedFaults, CountdownsOfAPausedActorGoOn) {
  for (const std::uint64_t resumes : {4'000u, 50'000u}) {
    TimedOptions options = fixed_latency(milliseconds(1));
    options.horizon = milliseconds(55);
    options.plan = {{Instant{2'000}, "A pauses"}, {Instant{resumes}, "A resumes"}};
    const RunResult result =
        run(counter_spec({.faults = {fault(FaultKind::pause, {id(0)})}}), options);
    ASSERT_GE(result.steps.size(), 3u);
    EXPECT_EQ(result.steps[1].at, Instant{resumes});
    EXPECT_EQ(result.steps[2].event.text, "A counts to 1");
    EXPECT_EQ(result.steps[2].at, Instant{std::max<std::uint64_t>(10'000, resumes)});
  }
}

TEST(TimedFaults, CutLosesWhatIsInTheLinkAndTheNextMessageTakesItsOwnTime) {
  TimedOptions options = fixed_latency(microseconds(200));
  options.plan = {{Instant{1100}, "the links between A and B are cut"}};
  const RunResult lost = run(ping_pong_spec({.faults = {cut_of_a_and_b()}}), options);
  EXPECT_EQ(lines(lost), (Lines{"+1.000ms A serves ball 3",
                                "+1.100ms the links between A and B are cut"}));
  EXPECT_EQ(lost.stopped, StopReason::nothing_possible);

  options.plan = {{Instant{500}, "the links between A and B are cut"},
                  {Instant{900}, "the links between A and B heal"}};
  const RunResult healed =
      run(ping_pong_spec({.serves = 1, .faults = {cut_of_a_and_b()}}), options);
  // Without a link the serve is not possible; its countdown starts when the link heals.
  EXPECT_EQ(lines(healed), (Lines{"+0.500ms the links between A and B are cut",
                                  "+0.900ms the links between A and B heal",
                                  "+1.900ms A serves ball 1", "+2.100ms A -> B: ball 1",
                                  "+2.300ms B -> A: ball 1"}));
}

TEST(TimedFaults, MendingThatSomebodyElseDidIsNotDueAnyMore) {
  FaultRule crash = fault(FaultKind::crash, {id(0)});
  crash.at_most = 2;
  TimedOptions options = fixed_latency(milliseconds(1));
  options.mend = true;
  options.mend_min = options.mend_max = milliseconds(100);
  options.horizon = milliseconds(155);
  options.plan = {{Instant{5'000}, "A crashes"}, {Instant{6'000}, "A restarts"},
                  {Instant{15'000}, "A crashes"}};
  const RunResult result =
      run(counter_spec({.count = {seconds(1), seconds(1)}, .faults = {crash}}), options);
  EXPECT_EQ(lines(result),
            (Lines{"+5.000ms A crashes", "+6.000ms A restarts", "+15.000ms A crashes",
                   "+115.000ms A restarts"}));
}

TEST(TimedFaults, MendingComesAfterADrawnDelayUnlessTheOptionsForbidIt) {
  std::set<Instant> instants;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    TimedOptions options = fixed_latency(microseconds(200));
    options.seed = seed;
    options.mend = true;
    options.mend_min = milliseconds(100);
    options.mend_max = milliseconds(300);
    options.plan = {{Instant{500}, "the links between A and B are cut"}};
    const RunResult result = run(ping_pong_spec({.faults = {cut_of_a_and_b()}}), options);
    ASSERT_GE(result.steps.size(), 2u);
    EXPECT_EQ(result.steps[1].event.text, "the links between A and B heal");
    EXPECT_GE(result.steps[1].at, Instant{100'500});
    EXPECT_LE(result.steps[1].at, Instant{300'500});
    instants.insert(result.steps[1].at);
  }
  EXPECT_GT(instants.size(), 40u);
}

TEST(TimedFaults, PlannedEventComesFirstAtItsInstantAndIsNamedIfItWasNotPossible) {
  TimedOptions options = fixed_latency(microseconds(200));
  options.plan = {{Instant{1200}, "B crashes"}, {Instant{1300}, "B crashes"},
                  {Instant{1300}, "the moon falls down"}};
  const RunResult result =
      run(ping_pong_spec({.faults = {fault(FaultKind::crash, {id(1)})}}), options);
  EXPECT_EQ(lines(result), (Lines{"+1.000ms A serves ball 3", "+1.200ms B crashes"}));
  EXPECT_EQ(result.unused, (Lines{"B crashes", "the moon falls down"}));
}

TEST(TimedFaults, PlannedStepStandsForTheOneWhoseTimerWasArmed) {
  TimedOptions options = fixed_latency(microseconds(200));
  options.plan = {{Instant{300}, "A serves ball 1"}, {Instant{400}, "A -> B: ball 1"}};
  const RunResult result = run(ping_pong_spec({.serves = 1}), options);
  EXPECT_EQ(lines(result), (Lines{"+0.300ms A serves ball 1", "+0.400ms A -> B: ball 1",
                                  "+0.600ms B -> A: ball 1"}));
}

TEST(TimedFaults, LostReplyIsAskedForAgain) {
  FaultRule rule = fault(FaultKind::lose_reply, {id(0)});
  TimedOptions options = fixed_latency(microseconds(200));
  options.plan = {{Instant{3000}, "client asks (the reply is lost)"}};
  World world(make_system(caller_spec({.faults = {rule}})));
  const RunResult result = run_timed(world, options);
  EXPECT_EQ(lines(result), (Lines{"+3.000ms client asks (the reply is lost)",
                                  "+8.000ms client asks", "+13.000ms client asks"}));
  EXPECT_EQ(as<Caller>(world, 0).answers(), 2u);
  EXPECT_EQ(as<Caller>(world, 0).failures(), 1u);
  EXPECT_EQ(as<Server>(world, 1).served(), 3u);
}

TEST(TimedFaults, DrawnLossOfAReplyBefallsACall) {
  FaultRule rule = fault(FaultKind::lose_reply, {id(0)});
  rule.at_most = 2;
  std::map<std::uint32_t, std::size_t> runs_by_losses;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    TimedOptions options;
    options.seed = seed;
    options.draw_faults = true;
    World world(make_system(caller_spec({.wanted = 5, .faults = {rule}})));
    run_timed(world, options);
    EXPECT_EQ(as<Caller>(world, 0).answers(), 5u);
    ++runs_by_losses[as<Caller>(world, 0).failures()];
  }
  EXPECT_GT(runs_by_losses[0], 10u);
  EXPECT_GT(runs_by_losses[1], 10u);
  EXPECT_GT(runs_by_losses[2], 10u);
  EXPECT_EQ(runs_by_losses.size(), 3u);
}

TEST(TimedFaults, DrawnFaultsKeepTheirBudgetAndTheirWindow) {
  FaultRule rule = fault(FaultKind::crash, {id(0)});
  rule.at_most = 2;
  rule.window = Window{id(0), 2, 3};
  std::map<std::size_t, std::size_t> runs_by_crashes;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    TimedOptions options;
    options.seed = seed;
    options.draw_faults = true;
    World world(make_system(counter_spec({.count_max = 5, .faults = {rule}})));
    std::uint32_t value = 0;
    std::size_t crashes = 0;
    options.record.watch = [&](const World& now, const RunStep& step) {
      if (step.event.text == "A crashes") {
        ++crashes;
        EXPECT_GE(value, 2u);
        EXPECT_LE(value, 3u);
      }
      value = as<Counter>(now, 0).value();
    };
    run_timed(world, options);
    EXPECT_EQ(value, 5u);  // every crash was mended, and the count went on
    ++runs_by_crashes[crashes];
  }
  EXPECT_GT(runs_by_crashes[0], 50u);
  EXPECT_GT(runs_by_crashes[1], 50u);
  EXPECT_GT(runs_by_crashes[2], 10u);
  EXPECT_EQ(runs_by_crashes.size(), 3u);
}

TEST(TimedFaults, DrawnFaultsComeEarlyAndLateAndBefallEveryTarget) {
  std::map<std::string, std::size_t> victims;
  std::size_t within_a_millisecond = 0, after_a_second = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    TimedOptions options;
    options.seed = seed;
    options.draw_faults = true;
    options.mend = false;
    options.horizon = seconds(10);
    options.record.until = [](const World& world) { return world.environment().spent[0] > 0; };
    const RunResult result = run(
        beaters_spec({.delay = {seconds(1), seconds(1)},
                      .faults = {fault(FaultKind::crash, {id(0), id(1), id(2)})}}),
        options);
    if (result.stopped != StopReason::until) continue;
    ++victims[result.steps.back().event.text];
    if (result.end < Instant{1000}) ++within_a_millisecond;
    if (result.end > Instant{1'000'000}) ++after_a_second;
  }
  EXPECT_GT(victims["n0 crashes"], 10u);
  EXPECT_GT(victims["n1 crashes"], 10u);
  EXPECT_GT(victims["n2 crashes"], 10u);
  EXPECT_GT(within_a_millisecond, 10u);
  EXPECT_GT(after_a_second, 5u);
}

}  // namespace
}  // namespace slotlab::sim
