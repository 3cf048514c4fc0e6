// The search against graphs whose every count was made by hand: states, transitions, depth, the
// verdicts of always and sometimes, and what each bound does to them.
#include "sim/check/explorer.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "sim/check/run_path.h"
#include "tests/sim/check/graph_space.h"

namespace slotlab::sim {
namespace {

// 0 -> 1 -> 3 -> 4, 0 -> 2 -> 3, a loop at 2, and 5, which nothing leads to.
GraphSpace diamond() {
  GraphSpace space;
  space.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 2}, {3, 4}, {5, 0}};
  return space;
}

// 0 -> 1 -> ... -> length.
GraphSpace chain(std::uint32_t length) {
  GraphSpace space;
  for (std::uint32_t i = 0; i < length; ++i) space.edges.push_back({i, i + 1});
  return space;
}

std::vector<std::uint32_t> nodes_along(const Space& space, const Run& run) {
  std::vector<std::uint32_t> nodes;
  for (const auto& state : states_along(space, run)) nodes.push_back(state[0]);
  return nodes;
}

TEST(Explorer, CountsStatesTransitionsAndDepth) {
  GraphSpace space = diamond();
  const ExploreResult result = explore(space, {});
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.stopped_by, "");
  EXPECT_EQ(result.states, 5u);
  EXPECT_EQ(result.transitions, 6u);  // the self-loop is one of them, the edge from 5 is not
  EXPECT_EQ(result.depth, 3u);
  EXPECT_EQ(result.rounds, 1u);
  ASSERT_EQ(result.bounds.size(), 1u);
  EXPECT_TRUE(result.bounds[0].hit);
  ASSERT_EQ(result.figures.size(), 1u);
  EXPECT_EQ(result.figures[0].value, 7u);
}

TEST(Explorer, SearchesFromEveryInitialState) {
  GraphSpace space = diamond();
  space.start = {4, 5};
  space.properties = {{.name = "not 3", .holds_in = {0, 1, 2, 4, 5}, .then_in = {}}};
  const ExploreResult result = explore(space, {});
  EXPECT_EQ(result.states, 6u);
  EXPECT_EQ(result.transitions, 7u);
  EXPECT_EQ(result.depth, 3u);
  ASSERT_TRUE(result.properties[0].run);
  EXPECT_EQ(result.properties[0].run->initial, 1u);
  const auto nodes = nodes_along(space, *result.properties[0].run);
  EXPECT_EQ(nodes.size(), 4u);
  EXPECT_EQ(nodes.front(), 5u);
  EXPECT_EQ(nodes.back(), 3u);
}

TEST(Explorer, AlwaysHoldsWhenNoReachableStateViolatesIt) {
  GraphSpace space = diamond();
  space.properties = {{.name = "not 5", .holds_in = {0, 1, 2, 3, 4}, .then_in = {}}};
  const PropertyResult property = explore(space, {}).properties[0];
  EXPECT_EQ(property.verdict, Verdict::holds);
  EXPECT_EQ(property.states, 0u);
  EXPECT_FALSE(property.depth);
  EXPECT_FALSE(property.run);
}

TEST(Explorer, AlwaysIsViolatedByAShortestRun) {
  GraphSpace space = diamond();
  space.properties = {{.name = "neither 3 nor 4", .holds_in = {0, 1, 2}, .then_in = {}}};
  const PropertyResult property = explore(space, {}).properties[0];
  EXPECT_EQ(property.verdict, Verdict::violated);
  EXPECT_EQ(property.states, 2u);
  EXPECT_EQ(property.depth, 2u);
  ASSERT_TRUE(property.run);
  EXPECT_EQ(property.run->actions.size(), 2u);
  EXPECT_EQ(nodes_along(space, *property.run).back(), 3u);
  EXPECT_EQ(property.explanation, "at node 3");
}

TEST(Explorer, AViolatedInitialStateHasAnEmptyRun) {
  GraphSpace space = diamond();
  space.properties = {{.name = "never", .holds_in = {}, .then_in = {}}};
  const PropertyResult property = explore(space, {}).properties[0];
  EXPECT_EQ(property.states, 5u);
  EXPECT_EQ(property.depth, 0u);
  EXPECT_EQ(property.run, sim::Run{});
}

TEST(Explorer, OfParallelActionsTheFirstIsReported) {
  GraphSpace space;
  space.edges = {{0, 0}, {0, 1}, {0, 1}};
  space.properties = {{.name = "not 1", .holds_in = {0}, .then_in = {}}};
  EXPECT_EQ(explore(space, {}).properties[0].run->actions, std::vector<Action>{Action{1}});
}

