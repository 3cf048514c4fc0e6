// Terminal components by Boost.Graph's strong components, on the part of the graph that is asked
// about.
#include "sim/explain/outcome.h"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

#include "sim/check/fair_components.h"

namespace slotlab::sim {

namespace {

using Csr = boost::compressed_sparse_row_graph<boost::directedS>;

// The component of each state; a component's number is greater than those it leads to.
std::vector<std::uint32_t> components_of(const EventGraph& graph, const Allowed& allowed,
                                         const std::vector<std::uint8_t>& stop, bool with_faults) {
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (std::uint32_t s = 0; s < graph.state_count(); ++s) {
    if (stop[s] != 0) continue;
    for (std::uint32_t e = graph.first_edge[s]; e < graph.first_edge[s + 1]; ++e) {
      const bool counts = with_faults || graph.fault[graph.label[e]] == 0;
      if (counts && allowed[graph.label[e]] != 0 && graph.target[e] != s) {
        edges.emplace_back(s, graph.target[e]);
      }
    }
  }
  const Csr csr(boost::edges_are_sorted, edges.begin(), edges.end(), graph.state_count());
  std::vector<std::uint32_t> component(graph.state_count());
  boost::strong_components(
      csr, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, csr)));
  return component;
}

// Everything about one question to one part of the graph.
class Ends {
 public:
  Ends(const EventGraph& graph, std::size_t property, Question question, const Allowed& allowed)
      : graph_(graph), property_(property), allowed_(allowed), stop_(graph.state_count(), 0) {
    if (question == Question::at_any_moment) {
      for (std::uint32_t s = 0; s < graph.state_count(); ++s) stop_[s] = lacks(s) ? 1 : 0;
    } else if (question == Question::staying) {
      const std::vector<std::uint8_t> everywhere(graph.state_count(), 1);
      const FairComponents fair = fair_components(graph, everywhere);
      std::vector<std::uint8_t> bad(fair.fair.size(), 0);
      for (std::uint32_t s = 0; s < graph.state_count(); ++s) {
        if (lacks(s) && fair.fair_at(s)) bad[fair.component[s]] = 1;
      }
      for (std::uint32_t s = 0; s < graph.state_count(); ++s) stop_[s] = bad[fair.component[s]];
    }
    component_ = components_of(graph, allowed, stop_, false);
    find_terminal();
  }

  Outcome outcome() {
    Outcome outcome;
    outcome.stop = stop_;
    const std::uint32_t states = graph_.state_count();
    outcome.reached.assign(states, 0);
    outcome.bad.assign(states, 0);
    outcome.good.assign(states, 0);
    for (std::uint32_t s = 0; s < states; ++s) {
      const bool terminal = terminal_[component_[s]] != 0;
      const bool bad = stop_[s] != 0 || (terminal && lacking_[component_[s]] != 0);
      outcome.bad[s] = bad ? 1 : 0;
      outcome.good[s] = terminal && !bad ? 1 : 0;
    }
    reach(outcome);
    outcome.doomed = cannot_reach(outcome, outcome.good);
    outcome.saved = cannot_reach(outcome, outcome.bad);
    return outcome;
  }

 private:
  bool lacks(std::uint32_t state) const { return !graph_.holds(state, property_); }

  void find_terminal() {
    const std::uint32_t states = graph_.state_count();
    const std::uint32_t count =
        component_.empty() ? 0 : *std::max_element(component_.begin(), component_.end()) + 1;
    terminal_.assign(count, 1);
    lacking_.assign(count, 0);
    for (std::uint32_t s = 0; s < states; ++s) {
      if (lacks(s)) lacking_[component_[s]] = 1;
      if (stop_[s] != 0) continue;
      for (std::uint32_t e = graph_.first_edge[s]; e < graph_.first_edge[s + 1]; ++e) {
        const Label label = graph_.label[e];
        if (allowed_[label] != 0 && graph_.fault[label] == 0 &&
            component_[graph_.target[e]] != component_[s]) {
          terminal_[component_[s]] = 0;
        }
      }
    }
  }

  void reach(Outcome& outcome) const {
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t s = 0; s < graph_.initial_count; ++s) {
      outcome.reached[s] = 1;
      waiting.push_back(s);
    }
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      const std::uint32_t s = waiting[i];
      outcome.any_bad = outcome.any_bad || outcome.bad[s] != 0;
      outcome.any_good = outcome.any_good || outcome.good[s] != 0;
      for (std::uint32_t e = graph_.first_edge[s]; e < graph_.first_edge[s + 1]; ++e) {
        const std::uint32_t next = graph_.target[e];
        if (!passable(graph_, outcome, allowed_, s, e) || outcome.reached[next] != 0) continue;
        outcome.reached[next] = 1;
        waiting.push_back(next);
      }
    }
    const auto onwards = components_of(graph_, allowed_, stop_, true);
    std::stable_sort(waiting.begin(), waiting.end(), [&](std::uint32_t a, std::uint32_t b) {
      return onwards[a] > onwards[b];
    });
    outcome.order = std::move(waiting);
  }

  // Reached states from which no state of `ends` can be reached.
  std::vector<std::uint8_t> cannot_reach(const Outcome& outcome,
                                         const std::vector<std::uint8_t>& ends) const {
    std::vector<std::uint8_t> can = ends;
    bool again = true;
    while (again) {
      again = false;
      for (auto at = outcome.order.rbegin(); at != outcome.order.rend(); ++at) {
        const std::uint32_t s = *at;
        for (std::uint32_t e = graph_.first_edge[s]; can[s] == 0 && e < graph_.first_edge[s + 1];
             ++e) {
          if (can[graph_.target[e]] != 0 && passable(graph_, outcome, allowed_, s, e)) {
            can[s] = 1;
            again = true;
          }
        }
      }
    }
    std::vector<std::uint8_t> cannot(graph_.state_count(), 0);
    for (const std::uint32_t s : outcome.order) cannot[s] = can[s] != 0 ? 0 : 1;
    return cannot;
  }

  const EventGraph& graph_;
  const std::size_t property_;
  const Allowed& allowed_;
  std::vector<std::uint8_t> stop_;  // by state: a violating run ends here
  std::vector<std::uint32_t> component_;
  std::vector<std::uint8_t> terminal_;  // by component
  std::vector<std::uint8_t> lacking_;   // by component: some state is without P
};

}  // namespace

Allowed allow_all(const EventGraph& graph) { return Allowed(graph.sentences.size(), 1); }

Allowed allow_faults(const EventGraph& graph, const std::vector<Label>& faults) {
  Allowed allowed(graph.sentences.size(), 1);
  for (std::size_t label = 0; label < allowed.size(); ++label) {
    if (graph.fault[label] != 0) allowed[label] = 0;
  }
  for (const Label fault : faults) allowed[fault] = 1;
  return allowed;
}

Outcome outcome_of(const EventGraph& graph, std::size_t property, Question question,
                   const Allowed& allowed) {
  return Ends(graph, property, question, allowed).outcome();
}

Outcome until_doomed(Outcome outcome) {
  outcome.stop = outcome.doomed;
  for (const std::uint32_t s : outcome.order) outcome.bad[s] |= outcome.doomed[s];
  return outcome;
}

Question question_of(const EventGraph& graph, std::size_t property, Mood mood) {
  const Allowed all = allow_all(graph);
  if (outcome_of(graph, property, Question::for_good, all).any_bad) return Question::for_good;
  return mood == Mood::always ? Question::at_any_moment : Question::staying;
}

}  // namespace slotlab::sim
