// Tries to refute the dropping of inert messages: over random systems the reachable combinations of
// local states and environments must be the same with and without it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <set>

#include "sim/check/tuple_space.h"
#include "tests/sim/check/random_system.h"

namespace slotlab::sim {
namespace {

using State = std::vector<std::uint32_t>;

struct Reached {
  std::set<std::vector<std::string>> combinations;  // beliefs of all actors, with who is down
  std::size_t states = 0;
  int rounds = 1;
  bool capacity_hit = false;
};

Reached explore_all(const std::shared_ptr<const System>& system, bool drop_inert) {
  TupleSpace space(system, {}, {.drop_inert = drop_inert});
  Reached reached;
  for (;; ++reached.rounds) {
    reached.combinations.clear();
    std::set<State> seen;
    std::deque<State> waiting;
    for (State& state : space.initial()) {
      if (seen.insert(state).second) waiting.push_back(state);
    }
    while (!waiting.empty()) {
      const State state = waiting.front();
      waiting.pop_front();
      reached.combinations.insert(space.beliefs(state));
      Successors out;
      space.expand(state, space.fingerprint(state), out);
      for (const Successors::Entry& entry : out.entries) {
        State next = state;
        for (std::size_t i = 0; i < entry.change_count; ++i) {
          const Change& change = out.changes[entry.first_change + i];
          next[change.component] = change.value;
        }
        RC_ASSERT(space.fingerprint(next) == entry.fingerprint);
        if (seen.insert(next).second) waiting.push_back(next);
      }
    }
    reached.states = seen.size();
    if (!space.needs_another_round()) break;
  }
  reached.capacity_hit = space.bounds().back().hit;
  return reached;
}

RC_GTEST_PROP(InertMessages, ReachTheSameCombinationsOfLocalStates, ()) {
  const std::shared_ptr<const System> system = testing::random_system();
  const Reached full = explore_all(system, false);
  // A message lost at a full link is where the argument stops (docs/reductions.md).
  RC_PRE(!full.capacity_hit);
  const Reached dropped = explore_all(system, true);
  RC_ASSERT(dropped.combinations == full.combinations);
  RC_ASSERT(dropped.states <= full.states);
  RC_CLASSIFY(dropped.states < full.states, "smaller");
  RC_CLASSIFY(dropped.rounds > 1, "more than one round");
}

}  // namespace
}  // namespace slotlab::sim
