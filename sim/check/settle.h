// Decides what happens in the long run, on the explicit graph and under weak fairness:
//
//   eventually always P   violated where a fair run can stay for ever in a component in which some
//                         state is not P, or can end in a state that is not P
//   P leads to Q          violated where, from a state with P and not Q, a fair run can stay among
//                         states without Q for ever, or end there
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/check/state_graph.h"

namespace slotlab::sim {

// A way through the graph: from an initial state along edges; the edges from cycle_start on lead
// back to where they began and repeat for ever. Without a cycle, nothing is possible at its end.
struct Lasso {
  std::uint32_t initial = 0;
  std::vector<std::uint32_t> edges;
  std::size_t cycle_start = SIZE_MAX;
};

struct Settled {
  std::uint64_t states = 0;  // eventually always: states without P where a fair run can stay.
                             // leads to: states with P and not Q from which Q can be avoided.
  std::uint32_t depth = 0;   // steps from the start to the nearest of them
  std::optional<Lasso> counterexample;  // with a shortest stem; none: the property holds
};

Settled settle_eventually_always(const StateGraph& graph, std::size_t property);
Settled settle_leads_to(const StateGraph& graph, std::size_t property);

}  // namespace slotlab::sim
