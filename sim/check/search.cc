// The search loop. Everything that happens per transition is in expand, keep_unseen, insert_entry
// and VisitedSet; what happens per new state (one transition in ten or so) is in add_new.
#include "sim/check/search.h"

#include <algorithm>
#include <utility>

#include "sim/base/assert.h"

namespace slotlab::sim {

namespace {

constexpr std::size_t kBatchParents = 128;
// Small enough that a part's successors stay in the first-level cache until they are inserted.
constexpr std::size_t kPartParents = 32;
// A block that took longer than this is followed by a smaller one, so that a search of large
// systems still looks at its budgets and at Ctrl-C several times a second.
constexpr double kBlockSeconds = 0.1;

}  // namespace

Search::Shard::Shard(std::size_t width, bool wide, bool exact_states)
    : log(wide), current(width), next(width), scratch(width) {
  if (exact_states) exact = std::make_unique<ExactStates>(width);
}

Search::Search(const Space& space, const ExploreOptions& options, WorkerPool& pool,
               const Stopwatch& watch, std::uint32_t round)
    : space_(space),
      options_(options),
      pool_(pool),
      watch_(watch),
      round_(round),
      width_(space.width()),
      wide_(options.width == FingerprintWidth::bits128),
      exact_(options.width == FingerprintWidth::exact),
      visited_(options.width),
      progress_at_(watch.seconds()),
      saved_at_(watch.seconds()) {
  SIM_ASSERT(width_ >= 1);
  if (!options.spill_folder.empty()) spill_ = std::make_unique<SpillFile>(options.spill_folder);
  for (unsigned i = 0; i < VisitedSet::kShards; ++i) {
    shards_.push_back(std::make_unique<Shard>(width_, wide_, exact_));
  }
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
    const unsigned shard = VisitedSet::shard_of(fingerprint);
    Shard& home = *shards_[shard];
    if (!visited_.has_room(shard, 1)) visited_.grow();
    const bool unseen = visited_.insert(fingerprint);
    if (home.exact ? !home.exact->insert(state) : !unseen) continue;
    home.scratch = state;
    add_new(shard, fingerprint, kNoState);
  }
}

bool Search::begin_level() {
  ++level_;
  level_left_ = level_expanded_ = 0;
  for (auto& shard : shards_) {
    shard->level_first = shard->log.size() - shard->next.size();
    shard->current.clear();
    shard->current.swap_states(shard->next);
    level_left_ += shard->current.size();
  }
  cursor_ = Cursor{};
  cursor_.place = shards_[0]->level_first;
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
  const bool found = std::any_of(shards_.begin(), shards_.end(),
                                 [](const auto& shard) { return shard->next.size() != 0; });
  if (found) depth_ = level_ + 1;
}

// The size of blocks does not change what is found. It always divides kBlockParents, so that bounds
// on states are looked at after the same states in every run.
void Search::adapt_block(double seconds) {
  if (seconds > kBlockSeconds && block_parents_ > 1) block_parents_ /= 2;
  if (seconds < kBlockSeconds / 4 && block_parents_ < kBlockParents &&
      level_expanded_ % (2 * block_parents_) == 0) {
    block_parents_ *= 2;
  }
}

// Chooses the next block_parents_ states of the frontier and divides them into batches.
void Search::plan_block() {
  slices_.clear();
  batch_begin_.clear();
  std::size_t planned = 0;
  std::size_t in_batch = kBatchParents;
  while (planned < block_parents_ && level_left_ != 0) {
    const Shard& shard = *shards_[cursor_.shard];
    if (cursor_.block == shard.current.block_count()) {
      ++cursor_.shard;
      cursor_.block = cursor_.first = 0;
      cursor_.place = shards_[cursor_.shard]->level_first;
      continue;
    }
    if (in_batch == kBatchParents) {
      batch_begin_.push_back(slices_.size());
      in_batch = 0;
    }
    const std::size_t rest = shard.current.block(cursor_.block).size() - cursor_.first;
    const std::size_t count = std::min({rest, kBatchParents - in_batch, block_parents_ - planned});
    slices_.push_back({cursor_.shard, cursor_.block, cursor_.first, count, cursor_.place});
    planned += count;
    in_batch += count;
    level_left_ -= count;
    level_expanded_ += count;
    cursor_.place += count;
    cursor_.first += count;
    if (count == rest) {
      ++cursor_.block;
      cursor_.first = 0;
    }
  }
  batch_begin_.push_back(slices_.size());
}

void Search::free_consumed() {
  while (cursor_.freed_shard != cursor_.shard || cursor_.freed_block != cursor_.block) {
    PackedQueue& queue = shards_[cursor_.freed_shard]->current;
    if (cursor_.freed_block == queue.block_count()) {
      ++cursor_.freed_shard;
      cursor_.freed_block = 0;
    } else {
      queue.release(cursor_.freed_block++);
    }
  }
}

