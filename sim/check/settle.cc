// Components first (fair_components.h), then the counterexample: a shortest way in, and a cycle
// that does justice to every fairness class, found by walking to the nearest debt until none is
// left.
#include "sim/check/settle.h"

#include <algorithm>
#include <functional>

#include "sim/base/assert.h"
#include "sim/check/fair_components.h"

namespace slotlab::sim {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

// Breadth-first tree over nodes: the edge by which each was reached, and from which node.
struct Tree {
  explicit Tree(std::size_t nodes) : via(nodes, kNone), from(nodes, kNone), reached(nodes, 0) {}
  std::vector<std::uint32_t> via;
  std::vector<std::uint32_t> from;
  std::vector<std::uint8_t> reached;

  // The edges from a root of the tree to `node`; sets `root`.
  std::vector<std::uint32_t> path_to(std::uint32_t node, std::uint32_t& root) const {
    std::vector<std::uint32_t> edges;
    for (; from[node] != kNone; node = from[node]) edges.push_back(via[node]);
    std::reverse(edges.begin(), edges.end());
    root = node;
    return edges;
  }
};

// Steps from the start, by state. States are numbered breadth first, so one pass in order does it.
std::vector<std::uint32_t> depths(const StateGraph& graph) {
  std::vector<std::uint32_t> depth(graph.state_count(), kNone);
  std::fill_n(depth.begin(), graph.initial_count, 0u);
  for (std::uint32_t state = 0; state < graph.state_count(); ++state) {
    for (const std::uint32_t next : graph.targets(state)) {
      if (depth[next] == kNone) depth[next] = depth[state] + 1;
    }
  }
  return depth;
}

// Builds a fair cycle through `start` within its component.
class CycleBuilder {
 public:
  // `must_visit`: some state for which this is true has to be on the cycle; may be empty.
  CycleBuilder(const StateGraph& graph, const FairComponents& components, std::uint32_t start,
               std::function<bool(std::uint32_t)> must_visit)
      : graph_(graph),
        components_(components),
        start_(start),
        component_(components.component[start]),
        must_visit_(std::move(must_visit)),
        visited_(!must_visit_),
        settled_(graph.class_count, 1),
        from_(graph.state_count(), kNone),
        via_(graph.state_count(), kNone) {
    for (const std::uint32_t state : components.members(component_)) {
      for (const std::uint16_t name : graph.classes(state)) {
        if (name != kUnfair) settled_[name] = 0;
      }
    }
  }

  // The edges of the cycle, at least one. REQUIRES: the component is fair and has an edge.
  std::vector<std::uint32_t> build() {
    std::uint32_t at = start_;
    note_state(at);
    while (has_debt()) {
      at = walk(at, [&](std::uint32_t edge) { return pays(edge); });
    }
    if (at != start_ || edges_.empty()) {
      walk(at, [&](std::uint32_t edge) { return graph_.target[edge] == start_; });
    }
    return edges_;
  }

 private:
  bool has_debt() const {
    return !visited_ || std::find(settled_.begin(), settled_.end(), 0) != settled_.end();
  }

  bool possible(std::uint32_t state, std::uint16_t name) const {
    const auto classes = graph_.classes(state);
    return std::find(classes.begin(), classes.end(), name) != classes.end();
  }

  // Taking `edge` would settle something that is still owed.
  bool pays(std::uint32_t edge) const {
    const std::uint32_t state = graph_.target[edge];
    if (!visited_ && must_visit_(state)) return true;
    const std::uint16_t taken = graph_.fairness[edge];
    if (taken != kUnfair && settled_[taken] == 0) return true;
    for (std::uint16_t name = 0; name < settled_.size(); ++name) {
      if (settled_[name] == 0 && !possible(state, name)) return true;
    }
    return false;
  }

  void note_state(std::uint32_t state) {
    if (!visited_ && must_visit_(state)) visited_ = true;
    for (std::uint16_t name = 0; name < settled_.size(); ++name) {
      if (settled_[name] == 0 && !possible(state, name)) settled_[name] = 1;
    }
  }

