// Follows a run through a Space, action by action.
#include "sim/check/run_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace slotlab::sim {

std::vector<std::uint32_t> successor_state(const std::vector<std::uint32_t>& from,
                                           const Successors& successors,
                                           const Successors::Entry& entry) {
  std::vector<std::uint32_t> state = from;
  for (std::size_t i = 0; i < entry.change_count; ++i) {
    const Change& change = successors.changes[entry.first_change + i];
    state[change.component] = change.value;
  }
  return state;
}

std::vector<std::vector<std::uint32_t>> states_along(const Space& space, const Run& run) {
  const auto initial = space.initial();
  if (run.initial >= initial.size()) {
    throw std::invalid_argument(fmt::format(
        "the run starts from initial state {}, but there are {}", run.initial, initial.size()));
  }
  std::vector<std::vector<std::uint32_t>> states = {initial[run.initial]};
  Successors successors;
  for (const Action action : run.actions) {
    const auto& from = states.back();
    successors.clear();
    space.expand(from, space.fingerprint(from), successors);
    const auto taken = std::ranges::find(successors.entries, action, &Successors::Entry::action);
    if (taken == successors.entries.end()) {
      throw std::invalid_argument(fmt::format(
          "step {} of the run takes an action that is not possible there", states.size()));
    }
    states.push_back(successor_state(from, successors, *taken));
  }
  return states;
}

}  // namespace slotlab::sim
