// One round of the exhaustive search: level by level through a Space, with tallies of what the
// properties said about each new state. explorer.h turns rounds into verdicts and runs.
//
// Why the result does not depend on threads: a fingerprint belongs to one of 64 shards, whatever
// the number of threads, and each shard is offered its successors in the order of the frontier.
// So each shard finds the same states in the same order with the same parents; the next frontier is
// shard after shard. With one thread the successors are inserted right after they were made, while
// they are in the cache; with more, they are made in parallel over parts of the frontier, those
// that are in the visited set already (nine in ten) are thrown away at once, and the rest is sorted
// by shard and inserted in parallel over shards. Both give every shard the same new states in the
// same order.
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
#include "sim/check/stopwatch.h"
#include "sim/check/visited_set.h"
#include "sim/check/worker_pool.h"

namespace slotlab::sim {

class Search {
 public:
  // All arguments must outlive the search.
  Search(const Space& space, const ExploreOptions& options, WorkerPool& pool,
         const Stopwatch& watch, std::uint32_t round);

  // Takes up a search that was saved in the same round with the same settings, before run().
  // ERRORS: throws CheckpointError.
  void restore(CheckpointReader& in);
  // Searches until everything was seen or a bound was met.
  void run();

  bool complete() const { return stopped_by_.empty(); }
  const std::string& stopped_by() const { return stopped_by_; }
  std::uint64_t states() const;
  std::uint64_t transitions() const { return transitions_; }
  std::uint32_t depth() const { return depth_; }
  std::uint64_t waiting() const;  // states found and not expanded
  std::optional<std::uint64_t> states_left() const;  // see ExploreResult
  std::uint64_t visited_bytes() const { return visited_.bytes(); }
  std::uint64_t spilled_bytes() const { return spill_ ? spill_->bytes() : 0; }
  std::uint64_t memory_bytes() const;
  std::uint64_t memory_limit() const;
  std::uint64_t memory_used() const;  // by the whole process, as far as can be told
  // Pairs of different states with one fingerprint; known in exact mode only, else 0.
  std::uint64_t collisions() const;

  // What was counted for one property: states in which an always-property's P is false, or a
  // sometimes-property's P is true. Other moods are not counted here.
  struct Tally {
    std::uint64_t states = 0;
    std::uint32_t depth = 0;   // of the first
    StateId first = kNoState;  // least depth, then least number
  };
  Tally tally(std::size_t property) const;

  // The states from an initial one to `target`, by their parents.
  std::vector<StateId> chain(StateId target) const;
  // `state` with this fingerprint is the state `id` as far as the search can tell.
  bool is(StateId id, std::span<const std::uint32_t> state, const Fingerprint& fingerprint) const;
  // The fingerprint as this search passes it to Space::expand.
  Fingerprint narrowed(const Fingerprint& fingerprint) const {
    return {fingerprint.low, wide_ ? fingerprint.high : 0};
  }

 private:
  // Between two looks around, at most this many states are expanded; fewer where that takes long.
  static constexpr std::size_t kBlockParents = 4096;

  struct alignas(64) Shard {
    Shard(std::size_t width, bool wide, bool exact);
    ParentLog log;
    PackedQueue current;            // this level, being expanded
    PackedQueue next;               // the level after it
    std::uint64_t level_first = 0;  // place in the log of current's first state
    std::array<Tally, kPropertiesMax> tallies{};
    std::vector<std::uint32_t> scratch;  // the state being built
    std::unique_ptr<ExactStates> exact;
    std::uint64_t collisions = 0;
  };
  // Consecutive states of one packed block.
  struct Slice {
    unsigned shard = 0;
    std::size_t block = 0;
    std::size_t first = 0;
    std::size_t count = 0;
    std::uint64_t place = 0;  // of the first state in the shard's log
  };
  // Some states of the frontier, of which a part at a time is expanded.
  struct Batch {
    std::vector<std::uint32_t> states;
    std::vector<StateId> ids;
    std::vector<Fingerprint> fingerprints;
    // Of the part that was expanded last.
    std::size_t first = 0;            // its first parent
    std::vector<std::uint32_t> ends;  // per parent of the part: end of its entries
    Successors successors;
    std::uint64_t transitions = 0;  // of all parts
    // With several threads: what was not in the visited set, from all parts.
    Successors unseen;
    std::vector<std::uint32_t> unseen_parents;  // parallel to the entries
    std::vector<std::uint32_t> by_shard;        // the entries' numbers, sorted by shard
    std::array<std::uint32_t, VisitedSet::kShards + 1> shard_begin{};
  };
  // Where the frontier is being read.
  struct Cursor {
    unsigned shard = 0;
    std::size_t block = 0;
    std::size_t first = 0;  // within the block
    std::uint64_t place = 0;
    unsigned freed_shard = 0;  // blocks before this one have been freed
    std::size_t freed_block = 0;
  };

  void insert_initial();
  bool begin_level();  // false if nothing waits
  void search_level();
  void plan_block();
  void adapt_block(double seconds);
  void free_consumed();
  std::span<const Slice> slices_of(std::size_t batch) const {
    return std::span(slices_).subspan(batch_begin_[batch],
                                      batch_begin_[batch + 1] - batch_begin_[batch]);
  }
  void load(Batch& batch, std::span<const Slice> slices) const;
  void expand(Batch& batch, std::size_t first, std::size_t end) const;
  void process_one_thread();
  void insert_part(const Batch& batch);
  void process_threads();
  void keep_unseen(Batch& batch) const;
  void sort_by_shard(Batch& batch) const;
  void insert_shard(unsigned shard, std::size_t batches);
  void insert_entry(unsigned shard, const Batch& batch, std::size_t parent,
                    const Successors& successors, std::size_t entry);
  void insert_exact(Shard& home, const Batch& batch, std::size_t parent,
                    const Successors& successors, const Successors::Entry& entry);
  void build(Shard& home, const Batch& batch, std::size_t parent, const Successors& successors,
             const Successors::Entry& entry) const;
  void add_new(unsigned shard, const Fingerprint& fingerprint, StateId parent);
  void count_hits(Shard& home, PropertyBits hits, StateId id);
  void look_around();  // budgets, growth, progress: sets stopped_by_ if the search must end
  void grow_if_crowded();
  void spill();
  void save();  // a checkpoint
  void report_progress();
  bool decided() const;

  const Space& space_;
  const ExploreOptions& options_;
  WorkerPool& pool_;
  const Stopwatch& watch_;
  const std::uint32_t round_;
  const std::size_t width_;
  const bool wide_;   // upper halves of fingerprints are kept
  const bool exact_;  // whole states are kept and compared
  PropertyBits always_ = 0;     // which properties are counted when false
  PropertyBits sometimes_ = 0;  // ... and when true
  bool needs_whole_graph_ = false;

  std::unique_ptr<SpillFile> spill_;  // before what lies in it
  VisitedSet visited_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::vector<Slice> slices_;             // of the block being processed
  std::vector<std::size_t> batch_begin_;  // where each batch's slices begin, and the end
  std::vector<Batch> batches_;
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