TEST(Explorer, SometimesHoldsWithAWitnessAndIsViolatedWithout) {
  GraphSpace space = diamond();
  space.properties = {{.name = "at 4", .mood = Mood::sometimes, .holds_in = {4}, .then_in = {}},
                      {.name = "at 5", .mood = Mood::sometimes, .holds_in = {5}, .then_in = {}}};
  const ExploreResult result = explore(space, {});
  EXPECT_EQ(result.properties[0].verdict, Verdict::holds);
  EXPECT_EQ(result.properties[0].states, 1u);
  EXPECT_EQ(nodes_along(space, *result.properties[0].run).back(), 4u);
  EXPECT_EQ(result.properties[1].verdict, Verdict::violated);
  EXPECT_FALSE(result.properties[1].run);
}

TEST(Explorer, DepthBoundMakesVerdictsInconclusive) {
  GraphSpace space = chain(10);
  space.properties = {
      {.name = "not 7", .holds_in = {0, 1, 2, 3, 4, 5, 6, 8, 9, 10}, .then_in = {}},
      {.name = "at 9", .mood = Mood::sometimes, .holds_in = {9}, .then_in = {}},
      {.name = "at 2", .mood = Mood::sometimes, .holds_in = {2}, .then_in = {}},
      {.name = "settles", .mood = Mood::eventually_always, .holds_in = {10}, .then_in = {}}};
  const ExploreResult result = explore(space, {.depth_max = 5});
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.stopped_by, "depth");
  EXPECT_EQ(result.states, 6u);
  EXPECT_EQ(result.depth, 5u);
  EXPECT_EQ(result.transitions, 5u);
  EXPECT_EQ(result.properties[0].verdict, Verdict::inconclusive);
  EXPECT_NE(result.properties[0].explanation.find("at its depth bound"), std::string::npos);
  EXPECT_EQ(result.properties[1].verdict, Verdict::inconclusive);
  EXPECT_EQ(result.properties[2].verdict, Verdict::holds);
  EXPECT_EQ(result.properties[3].verdict, Verdict::inconclusive);
}

TEST(Explorer, AViolationFoundWithinABoundIsAViolation) {
  GraphSpace space = chain(10);
  space.properties = {{.name = "not 3", .holds_in = {0, 1, 2}, .then_in = {}}};
  const ExploreResult result = explore(space, {.depth_max = 3});
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.properties[0].verdict, Verdict::violated);
  EXPECT_EQ(result.properties[0].depth, 3u);
}

TEST(Explorer, BoundThatIsNotMetDoesNotMatter) {
  GraphSpace space = diamond();
  EXPECT_TRUE(explore(space, {.depth_max = 4}).complete);
  EXPECT_TRUE(explore(space, {.states_max = 6}).complete);
  EXPECT_TRUE(explore(space, {.memory_max_bytes = std::uint64_t{1} << 30}).complete);
  EXPECT_TRUE(explore(space, {.seconds_max = 600}).complete);
}

TEST(Explorer, StatesBoundEndsTheSearch) {
  GraphSpace space = chain(50);
  space.properties = {{.name = "not 50", .holds_in = {}, .then_in = {}}};
  space.properties[0].holds_in.resize(50);
  for (std::uint32_t i = 0; i < 50; ++i) space.properties[0].holds_in[i] = i;
  const ExploreResult result = explore(space, {.states_max = 20});
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.stopped_by, "states");
  EXPECT_EQ(result.states, 20u);
  EXPECT_EQ(result.properties[0].verdict, Verdict::inconclusive);
}

TEST(Explorer, MemoryBudgetEndsTheSearch) {
  GraphSpace space = chain(50);
  const ExploreResult result = explore(space, {.memory_max_bytes = 1000});
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.stopped_by, "memory");
  EXPECT_LT(result.states, 51u);
}

TEST(Explorer, TimeBudgetEndsTheSearch) {
  GraphSpace space = chain(50);
  const ExploreResult result = explore(space, {.seconds_max = 1e-9});
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.stopped_by, "time");
}

TEST(Explorer, InterruptEndsTheSearchAndKeepsWhatIsKnown) {
  GraphSpace space = chain(50);
  space.properties = {{.name = "not 0", .holds_in = {}, .then_in = {}}};
  const std::atomic<bool> interrupt = true;
  const ExploreResult result = explore(space, {.interrupt = &interrupt});
  EXPECT_EQ(result.stopped_by, "interrupt");
  EXPECT_EQ(result.properties[0].verdict, Verdict::violated);
  EXPECT_EQ(result.properties[0].depth, 0u);
}

