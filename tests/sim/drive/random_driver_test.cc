// The random driver and its choosers: what a seed decides, and how often each choice is made. The
// systems are toys, so that frequencies and interleavings can be worked out.
#include "sim/drive/random.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/sim/toy_actors.h"

namespace slotlab::sim {
namespace {

using namespace toys;

constexpr Choice kChoices[] = {Choice::by_kind, Choice::uniform, Choice::pct};

FaultRule crash_of(std::vector<ActorId> actors, std::uint8_t at_most = 1) {
  FaultRule rule;
  rule.kind = FaultKind::crash;
  rule.name = "crash";
  rule.actors = std::move(actors);
  rule.at_most = at_most;
  return rule;
}

RunResult run(SystemSpec spec, const RandomOptions& options) {
  World world(make_system(std::move(spec)));
  return run_random(world, options);
}

TEST(RandomDriver, SystemWithOneRunGivesThatRunWhateverTheSeedAndChoice) {
  std::set<std::uint64_t> fingerprints;
  for (const Choice choice : kChoices) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const RunResult result = run(ring_spec(), {.seed = seed, .choice = choice});
      // Three actors pass twice each; each pass is a step and a delivery.
      EXPECT_EQ(result.steps.size(), 12u);
      EXPECT_EQ(result.stopped, StopReason::nothing_possible);
      EXPECT_EQ(result.steps[0].event.text, "A passes the token");
      EXPECT_EQ(result.steps[11].event.text, "C -> A: the token");
      fingerprints.insert(result.fingerprint);
    }
  }
  EXPECT_EQ(fingerprints.size(), 1u);
}

TEST(RandomDriver, TwoRunsOfOneSeedAgreeStepByStepAndSeedsDiffer) {
  for (const Choice choice : kChoices) {
    std::set<std::uint64_t> fingerprints;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const SystemSpec spec = beaters_spec({.faults = {crash_of({id(0), id(1)}, 2)}});
      const RandomOptions options{.seed = seed, .steps_max = 200, .choice = choice};
      const RunResult first = run(spec, options);
      const RunResult second = run(spec, options);
      ASSERT_EQ(first.steps.size(), 200u);
      EXPECT_EQ(first.stopped, StopReason::steps);
      for (std::size_t i = 0; i < 200; ++i) {
        ASSERT_EQ(first.steps[i].event.action, second.steps[i].event.action) << "step " << i;
      }
      fingerprints.insert(first.fingerprint);
    }
    EXPECT_EQ(fingerprints.size(), 20u);
  }
}

TEST(RandomDriver, UniformChoiceTakesEachPossibleActionAlike) {
  // At the start: 6 heartbeats and 3 crashes.
  std::map<std::uint32_t, int> first;
  for (std::uint64_t seed = 0; seed < 4500; ++seed) {
    const RunResult result = run(beaters_spec({.faults = {crash_of({id(0), id(1), id(2)})}}),
                                 {.seed = seed, .steps_max = 1, .choice = Choice::uniform});
    ++first[result.steps.at(0).event.action.bits];
  }
  EXPECT_EQ(first.size(), 9u);
  for (const auto& [action, count] : first) {
    EXPECT_GT(count, 400) << action;
    EXPECT_LT(count, 600) << action;
  }
}

TEST(RandomDriver, KindIsChosenByWeightHoweverManyActionsItHas) {
  RandomOptions options{.steps_max = 1};
  options.weights.step = 3;
  options.weights.crash = 1;
  int crashes = 0;
  for (options.seed = 0; options.seed < 4000; ++options.seed) {
    const RunResult result = run(beaters_spec({.faults = {crash_of({id(0)})}}), options);
    crashes += result.steps.at(0).event.action.kind() == ActionKind::crash ? 1 : 0;
  }
  EXPECT_GT(crashes, 900);
  EXPECT_LT(crashes, 1100);
}

TEST(RandomDriver, KindOfWeightZeroIsTakenOnlyIfNothingElseIsPossible) {
  RandomOptions options;
  options.weights.crash = 0;
  options.weights.restart = 0;
  for (options.seed = 0; options.seed < 50; ++options.seed) {
    const RunResult result =
        run(ping_pong_spec({.serves = 1, .faults = {crash_of({id(1)})}}), options);
    ASSERT_EQ(result.steps.size(), 5u);
    EXPECT_EQ(result.steps[2].event.text, "B -> A: ball 1");
    EXPECT_EQ(result.steps[3].event.text, "B crashes");
    EXPECT_EQ(result.steps[4].event.text, "B restarts");
  }
}

TEST(RandomDriver, StopsWhenTheConditionHolds) {
  RandomOptions options;
  options.record.until = [](const World& world) { return as<Player>(world, 0).returned() == 1; };
  const RunResult result = run(ping_pong_spec(), options);
  EXPECT_EQ(result.stopped, StopReason::until);
  EXPECT_EQ(result.steps.size(), 3u);
  EXPECT_EQ(result.steps[2].event.notes, std::vector<std::string>{"A: caught"});
}

TEST(PctChooser, LetsEverybodyRunInTheEndThoughHeartbeatsGoOnForEver) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    World world(make_system(beaters_spec({.actors = 4})));
    run_random(world, {.seed = seed, .steps_max = 2000, .choice = Choice::pct});
    for (std::size_t a = 0; a < 4; ++a) EXPECT_EQ(as<Beater>(world, a).heard(), 3u) << seed;
  }
}

// How often another actor than before had the turn.
std::size_t switches_in(const RunResult& run) {
  std::size_t switches = 0;
  for (std::size_t i = 1; i < run.steps.size(); ++i) {
    if (run.steps[i].event.action.a() != run.steps[i - 1].event.action.a()) ++switches;
  }
  return switches;
}

TEST(PctChooser, WithoutChangesTheThreadOfHighestPriorityRunsOnUntilItCannot) {
  // A counter that is first counts to its end before it saves or the other moves.
  SystemSpec spec;
  spec.names = letters(2);
  const auto counter = std::make_shared<Counter>(3, Times{}, Times{});
  spec.actors = {counter, counter};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RunResult result =
        run(spec, {.seed = seed, .choice = Choice::pct, .pct = {.depth = 1, .patience = 100}});
    const std::size_t switches = switches_in(result);
    EXPECT_EQ(switches, 1u) << seed;
  }
}

TEST(PctChooser, ChangeOfPriorityInterruptsTheRunningThread) {
  SystemSpec spec;
  spec.names = letters(2);
  const auto counter = std::make_shared<Counter>(10, Times{}, Times{});
  spec.actors = {counter, counter};
  std::size_t interrupted = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RunResult result =
        run(spec, {.seed = seed,
                   .choice = Choice::pct,
                   .pct = {.depth = 2, .steps_expected = 12, .patience = 1000}});
    const std::size_t switches = switches_in(result);
    EXPECT_LE(switches, 2u);
    if (switches == 2) ++interrupted;
  }
  EXPECT_GT(interrupted, 25u);
}

TEST(PctChooser, OptionsOutsideTheirRangesAreRefused) {
  EXPECT_THROW(PctChooser(1, {.depth = 0}), std::invalid_argument);
  EXPECT_THROW(PctChooser(1, {.steps_expected = 0}), std::invalid_argument);
  EXPECT_THROW(PctChooser(1, {.patience = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace slotlab::sim
