// States that wait to be expanded, packed: each component takes 1, 2 or 4 bytes, as many as the
// largest value in its block needs. Component values are mostly small numbers of interned things,
// so a state of 18 components takes 18 bytes instead of 72.
//
// A queue writes straight into its last block. The widths of a new block are those that the block
// before it would have needed; a value too large for them closes the block early.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/check/spill_file.h"

namespace slotlab::sim {

// How the components of a state are laid out in a block's rows.
struct PackedLayout {
  std::vector<std::uint8_t> bytes;    // per component: 1, 2 or 4
  std::vector<std::uint32_t> beyond;  // per component: the bits that do not fit
  std::size_t stride = 0;             // bytes per state
  bool bytes_only = false;            // every component takes 1 byte
  bool words_only = false;            // every component takes 4 bytes

  // The narrowest layout that holds every value whose bits are among `seen` of its component.
  static std::shared_ptr<const PackedLayout> for_bits(const std::vector<std::uint32_t>& seen);
};

// Rows of states, at most as many as fit into kBlockBytes (always at least one).
class PackedBlock {
 public:
  explicit PackedBlock(std::shared_ptr<const PackedLayout> layout);

  std::size_t size() const { return size_; }
  bool full() const { return size_ == capacity_; }
  std::uint64_t bytes() const { return rows_ ? capacity_ * layout_->stride : 0; }  // in memory
  bool fits(const std::uint32_t* state) const;
  void append(const std::uint32_t* state);  // REQUIRES: !full() and fits(state)
  void load(std::size_t first, std::size_t count, std::uint32_t* out) const;
  // Moves the rows to `file`, which must outlive the block. REQUIRES: full().
  void spill(SpillFile& file);

 private:
  std::shared_ptr<const PackedLayout> layout_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::unique_ptr<std::byte[]> rows_;  // null: in the file
  const SpillFile* file_ = nullptr;
  std::uint64_t place_ = 0;            // in the file
};

// A first-in, first-out sequence of states of one width, in blocks.
class PackedQueue {
 public:
  explicit PackedQueue(std::size_t width);

  void append(const std::uint32_t* state);
  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return bytes_; }
  std::size_t block_count() const { return blocks_.size(); }
  const PackedBlock& block(std::size_t i) const { return *blocks_[i]; }
  // Frees block i; its states have been consumed.
  void release(std::size_t i);
  // Moves full blocks from number `first` on to `file`.
  void spill(SpillFile& file, std::size_t first);
  // Empties the queue; the widths learnt are kept for what comes next.
  void clear();
  // Exchanges the states, but not the widths learnt, of both queues.
  void swap_states(PackedQueue& other);

 private:
  void open_block(const std::uint32_t* state);

  std::vector<std::uint32_t> seen_;  // per component: the bits of all values in the last block
  std::shared_ptr<const PackedLayout> layout_;
  std::vector<std::unique_ptr<PackedBlock>> blocks_;
  std::uint64_t size_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace slotlab::sim
