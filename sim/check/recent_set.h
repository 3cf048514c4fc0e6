// Fingerprints that a search met a moment ago. What two actions do in either order is found twice
// within a few states, so that half of all successors are known here, in a table that stays in the
// processor's second-level cache, and need not be looked up in the visited set. It forgets: what is
// not here may have been met all the same.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/check/space.h"
#include "sim/check/visited_set.h"

namespace slotlab::sim {

class RecentSet {
 public:
  RecentSet() : slots_(std::make_unique<std::uint64_t[]>(kSlots)) { slots_[0] = kNone; }

  // Whether `fingerprint` is remembered; it is from now on. The first 64 bits decide.
  bool meet(const Fingerprint& fingerprint) {
    const std::uint64_t key = VisitedSet::key_of(fingerprint);
    std::uint64_t& slot = slots_[key % kSlots];
    if (slot == key) return true;
    slot = key;
    return false;
  }
  static constexpr std::uint64_t bytes() { return kSlots * sizeof(std::uint64_t); }

 private:
  static constexpr std::uint64_t kSlots = 1 << 15;
  static constexpr std::uint64_t kNone = 1;  // its place is not 0, so that it is never met there
  std::unique_ptr<std::uint64_t[]> slots_;
};

}  // namespace slotlab::sim
