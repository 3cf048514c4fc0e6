// Which orders of events decide. An ordering "e before f" is true of a run in which e happens and f
// happens later or never; of several occurrences the first counts. Without an f it says that e
// happens at all. Whether orderings are true of
// all violating runs and false of all safe ones is computed on the graph, for all its runs at once,
// without listing them: by what may have happened so far in each state.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "sim/explain/outcome.h"

namespace slotlab::sim {

struct Ordering {
  Label before = kNoLabel;
  Label after = kNoLabel;  // kNoLabel: never mind what else happens
  auto operator<=>(const Ordering&) const = default;
};

// The labels that every run to a marked state has taken; in the order of labels.
// This is what dominators say of edges, but of sentences: a step that stands at many edges of the
// graph is unavoidable although none of these edges is.
std::vector<Label> unavoidable(const EventGraph& graph, const Outcome& outcome,
                               const Allowed& allowed, const std::vector<std::uint8_t>& marked);

struct Judged {
  Ordering ordering;
  bool of_all_bad = false;    // true of every violating run
  bool of_no_good = false;    // true of no safe run
};
// Judges all orderings whose `before` is in `firsts` and whose `after` is in `seconds`.
std::vector<Judged> judge_orderings(const EventGraph& graph, const Outcome& outcome,
                                    const Allowed& allowed, const std::vector<Label>& firsts,
                                    const std::vector<Label>& seconds,
                                    const std::atomic<bool>* interrupt);

// Whether so many orderings can be looked at together in a graph of this size.
bool joint_fits(const EventGraph& graph, std::size_t orderings);

// A shortest run to a marked state of which all of `orderings` are true: its edges. None if there
// is none. REQUIRES: joint_fits().
std::optional<std::vector<std::uint32_t>> run_with(const EventGraph& graph, const Outcome& outcome,
                                                   const Allowed& allowed,
                                                   const std::vector<std::uint8_t>& marked,
                                                   const std::vector<Ordering>& orderings);

// Whether, over all runs of the part of the graph, those are violating of which, for one of the
// groups, all orderings are true, and no others. REQUIRES: joint_fits() for all of them.
bool groups_are_exact(const EventGraph& graph, const Outcome& outcome, const Allowed& allowed,
                      const std::vector<std::vector<Ordering>>& groups);

// Some orderings, all true of every violating run, that together are true of no safe run: chosen
// one by one, each breaking a safe run that satisfies those before it, in the order of `necessary`.
// None if even all of them together leave a safe run, or more would be needed than joint_fits().
std::optional<std::vector<Ordering>> separate(const EventGraph& graph, const Outcome& outcome,
                                              const Allowed& allowed,
                                              const std::vector<Ordering>& necessary);

}  // namespace slotlab::sim
