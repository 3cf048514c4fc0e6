// The search and the long run against their own definitions, spelled out naively over random small
// graphs: breadth first with std::map, and components by who reaches whom.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include "sim/check/explorer.h"
#include "sim/check/run_path.h"
#include "tests/sim/check/graph_space.h"

namespace slotlab::sim {

std::ostream& operator<<(std::ostream& out, const ListedEdge& edge) {
  return out << edge.from << "->" << edge.to << " class " << edge.fairness;
}

namespace {

constexpr std::uint32_t kNodesMax = 10;

GraphSpace random_graph(Mood mood) {
  GraphSpace space;
  // Several graphs' worth of nodes in each: the sizes that RapidCheck starts with are too small.
  const auto node = rc::gen::noShrink(
      rc::gen::resize(100, rc::gen::inRange<std::uint32_t>(0, *rc::gen::inRange(2u, kNodesMax))));
  const auto edge =
      rc::gen::map(rc::gen::tuple(node, node, rc::gen::element<std::uint16_t>(0, 1, 2, kUnfair)),
                   [](const auto& parts) {
                     return ListedEdge{std::get<0>(parts), std::get<1>(parts), std::get<2>(parts)};
                   });
  space.edges = *rc::gen::resize(25, rc::gen::container<std::vector<ListedEdge>>(edge));
  const auto some = rc::gen::resize(8, rc::gen::container<std::vector<std::uint32_t>>(node));
  space.properties = {{.name = "p", .mood = mood, .holds_in = *some, .then_in = *some}};
  return space;
}

// Steps to each reachable node.
std::map<std::uint32_t, std::uint32_t> naive_depths(const GraphSpace& space) {
  std::map<std::uint32_t, std::uint32_t> depth;
  std::vector<std::uint32_t> queue = space.start;
  for (const std::uint32_t node : queue) depth[node] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const auto& edge : space.edges) {
      if (edge.from != queue[i] || depth.count(edge.to) != 0) continue;
      depth[edge.to] = depth[queue[i]] + 1;
      queue.push_back(edge.to);
    }
  }
  return depth;
}

