// The graph comes from the pass that settling uses; a second pass in the same order recovers the
// states and puts the sentences to the edges.
#include "sim/explain/event_graph.h"

#include <algorithm>

#include "sim/check/run_path.h"
#include "sim/check/stopwatch.h"

namespace slotlab::sim {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
constexpr std::uint32_t kLookAroundEvery = 256;  // states between two looks at the interrupt

// Gives each sentence its number.
class Labels {
 public:
  Labels(EventGraph& graph, bool has_faults) : graph_(graph), has_faults_(has_faults) {}

  Label of(std::string sentence, ActionKind kind) {
    const auto [at, fresh] =
        numbers_.try_emplace(sentence, static_cast<Label>(graph_.sentences.size()));
    if (fresh) {
      graph_.sentences.push_back(std::move(sentence));
      graph_.kind.push_back(kind);
      graph_.fault.push_back(has_faults_ && is_fault(kind) ? 1 : 0);
    }
    return at->second;
  }

 private:
  EventGraph& graph_;
  bool has_faults_;
  std::map<std::string, Label> numbers_;
};

}  // namespace

bool is_fault(ActionKind kind) {
  switch (kind) {
    case ActionKind::crash:
    case ActionKind::cut:
    case ActionKind::pause:
    case ActionKind::stop:
    case ActionKind::lose_reply: return true;
    case ActionKind::deliver:
    case ActionKind::step:
    case ActionKind::restart:
    case ActionKind::heal:
    case ActionKind::resume: return false;
  }
  return false;
}

std::uint32_t EventGraph::edge_of(std::uint32_t state, Action taken) const {
  for (std::uint32_t e = first_edge[state]; e < first_edge[state + 1]; ++e) {
    if (action[e] == taken) return e;
  }
  return kNone;
}

std::vector<std::uint32_t> EventGraph::first_edges_in() const {
  std::vector<std::uint32_t> in(state_count(), kNone);
  for (std::uint32_t s = 0; s < state_count(); ++s) {
    for (std::uint32_t e = first_edge[s]; e < first_edge[s + 1]; ++e) {
      if (target[e] >= initial_count && in[target[e]] == kNone) in[target[e]] = e;
    }
  }
  return in;
}

std::string build_event_graph(const Space& space, const EventGraphOptions& options,
                              EventGraph& graph) {
  ExploreOptions explore;
  explore.interrupt = options.interrupt;
  const Stopwatch watch;
  if (std::string why = build_state_graph(space, explore, watch, graph); !why.empty()) return why;

  graph.width = space.width();
  graph.components.assign(graph.state_count() * graph.width, 0);
  const auto store = [&](std::uint32_t number, const std::vector<std::uint32_t>& state) {
    std::copy(state.begin(), state.end(),
              graph.components.begin() + static_cast<std::ptrdiff_t>(number * graph.width));
  };
  std::uint32_t known = 0;
  for (const auto& state : space.initial()) store(known++, state);
  Labels labels(graph, options.has_faults);
  Successors successors;
  for (std::uint32_t s = 0; s < graph.state_count(); ++s) {
    if (s % kLookAroundEvery == 0 && options.interrupt != nullptr && options.interrupt->load()) {
      return "it was interrupted";
    }
    const std::vector<std::uint32_t> state = graph.tuple(s);
    successors.clear();
    space.expand(state, space.fingerprint(state), successors);
    std::uint32_t edge = graph.first_edge[s];
    for (const auto& entry : successors.entries) {
      graph.action.push_back(entry.action);
      graph.label.push_back(labels.of(space.describe(state, entry.action), entry.action.kind()));
      if (graph.target[edge] == known) {
        store(known++, successor_state(state, successors, entry));
      }
      ++edge;
    }
  }
  return {};
}

}  // namespace slotlab::sim
