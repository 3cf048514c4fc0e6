// Timed runs of systems whose every instant can be worked out by hand. Latencies are fixed unless a
// test is about how they are drawn; faults have a file of their own.
#include "sim/drive/timed.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/drive/replay.h"
#include "tests/sim/drive/timed_fixture.h"

namespace slotlab::sim {
namespace {

using namespace toys;

TEST(TimedDriver, EachEventHappensAtTheInstantWorkedOutByHand) {
  const RunResult result =
      run(ping_pong_spec({.serves = 2}), fixed_latency(microseconds(200)));
  EXPECT_EQ(lines(result), (Lines{"+1.000ms A serves ball 2", "+1.200ms A -> B: ball 2",
                                  "+1.400ms B -> A: ball 2", "+2.400ms A serves ball 1",
                                  "+2.600ms A -> B: ball 1", "+2.800ms B -> A: ball 1"}));
  EXPECT_EQ(result.stopped, StopReason::nothing_possible);
  EXPECT_EQ(result.end, Instant{2800});
  EXPECT_EQ(result.events, 6u);
}

TEST(TimedDriver, AtOneInstantDeliveriesComeBeforeStepsAndEqualsInOrderOfScheduling) {
  TimedOptions options = fixed_latency(milliseconds(1));
  options.horizon = milliseconds(2);
  const RunResult result =
      run(beaters_spec({.actors = 2, .delay = {milliseconds(1), milliseconds(1)}}), options);
  EXPECT_EQ(lines(result),
            (Lines{"+1.000ms n0 sends its heartbeat 1", "+1.000ms n1 sends its heartbeat 0",
                   "+2.000ms n0 -> n1: heartbeat", "+2.000ms n1 -> n0: heartbeat",
                   "+2.000ms n0 sends its heartbeat 1", "+2.000ms n1 sends its heartbeat 0"}));
  EXPECT_EQ(result.stopped, StopReason::horizon);
  EXPECT_EQ(result.end, Instant{2000});
}

TEST(TimedDriver, MessageIsNeitherFasterThanItsLatencyNorThanTheOneBeforeIt) {
  TimedOptions options;
  options.latency_min = microseconds(100);
  options.latency_max = milliseconds(5);
  options.horizon = milliseconds(500);
  const RunResult result =
      run(beaters_spec({.actors = 2, .delay = {microseconds(300), milliseconds(3)}, .room = 4}),
          options);
  std::map<std::string, std::vector<Instant>> sent, arrived;
  for (const RunStep& step : result.steps) {
    if (step.event.text == "n0 sends its heartbeat 1") sent["0-1"].push_back(step.at);
    if (step.event.text == "n1 sends its heartbeat 0") sent["1-0"].push_back(step.at);
    if (step.event.text == "n0 -> n1: heartbeat") arrived["0-1"].push_back(step.at);
    if (step.event.text == "n1 -> n0: heartbeat") arrived["1-0"].push_back(step.at);
  }
  std::size_t held_up = 0;
  for (const auto& [link, arrivals] : arrived) {
    ASSERT_GT(arrivals.size(), 100u);
    Instant before;
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      EXPECT_GE(arrivals[i], sent[link][i] + options.latency_min) << link << i;
      EXPECT_LE(arrivals[i], std::max(before, sent[link][i] + options.latency_max)) << link << i;
      EXPECT_GE(arrivals[i], before) << link << i;
      if (arrivals[i] == before) ++held_up;
      before = arrivals[i];
    }
  }
  EXPECT_GT(held_up, 10u);  // otherwise this test says nothing about FIFO
}

TEST(TimedDriver, StepWhoseLinkHasNoRoomIsDrawnAnewUntilItHas) {
  TimedOptions options = fixed_latency(milliseconds(10));
  options.horizon = milliseconds(33);
  const RunResult result =
      run(beaters_spec({.actors = 2, .delay = {milliseconds(1), milliseconds(1)}}), options);
  std::vector<std::uint64_t> sends;
  for (const RunStep& step : result.steps) {
    if (step.event.text == "n0 sends its heartbeat 1") sends.push_back(step.at.us);
  }
  // Sent at 1 ms, it is in the link until 11 ms; the attempts from 2 ms on wait 10 ms each, which
  // is the least that a link of this latency needs to make room.
  EXPECT_EQ(sends, (std::vector<std::uint64_t>{1000, 12000, 23000}));
}

TEST(TimedDriver, RearmRestartsTheCountdownOfAStep) {
  for (const bool rearms : {false, true}) {
    TimedOptions options = fixed_latency(milliseconds(1));
    options.horizon = milliseconds(210);
    const RunResult result =
        run(beaters_spec({.actors = 2, .hearing_rearms = rearms}), options);
    std::vector<std::uint64_t> sends;
    for (const RunStep& step : result.steps) {
      if (step.event.text == "n0 sends its heartbeat 1") sends.push_back(step.at.us);
    }
    EXPECT_EQ(sends, (std::vector<std::uint64_t>{100'000, rearms ? 201'000u : 200'000u}));
  }
}

TEST(TimedDriver, ARunInStretchesIsTheRunInOnePiece) {
  // Each stretch is shorter than any timer: timers that began anew with each would never fire.
  TimedOptions options = fixed_latency(milliseconds(1));
  options.horizon = milliseconds(300);
  const RunResult whole = run(beaters_spec({.actors = 3}), options);
  World world(make_system(beaters_spec({.actors = 3})));
  class TimedDriver driver(world, options);
  Lines pieces;
  for (int i = 0; i < 300; ++i) {
    for (const std::string& line : lines(driver.run(milliseconds(1), {}))) pieces.push_back(line);
  }
  EXPECT_EQ(driver.now().us, 300'000u);
  EXPECT_EQ(pieces, lines(whole));
  EXPECT_GT(pieces.size(), 10u);
}

TEST(TimedDriver, WhatTheCallerDoesBetweenStretchesCounts) {
  TimedOptions options = fixed_latency(milliseconds(1));
  World world(make_system(counter_spec({.faults = {fault(FaultKind::stop, {id(0)})}})));
  class TimedDriver driver(world, options);
  Lines seen = lines(driver.run(milliseconds(15), {}));
  driver.take(*find_action(world, "A stops"));
  for (const std::string& line : lines(driver.run(milliseconds(100), {}))) seen.push_back(line);
  EXPECT_EQ(seen, (Lines{"+10.000ms A counts to 1", "+35.000ms A saves 1"}));
}

TEST(TimedDriver, StepThatIsNotOfferedAnyMoreIsCancelled) {
  // The counter that stopped counts no further; what it counted it still saves.
  TimedOptions options = fixed_latency(milliseconds(1));
  options.plan = {{Instant{15'000}, "A stops"}};
  const RunResult result =
      run(counter_spec({.faults = {fault(FaultKind::stop, {id(0)})}}), options);
  EXPECT_EQ(lines(result), (Lines{"+10.000ms A counts to 1", "+15.000ms A stops",
                                  "+35.000ms A saves 1"}));
}

TEST(TimedDriver, StepWhoseDelayRangeChangesIsDrawnAnew) {
  SystemSpec spec;
  spec.names = letters(2);
  spec.actors = {std::make_shared<Player>(id(1), 1, Times{milliseconds(5), milliseconds(5)}),
                 std::make_shared<Guest>(seconds(1), milliseconds(10))};
  spec.links = {{.from = id(0), .to = id(1)}};
  EXPECT_EQ(lines(run(spec, fixed_latency(milliseconds(1)))),
            (Lines{"+5.000ms A serves ball 1", "+6.000ms A -> B: a message",
                   "+16.000ms B leaves"}));
}

TEST(TimedDriver, StepWhoseBudgetSomebodyElseSpentIsCancelled) {
  SystemSpec spec;
  spec.names = letters(2);
  spec.actors = {std::make_shared<Guest>(seconds(1), seconds(1), std::uint8_t{0}),
                 std::make_shared<Guest>(seconds(2), seconds(2), std::uint8_t{0})};
  spec.step_budgets = {{.name = "seats", .at_most = 1}};
  const RunResult result = run(std::move(spec), fixed_latency(milliseconds(1)));
  EXPECT_EQ(lines(result), Lines{"+1000.000ms A leaves"});
  EXPECT_EQ(result.stopped, StopReason::nothing_possible);
}

TEST(TimedDriver, QuietOnceEveryHeartbeatHadItsTurnAndNothingChangedForTheLengthAskedFor) {
  TimedOptions options = fixed_latency(milliseconds(1));
  options.quiet_for = seconds(1);
  // All are heard at 101 ms, all heartbeats armed before that have been sent at 200 ms.
  const RunResult result = run(beaters_spec(), options);
  EXPECT_EQ(result.stopped, StopReason::quiet);
  EXPECT_EQ(result.end, Instant{1'200'000});
}

TEST(TimedDriver, NotQuietWhileAPlannedEventOrAMendingIsDue) {
  TimedOptions options = fixed_latency(milliseconds(1));
  options.quiet_for = seconds(1);
  options.mend = true;
  options.mend_min = options.mend_max = seconds(4);
  options.plan = {{Instant{3'000'000}, "n0 crashes"}};
  const RunResult result =
      run(beaters_spec({.faults = {fault(FaultKind::crash, {id(0)})}}), options);
  EXPECT_EQ(result.stopped, StopReason::quiet);
  EXPECT_GE(result.end, Instant{8'000'000});
  EXPECT_LE(result.end, Instant{8'300'000});
}

TEST(TimedDriver, NotQuietBeforeASlowButFairStepWasTaken) {
  SystemSpec spec = counter_spec({.count_max = 2,
                                  .count = {seconds(10), seconds(10)},
                                  .save = {seconds(5), seconds(5)}});
  TimedOptions options;
  options.quiet_for = milliseconds(10);
  World world(make_system(std::move(spec)));
  const RunResult result = run_timed(world, options);
  EXPECT_EQ(as<Counter>(world, 0).value(), 2u);
  EXPECT_EQ(result.stopped, StopReason::nothing_possible);
}

TEST(TimedDriver, NotQuietBeyondTheHorizon) {
  TimedOptions options = fixed_latency(milliseconds(1));
  options.quiet_for = milliseconds(1050);  // it would be quiet at 1250 ms
  options.horizon = milliseconds(1220);
  const RunResult result = run(beaters_spec(), options);
  EXPECT_EQ(result.stopped, StopReason::horizon);
  EXPECT_EQ(result.end, Instant{1'220'000});
}

TEST(TimedDriver, AnotherLatencyLeavesTheDelaysOfStepsAsTheyWere) {
  const auto sends = [](Duration latency_max) {
    TimedOptions options;
    options.latency_min = microseconds(10);
    options.latency_max = latency_max;
    options.horizon = seconds(1);
    std::vector<std::uint64_t> times;
    const RunResult result =
        run(beaters_spec({.delay = {milliseconds(5), milliseconds(50)}, .room = 4}), options);
    for (const RunStep& step : result.steps) {
      if (step.event.action.kind() == ActionKind::step) times.push_back(step.at.us);
    }
    return times;
  };
  EXPECT_EQ(sends(microseconds(20)), sends(milliseconds(4)));
}

SystemSpec faulty_beaters() {
  FaultRule crash = fault(FaultKind::crash, {id(0), id(1), id(2)});
  crash.at_most = 3;
  FaultRule pause = fault(FaultKind::pause, {id(0), id(2)});
  return beaters_spec(
      {.delay = {milliseconds(5), milliseconds(50)}, .faults = {crash, pause, cut_of_a_and_b()}});
}

TEST(TimedDriver, TwoRunsOfOneSeedAgreeStepByStep) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    TimedOptions options;
    options.seed = seed;
    options.draw_faults = true;
    options.horizon = seconds(5);
    const RunResult first = run(faulty_beaters(), options);
    const RunResult second = run(faulty_beaters(), options);
    ASSERT_EQ(first.steps.size(), second.steps.size());
    for (std::size_t i = 0; i < first.steps.size(); ++i) {
      ASSERT_EQ(first.steps[i].at, second.steps[i].at) << "step " << i;
      ASSERT_EQ(first.steps[i].event.action, second.steps[i].event.action) << "step " << i;
      ASSERT_EQ(first.steps[i].event.text, second.steps[i].event.text) << "step " << i;
    }
    EXPECT_EQ(first.fingerprint, second.fingerprint);
    options.seed += 1000;
    EXPECT_NE(run(faulty_beaters(), options).fingerprint, first.fingerprint);
  }
}

TEST(TimedDriver, StepsThatAreNotKeptStillCountAndAreSeen) {
  TimedOptions options;
  options.draw_faults = true;
  options.horizon = seconds(2);
  const RunResult kept = run(faulty_beaters(), options);
  options.record.keep_steps = false;
  std::size_t seen = 0;
  options.record.watch = [&](const World&, const RunStep&) { ++seen; };
  const RunResult dropped = run(faulty_beaters(), options);
  EXPECT_TRUE(dropped.steps.empty());
  EXPECT_EQ(dropped.events, kept.events);
  EXPECT_EQ(dropped.fingerprint, kept.fingerprint);
  EXPECT_EQ(seen, kept.steps.size());
}

TEST(TimedDriver, StopsAtTheNumberOfEventsOrWhenTheConditionHolds) {
  TimedOptions options;
  options.events_max = 4;
  const RunResult four = run(ping_pong_spec(), options);
  EXPECT_EQ(four.stopped, StopReason::steps);
  EXPECT_EQ(four.steps.size(), 4u);
  options.events_max = 100;
  options.record.until = [](const World& w) { return as<Player>(w, 0).returned() == 2; };
  const RunResult two = run(ping_pong_spec(), options);
  EXPECT_EQ(two.stopped, StopReason::until);
  EXPECT_EQ(two.steps.size(), 6u);
}

TEST(TimedDriver, OptionsOutsideTheirRangesAreRefused) {
  World world(make_system(ping_pong_spec()));
  TimedOptions latency, mending, span;
  latency.latency_min = latency.latency_max + microseconds(1);
  mending.mend_min = mending.mend_max + microseconds(1);
  span.fault_span = microseconds(0);
  EXPECT_THROW(run_timed(world, latency), std::invalid_argument);
  EXPECT_THROW(run_timed(world, mending), std::invalid_argument);
  EXPECT_THROW(run_timed(world, span), std::invalid_argument);
}

}  // namespace
}  // namespace slotlab::sim
