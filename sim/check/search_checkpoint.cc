// Saving a search between two blocks and taking it up again. The visited set is not saved: it holds
// the fingerprints of the log. Of the level being expanded, only what still waits is saved.
#include "sim/base/assert.h"
#include "sim/check/checkpoint_file.h"
#include "sim/check/search.h"

namespace slotlab::sim {

namespace {

// States `first` and after of a queue's block `block`, then of all blocks behind it.
void write_states(CheckpointWriter& out, const PackedQueue& queue, std::size_t width,
                  std::size_t block, std::size_t first) {
  std::uint64_t count = 0;
  for (std::size_t b = block; b < queue.block_count(); ++b) {
    count += queue.block(b).size() - (b == block ? first : 0);
  }
  out.number(count);
  std::vector<std::uint32_t> states;
  for (std::size_t b = block; b < queue.block_count(); ++b) {
    const std::size_t from = b == block ? first : 0;
    const std::size_t rows = queue.block(b).size() - from;
    states.resize(rows * width);
    queue.block(b).load(from, rows, states.data());
    out.bytes(states.data(), states.size() * sizeof(std::uint32_t));
  }
}

void read_states(CheckpointReader& in, PackedQueue& queue, std::size_t width) {
  std::vector<std::uint32_t> state(width);
  for (std::uint64_t left = in.number(); left != 0; --left) {
    in.bytes(state.data(), width * sizeof(std::uint32_t));
    queue.append(state.data());
  }
}

}  // namespace

void Search::save() {
  if (exact_) return;
  CheckpointWriter out(options_.checkpoint.file);
  out.text(options_.checkpoint.subject);
  out.number(round_);
  out.number(wide_ ? 1 : 0);
  out.number(width_);
  out.text(space_.save());
  for (const std::uint64_t n : {transitions_, level_expanded_, std::uint64_t{level_},
                                std::uint64_t{depth_}}) {
    out.number(n);
  }
  out.number(level_sizes_.size());
  for (const std::uint64_t size : level_sizes_) out.number(size);
  out.number(log_.size());
  for (StateId id = 0; id < log_.size(); ++id) {
    const Fingerprint fingerprint = log_.fingerprint(id);
    const StateId parent = log_.parent(id);
    out.number(fingerprint.low);
    if (wide_) out.number(fingerprint.high);
    out.bytes(&parent, sizeof(parent));
  }
  for (const Tally& tally : tallies_) {
    out.number(tally.states);
    out.number(tally.depth);
    out.number(tally.first);
  }
  out.number(cursor_.id);
  write_states(out, current_, width_, cursor_.block, cursor_.first);
  write_states(out, next_, width_, 0, 0);
  out.commit();
  saved_at_ = watch_.seconds();
}

void Search::restore(CheckpointReader& in) {
  for (std::uint64_t* const n : {&transitions_, &level_expanded_}) *n = in.number();
  level_ = static_cast<std::uint32_t>(in.number_below(UINT32_MAX));
  depth_ = static_cast<std::uint32_t>(in.number_below(UINT32_MAX));
  level_sizes_.resize(in.number_below(std::uint64_t{1} << 32));
  for (std::uint64_t& size : level_sizes_) size = in.number();
  for (std::uint64_t left = in.number_below(kStatesMax); left != 0; --left) {
    Fingerprint fingerprint;
    StateId parent = kNoState;
    fingerprint.low = in.number();
    if (wide_) fingerprint.high = in.number();
    in.bytes(&parent, sizeof(parent));
    make_room();
    visited_.insert(fingerprint);
    log_.append(fingerprint, parent);
  }
  for (Tally& tally : tallies_) {
    tally.states = in.number();
    tally.depth = static_cast<std::uint32_t>(in.number_below(UINT32_MAX));
    tally.first = static_cast<StateId>(in.number());
  }
  level_first_ = static_cast<StateId>(in.number_below(kStatesMax));
  read_states(in, current_, width_);
  read_states(in, next_, width_);
  level_left_ = current_.size();
  cursor_ = Cursor{};
  cursor_.id = level_first_;
  restored_ = true;
}

}  // namespace slotlab::sim
