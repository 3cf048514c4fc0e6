// One round of the exhaustive search: level by level through a Space, with tallies of what the
// properties said about each new state. explorer.h turns rounds into verdicts and runs.
//
// States are numbered in the order in which they are found: by level, then by the state they were
// first found from, then by its actions. The result does not depend on threads, since this order
// does not. With one thread a few states are expanded at a time, and their successors inserted
// while they are in the cache. With more, all expand ahead of one that inserts what they found, in
// order; it is spared what they can tell was met before.
//
// The order matters for speed too: states found one after another have successors in common.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/check/checkpoint_file.h"
#include "sim/check/exact_states.h"
#include "sim/check/explorer.h"
#include "sim/check/packed_states.h"
#include "sim/check/parent_log.h"
#include "sim/check/recent_set.h"
#include "sim/check/relay.h"
#include "sim/check/seats.h"
#include "sim/check/stopwatch.h"
#include "sim/check/visited_set.h"
#include "sim/check/worker_pool.h"

namespace slotlab::sim {

class Search {
 public:
  // All arguments must outlive the search.
  Search(Space& space, const ExploreOptions& options, WorkerPool& pool,
         const Stopwatch& watch, std::uint32_t round);

  // Takes up a search that was saved in the same round with the same settings, before run().
  // ERRORS: throws CheckpointError.
  void restore(CheckpointReader& in);
  // Searches until everything was seen or a bound was met.
  void run();

  bool complete() const { return stopped_by_.empty(); }
  const std::string& stopped_by() const { return stopped_by_; }
  std::uint64_t states() const { return log_.size(); }
  std::uint64_t transitions() const { return transitions_; }
  std::uint32_t depth() const { return depth_; }
  std::uint64_t waiting() const { return level_left_ + next_.size(); }  // found and not expanded
  std::optional<std::uint64_t> states_left() const;  // see ExploreResult
  std::uint64_t visited_bytes() const { return visited_.bytes(); }
  std::uint64_t spilled_bytes() const { return spill_ ? spill_->bytes() : 0; }
  std::uint64_t memory_bytes() const;
  std::uint64_t memory_limit() const;
  std::uint64_t memory_used() const;  // by the whole process, as far as can be told
  // Pairs of different states with one fingerprint; known in exact mode only, else 0.
  std::uint64_t collisions() const { return collisions_; }

  // What was counted for one property: states in which an always-property's P is false, or a
  // sometimes-property's P is true. Other moods are not counted here.
  struct Tally {
    std::uint64_t states = 0;
    std::uint32_t depth = 0;   // of the first
    StateId first = kNoState;  // least depth, then least number
  };
  const Tally& tally(std::size_t property) const { return tallies_[property]; }

  // The states from an initial one to `target`, by their parents.
  std::vector<StateId> chain(StateId target) const;
  // `state` with this fingerprint is the state `id` as far as the search can tell.
  bool is(StateId id, std::span<const std::uint32_t> state, const Fingerprint& fingerprint) const;
  // The fingerprint as this search passes it to Space::expand.
  Fingerprint narrowed(const Fingerprint& fingerprint) const {
    return {fingerprint.low, wide_ ? fingerprint.high : 0};
  }

 private:
  // A bound on states is looked at whenever so many of a level were expanded.
  static constexpr std::size_t kBlockParents = 4096;
  static constexpr std::size_t kBatchParents = 128;
  // Small enough that a part's successors stay in the first-level cache until they are inserted.
  static constexpr std::size_t kPartParents = 32;

