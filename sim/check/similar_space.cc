#include "sim/check/similar_space.h"

#include <boost/unordered/unordered_flat_set.hpp>
#include <deque>

#include "sim/check/run_path.h"
#include "sim/random/random.h"

namespace slotlab::sim {

namespace {

// Where there is always something new, the search that counts will not end either.
constexpr int kLooksMax = 60;
// Besides, one walk for so many states, each of at most so many events: they come to what is far.
constexpr std::size_t kStatesPerWalk = 100;
constexpr std::size_t kWalkMax = 150;

using State = std::vector<std::uint32_t>;

}  // namespace

SimilarSpace::SimilarSpace(std::shared_ptr<const System> system, std::vector<Property> properties,
                           std::function<bool()> go_on, Looks looks)
    : system_(std::move(system)),
      properties_(std::move(properties)),
      go_on_(go_on ? std::move(go_on) : [] { return true; }),
      looks_(looks),
      similarity_(system_, properties_, go_on_) {
  look_around(looks_.first);
}

void SimilarSpace::begin() {
  inner_ = std::make_unique<TupleSpace>(
      system_, properties_,
      TupleSpaceOptions{.drop_inert = true, .lasting = true, .merging = merging_});
}

// Looks at so many states, nearest first, and along some walks; true if these were all.
bool SimilarSpace::look(std::size_t states_max) {
  const Space& space = *inner_;
  boost::unordered_flat_set<std::uint64_t> seen;
  std::deque<State> waiting;
  Successors successors;
  const auto add = [&](State state, const Fingerprint& fingerprint) {
    if (seen.insert(fingerprint.low).second) waiting.push_back(std::move(state));
  };
  for (State& state : space.initial()) add(state, space.fingerprint(state));
  std::size_t count = 0;
  for (; !waiting.empty() && count < states_max; ++count) {
    if (count % 256 == 0 && !go_on_()) return false;
    const State state = std::move(waiting.front());
    waiting.pop_front();
    successors.clear();
    space.expand(state, space.fingerprint(state), successors);
    for (const auto& entry : successors.entries) {
      if (!seen.contains(entry.fingerprint.low)) {
        add(successor_state(state, successors, entry), entry.fingerprint);
      }
    }
  }
  if (waiting.empty()) return true;
  Random random = Random(1).stream("walks");
  for (std::size_t walk = 0; walk < states_max / kStatesPerWalk && go_on_(); ++walk) {
    State state = space.initial().front();
    for (std::size_t event = 0; event < kWalkMax; ++event) {
      successors.clear();
      space.expand(state, space.fingerprint(state), successors);
      if (successors.entries.empty()) break;
      const auto which = random.below(successors.entries.size());
      state = successor_state(state, successors, successors.entries[which]);
    }
  }
  return false;
}

void SimilarSpace::look_around(std::size_t states) {
  for (int looks = 0; looks < kLooksMax; ++looks) {
    begin();
    const bool all = look(states);
    const std::size_t before = similarity_.known();
    const bool right = learn();
    const bool news = similarity_.known() != before;
    if (!go_on_()) break;
    if (!right) continue;
    if (news) {
      merging_ = std::make_shared<Merging>(similarity_.solve());
      taken_ = similarity_.taken();
    } else if (all || states >= looks_.last) {
      break;
    } else {
      states *= 4;
    }
  }
  inner_->needs_another_round();  // what it has seen is the local graph to begin with
  next_review_ = 2 * looks_.last;
}

// Takes in what the present search has seen. False if it was wrong to merge as it did; what to go
// by instead has then been worked out.
bool SimilarSpace::learn() {
  if (similarity_.learn(inner_->tables(), *merging_)) return true;
  // Where nothing new came of it, solving would come to the same again.
  const bool more = similarity_.taken() != taken_;
  taken_ = similarity_.taken();
  merging_ = std::make_shared<Merging>(more ? similarity_.solve() : Merging());
  return false;
}

// Whenever a search has twice as many states as before, so that most of what turns out wrong does
// so before the search has ended.
void SimilarSpace::review(std::uint64_t states) {
  if (states < next_review_) return;
  next_review_ = 2 * states;
  merged_wrongly_ = !learn();
  void_ = merged_wrongly_ || inner_->assumed_wrong();
}

bool SimilarSpace::needs_another_round() {
  if (!merged_wrongly_ && !inner_->assumed_wrong()) merged_wrongly_ = !learn();
  void_ = false;
  next_review_ = 2 * looks_.last;
  if (!merged_wrongly_) return inner_->needs_another_round();
  merged_wrongly_ = false;
  look_around(looks_.last);
  return true;
}

std::vector<Space::Figure> SimilarSpace::figures() const {
  std::vector<Figure> figures = inner_->figures();
  figures.push_back({"local states merged", merging_->merged_locals()});
  figures.push_back({"messages merged", merging_->merged_messages()});
  return figures;
}

}  // namespace slotlab::sim
