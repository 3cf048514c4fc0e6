// What a search does between blocks of states: watch its budgets, grow the visited set while
// memory allows, and report progress.
#include <algorithm>

#include "sim/check/search.h"

namespace slotlab::sim {

namespace {

constexpr double kProgressSeconds = 0.5;

}  // namespace

void Search::look_around() {
  grow_if_crowded();
  const auto& options = options_;
  const bool numbers_short = std::any_of(shards_.begin(), shards_.end(), [](const auto& shard) {
    return shard->log.size() > kPlacesMax / 16 * 15;
  });
  if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed)) {
    stopped_by_ = "interrupt";
  } else if (options.states_max != UINT64_MAX && level_expanded_ % kBlockParents == 0 &&
             states() >= options.states_max) {
    stopped_by_ = "states";
  } else if (numbers_short) {
    stopped_by_ = "states";
  } else if (options.memory_max_bytes != 0 && memory_bytes() > options.memory_max_bytes) {
    stopped_by_ = "memory";
  } else if (options.seconds_max > 0 && watch_.seconds() > options.seconds_max) {
    stopped_by_ = "time";
  } else if (options.progress) {
    report_progress();
  }
}

void Search::grow_if_crowded() {
  if (!visited_.crowded()) return;
  const std::uint64_t afterwards =
      memory_bytes() - visited_.bytes() + visited_.bytes_after_growth();
  if (options_.memory_max_bytes != 0 && afterwards > options_.memory_max_bytes) {
    stopped_by_ = "memory";
  } else {
    visited_.grow();
  }
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

std::uint64_t Search::memory_bytes() const {
  std::uint64_t sum = visited_.bytes() + space_.memory_bytes();
  for (const auto& shard : shards_) {
    sum += shard->log.bytes() + shard->current.bytes() + shard->next.bytes();
    if (shard->exact) sum += shard->exact->bytes();
  }
  for (const auto& batch : batches_) {
    for (const Successors* successors : {&batch.successors, &batch.unseen}) {
      sum += successors->entries.capacity() * sizeof(Successors::Entry) +
             successors->changes.capacity() * sizeof(Change);
    }
    sum += (batch.states.capacity() + 2 * batch.by_shard.capacity()) * sizeof(std::uint32_t);
  }
  return sum;
}

}  // namespace slotlab::sim
