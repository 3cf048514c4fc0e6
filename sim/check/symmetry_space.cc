// What TupleSpace does with symmetry besides folding: it finds out before a search which renamings
// can be used, and after it leads a run of folded states back to a run of the system.
#include <deque>
#include <mutex>
#include <set>

#include "sim/base/assert.h"
#include "sim/check/real_path.h"
#include "sim/check/symmetry.h"

namespace slotlab::sim {

namespace {

std::vector<std::uint32_t> next_state(const std::vector<std::uint32_t>& from,
                                      const Successors& successors,
                                      const Successors::Entry& entry) {
  std::vector<std::uint32_t> next = from;
  for (std::size_t i = 0; i < entry.change_count; ++i) {
    const Change& change = successors.changes[entry.first_change + i];
    next[change.component] = change.value;
  }
  return next;
}

}  // namespace

void TupleSpace::find_symmetry() {
  Tables& t = *tables_;
  t.symmetry = std::make_unique<Symmetry>(t, t.options.symmetry);
  const std::vector<std::uint32_t> start = state_of(World(t.system));
  t.symmetry->keep_those_that_fix(start);
  std::set<std::vector<std::uint32_t>> seen{start};
  std::deque<std::vector<std::uint32_t>> waiting{start};
  Successors out;
  while (t.symmetry->in_use() && t.options.probe_states > 0 && !waiting.empty()) {
    const std::vector<std::uint32_t> state = std::move(waiting.front());
    waiting.pop_front();
    out.clear();
    check(state);
    expand_unfolded(state, sim::TupleSpace::fingerprint(state), out);
    if (t.symmetry->refuted()) {
      t.symmetry->keep_unrefuted();
      waiting.push_front(state);
      continue;
    }
    for (const Successors::Entry& entry : out.entries) {
      std::vector<std::uint32_t> next = next_state(state, out, entry);
      if (seen.size() < t.options.probe_states && seen.insert(next).second) {
        waiting.push_back(std::move(next));
      }
    }
  }
  // Whoever takes up a saved search has just done the same.
  t.freeze_local_graphs();
  t.journal.clear();
  t.journal_states.clear();
  for (auto& hit : t.bound_hit) hit = false;
}

bool TupleSpace::round_is_void() const { return tables_->symmetry && tables_->symmetry->refuted(); }

std::size_t TupleSpace::renamings() const {
  return tables_->symmetry ? tables_->symmetry->size() : 0;
}

std::string TupleSpace::renamings_text() const {
  return tables_->symmetry ? tables_->symmetry->text() : std::string();
}

std::vector<std::uint32_t> TupleSpace::folded(const std::vector<std::uint32_t>& state) const {
  const Tables& t = *tables_;
  const std::lock_guard lock(t.mutex);
  return t.symmetry ? t.symmetry->folded(state) : state;
}

std::optional<RealPath> real_path(const Space& space, const Run& run) {
  RealPath path{.run = run, .states = states_along(space, run)};
  const auto* folding = dynamic_cast<const TupleSpace*>(&space);
  if (folding == nullptr || folding->renamings() == 0) return path;
  Successors out;
  for (std::size_t i = 0; i < run.actions.size(); ++i) {
    const std::vector<std::uint32_t> state = path.states[i];
    out.clear();
    folding->expand_unfolded(state, folding->fingerprint(state), out);
    bool found = false;
    for (std::size_t e = 0; e < out.entries.size() && !found; ++e) {
      std::vector<std::uint32_t> next = next_state(state, out, out.entries[e]);
      found = folding->folded(next) == path.states[i + 1];
      if (!found) continue;
      path.run.actions[i] = out.entries[e].action;
      path.states[i + 1] = std::move(next);
    }
    if (!found) return std::nullopt;
  }
  return path;
}

}  // namespace slotlab::sim