bool lists(const std::vector<std::uint32_t>& nodes, std::uint32_t node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

using Nodes = std::set<std::uint32_t>;

// Nodes that `from` reaches by one or more edges within `inside`.
Nodes naive_reach(const GraphSpace& space, std::uint32_t from, const Nodes& inside) {
  Nodes reached;
  std::vector<std::uint32_t> queue = {from};
  while (!queue.empty()) {
    const std::uint32_t node = queue.back();
    queue.pop_back();
    for (const auto& edge : space.edges) {
      if (edge.from != node || inside.count(edge.to) == 0) continue;
      if (reached.insert(edge.to).second) queue.push_back(edge.to);
    }
  }
  return reached;
}

// The nodes of the component of `node` within `inside` if a fair run can stay there, else none.
Nodes naive_fair_component(const GraphSpace& space, std::uint32_t node, const Nodes& inside) {
  const auto possible = [&](std::uint32_t at, std::uint16_t name) {
    return std::any_of(space.edges.begin(), space.edges.end(), [&](const ListedEdge& edge) {
      return edge.from == at && edge.fairness == name;
    });
  };
  const bool ends = std::none_of(space.edges.begin(), space.edges.end(),
                                 [&](const ListedEdge& edge) { return edge.from == node; });
  if (ends) return {node};
  Nodes component;
  for (const std::uint32_t other : naive_reach(space, node, inside)) {
    if (naive_reach(space, other, inside).count(node) != 0) component.insert(other);
  }
  for (std::uint16_t name = 0; name < 3; ++name) {
    const bool taken = std::any_of(space.edges.begin(), space.edges.end(), [&](const auto& edge) {
      return edge.fairness == name && component.count(edge.from) != 0 &&
             component.count(edge.to) != 0;
    });
    const bool missing = std::any_of(component.begin(), component.end(),
                                     [&](std::uint32_t at) { return !possible(at, name); });
    if (!taken && !missing) return {};
  }
  return component;
}

// The run follows the graph, ends in a cycle or in an end, and its cycle is fair.
void check_lasso(const GraphSpace& space, const Run& run) {
  const auto states = states_along(space, run);
  if (run.cycle_start == SIZE_MAX) {
    RC_ASSERT(std::none_of(space.edges.begin(), space.edges.end(),
                           [&](const ListedEdge& edge) { return edge.from == states.back()[0]; }));
    return;
  }
  RC_ASSERT(run.cycle_start < run.actions.size());
  RC_ASSERT(states[run.cycle_start] == states.back());
  for (std::uint16_t name = 0; name < 3; ++name) {
    bool settled = false;
    for (std::size_t i = run.cycle_start; i < run.actions.size(); ++i) {
      if (space.edges[run.actions[i].bits].fairness == name) settled = true;
      const std::uint32_t at = states[i][0];
      if (std::none_of(space.edges.begin(), space.edges.end(), [&](const ListedEdge& edge) {
            return edge.from == at && edge.fairness == name;
          })) {
        settled = true;
      }
    }
    RC_ASSERT(settled);
  }
}

RC_GTEST_PROP(RandomGraphs, SearchAgreesWithANaiveOne, ()) {
  GraphSpace space = random_graph(Mood::always);
  const auto depth = naive_depths(space);
  const ExploreResult result = explore(space, {.threads = *rc::gen::inRange(1u, 4u)});
  std::uint64_t transitions = 0;
  for (const auto& edge : space.edges) transitions += depth.count(edge.from);
  std::uint32_t farthest = 0;
  std::uint64_t violating = 0;
  std::optional<std::uint32_t> nearest;
  for (const auto& [node, steps] : depth) {
    farthest = std::max(farthest, steps);
    if (lists(space.properties[0].holds_in, node)) continue;
    ++violating;
    nearest = std::min(nearest.value_or(steps), steps);
  }
  RC_ASSERT(result.complete);
  RC_ASSERT(result.states == depth.size());
  RC_ASSERT(result.transitions == transitions);
  RC_ASSERT(result.depth == farthest);
  const PropertyResult& property = result.properties[0];
  RC_ASSERT(property.states == violating);
  RC_ASSERT(property.depth == nearest);
  RC_ASSERT(property.run.has_value() == nearest.has_value());
  if (!property.run) return;
  RC_ASSERT(property.run->actions.size() == *nearest);
  RC_ASSERT(!lists(space.properties[0].holds_in, states_along(space, *property.run).back()[0]));
}

RC_GTEST_PROP(RandomGraphs, EventuallyAlwaysAgreesWithItsDefinition, ()) {
  GraphSpace space = random_graph(Mood::eventually_always);
  Nodes reachable;
  for (const auto& [node, steps] : naive_depths(space)) reachable.insert(node);
  std::uint64_t violating = 0;
  for (const std::uint32_t node : reachable) {
    if (lists(space.properties[0].holds_in, node)) continue;
    violating += naive_fair_component(space, node, reachable).count(node);
  }
  const PropertyResult property = explore(space, {}).properties[0];
  RC_ASSERT(property.states == violating);
  RC_ASSERT((property.verdict == Verdict::violated) == (violating != 0));
  if (violating == 0) return;
  check_lasso(space, *property.run);
  const auto states = states_along(space, *property.run);
  const std::size_t from = std::min(property.run->cycle_start, property.run->actions.size());
  RC_ASSERT(std::any_of(
      states.begin() + static_cast<std::ptrdiff_t>(from), states.end(),
      [&](const auto& state) { return !lists(space.properties[0].holds_in, state[0]); }));
}

RC_GTEST_PROP(RandomGraphs, LeadsToAgreesWithItsDefinition, ()) {
  GraphSpace space = random_graph(Mood::leads_to);
  const auto& [name, mood, p, q] = space.properties[0];
  Nodes pending;
  const auto depth = naive_depths(space);
  for (const auto& [node, steps] : depth) {
    if (!lists(q, node)) pending.insert(node);
  }
  std::uint64_t violating = 0;
  for (const std::uint32_t node : pending) {
    if (!lists(p, node)) continue;
    Nodes ways = naive_reach(space, node, pending);
    ways.insert(node);
    violating += std::any_of(ways.begin(), ways.end(), [&](std::uint32_t way) {
      return naive_fair_component(space, way, pending).count(way) != 0;
    });
  }
  const PropertyResult property = explore(space, {}).properties[0];
  RC_ASSERT(property.states == violating);
  RC_ASSERT((property.verdict == Verdict::violated) == (violating != 0));
  if (violating == 0) return;
  check_lasso(space, *property.run);
  // From some state with P on, no state of the run has Q.
  bool open = false;
  for (const auto& state : states_along(space, *property.run)) {
    if (lists(q, state[0])) {
      open = false;
    } else if (lists(p, state[0])) {
      open = true;
    }
  }
  RC_ASSERT(open);
}

}  // namespace
}  // namespace slotlab::sim
