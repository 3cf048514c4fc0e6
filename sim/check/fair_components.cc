// Strongly connected components come from Boost.Graph, through a view of StateGraph that hides what
// is outside; nothing is copied. Fairness is then judged component by component.
#include "sim/check/fair_components.h"

#include <boost/graph/strong_components.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/property_map/property_map.hpp>

namespace slotlab::sim {

namespace {

// The part of a StateGraph that Boost sees.
struct Part {
  const StateGraph& graph;
  const std::vector<std::uint8_t>& inside;
};

struct PartEdge {
  std::uint32_t from = 0;
  std::uint32_t edge = 0;
  bool operator==(const PartEdge&) const = default;
};

// The edges of one state that stay inside.
class PartEdgeIterator : public boost::iterator_facade<PartEdgeIterator, PartEdge,
                                                       boost::forward_traversal_tag, PartEdge> {
 public:
  PartEdgeIterator() = default;
  PartEdgeIterator(const Part& part, std::uint32_t from, std::uint32_t edge, std::uint32_t end)
      : part_(&part), at_{from, edge}, end_(end) {
    skip_outside();
  }

 private:
  friend class boost::iterator_core_access;
  void increment() {
    ++at_.edge;
    skip_outside();
  }
  void skip_outside() {
    while (at_.edge < end_ && part_->inside[part_->graph.target[at_.edge]] == 0) ++at_.edge;
  }
  bool equal(const PartEdgeIterator& other) const { return at_.edge == other.at_.edge; }
  PartEdge dereference() const { return at_; }

  const Part* part_ = nullptr;
  PartEdge at_;
  std::uint32_t end_ = 0;
};

// The functions by which Boost.Graph reads a graph.
std::pair<boost::counting_iterator<std::uint32_t>, boost::counting_iterator<std::uint32_t>>
vertices(const Part& part) {
  return {boost::counting_iterator<std::uint32_t>(0),
          boost::counting_iterator<std::uint32_t>(part.graph.state_count())};
}
std::uint32_t num_vertices(const Part& part) { return part.graph.state_count(); }
std::pair<PartEdgeIterator, PartEdgeIterator> out_edges(std::uint32_t state, const Part& part) {
  const std::uint32_t end = part.graph.first_edge[state + 1];
  const std::uint32_t begin = part.inside[state] != 0 ? part.graph.first_edge[state] : end;
  return {PartEdgeIterator(part, state, begin, end), PartEdgeIterator(part, state, end, end)};
}
std::uint32_t target(const PartEdge& edge, const Part& part) {
  return part.graph.target[edge.edge];
}
std::uint32_t source(const PartEdge& edge, const Part&) { return edge.from; }
std::uint32_t out_degree(std::uint32_t state, const Part& part) {
  const auto [begin, end] = out_edges(state, part);
  return static_cast<std::uint32_t>(std::distance(begin, end));
}

}  // namespace

}  // namespace slotlab::sim

template <>
struct boost::graph_traits<slotlab::sim::Part> {
  using vertex_descriptor = std::uint32_t;
  using edge_descriptor = slotlab::sim::PartEdge;
  using directed_category = boost::directed_tag;
  using edge_parallel_category = boost::allow_parallel_edge_tag;
  struct traversal_category : boost::vertex_list_graph_tag, boost::incidence_graph_tag {};
  using vertex_iterator = boost::counting_iterator<std::uint32_t>;
  using out_edge_iterator = slotlab::sim::PartEdgeIterator;
  using vertices_size_type = std::uint32_t;
  using edges_size_type = std::uint32_t;
  using degree_size_type = std::uint32_t;
  static vertex_descriptor null_vertex() { return UINT32_MAX; }
};

namespace slotlab::sim {

namespace {

// Judges one component after the other with tables by fairness class that are stamped, not cleared.
class FairnessJudge {
 public:
  FairnessJudge(const StateGraph& graph, const std::vector<std::uint8_t>& inside,
                const FairComponents& components)
      : graph_(graph),
        inside_(inside),
        components_(components),
        possible_in_(graph.class_count, 0),
        last_state_(graph.class_count, UINT32_MAX),
        taken_(graph.class_count, UINT32_MAX) {}

  bool fair(std::uint32_t component) {
    const auto members = components_.members(component);
    if (inside_[members[0]] == 0) return false;
    if (members.size() == 1 && graph_.targets(members[0]).empty()) return true;
    seen_.clear();
    bool has_edge = false;
    for (const std::uint32_t state : members) has_edge |= look_at(component, state);
    // A state that is only passed through is not stayed in.
    bool all = has_edge;
    for (const std::uint16_t name : seen_) {
      // Possible in every state of the component, so it must be taken inside it.
      if (possible_in_[name] == members.size() && taken_[name] != component) all = false;
      possible_in_[name] = 0;
    }
    return all;
  }

 private:
  // Counts the classes possible in `state`; true if an edge of it stays in the component.
  bool look_at(std::uint32_t component, std::uint32_t state) {
    bool stays_somewhere = false;
    const auto targets = graph_.targets(state);
    const auto classes = graph_.classes(state);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const bool stays = inside_[targets[i]] != 0 && components_.component[targets[i]] == component;
      stays_somewhere |= stays;
      const std::uint16_t name = classes[i];
      if (name == kUnfair) continue;
      if (stays) taken_[name] = component;
      if (last_state_[name] == state) continue;  // counted for this state already
      last_state_[name] = state;
      if (possible_in_[name]++ == 0) seen_.push_back(name);
    }
    return stays_somewhere;
  }

  const StateGraph& graph_;
  const std::vector<std::uint8_t>& inside_;
  const FairComponents& components_;
  std::vector<std::uint64_t> possible_in_;  // by class: states of this component
  std::vector<std::uint32_t> last_state_;   // by class: state for which it was counted last
  std::vector<std::uint32_t> taken_;        // by class: component inside which it was taken last
  std::vector<std::uint16_t> seen_;         // classes possible somewhere in this component
};

// Lists states by component, in their order.
void group(FairComponents& result, std::uint32_t count) {
  result.first.assign(count + 1, 0);
  for (const std::uint32_t of : result.component) ++result.first[of + 1];
  for (std::uint32_t c = 0; c < count; ++c) result.first[c + 1] += result.first[c];
  std::vector<std::uint32_t> at(result.first.begin(), result.first.end() - 1);
  result.by_component.resize(result.component.size());
  for (std::uint32_t s = 0; s < result.component.size(); ++s) {
    result.by_component[at[result.component[s]]++] = s;
  }
}

}  // namespace

FairComponents fair_components(const StateGraph& graph, const std::vector<std::uint8_t>& inside) {
  FairComponents result;
  result.component.resize(graph.state_count());
  const Part part{graph, inside};
  const boost::typed_identity_property_map<std::uint32_t> index;
  const std::uint32_t count = boost::strong_components(
      part, boost::make_iterator_property_map(result.component.begin(), index),
      boost::vertex_index_map(index));
  group(result, count);
  FairnessJudge judge(graph, inside, result);
  result.fair.resize(count);
  for (std::uint32_t c = 0; c < count; ++c) result.fair[c] = judge.fair(c) ? 1 : 0;
  return result;
}

}  // namespace slotlab::sim
