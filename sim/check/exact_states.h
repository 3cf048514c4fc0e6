// Whole states of a search, compared component by component: the proof, on graphs
// small enough for it, that no two states shared a fingerprint. Slow and large by design.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace slotlab::sim {

class ExactStates {
 public:
  explicit ExactStates(std::size_t width) : width_(width), order_(Less{this}) {}
  ExactStates(const ExactStates&) = delete;
  ExactStates& operator=(const ExactStates&) = delete;

  // True if `state` is new; it then gets the next number, counting from 0.
  bool insert(std::span<const std::uint32_t> state);
  std::span<const std::uint32_t> state(std::uint64_t number) const {
    return {components_.data() + number * width_, width_};
  }
  std::uint64_t bytes() const;

 private:
  struct Less {
    const ExactStates* all;
    bool operator()(std::uint64_t a, std::uint64_t b) const;
  };
  std::size_t width_;
  std::vector<std::uint32_t> components_;  // state after state
  std::set<std::uint64_t, Less> order_;
};

}  // namespace slotlab::sim