void Search::load(Batch& batch, std::span<const Slice> slices) const {
  std::size_t count = 0;
  for (const Slice& slice : slices) count += slice.count;
  batch.states.resize(count * width_);
  batch.ids.resize(count);
  batch.fingerprints.resize(count);
  batch.transitions = 0;
  std::size_t parent = 0;
  for (const Slice& slice : slices) {
    const Shard& shard = *shards_[slice.shard];
    shard.current.block(slice.block)
        .load(slice.first, slice.count, batch.states.data() + parent * width_);
    for (std::size_t i = 0; i < slice.count; ++i, ++parent) {
      batch.ids[parent] = state_id(slice.shard, slice.place + i);
      batch.fingerprints[parent] = shard.log.fingerprint(slice.place + i);
    }
  }
}

void Search::expand(Batch& batch, std::size_t first, std::size_t end) const {
  Successors& successors = batch.successors;
  successors.clear();
  successors.wide = wide_;
  successors.list_self_loops = false;
  batch.first = first;
  batch.ends.resize(end - first);
  std::size_t prefetched = 0;
  for (std::size_t parent = first; parent < end; ++parent) {
    space_.expand({batch.states.data() + parent * width_, width_}, batch.fingerprints[parent],
                  successors);
    for (; prefetched < successors.entries.size(); ++prefetched) {
      visited_.prefetch(successors.entries[prefetched].fingerprint);
    }
    batch.ends[parent - first] = static_cast<std::uint32_t>(successors.entries.size());
  }
  batch.transitions += successors.entries.size() + successors.self_loops;
}

void Search::process_one_thread() {
  if (batches_.empty()) batches_.resize(1);
  Batch& batch = batches_[0];
  for (std::size_t b = 0; b + 1 < batch_begin_.size(); ++b) {
    load(batch, slices_of(b));
    for (std::size_t first = 0; first < batch.ids.size(); first += kPartParents) {
      expand(batch, first, std::min(first + kPartParents, batch.ids.size()));
      insert_part(batch);
    }
    transitions_ += batch.transitions;
  }
}

void Search::insert_part(const Batch& batch) {
  std::size_t entry = 0;
  for (std::size_t i = 0; i < batch.ends.size(); ++i) {
    for (; entry < batch.ends[i]; ++entry) {
      const Fingerprint& fingerprint = batch.successors.entries[entry].fingerprint;
      insert_entry(VisitedSet::shard_of(fingerprint), batch, batch.first + i, batch.successors,
                   entry);
    }
  }
}

void Search::process_threads() {
  const std::size_t count = batch_begin_.size() - 1;
  if (batches_.size() < count) batches_.resize(count);
  pool_.run(count, [&](std::size_t b) {
    Batch& batch = batches_[b];
    load(batch, slices_of(b));
    batch.unseen.clear();
    batch.unseen_parents.clear();
    for (std::size_t first = 0; first < batch.ids.size(); first += kPartParents) {
      expand(batch, first, std::min(first + kPartParents, batch.ids.size()));
      keep_unseen(batch);
    }
    sort_by_shard(batch);
  });
  std::array<std::uint64_t, VisitedSet::kShards> arriving{};
  for (std::size_t b = 0; b < count; ++b) {
    transitions_ += batches_[b].transitions;
    for (unsigned s = 0; s < VisitedSet::kShards; ++s) {
      arriving[s] += batches_[b].shard_begin[s + 1] - batches_[b].shard_begin[s];
    }
  }
  // While threads insert side by side the table cannot grow, so room is made for the worst case.
  for (unsigned s = 0; s < VisitedSet::kShards; ++s) {
    while (!visited_.has_room(s, arriving[s])) visited_.grow();
  }
  pool_.run(VisitedSet::kShards,
            [&](std::size_t s) { insert_shard(static_cast<unsigned>(s), count); });
}

// Exact states are told apart by the shard's own table only, so that there all are kept.
void Search::keep_unseen(Batch& batch) const {
  const Successors& all = batch.successors;
  std::size_t entry = 0;
  for (std::size_t i = 0; i < batch.ends.size(); ++i) {
    for (; entry < batch.ends[i]; ++entry) {
      Successors::Entry copy = all.entries[entry];
      if (!exact_ && visited_.contains(copy.fingerprint)) continue;
      const Change* const from = all.changes.begin() + copy.first_change;
      Change* const to = batch.unseen.changes.room(copy.change_count);
      std::copy(from, from + copy.change_count, to);
      copy.first_change = static_cast<std::uint32_t>(batch.unseen.changes.size());
      batch.unseen.changes.grow_by(copy.change_count);
      batch.unseen.entries.push_back(copy);
      batch.unseen_parents.push_back(static_cast<std::uint32_t>(batch.first + i));
    }
  }
}

// A counting sort, which keeps entries of one shard in their order.
void Search::sort_by_shard(Batch& batch) const {
  const auto& entries = batch.unseen.entries;
  auto& begin = batch.shard_begin;
  begin.fill(0);
  for (const auto& entry : entries) ++begin[VisitedSet::shard_of(entry.fingerprint) + 1];
  for (unsigned s = 0; s < VisitedSet::kShards; ++s) begin[s + 1] += begin[s];
  std::array<std::uint32_t, VisitedSet::kShards> at;
  std::copy(begin.begin(), begin.end() - 1, at.begin());
  batch.by_shard.resize(entries.size());
  for (std::uint32_t entry = 0; entry < entries.size(); ++entry) {
    batch.by_shard[at[VisitedSet::shard_of(entries[entry].fingerprint)]++] = entry;
  }
}

