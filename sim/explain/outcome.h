// How complete runs end. A run is complete when it has come to rest: nothing can lead it out of the
// part of the graph where it is (a terminal component) but further faults, which need not happen.
// Whether it violates a property is asked in one of three ways:
//
//   for good        the terminal component holds a state without P: nothing that will still happen
//                   makes P hold for ever
//   at any moment   some state on the way is without P, if only for a while
//   staying         a fair run may stay for ever in a component that it could leave (an operator
//                   who idles), and some state there is without P
//
// Each is asked of a part of the graph: that in which only some of the faults occur.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/explain/event_graph.h"

namespace slotlab::sim {

enum class Question : std::uint8_t { for_good, at_any_moment, staying };

// Which labels may occur. By label; faults that are left out do not happen.
using Allowed = std::vector<std::uint8_t>;
Allowed allow_all(const EventGraph& graph);
Allowed allow_faults(const EventGraph& graph, const std::vector<Label>& faults);

// A part of the graph with its ends. Edges that lead back to their own state are left out. From an
// end at rest, faults may still lead on.
struct Outcome {
  std::vector<std::uint32_t> order;  // states that can be reached, every edge leads onwards except
                                     // within a component
  std::vector<std::uint8_t> reached;  // by state
  std::vector<std::uint8_t> bad;      // by state: a violating run ends here
  std::vector<std::uint8_t> good;     // by state: a safe run ends here
  std::vector<std::uint8_t> doomed;   // by state: reached, and no safe end can be reached from it
  std::vector<std::uint8_t> saved;    // by state: reached, and no bad end can be reached from it
  std::vector<std::uint8_t> stop;     // by state: a run that comes here is followed no farther
  bool any_bad = false;
  bool any_good = false;
};

Outcome outcome_of(const EventGraph& graph, std::size_t property, Question question,
                   const Allowed& allowed);

// The same part of the graph, where a run is followed no farther once it is doomed: for questions
// about causes, to which what happens afterwards does not belong.
Outcome until_doomed(Outcome outcome);

// Whether a run may take the edge: its label is allowed, it leads somewhere, and the run is
// followed that far.
inline bool passable(const EventGraph& graph, const Outcome& outcome, const Allowed& allowed,
                     std::uint32_t from, std::uint32_t edge) {
  if (allowed[graph.label[edge]] == 0 || graph.target[edge] == from) return false;
  return outcome.stop[from] == 0;
}

// The sharpest question to which the graph has an answer: for good, else staying (of `eventually
// always`), else at any moment (of `always`).
Question question_of(const EventGraph& graph, std::size_t property, Mood mood);

}  // namespace slotlab::sim
