// For every state found, in the order in which it was found: its fingerprint and the number of the
// state it was found from. That is enough to rebuild a shortest run to it (expand along the chain
// and follow the fingerprints), it takes 12 bytes per state, and it is only ever appended to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "sim/base/assert.h"
#include "sim/check/spill_file.h"
#include "sim/check/space.h"

namespace slotlab::sim {

// A state's number: its place in the log.
using StateId = std::uint32_t;
inline constexpr StateId kNoState = std::numeric_limits<StateId>::max();
inline constexpr std::uint64_t kStatesMax = kNoState;  // that a search can number

class ParentLog {
 public:
  // `wide`: the upper half of fingerprints is kept too.
  explicit ParentLog(bool wide) : wide_(wide) {}

  std::uint64_t size() const { return size_; }
  void append(const Fingerprint& fingerprint, StateId parent) {
    const std::size_t at = size_ % kSegment;
    if (at == 0) add_segment();
    Segment& segment = *segments_.back();
    segment.low[at] = fingerprint.low;
    segment.parent[at] = parent;
    if (wide_) high_.back()[at] = fingerprint.high;
    ++size_;
  }
  Fingerprint fingerprint(std::uint64_t place) const {
    const std::uint64_t high = wide_ ? high_[place / kSegment][place % kSegment] : 0;
    if (place < spilled_) {
      std::uint64_t low = 0;
      file_->read(places_[place / kSegment] + place % kSegment * sizeof(low), &low, sizeof(low));
      return {low, high};
    }
    return {segments_[place / kSegment]->low[place % kSegment], high};
  }
  StateId parent(std::uint64_t place) const {
    if (place < spilled_) {
      StateId parent = 0;
      file_->read(places_[place / kSegment] + offsetof(Segment, parent) +
                      place % kSegment * sizeof(parent),
                  &parent, sizeof(parent));
      return parent;
    }
    return segments_[place / kSegment]->parent[place % kSegment];
  }
  std::uint64_t bytes() const {
    const std::uint64_t high = wide_ ? kSegment * sizeof(std::uint64_t) : 0;
    return segments_.size() * (sizeof(Segment) + high) - places_.size() * sizeof(Segment);
  }
  // Moves all whole segments before `end` to `file`, which must outlive the log. What lies there is
  // read one state at a time.
  void spill(SpillFile& file, std::uint64_t end) {
    file_ = &file;
    for (; spilled_ + kSegment <= end; spilled_ += kSegment) {
      auto& segment = segments_[spilled_ / kSegment];
      places_.push_back(file.append(segment.get(), sizeof(Segment)));
      segment.reset();
    }
  }

 private:
  static constexpr std::size_t kSegment = 4096;
  struct Segment {
    std::uint64_t low[kSegment];
    StateId parent[kSegment];
  };
  void add_segment() {
    // Left uninitialised: a search of ten states should not touch a segment's every page.
    segments_.push_back(std::make_unique_for_overwrite<Segment>());
    if (wide_) high_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(kSegment));
  }

  bool wide_;
  std::uint64_t size_ = 0;
  std::uint64_t spilled_ = 0;            // so many of the first are in the file
  const SpillFile* file_ = nullptr;
  std::vector<std::uint64_t> places_;    // in the file, by segment
  std::vector<std::unique_ptr<Segment>> segments_;
  std::vector<std::unique_ptr<std::uint64_t[]>> high_;
};

}  // namespace slotlab::sim
