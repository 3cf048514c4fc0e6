// Where a run can stay for ever without breaking weak fairness. A run that never ends visits some
// strongly connected component for ever; it is fair if each fairness class is either taken in it
// again and again, or is again and again not possible. A run may also end where nothing is possible
// at all.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/check/state_graph.h"

namespace slotlab::sim {

struct FairComponents {
  std::vector<std::uint32_t> component;  // by state; every successor within the part of the graph
                                         // has the same or a smaller number
  std::vector<std::uint8_t> fair;        // by component: a fair run can stay in it for ever
  std::vector<std::uint32_t> by_component;  // states, component after component
  std::vector<std::uint32_t> first;         // by component, into by_component; one more at the end

  bool fair_at(std::uint32_t state) const { return fair[component[state]] != 0; }
  std::span<const std::uint32_t> members(std::uint32_t of) const {
    return std::span(by_component).subspan(first[of], first[of + 1] - first[of]);
  }
};

// The components of the part of `graph` that consists of the states with inside[state] != 0 and the
// edges between them. Whether a class is possible in a state is judged by all its edges, also those
// that lead outside; a state outside is a component of its own and not fair.
FairComponents fair_components(const StateGraph& graph, const std::vector<std::uint8_t>& inside);

}  // namespace slotlab::sim
