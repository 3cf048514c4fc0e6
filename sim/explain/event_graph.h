// The explored graph with its states and the sentences of its events: what an explanation is read
// off. Events of different runs are the same event when they have the same sentence, so that
// "A hears of B's new epoch" is one thing wherever it happens.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sim/check/space.h"
#include "sim/check/state_graph.h"

namespace slotlab::sim {

using Label = std::uint32_t;  // the number of a sentence
inline constexpr Label kNoLabel = UINT32_MAX;

// Crash, cut, pause, stop, lost reply; not the mendings.
bool is_fault(ActionKind kind);

struct EventGraph : StateGraph {
  std::size_t width = 0;
  std::vector<std::uint32_t> components;  // by state, width each
  std::vector<Action> action;             // by edge
  std::vector<Label> label;               // by edge
  std::vector<std::string> sentences;     // by label, in the order of first appearance
  std::vector<std::uint8_t> fault;        // by label: it is a fault
  std::vector<ActionKind> kind;           // by label

  std::span<const std::uint32_t> state(std::uint32_t number) const {
    return std::span(components).subspan(std::size_t{number} * width, width);
  }
  std::vector<std::uint32_t> tuple(std::uint32_t number) const {
    const auto at = state(number);
    return {at.begin(), at.end()};
  }
  // The edge from `state` with this action; UINT32_MAX if there is none.
  std::uint32_t edge_of(std::uint32_t state, Action taken) const;
  // By state: an edge by which it was first reached in breadth-first order; UINT32_MAX at the
  // initial ones.
  std::vector<std::uint32_t> first_edges_in() const;
};

struct EventGraphOptions {
  bool has_faults = true;  // false: actions are a model's own numbers, of no kind
  const std::atomic<bool>* interrupt = nullptr;
};

// Builds the graph of everything reachable. Returns an empty string, or else why it was given up: a
// clause such as "it was interrupted".
// REQUIRES: the space has been explored to the end before, so that its size is known to be bearable
// and its rounds are over.
std::string build_event_graph(const Space& space, const EventGraphOptions& options,
                              EventGraph& graph);

}  // namespace slotlab::sim
