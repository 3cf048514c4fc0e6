// Everything a system can reach, found by the plainest search there is: the opponent of reductions.
#pragma once

#include <rapidcheck.h>

#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/check/tuple_space.h"

namespace slotlab::sim::testing {

using State = std::vector<std::uint32_t>;

struct Reached {
  std::set<std::vector<std::string>> combinations;  // beliefs of all actors, with who is down
  std::size_t states = 0;
  int rounds = 1;
  bool capacity_hit = false;
  bool too_large = false;
};

// Gives up (`too_large`) beyond `states_max` states.
inline Reached explore_all(const std::shared_ptr<const System>& system, TupleSpaceOptions options,
                           std::size_t states_max = SIZE_MAX,
                           const std::vector<Property>& properties = {}) {
  TupleSpace space(system, properties, options);
  Reached reached;
  for (;; ++reached.rounds) {
    reached.combinations.clear();
    std::set<State> seen;
    std::deque<State> waiting;
    for (State& state : space.initial()) {
      if (seen.insert(state).second) waiting.push_back(state);
    }
    while (!waiting.empty()) {
      if (seen.size() > states_max) {
        reached.too_large = true;
        break;
      }
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
    if (reached.too_large) break;
    if (!space.needs_another_round()) break;
  }
  const std::vector<Bound> bounds = space.bounds();
  reached.capacity_hit = !bounds.empty() && bounds.back().hit;
  return reached;
}

}  // namespace slotlab::sim::testing
