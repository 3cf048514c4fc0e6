// The search loop. Everything that happens per transition is in expand, insert_part and the two
// sets; what happens per new state (one transition in ten or so) is in add_new.
#include "sim/check/search.h"

#include <algorithm>
#include <mutex>

#include "sim/base/assert.h"

namespace slotlab::sim {

namespace {

// A block that took longer than this is followed by a smaller one, so that a search of large
// systems still looks at its budgets and at Ctrl-C several times a second.
constexpr double kBlockSeconds = 0.1;

}  // namespace

Search::Search(Space& space, const ExploreOptions& options, WorkerPool& pool,
               const Stopwatch& watch, std::uint32_t round)
    : space_(space),
      options_(options),
      pool_(pool),
      watch_(watch),
      round_(round),
      width_(space.width()),
      wide_(options.width == FingerprintWidth::bits128),
      exact_(options.width == FingerprintWidth::exact),
      block_max_(options.states_max == UINT64_MAX && options.memory_max_bytes == 0
                     ? 8 * kBlockParents
                     : kBlockParents),
      visited_(options.width),
      log_(wide_),
      current_(width_),
      next_(width_),
      scratch_(width_),
      relay_(pool),
      progress_at_(watch.seconds()),
      saved_at_(watch.seconds()) {
  SIM_ASSERT(width_ >= 1);
  if (!options.spill_folder.empty()) spill_ = std::make_unique<SpillFile>(options.spill_folder);
  if (exact_) exact_states_ = std::make_unique<ExactStates>(width_);
  recent_.resize(pool.threads());
  for (std::size_t p = 0; p < space.property_count(); ++p) {
    const PropertyBits bit = PropertyBits{1} << p;
    const Mood mood = space.property_mood(p);
    if (mood == Mood::always) always_ |= bit;
    if (mood == Mood::sometimes) sometimes_ |= bit;
    if (mood == Mood::eventually_always || mood == Mood::leads_to) {
      needs_whole_graph_ = !options.skip_long_run;
    }
  }
}

void Search::run() {
  if (restored_) {
    search_level();
  } else {
    insert_initial();
  }
  while (stopped_by_.empty() && begin_level()) {
    if (options_.stop_when_decided && decided()) {
      stopped_by_ = "decided";
    } else {
      search_level();
    }
  }
  if (!options_.checkpoint.file.empty() && !stopped_by_.empty() && stopped_by_ != "decided") save();
}

void Search::insert_initial() {
  for (const auto& state : space_.initial()) {
    SIM_ASSERT(state.size() == width_);
    const Fingerprint fingerprint = narrowed(space_.fingerprint(state));
    if (!insert(fingerprint, state)) continue;
    add_new(fingerprint, kNoState, state.data(), space_.check(state));
  }
}

bool Search::begin_level() {
  space_.review(states());
  if (space_.round_is_void()) return false;
  ++level_;
  level_first_ = static_cast<StateId>(log_.size() - next_.size());
  level_expanded_ = 0;
  current_.clear();
  current_.swap_states(next_);
  level_left_ = current_.size();
  cursor_ = Cursor{};
  cursor_.id = level_first_;
  if (level_left_ == 0) return false;
  level_sizes_.push_back(level_left_);
  depth_ = level_;
  return true;
}

void Search::search_level() {
  if (level_ == options_.depth_max) {
    stopped_by_ = "depth";
    return;
  }
  while (level_left_ != 0) {
    look_around();
    if (!stopped_by_.empty()) break;
    const double started = watch_.seconds();
    plan_block();
    pool_.threads() == 1 ? process_one_thread() : process_threads();
    free_consumed();
    adapt_block(watch_.seconds() - started);
  }
  if (next_.size() != 0) depth_ = level_ + 1;
}

// The size of blocks does not change what is found. It always divides kBlockParents, so that bounds
// on states are looked at after the same states in every run; with such a bound, or one on memory,
// it is no larger, so that the search does not go far beyond.
void Search::adapt_block(double seconds) {
  if (seconds > kBlockSeconds && block_parents_ > 1) block_parents_ /= 2;
  if (seconds < kBlockSeconds / 4 && block_parents_ < block_max_ &&
      level_expanded_ % (2 * block_parents_) == 0) {
    block_parents_ *= 2;
  }
}

// Chooses the next block_parents_ states of the frontier and divides them into batches.
void Search::plan_block() {
  slices_.clear();
  batch_begin_.clear();
  block_fingerprints_.clear();
  std::size_t planned = 0;
  std::size_t in_batch = kBatchParents;
  while (planned < block_parents_ && level_left_ != 0) {
    if (in_batch == kBatchParents) {
      batch_begin_.push_back(slices_.size());
      in_batch = 0;
    }
    const std::size_t rest = current_.block(cursor_.block).size() - cursor_.first;
    const std::size_t count = std::min({rest, kBatchParents - in_batch, block_parents_ - planned});
    slices_.push_back({cursor_.block, cursor_.first, count, cursor_.id});
    for (std::size_t i = 0; i < count; ++i) {
      block_fingerprints_.push_back(log_.fingerprint(cursor_.id + static_cast<StateId>(i)));
    }
    planned += count;
    in_batch += count;
    level_left_ -= count;
    level_expanded_ += count;
    cursor_.id += static_cast<StateId>(count);
    cursor_.first += count;
    if (count == rest) {
      ++cursor_.block;
      cursor_.first = 0;
    }
  }
  batch_begin_.push_back(slices_.size());
}

void Search::free_consumed() {
  while (cursor_.freed != cursor_.block) current_.release(cursor_.freed++);
}

void Search::load(Batch& batch, std::size_t number) const {
  const auto slices = std::span(slices_).subspan(batch_begin_[number],
                                                 batch_begin_[number + 1] - batch_begin_[number]);
  batch.first_id = slices[0].id;
  std::size_t count = 0;
  for (const Slice& slice : slices) count += slice.count;
  batch.fingerprints =
      std::span(block_fingerprints_).subspan(batch.first_id - slices_[0].id, count);
  batch.states.resize(count * width_);
  batch.transitions = 0;
  std::uint32_t* to = batch.states.data();
  for (const Slice& slice : slices) {
    current_.block(slice.block).load(slice.first, slice.count, to);
    to += slice.count * width_;
  }
}

void Search::expand(Batch& batch, std::size_t first, std::size_t end, RecentSet& recent) const {
  Successors& successors = batch.successors;
  successors.clear();
  successors.wide = wide_;
  successors.list_self_loops = false;
  batch.first = first;
  batch.ends.resize(end - first);
  batch.fresh.clear();
  // Elsewhere the first 64 bits do not tell states apart.
  const bool forgettable = !wide_ && !exact_;
  std::uint32_t seen = 0;
  for (std::size_t parent = first; parent < end; ++parent) {
    space_.expand({batch.states.data() + parent * width_, width_}, batch.fingerprints[parent],
                  successors);
    const auto count = static_cast<std::uint32_t>(successors.entries.size());
    std::uint32_t* const room = batch.fresh.room(count - seen);
    std::size_t kept = 0;
    for (; seen < count; ++seen) {
      const Fingerprint& fingerprint = successors.entries[seen].fingerprint;
      if (forgettable && recent.meet(fingerprint)) continue;
      visited_.prefetch(fingerprint);
      room[kept++] = seen;
    }
    batch.fresh.grow_by(kept);
    batch.ends[parent - first] = static_cast<std::uint32_t>(batch.fresh.size());
  }
  batch.transitions += successors.entries.size() + successors.self_loops;
}

void Search::process_one_thread() {
  if (batches_.empty()) batches_.resize(1);
  Batch& batch = batches_[0];
  for (std::size_t b = 0; b + 1 < batch_begin_.size(); ++b) {
    load(batch, b);
    for (std::size_t first = 0; first < batch.fingerprints.size(); first += kPartParents) {
      expand(batch, first, std::min(first + kPartParents, batch.fingerprints.size()), recent_[0]);
      insert_part(batch);
    }
    transitions_ += batch.transitions;
  }
}

void Search::insert_part(const Batch& batch) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < batch.ends.size(); ++i) {
    const std::size_t parent = batch.first + i;
    for (; at < batch.ends[i]; ++at) {
      const Successors::Entry& entry = batch.successors.entries[batch.fresh[at]];
      if (exact_) {
        build(batch, parent, entry, scratch_.data());
        if (!insert(entry.fingerprint, scratch_)) continue;
      } else {
        make_room();
        if (!visited_.insert(entry.fingerprint)) continue;
        build(batch, parent, entry, scratch_.data());
      }
      add_new(entry.fingerprint, batch.first_id + static_cast<StateId>(parent), scratch_.data(),
              space_.check(scratch_));
    }
  }
}

