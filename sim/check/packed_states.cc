// Packing and unpacking. Rows whose components all take one byte, or all four, have loops of their
// own that the compiler turns into vector code; these are the two cases that searches meet.
#include "sim/check/packed_states.h"

#include <algorithm>
#include <cstring>

#include "sim/base/assert.h"

namespace slotlab::sim {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{16} << 10;

std::uint8_t bytes_needed(std::uint32_t seen) {
  if (seen <= 0xff) return 1;
  return seen <= 0xffff ? 2 : 4;
}

void store(std::byte* row, const PackedLayout& layout, const std::uint32_t* state) {
  const std::size_t width = layout.bytes.size();
  if (layout.bytes_only) {
    for (std::size_t i = 0; i < width; ++i) row[i] = static_cast<std::byte>(state[i]);
  } else if (layout.words_only) {
    std::memcpy(row, state, width * sizeof(std::uint32_t));
  } else {
    for (std::size_t i = 0; i < width; ++i) {
      const std::uint8_t bytes = layout.bytes[i];
      const auto half = static_cast<std::uint16_t>(state[i]);
      if (bytes == 1) {
        *row = static_cast<std::byte>(state[i]);
      } else if (bytes == 2) {
        std::memcpy(row, &half, sizeof(half));
      } else {
        std::memcpy(row, &state[i], sizeof(state[i]));
      }
      row += bytes;
    }
  }
}

void fetch(const std::byte* row, const PackedLayout& layout, std::uint32_t* state) {
  const std::size_t width = layout.bytes.size();
  if (layout.bytes_only) {
    for (std::size_t i = 0; i < width; ++i) state[i] = std::to_integer<std::uint32_t>(row[i]);
  } else if (layout.words_only) {
    std::memcpy(state, row, width * sizeof(std::uint32_t));
  } else {
    for (std::size_t i = 0; i < width; ++i) {
      const std::uint8_t bytes = layout.bytes[i];
      std::uint16_t half = 0;
      if (bytes == 1) {
        state[i] = std::to_integer<std::uint32_t>(*row);
      } else if (bytes == 2) {
        std::memcpy(&half, row, sizeof(half));
        state[i] = half;
      } else {
        std::memcpy(&state[i], row, sizeof(state[i]));
      }
      row += bytes;
    }
  }
}

}  // namespace

std::shared_ptr<const PackedLayout> PackedLayout::for_bits(const std::vector<std::uint32_t>& seen) {
  auto layout = std::make_shared<PackedLayout>();
  for (const std::uint32_t bits : seen) {
    const std::uint8_t bytes = bytes_needed(bits);
    layout->bytes.push_back(bytes);
    layout->beyond.push_back(bytes == 4 ? 0 : ~0u << (8 * bytes));
    layout->stride += bytes;
  }
  const auto all = [&](std::uint8_t n) {
    return std::all_of(layout->bytes.begin(), layout->bytes.end(),
                       [n](std::uint8_t bytes) { return bytes == n; });
  };
  layout->bytes_only = all(1);
  layout->words_only = all(4);
  return layout;
}

PackedBlock::PackedBlock(std::shared_ptr<const PackedLayout> layout)
    : layout_(std::move(layout)),
      capacity_(std::max<std::size_t>(1, kBlockBytes / std::max<std::size_t>(1, layout_->stride))),
      rows_(std::make_unique_for_overwrite<std::byte[]>(capacity_ * layout_->stride)) {}

bool PackedBlock::fits(const std::uint32_t* state) const {
  if (layout_->words_only) return true;
  std::uint32_t beyond = 0;
  const std::uint32_t* const masks = layout_->beyond.data();
  const std::size_t width = layout_->bytes.size();
  for (std::size_t i = 0; i < width; ++i) beyond |= state[i] & masks[i];
  return beyond == 0;
}

void PackedBlock::append(const std::uint32_t* state) {
  store(rows_.get() + size_ * layout_->stride, *layout_, state);
  ++size_;
}

void PackedBlock::load(std::size_t first, std::size_t count, std::uint32_t* out) const {
  SIM_ASSERT(first + count <= size_);
  const std::size_t width = layout_->bytes.size();
  std::vector<std::byte> fetched;
  if (!rows_) {
    fetched.resize(count * layout_->stride);
    file_->read(place_ + first * layout_->stride, fetched.data(), fetched.size());
  }
  const std::byte* row = rows_ ? rows_.get() + first * layout_->stride : fetched.data();
  if (layout_->words_only) {
    std::memcpy(out, row, count * layout_->stride);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    fetch(row, *layout_, out);
    row += layout_->stride;
    out += width;
  }
}

void PackedBlock::spill(SpillFile& file) {
  if (!rows_) return;
  file_ = &file;
  place_ = file.append(rows_.get(), size_ * layout_->stride);
  rows_.reset();
}

PackedQueue::PackedQueue(std::size_t width)
    : seen_(width, 0), layout_(PackedLayout::for_bits(seen_)) {}

void PackedQueue::append(const std::uint32_t* state) {
  if (blocks_.empty() || blocks_.back()->full() || !blocks_.back()->fits(state)) open_block(state);
  blocks_.back()->append(state);
  std::uint32_t* const seen = seen_.data();
  const std::size_t width = seen_.size();
  for (std::size_t i = 0; i < width; ++i) seen[i] |= state[i];
  ++size_;
}

void PackedQueue::open_block(const std::uint32_t* state) {
  for (std::size_t i = 0; i < seen_.size(); ++i) seen_[i] |= state[i];
  auto needed = PackedLayout::for_bits(seen_);
  if (needed->bytes != layout_->bytes) layout_ = std::move(needed);
  std::fill(seen_.begin(), seen_.end(), 0u);
  blocks_.push_back(std::make_unique<PackedBlock>(layout_));
  bytes_ += blocks_.back()->bytes();
}

void PackedQueue::release(std::size_t i) {
  if (blocks_[i] == nullptr) return;
  bytes_ -= blocks_[i]->bytes();
  blocks_[i].reset();
}

void PackedQueue::spill(SpillFile& file, std::size_t first) {
  for (std::size_t i = first; i < blocks_.size(); ++i) {
    if (blocks_[i] == nullptr || !blocks_[i]->full()) continue;
    bytes_ -= blocks_[i]->bytes();
    blocks_[i]->spill(file);
  }
}

void PackedQueue::clear() {
  blocks_.clear();
  size_ = 0;
  bytes_ = 0;
}

void PackedQueue::swap_states(PackedQueue& other) {
  blocks_.swap(other.blocks_);
  std::swap(size_, other.size_);
  std::swap(bytes_, other.bytes_);
}

}  // namespace slotlab::sim
