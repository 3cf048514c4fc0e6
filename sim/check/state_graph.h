// The explored graph, explicitly: states by number, edges with the fairness class of their action.
// Properties about what happens in the long run need it (settle.h); the search that found the
// states keeps no edges. It is built by a second pass over the Space, in one thread, and may be
// given up when it would not fit the budget.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/check/explorer.h"
#include "sim/check/stopwatch.h"

namespace slotlab::sim {

// States are numbered from 0 in breadth-first order, initial ones first. The edges of a state are
// in the order of Space::expand, so that an edge's place among them stands for its action.
struct StateGraph {
  std::vector<std::uint32_t> first_edge;  // by state; one more than there are states
  std::vector<std::uint32_t> target;      // by edge
  std::vector<std::uint16_t> fairness;    // by edge; kUnfair: no class
  std::vector<PropertyBits> bits;         // by state
  std::uint32_t initial_count = 0;        // states 0 to initial_count - 1 are initial
  std::uint32_t class_count = 0;          // fairness classes that occur are below this

  std::uint32_t state_count() const { return static_cast<std::uint32_t>(bits.size()); }
  std::span<const std::uint32_t> targets(std::uint32_t state) const {
    return std::span(target).subspan(first_edge[state], first_edge[state + 1] - first_edge[state]);
  }
  std::span<const std::uint16_t> classes(std::uint32_t state) const {
    return std::span(fairness).subspan(first_edge[state],
                                       first_edge[state + 1] - first_edge[state]);
  }
  bool holds(std::uint32_t state, std::size_t property) const {
    return (bits[state] >> property & 1) != 0;
  }
  bool then(std::uint32_t state, std::size_t property) const {
    return (bits[state] >> (kPropertiesMax + property) & 1) != 0;
  }
};

// Builds the graph of everything reachable into `graph`. Returns an empty string, or else why it
// was given up: a clause such as "its graph does not fit the memory budget".
std::string build_state_graph(const Space& space, const ExploreOptions& options,
                              const Stopwatch& watch, StateGraph& graph);

}  // namespace slotlab::sim