void Search::insert_shard(unsigned shard, std::size_t batches) {
  const auto each = [&](const auto& act) {
    for (std::size_t b = 0; b < batches; ++b) {
      const Batch& batch = batches_[b];
      for (std::uint32_t i = batch.shard_begin[shard]; i < batch.shard_begin[shard + 1]; ++i) {
        act(batch, batch.by_shard[i]);
      }
    }
  };
  each([&](const Batch& batch, std::uint32_t entry) {
    visited_.prefetch(batch.unseen.entries[entry].fingerprint);
  });
  each([&](const Batch& batch, std::uint32_t entry) {
    insert_entry(shard, batch, batch.unseen_parents[entry], batch.unseen, entry);
  });
}

inline void Search::insert_entry(unsigned shard, const Batch& batch, std::size_t parent,
                                 const Successors& successors, std::size_t entry) {
  const Successors::Entry& successor = successors.entries[entry];
  if (exact_) {
    insert_exact(*shards_[shard], batch, parent, successors, successor);
    return;
  }
  if (!visited_.insert(successor.fingerprint)) return;
  build(*shards_[shard], batch, parent, successors, successor);
  add_new(shard, successor.fingerprint, batch.ids[parent]);
}

void Search::insert_exact(Shard& home, const Batch& batch, std::size_t parent,
                          const Successors& successors, const Successors::Entry& entry) {
  build(home, batch, parent, successors, entry);
  const bool unseen = visited_.insert(entry.fingerprint);
  if (!home.exact->insert(home.scratch)) return;
  if (!unseen) ++home.collisions;
  add_new(VisitedSet::shard_of(entry.fingerprint), entry.fingerprint, batch.ids[parent]);
}

// Leaves the successor's components in home.scratch.
void Search::build(Shard& home, const Batch& batch, std::size_t parent,
                   const Successors& successors, const Successors::Entry& entry) const {
  const std::uint32_t* const from = batch.states.data() + parent * width_;
  std::copy(from, from + width_, home.scratch.data());
  const Change* const changes = successors.changes.begin() + entry.first_change;
  for (std::size_t i = 0; i < entry.change_count; ++i) {
    home.scratch[changes[i].component] = changes[i].value;
  }
}

// Takes the new state in home.scratch into log, tallies and next level.
void Search::add_new(unsigned shard, const Fingerprint& fingerprint, StateId parent) {
  Shard& home = *shards_[shard];
  const StateId id = state_id(shard, home.log.size());
  home.log.append(fingerprint, parent);
  const PropertyBits bits = space_.check(home.scratch);
  const PropertyBits hits = (~bits & always_) | (bits & sometimes_);
  if (hits != 0) count_hits(home, hits, id);
  home.next.append(home.scratch.data());
  if (pool_.threads() == 1 && !visited_.has_room(shard, 1)) visited_.grow();
}

void Search::count_hits(Shard& home, PropertyBits hits, StateId id) {
  for (std::size_t p = 0; hits != 0; ++p, hits >>= 1) {
    if ((hits & 1) == 0) continue;
    Tally& tally = home.tallies[p];
    // The first in a shard has the least depth, then the least number, of all in the shard.
    if (tally.states++ == 0) {
      tally.first = id;
      tally.depth = level_ + 1;
    }
  }
}

std::uint64_t Search::states() const {
  std::uint64_t sum = 0;
  for (const auto& shard : shards_) sum += shard->log.size();
  return sum;
}

std::uint64_t Search::collisions() const {
  std::uint64_t sum = 0;
  for (const auto& shard : shards_) sum += shard->collisions;
  return sum;
}

Search::Tally Search::tally(std::size_t property) const {
  Tally total;
  for (const auto& shard : shards_) {
    const Tally& one = shard->tallies[property];
    if (one.states == 0) continue;
    if (total.states == 0 ||
        std::pair(one.depth, one.first) < std::pair(total.depth, total.first)) {
      total.depth = one.depth;
      total.first = one.first;
    }
    total.states += one.states;
  }
  return total;
}

std::vector<StateId> Search::chain(StateId target) const {
  std::vector<StateId> ids;
  for (StateId id = target; id != kNoState; id = shards_[shard_of(id)]->log.parent(place_of(id))) {
    ids.push_back(id);
  }
  std::reverse(ids.begin(), ids.end());
  return ids;
}

bool Search::is(StateId id, std::span<const std::uint32_t> state,
                const Fingerprint& fingerprint) const {
  const Shard& home = *shards_[shard_of(id)];
  if (home.log.fingerprint(place_of(id)) != narrowed(fingerprint)) return false;
  return !home.exact || std::ranges::equal(home.exact->state(place_of(id)), state);
}

}  // namespace slotlab::sim