// True if the state is new.
bool Search::insert(const Fingerprint& fingerprint, std::span<const std::uint32_t> state) {
  make_room();
  const bool unseen = visited_.insert(fingerprint);
  if (!exact_) return unseen;
  if (!exact_states_->insert(state)) return false;
  if (!unseen) ++collisions_;
  return true;
}

void Search::make_room() {
  if (visited_.has_room()) return;
  const std::lock_guard lock(table_);
  visited_.grow();
}

// Writes the successor's components to `state`.
void Search::build(const Batch& batch, std::size_t parent, const Successors::Entry& entry,
                   std::uint32_t* state) const {
  const std::uint32_t* const from = batch.states.data() + parent * width_;
  std::copy(from, from + width_, state);
  const Change* const changes = batch.successors.changes.begin() + entry.first_change;
  for (std::size_t i = 0; i < entry.change_count; ++i) {
    state[changes[i].component] = changes[i].value;
  }
}

// Takes a new state into log, tallies and next level.
void Search::add_new(const Fingerprint& fingerprint, StateId parent, const std::uint32_t* state,
                     PropertyBits bits) {
  const auto id = static_cast<StateId>(log_.size());
  log_.append(fingerprint, parent);
  const PropertyBits hits = (~bits & always_) | (bits & sometimes_);
  if (hits != 0) count_hits(hits, id);
  next_.append(state);
}

void Search::count_hits(PropertyBits hits, StateId id) {
  for (std::size_t p = 0; hits != 0; ++p, hits >>= 1) {
    if ((hits & 1) == 0) continue;
    Tally& tally = tallies_[p];
    if (tally.states++ == 0) {
      tally.first = id;
      tally.depth = level_ + 1;
    }
  }
}

std::vector<StateId> Search::chain(StateId target) const {
  std::vector<StateId> ids;
  for (StateId id = target; id != kNoState; id = log_.parent(id)) {
    ids.push_back(id);
  }
  std::reverse(ids.begin(), ids.end());
  return ids;
}

bool Search::is(StateId id, std::span<const std::uint32_t> state,
                const Fingerprint& fingerprint) const {
  if (log_.fingerprint(id) != narrowed(fingerprint)) return false;
  return !exact_ || std::ranges::equal(exact_states_->state(id), state);
}

}  // namespace slotlab::sim