TEST(Explorer, StopsWhenDecidedAtTheEndOfALevel) {
  GraphSpace space = chain(50);
  space.properties = {{.name = "not 3", .holds_in = {0, 1, 2}, .then_in = {}},
                      {.name = "at 5", .mood = Mood::sometimes, .holds_in = {5}, .then_in = {}}};
  const ExploreResult early = explore(space, {.stop_when_decided = true});
  EXPECT_EQ(early.stopped_by, "decided");
  EXPECT_FALSE(early.complete);
  EXPECT_EQ(early.depth, 5u);
  EXPECT_EQ(early.properties[0].verdict, Verdict::violated);
  EXPECT_EQ(early.properties[1].verdict, Verdict::holds);
  space.properties.push_back(
      {.name = "settles", .mood = Mood::eventually_always, .holds_in = {50}, .then_in = {}});
  const ExploreResult whole = explore(space, {.stop_when_decided = true});
  EXPECT_TRUE(whole.complete);
  EXPECT_EQ(whole.properties[2].verdict, Verdict::holds);
}

TEST(Explorer, LeavesOutTheLongRunWhenAsked) {
  GraphSpace space = chain(50);
  space.properties = {
      {.name = "settles", .mood = Mood::eventually_always, .holds_in = {50}, .then_in = {}},
      {.name = "at 5", .mood = Mood::sometimes, .holds_in = {5}, .then_in = {}}};
  const ExploreResult result = explore(space, {.stop_when_decided = true, .skip_long_run = true});
  EXPECT_EQ(result.stopped_by, "decided");
  EXPECT_EQ(result.properties[0].verdict, Verdict::inconclusive);
  EXPECT_EQ(result.properties[0].explanation,
            "what was left out of this search may matter in the long run");
}

TEST(Explorer, RepeatsAsLongAsTheSpaceNeedsAnotherRound) {
  GraphSpace space = diamond();
  space.rounds_needed = 3;
  const ExploreResult result = explore(space, {});
  EXPECT_EQ(result.rounds, 3u);
  EXPECT_EQ(result.states, 5u);
  EXPECT_EQ(result.transitions, 6u);
}

TEST(Explorer, ExactModeTellsCollidingStatesApart) {
  GraphSpace space = chain(200);
  space.fingerprint_mask = 7;
  space.properties = {
      {.name = "at 200", .mood = Mood::sometimes, .holds_in = {200}, .then_in = {}}};
  const ExploreResult narrow = explore(space, {.width = FingerprintWidth::bits64});
  EXPECT_LE(narrow.states, 8u);  // what goes wrong when fingerprints collide
  const ExploreResult exact = explore(space, {.width = FingerprintWidth::exact});
  EXPECT_EQ(exact.states, 201u);
  EXPECT_EQ(exact.depth, 200u);
  EXPECT_EQ(exact.collision_probability, 0);
  ASSERT_TRUE(exact.properties[0].run);
  EXPECT_EQ(nodes_along(space, *exact.properties[0].run).back(), 200u);
  EXPECT_EQ(exact.figures[1].name, "fingerprint collisions");
  EXPECT_GE(exact.figures[1].value, 193u);
}

TEST(Explorer, TheLongRunIsNotJudgedByCollidingFingerprints) {
  GraphSpace space = chain(200);
  space.fingerprint_mask = 7;
  space.properties = {
      {.name = "settles", .mood = Mood::eventually_always, .holds_in = {200}, .then_in = {}}};
  const ExploreResult exact = explore(space, {.width = FingerprintWidth::exact});
  EXPECT_TRUE(exact.complete);
  EXPECT_EQ(exact.properties[0].verdict, Verdict::inconclusive);
}

TEST(Explorer, CollisionProbabilityIsTheBirthdayBound) {
  GraphSpace space = chain(1023);
  EXPECT_EQ(explore(space, {}).collision_probability, 0x1p-45);  // (2^10)^2 / 2^65
  EXPECT_EQ(explore(space, {.width = FingerprintWidth::bits128}).collision_probability, 0x1p-109);
}

TEST(Explorer, RefusesOptionsOutsideTheirRanges) {
  GraphSpace space = diamond();
  EXPECT_THROW(explore(space, {.threads = 0}), std::invalid_argument);
  EXPECT_THROW(explore(space, {.threads = 65}), std::invalid_argument);
  EXPECT_THROW(explore(space, {.seconds_max = -1}), std::invalid_argument);
  EXPECT_THROW(explore(space, {.states_max = 0}), std::invalid_argument);
}

TEST(StatesAlong, RefusesARunThatIsNotPossible) {
  GraphSpace space = diamond();
  EXPECT_THROW(states_along(space, sim::Run{.initial = 1, .actions = {}}), std::invalid_argument);
  EXPECT_THROW(states_along(space, sim::Run{.actions = {Action{0}, Action{0}}}),
               std::invalid_argument);
  EXPECT_EQ(nodes_along(space, sim::Run{.actions = {Action{1}, Action{4}, Action{3}}}),
            (std::vector<std::uint32_t>{0, 2, 2, 3}));
}

}  // namespace
}  // namespace slotlab::sim