  // Appends the shortest way, of at least one edge, whose last edge is a goal; returns its end.
  std::uint32_t walk(std::uint32_t begin, const std::function<bool(std::uint32_t)>& goal) {
    std::vector<std::uint32_t> reached = {begin};
    from_[begin] = begin;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const std::uint32_t state = reached[i];
      for (std::uint32_t e = graph_.first_edge[state]; e < graph_.first_edge[state + 1]; ++e) {
        const std::uint32_t next = graph_.target[e];
        if (components_.component[next] != component_) continue;
        if (goal(e)) {
          append_way(begin, state, e);
          for (const std::uint32_t touched : reached) from_[touched] = kNone;
          return next;
        }
        if (from_[next] != kNone) continue;
        from_[next] = state;
        via_[next] = e;
        reached.push_back(next);
      }
    }
    SIM_ASSERT(false, "a fair component has no cycle that is fair");
    return kNone;
  }

  void append_way(std::uint32_t begin, std::uint32_t state, std::uint32_t last_edge) {
    std::vector<std::uint32_t> way = {last_edge};
    for (; state != begin; state = from_[state]) way.push_back(via_[state]);
    std::reverse(way.begin(), way.end());
    for (const std::uint32_t edge : way) {
      edges_.push_back(edge);
      if (graph_.fairness[edge] != kUnfair) settled_[graph_.fairness[edge]] = 1;
      note_state(graph_.target[edge]);
    }
  }

  const StateGraph& graph_;
  const FairComponents& components_;
  const std::uint32_t start_;
  const std::uint32_t component_;
  const std::function<bool(std::uint32_t)> must_visit_;
  bool visited_;
  std::vector<std::uint8_t> settled_;  // by class: taken, or seen not possible, on the cycle
  std::vector<std::uint32_t> from_;    // by state, of the walk under way
  std::vector<std::uint32_t> via_;
  std::vector<std::uint32_t> edges_;
};

// Adds the cycle to a way that ends in `entry`, unless nothing is possible there.
void close(const StateGraph& graph, const FairComponents& components, std::uint32_t entry,
           std::function<bool(std::uint32_t)> must_visit, Lasso& lasso) {
  if (graph.targets(entry).empty()) return;
  lasso.cycle_start = lasso.edges.size();
  const auto cycle = CycleBuilder(graph, components, entry, std::move(must_visit)).build();
  lasso.edges.insert(lasso.edges.end(), cycle.begin(), cycle.end());
}

// The shortest way to `goal`, which is the first in breadth-first order of what is looked for.
Lasso way_to(const StateGraph& graph, std::uint32_t goal) {
  Tree tree(graph.state_count());
  std::fill_n(tree.reached.begin(), graph.initial_count, std::uint8_t{1});
  for (std::uint32_t state = 0; tree.reached[goal] == 0; ++state) {
    for (std::uint32_t e = graph.first_edge[state]; e < graph.first_edge[state + 1]; ++e) {
      const std::uint32_t next = graph.target[e];
      if (tree.reached[next] != 0) continue;
      tree.reached[next] = 1;
      tree.from[next] = state;
      tree.via[next] = e;
    }
  }
  Lasso lasso;
  lasso.edges = tree.path_to(goal, lasso.initial);
  return lasso;
}

}  // namespace

Settled settle_eventually_always(const StateGraph& graph, std::size_t property) {
  const std::vector<std::uint8_t> everywhere(graph.state_count(), 1);
  const FairComponents components = fair_components(graph, everywhere);
  const auto fails = [&](std::uint32_t state) { return !graph.holds(state, property); };
  std::vector<std::uint8_t> bad(components.fair.size(), 0);
  for (std::uint32_t state = 0; state < graph.state_count(); ++state) {
    if (fails(state) && components.fair_at(state)) bad[components.component[state]] = 1;
  }
  Settled settled;
  const auto depth = depths(graph);
  std::uint32_t entry = kNone;
  for (std::uint32_t state = 0; state < graph.state_count(); ++state) {
    if (bad[components.component[state]] == 0) continue;
    if (entry == kNone) entry = state;
    if (!fails(state)) continue;
    if (settled.states++ == 0) settled.depth = depth[state];
  }
  if (entry == kNone) return settled;
  settled.counterexample = way_to(graph, entry);
  close(graph, components, entry, fails, *settled.counterexample);
  return settled;
}