  // Consecutive states of one packed block.
  struct Slice {
    std::size_t block = 0;
    std::size_t first = 0;
    std::size_t count = 0;
    StateId id = 0;  // of the first
  };
  // A successor that may be new.
  struct Candidate {
    Fingerprint fingerprint;
    StateId parent = kNoState;
    PropertyBits bits = 0;
  };
  // Some states of the frontier, one after another, of which a part at a time is expanded.
  struct alignas(kOwnLines) Batch {
    StateId first_id = 0;
    std::span<const Fingerprint> fingerprints;
    std::vector<std::uint32_t> states;
    // Of the part that was expanded last.
    std::size_t first = 0;  // its first parent
    Successors successors;
    FlatVector<std::uint32_t> fresh;  // entries that were not met a moment ago
    std::vector<std::uint32_t> ends;  // per parent of the part: end of its fresh entries
    std::uint64_t transitions = 0;    // of all parts
    // With several threads: from all parts.
    FlatVector<Candidate> candidates;
    FlatVector<std::uint32_t> built;  // their components
  };
  // Where the frontier is being read.
  struct Cursor {
    std::size_t block = 0;
    std::size_t first = 0;  // within the block
    StateId id = 0;         // of the state that is next
    std::size_t freed = 0;  // blocks before this one have been freed
  };

  void insert_initial();
  bool begin_level();  // false if nothing waits
  void search_level();
  void plan_block();
  void adapt_block(double seconds);
  void free_consumed();
  void load(Batch& batch, std::size_t number) const;
  void expand(Batch& batch, std::size_t first, std::size_t end, RecentSet& recent) const;
  void process_one_thread();
  void insert_part(const Batch& batch);
  void process_threads();
  void make(Batch& batch, std::size_t number, RecentSet& recent);
  void keep_candidates(Batch& batch) const;
  void check_candidates(Batch& batch, std::size_t first) const;
  void take(const Batch& batch);
  void make_room();
  bool insert(const Fingerprint& fingerprint, std::span<const std::uint32_t> state);
  void build(const Batch& batch, std::size_t parent, const Successors::Entry& entry,
             std::uint32_t* state) const;
  void add_new(const Fingerprint& fingerprint, StateId parent, const std::uint32_t* state,
               PropertyBits bits);
  void count_hits(PropertyBits hits, StateId id);
  void look_around();  // budgets, growth, progress: sets stopped_by_ if the search must end
  void grow_if_crowded();
  void spill();
  void save();  // a checkpoint
  void report_progress();
  bool decided() const;

  Space& space_;
  const ExploreOptions& options_;
  WorkerPool& pool_;
  const Stopwatch& watch_;
  const std::uint32_t round_;
  const std::size_t width_;
  const bool wide_;   // upper halves of fingerprints are kept
  const bool exact_;  // whole states are kept and compared
  const std::size_t block_max_;
  PropertyBits always_ = 0;     // which properties are counted when false
  PropertyBits sometimes_ = 0;  // ... and when true
  bool needs_whole_graph_ = false;

  std::unique_ptr<SpillFile> spill_;  // before what lies in it
  VisitedSet visited_;
  ParentLog log_;
  PackedQueue current_;      // this level, being expanded
  PackedQueue next_;         // the level after it
  StateId level_first_ = 0;  // current's first state
  std::array<Tally, kPropertiesMax> tallies_{};
  std::vector<std::uint32_t> scratch_;  // the state being built
  std::unique_ptr<ExactStates> exact_states_;
  std::uint64_t collisions_ = 0;
  std::vector<Slice> slices_;             // of the block being processed
  std::vector<std::size_t> batch_begin_;  // where each batch's slices begin, and the end
  std::vector<Batch> batches_;
  std::vector<RecentSet> recent_;  // by thread
  std::vector<Fingerprint> block_fingerprints_;
  Relay relay_;
  SeatLock table_;  // shared: looks at visited_; else: makes it grow
  Cursor cursor_;
  std::uint64_t transitions_ = 0;
  std::uint64_t level_left_ = 0;      // states of this level that wait
  std::uint64_t level_expanded_ = 0;  // states of this level that do not
  std::size_t block_parents_ = kBlockParents / 64;  // of the next block; a power of 2
  std::uint32_t level_ = UINT32_MAX;  // being expanded; one before 0 while initial states arrive
  std::uint32_t depth_ = 0;
  std::vector<std::uint64_t> level_sizes_;  // of all levels begun
  double progress_at_ = 0;
  double saved_at_ = 0;
  bool restored_ = false;
  std::uint64_t kept_by_spill_ = 0;  // bytes that the last spill could not move
  std::string stopped_by_;
};

}  // namespace slotlab::sim
