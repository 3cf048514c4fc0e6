// The graph of a space with symmetry, searched twice: as it is folded, and as the system has it.
// The folded states must be the states of the system, each folded, and so must the ends.
#pragma once

#include <rapidcheck.h>

#include <deque>
#include <set>
#include <vector>

#include "sim/check/run_path.h"
#include "sim/check/tuple_space.h"

namespace slotlab::sim::testing {

struct Graph {
  std::set<std::vector<std::uint32_t>> states;
  std::set<std::vector<std::uint32_t>> ends;  // where nothing is possible
  bool too_large = false;                     // given up
};

inline constexpr std::size_t kGraphStatesMax = 4000;

// One round of a search by `expand`.
template <class Expand>
Graph graph_of(const TupleSpace& space, Expand expand) {
  Graph graph;
  std::deque<std::vector<std::uint32_t>> waiting;
  for (auto& state : space.initial()) {
    if (graph.states.insert(state).second) waiting.push_back(state);
  }
  Successors out;
  while (!waiting.empty()) {
    if (graph.states.size() > kGraphStatesMax) {
      graph.too_large = true;
      break;
    }
    const std::vector<std::uint32_t> state = std::move(waiting.front());
    waiting.pop_front();
    out.clear();
    space.check(state);
    expand(state, out);
    if (out.entries.empty()) graph.ends.insert(state);
    for (const Successors::Entry& entry : out.entries) {
      std::vector<std::uint32_t> next = successor_state(state, out, entry);
      RC_ASSERT(space.fingerprint(next) == entry.fingerprint);
      if (graph.states.insert(next).second) waiting.push_back(std::move(next));
    }
  }
  return graph;
}

inline std::set<std::vector<std::uint32_t>> each_folded(
    const TupleSpace& space, const std::set<std::vector<std::uint32_t>>& states) {
  std::set<std::vector<std::uint32_t>> folded;
  for (const auto& state : states) folded.insert(space.folded(state));
  return folded;
}

// Searched in as many rounds as it takes.
inline Graph folded_graph(TupleSpace& space) {
  while (true) {
    Graph graph = graph_of(space, [&](const std::vector<std::uint32_t>& state, Successors& out) {
      space.expand(state, space.fingerprint(state), out);
    });
    if (graph.too_large || !space.needs_another_round()) return graph;
  }
}

inline Graph unfolded_graph(const TupleSpace& space) {
  return graph_of(space, [&](const std::vector<std::uint32_t>& state, Successors& out) {
    space.expand_unfolded(state, space.fingerprint(state), out);
  });
}

}  // namespace slotlab::sim::testing