namespace {

// Everything about one `P leads to Q`.
class LeadsTo {
 public:
  LeadsTo(const StateGraph& graph, std::size_t property)
      : graph_(graph), property_(property), pending_(graph.state_count(), 0) {
    for (std::uint32_t s = 0; s < graph.state_count(); ++s) {
      pending_[s] = graph.then(s, property) ? 0 : 1;
    }
    components_ = fair_components(graph, pending_);
  }

  Settled settle() {
    Settled settled;
    const auto avoids = can_avoid();
    const auto depth = depths(graph_);
    for (std::uint32_t s = 0; s < graph_.state_count(); ++s) {
      if (!triggers(s) || avoids[components_.component[s]] == 0) continue;
      if (settled.states++ == 0) settled.depth = depth[s];
    }
    if (settled.states == 0) return settled;
    settled.counterexample = Lasso{};
    const std::uint32_t entry = shortest_way(*settled.counterexample);
    close(graph_, components_, entry, nullptr, *settled.counterexample);
    return settled;
  }

 private:
  bool triggers(std::uint32_t state) const {
    return pending_[state] != 0 && graph_.holds(state, property_);
  }

  // By component: a fair component can be reached without passing Q. Successors of a component have
  // smaller numbers, so going upwards meets them first.
  std::vector<std::uint8_t> can_avoid() const {
    std::vector<std::uint8_t> avoids = components_.fair;
    for (std::uint32_t c = 0; c < avoids.size(); ++c) {
      for (const std::uint32_t state : components_.members(c)) {
        if (pending_[state] == 0) continue;
        for (const std::uint32_t next : graph_.targets(state)) {
          if (pending_[next] != 0) avoids[c] |= avoids[components_.component[next]];
        }
      }
    }
    return avoids;
  }

  // Breadth first over (state, whether P has been seen without Q since), to the nearest state of a
  // fair component with P seen. Node 2 s + 1 is state s with P seen.
  std::uint32_t shortest_way(Lasso& lasso) const {
    const std::size_t nodes = std::size_t{graph_.state_count()} * 2;
    Tree tree(nodes);
    std::vector<std::uint32_t> queue;
    const auto reach = [&](std::uint32_t state, bool seen, std::uint32_t from, std::uint32_t via) {
      const bool now = pending_[state] != 0 && (seen || triggers(state));
      const std::uint32_t node = state * 2 + (now ? 1 : 0);
      if (tree.reached[node] != 0) return;
      tree.reached[node] = 1;
      tree.from[node] = from;
      tree.via[node] = via;
      queue.push_back(node);
    };
    for (std::uint32_t s = 0; s < graph_.initial_count; ++s) reach(s, false, kNone, kNone);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::uint32_t node = queue[i];
      const std::uint32_t state = node / 2;
      if (node % 2 == 1 && components_.fair_at(state)) {
        lasso.edges = tree.path_to(node, lasso.initial);
        lasso.initial /= 2;
        return state;
      }
      for (std::uint32_t e = graph_.first_edge[state]; e < graph_.first_edge[state + 1]; ++e) {
        reach(graph_.target[e], node % 2 == 1, node, e);
      }
    }
    SIM_ASSERT(false, "a state that can avoid Q has no way to do so");
    return kNone;
  }

  const StateGraph& graph_;
  const std::size_t property_;
  std::vector<std::uint8_t> pending_;  // by state: not Q
  FairComponents components_;          // among states that are not Q
};

}  // namespace

Settled settle_leads_to(const StateGraph& graph, std::size_t property) {
  return LeadsTo(graph, property).settle();
}

}  // namespace slotlab::sim
