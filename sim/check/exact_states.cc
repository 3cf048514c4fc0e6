// A candidate is put at the end of the store first, so that the ordered set of numbers can compare
// it in place, and is taken off again if an equal one was there.
#include "sim/check/exact_states.h"

#include <algorithm>

namespace slotlab::sim {

bool ExactStates::Less::operator()(std::uint64_t a, std::uint64_t b) const {
  return std::ranges::lexicographical_compare(all->state(a), all->state(b));
}

bool ExactStates::insert(std::span<const std::uint32_t> state) {
  components_.insert(components_.end(), state.begin(), state.end());
  const bool added = order_.insert(components_.size() / width_ - 1).second;
  if (!added) components_.resize(components_.size() - width_);
  return added;
}

std::uint64_t ExactStates::bytes() const {
  constexpr std::uint64_t kNodeBytes = 48;  // a red-black tree's node with its heap header
  return components_.capacity() * sizeof(std::uint32_t) + order_.size() * kNodeBytes;
}

}  // namespace slotlab::sim
