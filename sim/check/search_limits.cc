// What a search does between blocks of states: watch its budgets, grow the visited set while
// memory allows, and report progress.
#include <malloc.h>

#include <algorithm>

#include "sim/check/search.h"

namespace slotlab::sim {

namespace {

constexpr double kProgressSeconds = 0.5;
constexpr std::uint64_t kSpillAtLeast = std::uint64_t{4} << 20;  // bytes, or it does not pay

}  // namespace

void Search::look_around() {
  if (spill_ && memory_used() > options_.memory_max_bytes / 4 * 3) spill();
  grow_if_crowded();
  const auto& options = options_;
  if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed)) {
    stopped_by_ = "interrupt";
  } else if (options.states_max != UINT64_MAX && level_expanded_ % kBlockParents == 0 &&
             states() >= options.states_max) {
    stopped_by_ = "states";
  } else if (states() > kStatesMax / 16 * 15) {
    stopped_by_ = "states";
  } else if (options.memory_max_bytes != 0 && memory_used() > memory_limit()) {
    stopped_by_ = "memory";
  } else if (options.seconds_max > 0 && watch_.seconds() > options.seconds_max) {
    stopped_by_ = "time";
  } else {
    if (options.progress) report_progress();
    if (!options.checkpoint.file.empty() &&
        watch_.seconds() - saved_at_ >= options.checkpoint.seconds) {
      save();
    }
  }
}

// A little less than the budget: what a block adds before the next look must still fit, and what
// writing a checkpoint takes.
std::uint64_t Search::memory_limit() const {
  const std::uint64_t most = options_.memory_max_bytes;
  // Saving the search at its end and telling its runs take some that does not grow with it.
  constexpr std::uint64_t kAtTheEnd = 4 << 20;
  const std::uint64_t kept = options_.checkpoint.file.empty() ? 0 : std::min(kAtTheEnd, most / 16);
  return most / 64 * 63 - kept;
}

void Search::grow_if_crowded() {
  if (!visited_.crowded()) return;
  const std::uint64_t afterwards =
      memory_used() - visited_.bytes() + visited_.bytes_after_growth();
  if (options_.memory_max_bytes != 0 && afterwards > memory_limit()) {
    stopped_by_ = "memory";
  } else {
    // Threads give back what they moved later than one does.
    visited_.grow(options_.memory_max_bytes == 0 ? &pool_ : nullptr);
  }
}

// The tail of a geometric series whose ratio is that of the last two whole levels. Sizes of levels
// mostly fall faster than that once they fall.
std::optional<std::uint64_t> Search::states_left() const {
  const std::size_t count = level_sizes_.size();
  if (count < 3) return std::nullopt;
  const std::uint64_t before = level_sizes_[count - 2];
  const std::uint64_t last = level_sizes_[count - 1];
  if (last >= before || before >= level_sizes_[count - 3]) return std::nullopt;
  return last * last / (before - last);
}

void Search::report_progress() {
  const double now = watch_.seconds();
  if (now - progress_at_ < kProgressSeconds) return;
  progress_at_ = now;
  options_.progress({.states = states(),
                     .transitions = transitions_,
                     .depth = level_,
                     .frontier = level_left_,
                     .memory_bytes = memory_bytes(),
                     .seconds = now,
                     .round = round_});
}

bool Search::decided() const {
  const PropertyBits counted = always_ | sometimes_;
  if (needs_whole_graph_ || counted == 0) return false;
  for (std::size_t p = 0; p < space_.property_count(); ++p) {
    if ((counted >> p & 1) != 0 && tally(p).states == 0) return false;
  }
  return true;
}

// What the search will not look at for a while goes to disk: states that wait, and the log of all
// levels before this one, which only a reported run needs.
void Search::spill() {
  const auto movable = [&] { return log_.bytes() + current_.bytes() + next_.bytes(); };
  if (movable() < kSpillAtLeast + kept_by_spill_) return;
  current_.spill(*spill_, cursor_.block + 1);
  next_.spill(*spill_, 0);
  log_.spill(*spill_, level_first_);
  kept_by_spill_ = movable();
  malloc_trim(0);  // or the process would keep what it freed
}

// What is counted leaves out what the allocator keeps and the program itself; what the system says
// leaves out pages not touched yet.
std::uint64_t Search::memory_used() const {
  return std::max(memory_bytes(), resident_bytes());
}

std::uint64_t Search::memory_bytes() const {
  std::uint64_t sum = visited_.bytes() + space_.memory_bytes() + log_.bytes() + current_.bytes() +
                      next_.bytes() + recent_.size() * RecentSet::bytes();
  if (exact_) sum += exact_states_->bytes();
  for (const auto& batch : batches_) {
    sum += batch.successors.entries.capacity() * sizeof(Successors::Entry) +
           batch.successors.changes.capacity() * sizeof(Change) +
           batch.candidates.capacity() * sizeof(Candidate) +
           (batch.states.capacity() + batch.built.capacity()) * sizeof(std::uint32_t);
  }
  return sum;
}

}  // namespace slotlab::sim
