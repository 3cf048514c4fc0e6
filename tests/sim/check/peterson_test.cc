// Peterson's lock, in every mood; and what the engine says of a lock that has been spoilt.
#include "models/textbook/peterson.h"

#include <gtest/gtest.h>

#include <vector>

#include "sim/check/explorer.h"
#include "sim/check/model_space.h"
#include "sim/check/run_path.h"
#include "tests/sim/check/same_result.h"

namespace slotlab::sim {
namespace {

TEST(Peterson, ExcludesEachOtherAndLetsEveryoneIn) {
  const auto space = textbook::make_peterson_space();
  const ExploreResult result = explore(*space, {});
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.states, 20u);
  ASSERT_EQ(result.properties.size(), 4u);
  for (const auto& property : result.properties) {
    EXPECT_EQ(property.verdict, Verdict::holds) << property.name;
  }
  EXPECT_EQ(result.properties[1].run->actions.size(), 4u);
  for (const unsigned threads : {2u, 5u}) {
    expect_same_result(explore(*space, {.threads = threads}), result);
  }
}

// One process that tosses a coin for ever: heads and tails are of one fairness class, so neither is
// ever forced.
class Coin {
 public:
  struct State {
    std::uint32_t face = 0;  // 0 heads, 1 tails
    bool operator==(const State&) const = default;
  };
  std::vector<State> initial_states() const { return {State{0}, State{1}}; }
  template <class Emit>
  void successors(const State&, Emit&& emit) const {
    emit(Action{0}, State{0});
    emit(Action{1}, State{1});
  }
  std::uint16_t fairness(Action) const { return 0; }
  std::string describe(const State&, Action action) const {
    return action.bits == 0 ? "heads" : "tails";
  }
  std::vector<StateProperty<State>> properties() const {
    const auto tails = [](const State& s) { return s.face == 1; };
    return {sim::leads_to<State>(
                "tails comes", [](const State&) { return true; }, tails),
            sim::eventually_always<State>("tails stays", tails),
            sim::always<State>("tails", tails, [](const State&) { return "it shows heads"; })};
  }
};

TEST(ModelSpace, PresentsAModelWithSeveralInitialStatesAndFairness) {
  ModelSpace<Coin> space(Coin{});
  const ExploreResult result = explore(space, {});
  EXPECT_EQ(result.states, 2u);
  EXPECT_EQ(result.transitions, 4u);
  EXPECT_EQ(result.depth, 0u);
  const sim::Run heads_for_ever = {.initial = 0, .actions = {Action{0}}, .cycle_start = 0};
  EXPECT_EQ(result.properties[0].verdict, Verdict::violated);
  EXPECT_EQ(result.properties[0].run, heads_for_ever);
  EXPECT_EQ(result.properties[1].verdict, Verdict::violated);
  EXPECT_EQ(result.properties[1].run, heads_for_ever);
  EXPECT_EQ(result.properties[2].verdict, Verdict::violated);
  EXPECT_EQ(result.properties[2].explanation, "it shows heads");
  EXPECT_EQ(space.describe(space.initial()[0], Action{1}), "tails");
}

}  // namespace
}  // namespace slotlab::sim
