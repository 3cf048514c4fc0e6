// See full_run.h.
#include "cli/full_run.h"

#include <algorithm>
#include <optional>

#include "cli/story.h"
#include "sim/base/assert.h"

namespace slotlab::cli {
namespace {

using State = std::vector<std::uint32_t>;

class Expander {
 public:
  Expander(const sim::Space& full, std::size_t initial) : full_(full) {
    run_.initial = initial;
    state_ = full.initial()[initial];
  }

  // Takes the event with this action and sentence, after as many harmless deliveries as it needs.
  void take(sim::Action action, const std::string& sentence) {
    while (!possible(action, sentence)) {
      const bool delivery = action.kind() == sim::ActionKind::deliver;
      const auto way =
          harmless([&](sim::Action other) { return !delivery || other == action; });
      SIM_ASSERT(way.has_value(), "a reduced run has no counterpart in the system: " + sentence);
      step(*way);
    }
    step(action);
  }

  // Delivers what changes nothing and what the reduced run, in state `reduced` of its space, has
  // dropped, so that a cycle begins and ends with the same links. What is first on a link of the
  // reduced run stays: it may change nothing now, and yet be what the cycle delivers later.
  void drain(const sim::Space& space, const State& reduced) {
    sim::Successors kept;
    space.expand(reduced, space.fingerprint(reduced), kept);
    const auto is_kept = [&](sim::Action action) {
      return std::any_of(kept.entries.begin(), kept.entries.end(), [&](const auto& entry) {
        return entry.action == action &&
               space.describe(reduced, action) == full_.describe(state_, action);
      });
    };
    while (const auto way = harmless([&](sim::Action action) { return !is_kept(action); })) {
      step(*way);
    }
  }

  std::size_t events() const { return run_.actions.size(); }
  void begin_cycle() { run_.cycle_start = events(); }
  sim::Run finish() { return std::move(run_); }

 private:
  bool possible(sim::Action action, const std::string& sentence) {
    expand();
    const bool found = std::any_of(all_.entries.begin(), all_.entries.end(),
                                   [&](const auto& entry) { return entry.action == action; });
    return found && full_.describe(state_, action) == sentence;
  }

  // A delivery that changes its own link and nothing else, of those that `may_be_taken`.
  template <class MayBeTaken>
  std::optional<sim::Action> harmless(MayBeTaken may_be_taken) {
    expand();
    for (const auto& entry : all_.entries) {
      if (entry.action.kind() != sim::ActionKind::deliver || entry.change_count != 1) continue;
      if (may_be_taken(entry.action)) return entry.action;
    }
    return std::nullopt;
  }

  void expand() {
    all_.clear();
    full_.expand(state_, full_.fingerprint(state_), all_);
  }

  void step(sim::Action action) {
    state_ = successor(full_, state_, action);
    run_.actions.push_back(action);
  }

  const sim::Space& full_;
  sim::Run run_;
  State state_;
  sim::Successors all_;
};

}  // namespace

sim::Run full_run(const sim::Space& reduced, const sim::Space& full, const sim::RealPath& path) {
  const sim::Run& run = path.run;
  Expander expander(full, run.initial);
  for (std::size_t i = 0; i < run.actions.size(); ++i) {
    if (i == run.cycle_start) {
      expander.drain(reduced, path.states[i]);
      expander.begin_cycle();
    }
    expander.take(run.actions[i], reduced.describe(path.states[i], run.actions[i]));
  }
  if (run.cycle_start != SIZE_MAX) expander.drain(reduced, path.states.back());
  return expander.finish();
}

sim::Run full_run(const sim::Space& reduced, const sim::Space& full, const sim::Run& run) {
  return full_run(reduced, full, {.run = run, .states = sim::states_along(reduced, run)});
}

}  // namespace slotlab::cli
