// A plain breadth-first pass that numbers states as they come.
#include "sim/check/state_graph.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/base/assert.h"
#include "sim/check/packed_states.h"

namespace slotlab::sim {

namespace {

constexpr std::uint64_t kEdgesMax = std::uint64_t{1} << 31;
constexpr std::uint32_t kStatesMax = (std::uint32_t{1} << 31) - 2;
constexpr std::uint32_t kLookAroundEvery = 1024;  // states between two looks at the budgets

struct FingerprintHash {
  using is_avalanching = void;  // fingerprints are well mixed already
  std::size_t operator()(const Fingerprint& fingerprint) const { return fingerprint.low; }
};

class Builder {
 public:
  Builder(const Space& space, const ExploreOptions& options, const Stopwatch& watch,
          StateGraph& graph)
      : space_(space),
        options_(options),
        watch_(watch),
        graph_(graph),
        wide_(options.width == FingerprintWidth::bits128),
        waiting_(space.width()),
        state_(space.width()) {}

  std::string build() {
    for (const auto& state : space_.initial()) {
      number_of(narrowed(space_.fingerprint(state)), state);
    }
    graph_.initial_count = graph_.state_count();
    graph_.first_edge.push_back(0);
    std::size_t block = 0;
    std::size_t place = 0;
    for (std::uint32_t from = 0; from < graph_.state_count(); ++from) {
      if (from % kLookAroundEvery == 0) {
        const std::string reason = reason_to_give_up();
        if (!reason.empty()) return reason;
      }
      waiting_.block(block).load(place, 1, state_.data());
      add_edges(from);
      // The last block is still being written to.
      if (++place == waiting_.block(block).size() && block + 1 < waiting_.block_count()) {
        waiting_.release(block++);
        place = 0;
      }
    }
    return {};
  }

 private:
  Fingerprint narrowed(const Fingerprint& fingerprint) const {
    return {fingerprint.low, wide_ ? fingerprint.high : 0};
  }

  std::uint32_t number_of(const Fingerprint& fingerprint, const std::vector<std::uint32_t>& state) {
    const auto [at, added] = numbers_.try_emplace(fingerprint, graph_.state_count());
    if (added) {
      graph_.bits.push_back(space_.check(state));
      waiting_.append(state.data());
      fingerprints_.push_back(fingerprint);
    }
    return at->second;
  }

  void add_edges(std::uint32_t from) {
    successors_.clear();
    space_.expand(state_, fingerprints_[from], successors_);
    for (const auto& entry : successors_.entries) {
      next_ = state_;
      for (std::size_t i = 0; i < entry.change_count; ++i) {
        const Change& change = successors_.changes[entry.first_change + i];
        next_[change.component] = change.value;
      }
      graph_.target.push_back(number_of(narrowed(entry.fingerprint), next_));
      graph_.fairness.push_back(entry.fairness);
      if (entry.fairness != kUnfair && entry.fairness >= graph_.class_count) {
        graph_.class_count = entry.fairness + 1u;
      }
    }
    graph_.first_edge.push_back(static_cast<std::uint32_t>(graph_.target.size()));
  }

  std::uint64_t memory_bytes() const {
    // What the decision itself will need at worst: components and the stack of their traversal.
    constexpr std::uint64_t kLater = 100;  // bytes per state
    return graph_.target.capacity() * sizeof(std::uint32_t) +
           graph_.fairness.capacity() * sizeof(std::uint16_t) +
           graph_.bits.capacity() * sizeof(PropertyBits) +
           graph_.first_edge.capacity() * sizeof(std::uint32_t) +
           fingerprints_.capacity() * sizeof(Fingerprint) +
           numbers_.bucket_count() * sizeof(std::pair<Fingerprint, std::uint32_t>) +
           waiting_.bytes() + graph_.state_count() * kLater + space_.memory_bytes();
  }

  std::string reason_to_give_up() const {
    if (options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed)) {
      return "the search was interrupted before this property was decided";
    }
    if (options_.seconds_max > 0 && watch_.seconds() > options_.seconds_max) {
      return "the time budget ended before this property was decided";
    }
    if (graph_.target.size() > kEdgesMax || graph_.state_count() > kStatesMax) {
      return "its graph has more than 2^31 states or edges, which is more than can be numbered";
    }
    if (options_.memory_max_bytes != 0 && memory_bytes() > options_.memory_max_bytes) {
      return "its graph does not fit the memory budget";
    }
    return {};
  }

  const Space& space_;
  const ExploreOptions& options_;
  const Stopwatch& watch_;
  StateGraph& graph_;
  const bool wide_;
  PackedQueue waiting_;
  boost::unordered_flat_map<Fingerprint, std::uint32_t, FingerprintHash> numbers_;
  std::vector<Fingerprint> fingerprints_;  // by state
  std::vector<std::uint32_t> state_;
  std::vector<std::uint32_t> next_;
  Successors successors_;
};

}  // namespace

std::string build_state_graph(const Space& space, const ExploreOptions& options,
                              const Stopwatch& watch, StateGraph& graph) {
  return Builder(space, options, watch, graph).build();
}

}  // namespace slotlab::sim
