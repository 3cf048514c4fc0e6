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
      const auto way = harmless(action);
      SIM_ASSERT(way.has_value(), "a reduced run has no counterpart in the system: " + sentence);
      step(*way);
    }
    step(action);
  }

  // Delivers all that changes nothing, so that a cycle begins and ends with the same links.
  void drain() {
    while (const auto way = harmless(sim::Action::make(sim::ActionKind::crash, 0))) step(*way);
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

  // A delivery that changes its own link and nothing else: on the link that `wanted` delivers from,
  // if it is a delivery, else on any.
  std::optional<sim::Action> harmless(sim::Action wanted) {
    expand();
    const bool one_link = wanted.kind() == sim::ActionKind::deliver;
    for (const auto& entry : all_.entries) {
      if (entry.action.kind() != sim::ActionKind::deliver || entry.change_count != 1) continue;
      if (!one_link || entry.action == wanted) return entry.action;
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

sim::Run full_run(const sim::Space& reduced, const sim::Space& full, const sim::Run& run) {
  Expander expander(full, run.initial);
  State state = reduced.initial()[run.initial];
  for (std::size_t i = 0; i < run.actions.size(); ++i) {
    if (i == run.cycle_start) {
      expander.drain();
      expander.begin_cycle();
    }
    expander.take(run.actions[i], reduced.describe(state, run.actions[i]));
    state = successor(reduced, state, run.actions[i]);
  }
  if (run.cycle_start != SIZE_MAX) expander.drain();
  return expander.finish();
}

}  // namespace slotlab::cli
