// Why a property is violated, read off the graph of all runs:
//
//   the violating run      the given one, or the one with the fewest faults, then the fewest steps
//   the point of no return the first event after which no continuation is safe
//   the deciding orderings for each smallest set of faults that suffices: the orders of events that
//                          hold in every violating run with these faults and in no safe one
//   the unavoidable steps  the events without which no run becomes doomed to violate
//   the nearest safe run   the same up to the point of no return, and then safe
//
// Everything is exact for the graph it was read off: within the bounds of the search, and for
// complete runs (see outcome.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/explain/orderings.h"

namespace slotlab::sim {

// What happens when these faults may happen, and no others.
struct FaultCase {
  std::vector<Label> faults;  // in the order of labels; empty: no fault is needed
  // Together true of every violating run and of no safe one, if `exact`; else all that could be
  // found that is true of every violating run. Empty and exact: all runs violate.
  std::vector<Ordering> orderings;
  bool exact = false;
  // Also true of every violating run: what the faults must come after and before.
  std::vector<Ordering> around;
  std::vector<Ordering> single;  // each alone true of every violating run and of no safe one
  std::vector<std::uint32_t> bad_run, safe_run;  // edges; the cheapest of each kind
};

struct Explanation {
  Question question = Question::for_good;
  std::vector<std::uint32_t> run;    // edges of the violating run, to where P is false for good
  std::size_t given = 0;             // so many of them were given; the rest was added
  std::optional<std::size_t> first_without;  // events before the first state without P
  std::size_t no_return = 0;         // events after which no safe end can be reached; 0: at once
  bool is_final = true;              // false: a further fault could still make the run safe
  std::vector<Label> unavoidable;    // before a run is doomed, in the order of `run`
  std::vector<FaultCase> cases;
  bool cases_complete = true;        // no other smallest set of faults exists
  // The cases together say of each run with any faults whether it violates; none: not computed.
  std::optional<bool> exact;
  std::optional<std::vector<std::uint32_t>> safe_run;  // edges; none: no run is safe
};

struct ExplainOptions {
  std::size_t property = 0;
  Question question = Question::for_good;
  std::optional<std::vector<std::uint32_t>> run = {};  // edges from initial state 0
  std::size_t fault_sets_max = 100;               // that are tried
  const std::atomic<bool>* interrupt = nullptr;
};

// None if no run violates. REQUIRES: options.run is a path of the graph.
std::optional<Explanation> explain(const EventGraph& graph, const ExplainOptions& options);

// The edges of a run with the fewest faults, then the fewest steps, from `from` to a marked state.
std::optional<std::vector<std::uint32_t>> cheapest_run(const EventGraph& graph,
                                                       const Outcome& outcome,
                                                       const Allowed& allowed,
                                                       const std::vector<std::uint32_t>& from,
                                                       const std::vector<std::uint8_t>& marked);

}  // namespace slotlab::sim
