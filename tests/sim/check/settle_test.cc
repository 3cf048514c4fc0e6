// What happens in the long run, on graphs small enough to see by eye. Most graphs are used twice,
// so that the one thing that matters (a loop, a fairness class, an exit) is the only difference.
#include "sim/check/settle.h"

#include <gtest/gtest.h>

#include "sim/check/explorer.h"
#include "sim/check/run_path.h"
#include "tests/sim/check/graph_space.h"

namespace slotlab::sim {
namespace {

constexpr std::uint16_t kA = 0;
constexpr std::uint16_t kB = 1;

std::vector<std::uint32_t> nodes_along(const Space& space, const Run& run) {
  std::vector<std::uint32_t> nodes;
  for (const auto& state : states_along(space, run)) nodes.push_back(state[0]);
  return nodes;
}

PropertyResult settles(std::vector<ListedEdge> edges, std::vector<std::uint32_t> holds_in) {
  GraphSpace space;
  space.edges = std::move(edges);
  space.properties = {{.name = "settles",
                       .mood = Mood::eventually_always,
                       .holds_in = std::move(holds_in),
                       .then_in = {}}};
  return explore(space, {}).properties[0];
}

PropertyResult leads_to(std::vector<ListedEdge> edges, std::vector<std::uint32_t> p,
                        std::vector<std::uint32_t> q) {
  GraphSpace space;
  space.edges = std::move(edges);
  space.properties = {{.name = "follows",
                       .mood = Mood::leads_to,
                       .holds_in = std::move(p),
                       .then_in = std::move(q)}};
  return explore(space, {}).properties[0];
}

TEST(EventuallyAlways, HoldsWhenTheOnlyEndHolds) {
  EXPECT_EQ(settles({{0, 1}, {1, 2}}, {2}).verdict, Verdict::holds);
}

TEST(EventuallyAlways, IsViolatedByAnEndThatDoesNotHold) {
  const PropertyResult result = settles({{0, 1}, {1, 2}, {1, 3}}, {2});
  EXPECT_EQ(result.verdict, Verdict::violated);
  EXPECT_EQ(result.states, 1u);
  EXPECT_EQ(result.depth, 2u);
  ASSERT_TRUE(result.run);
  EXPECT_EQ(result.run->actions, (std::vector<Action>{Action{0}, Action{2}}));
  EXPECT_EQ(result.run->cycle_start, SIZE_MAX);
  EXPECT_EQ(result.explanation, "at node 3");
}

TEST(EventuallyAlways, PassingThroughAStateWithoutLoopDoesNotCount) {
  EXPECT_EQ(settles({{0, 1, kA}, {1, 2, kA}}, {2}).verdict, Verdict::holds);
}

TEST(EventuallyAlways, ASelfLoopIsACycle) {
  const PropertyResult result = settles({{0, 1}, {1, 1}, {1, 2}}, {0, 2});
  EXPECT_EQ(result.verdict, Verdict::violated);
  ASSERT_TRUE(result.run);
  EXPECT_EQ(result.run->actions, (std::vector<Action>{Action{0}, Action{1}}));
  EXPECT_EQ(result.run->cycle_start, 1u);
}

TEST(EventuallyAlways, FairnessForcesTheWayOutOfASelfLoop) {
  EXPECT_EQ(settles({{0, 1}, {1, 1, kA}, {1, 2, kB}}, {0, 2}).verdict, Verdict::holds);
}

TEST(EventuallyAlways, AnExitOfTheClassThatTheLoopTakesIsNotForced) {
  EXPECT_EQ(settles({{0, 1}, {1, 1, kA}, {1, 2, kA}}, {0, 2}).verdict, Verdict::violated);
}

TEST(EventuallyAlways, WeakFairnessDoesNotForceAnExitThatIsNotAlwaysPossible) {
  // Between 1 and 2 for ever: class B is possible at 1 only.
  const PropertyResult result = settles({{0, 1}, {1, 2, kA}, {2, 1, kA}, {1, 3, kB}}, {0, 2, 3});
  EXPECT_EQ(result.verdict, Verdict::violated);
  EXPECT_EQ(result.states, 1u);
  // Possible at both, it is forced.
  EXPECT_EQ(settles({{0, 1}, {1, 2, kA}, {2, 1, kA}, {1, 3, kB}, {2, 3, kB}}, {0, 2, 3}).verdict,
            Verdict::holds);
}

TEST(EventuallyAlways, AStateThatIsPassedThroughDoesNotCountForTheComponentJudgedAfterIt) {
  EXPECT_EQ(settles({{0, 0, kB}, {0, 1, kA}, {1, 2, kA}}, {2}).verdict, Verdict::holds);
}

TEST(EventuallyAlways, TheCyclePaysEveryClassAndVisitsAStateThatFails) {
  GraphSpace space;
  // A ring 1 2 3 4 with a class of its own on each edge, and a short cut back from 2 to 1.
  space.edges = {{0, 1},
                 {1, 2, 0},
                 {2, 3, 1},
                 {3, 4, 2},
                 {4, 1, 3},
                 {2, 1, 4},
                 // Each class is possible everywhere, by loops, so that all must be taken.
                 {1, 1, 1},
                 {2, 2, 0},
                 {3, 3, 0},
                 {4, 4, 0}};
  space.properties = {
      {.name = "not 3", .mood = Mood::eventually_always, .holds_in = {0, 1, 2, 4}, .then_in = {}}};
  const PropertyResult result = explore(space, {}).properties[0];
  EXPECT_EQ(result.verdict, Verdict::violated);
  ASSERT_TRUE(result.run);
  EXPECT_EQ(result.run->cycle_start, 1u);
  const auto nodes = nodes_along(space, *result.run);
  EXPECT_EQ(nodes[1], nodes.back());
  EXPECT_NE(std::find(nodes.begin() + 1, nodes.end(), 3u), nodes.end());
}

TEST(EventuallyAlways, ACycleInsideWhatHoldsIsNoViolation) {
  EXPECT_EQ(settles({{0, 1}, {1, 2}, {2, 1}}, {1, 2}).verdict, Verdict::holds);
}

TEST(LeadsTo, HoldsWhenEveryWayMeetsQ) {
  EXPECT_EQ(leads_to({{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}}, {1}, {4}).verdict, Verdict::holds);
}

TEST(LeadsTo, HoldsWhenPNeverHappens) {
  EXPECT_EQ(leads_to({{0, 1}, {1, 1}}, {7}, {8}).verdict, Verdict::holds);
}

TEST(LeadsTo, HoldsAtOnceWherePAndQHoldTogether) {
  EXPECT_EQ(leads_to({{0, 1}, {1, 2}}, {1}, {1}).verdict, Verdict::holds);
}

TEST(LeadsTo, IsViolatedByAnEndBeforeQ) {
  const PropertyResult result = leads_to({{0, 1}, {1, 2}, {1, 3}}, {1}, {2});
  EXPECT_EQ(result.verdict, Verdict::violated);
  EXPECT_EQ(result.states, 1u);
  EXPECT_EQ(result.depth, 1u);
  EXPECT_EQ(result.run->actions, (std::vector<Action>{Action{0}, Action{2}}));
  EXPECT_EQ(result.run->cycle_start, SIZE_MAX);
}

TEST(LeadsTo, IsViolatedByALoopBeforeQ) {
  const PropertyResult result = leads_to({{0, 1}, {1, 2}, {2, 2}, {2, 3}}, {1}, {3});
  EXPECT_EQ(result.verdict, Verdict::violated);
  EXPECT_EQ(result.run->actions, (std::vector<Action>{Action{0}, Action{1}, Action{2}}));
  EXPECT_EQ(result.run->cycle_start, 2u);
}

TEST(LeadsTo, FairnessForcesQ) {
  EXPECT_EQ(leads_to({{0, 1}, {1, 2}, {2, 2, kA}, {2, 3, kB}}, {1}, {3}).verdict, Verdict::holds);
}

TEST(LeadsTo, ALoopThroughQIsNoViolationButLeavesPToBeAnsweredAgain) {
  EXPECT_EQ(leads_to({{0, 1}, {1, 2}, {2, 0}}, {0}, {2}).verdict, Verdict::holds);
  EXPECT_EQ(leads_to({{0, 1}, {1, 2}, {2, 0}, {1, 1}}, {0}, {2}).verdict, Verdict::violated);
}

TEST(LeadsTo, PossibleIsJudgedByWhatLeadsToQToo) {
  // At 1 and 2 class B leads to Q; a run between them that never takes it is not fair.
  const std::vector<ListedEdge> edges = {{0, 1}, {1, 2, kA}, {2, 1, kA}, {1, 3, kB}, {2, 3, kB}};
  EXPECT_EQ(leads_to(edges, {0}, {3}).verdict, Verdict::holds);
  auto once = edges;
  once.pop_back();
  EXPECT_EQ(leads_to(once, {0}, {3}).verdict, Verdict::violated);
}

TEST(LongRun, AGraphThatDoesNotFitIsInconclusive) {
  GraphSpace space;
  for (std::uint32_t i = 0; i < 2000; ++i) space.edges.push_back({i, i + 1});
  space.properties = {
      {.name = "settles", .mood = Mood::eventually_always, .holds_in = {2000}, .then_in = {}}};
  const ExploreResult whole = explore(space, {});
  EXPECT_EQ(whole.properties[0].verdict, Verdict::holds);
  StateGraph graph;
  const Stopwatch watch;
  const ExploreOptions small = {.memory_max_bytes = 20'000};
  EXPECT_EQ(build_state_graph(space, small, watch, graph),
            "its graph does not fit the memory budget");
}

}  // namespace
}  // namespace slotlab::sim
