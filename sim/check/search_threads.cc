// A search with several threads: see search.h for the order that makes its result that of one.
#include <algorithm>
#include <shared_mutex>

#include "sim/check/search.h"

namespace slotlab::sim {

void Search::process_threads() {
  if (batches_.empty()) batches_.resize(relay_.slots());
  relay_.run(
      batch_begin_.size() - 1,
      [&](std::size_t number, std::size_t slot, std::size_t thread) {
        make(batches_[slot], number, recent_[thread]);
      },
      [&](std::size_t slot) { take(batches_[slot]); });
}

// What the thread met before, it met in batches before this one.
void Search::make(Batch& batch, std::size_t number, RecentSet& recent) {
  load(batch, number);
  batch.candidates.clear();
  batch.built.clear();
  for (std::size_t first = 0; first < batch.fingerprints.size(); first += kPartParents) {
    const std::shared_lock lock(table_);
    expand(batch, first, std::min(first + kPartParents, batch.fingerprints.size()), recent);
    const std::size_t before = batch.candidates.size();
    keep_candidates(batch);
    check_candidates(batch, before);
  }
}

// What is in the visited set was found before this batch in the order. Exact states are told apart
// by their own table only, so that there all are kept.
void Search::keep_candidates(Batch& batch) const {
  std::size_t at = 0;
  for (std::size_t i = 0; i < batch.ends.size(); ++i) {
    const std::size_t parent = batch.first + i;
    for (; at < batch.ends[i]; ++at) {
      const Successors::Entry& entry = batch.successors.entries[batch.fresh[at]];
      if (!exact_ && visited_.contains(entry.fingerprint)) continue;
      build(batch, parent, entry, batch.built.room(width_));
      batch.built.grow_by(width_);
      batch.candidates.push_back(
          {entry.fingerprint, batch.first_id + static_cast<StateId>(parent), 0});
    }
  }
}

// Apart from keep_candidates(), since a look into the space waits until all that was written before
// has left the processor.
void Search::check_candidates(Batch& batch, std::size_t first) const {
  const std::uint32_t* state = batch.built.begin() + first * width_;
  for (std::size_t i = first; i < batch.candidates.size(); ++i, state += width_) {
    batch.candidates[i].bits = space_.check({state, width_});
  }
}

void Search::take(const Batch& batch) {
  for (const Candidate& candidate : batch.candidates) visited_.prefetch(candidate.fingerprint);
  const std::uint32_t* state = batch.built.begin();
  for (const Candidate& candidate : batch.candidates) {
    if (insert(candidate.fingerprint, {state, width_})) {
      add_new(candidate.fingerprint, candidate.parent, state, candidate.bits);
    }
    state += width_;
  }
  transitions_ += batch.transitions;
}

}  // namespace slotlab::sim
