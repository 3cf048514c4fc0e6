// The model: seven words of state, seven kinds of action, one property. States, messages and
// actions bear the names of the paper's specification.
#include "models/textbook/two_phase_commit.h"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/check/model_space.h"

namespace slotlab::textbook {

namespace {

using sim::Action;

constexpr unsigned kManagersMax = 12;

enum class Manager : std::uint32_t { init, committed, aborted };

// Sets of resource managers are bit masks. A manager that is in none of prepared, committed and
// aborted is working.
struct TwoPhaseState {
  std::uint32_t prepared = 0;
  std::uint32_t committed = 0;
  std::uint32_t aborted = 0;
  Manager tm = Manager::init;
  std::uint32_t tm_prepared = 0;    // Prepared messages that the transaction manager has received
  std::uint32_t prepared_sent = 0;  // Prepared messages ever sent
  std::uint32_t decision_sent = 0;  // kCommit, kAbort
  bool operator==(const TwoPhaseState&) const = default;
};

constexpr std::uint32_t kCommit = 1;
constexpr std::uint32_t kAbort = 2;

enum class Step : std::uint32_t {
  tm_commit,
  tm_abort,
  tm_receive_prepared,
  rm_prepare,
  rm_choose_to_abort,
  rm_receive_commit,
  rm_receive_abort,
};

constexpr Action action(Step step, unsigned rm = 0) {
  return Action{static_cast<std::uint32_t>(step) << 8 | rm};
}

// Calls visit(rm, bit) for each member of `set`, lowest first.
template <class Visit>
void for_each_manager(unsigned set, Visit&& visit) {
  for (; set != 0; set &= set - 1) {
    visit(static_cast<unsigned>(std::countr_zero(set)), set & -set);
  }
}

class TwoPhaseCommit {
 public:
  using State = TwoPhaseState;

  explicit TwoPhaseCommit(unsigned managers) : everyone_((1u << managers) - 1) {}

  std::vector<State> initial_states() const { return {State{}}; }

  template <class Emit>
  void successors(const State& now, Emit&& emit) const {
    if (now.tm == Manager::init) transaction_manager(now, emit);
    const std::uint32_t working = everyone_ & ~(now.prepared | now.committed | now.aborted);
    for_each_manager(working, [&](unsigned rm, std::uint32_t bit) {
      State next = now;
      next.prepared |= bit;
      next.prepared_sent |= bit;
      emit(action(Step::rm_prepare, rm), next);
    });
    for_each_manager(working, [&](unsigned rm, std::uint32_t bit) {
      State next = now;
      next.aborted |= bit;
      emit(action(Step::rm_choose_to_abort, rm), next);
    });
    if ((now.decision_sent & kCommit) != 0) {
      all_follow<&State::committed, &State::aborted>(now, working, Step::rm_receive_commit, emit);
    }
    if ((now.decision_sent & kAbort) != 0) {
      all_follow<&State::aborted, &State::committed>(now, working, Step::rm_receive_abort, emit);
    }
  }

  std::string describe(const State&, Action taken) const {
    const unsigned rm = (taken.bits & 0xff) + 1;
    switch (static_cast<Step>(taken.bits >> 8)) {
      case Step::tm_commit:
        return "the transaction manager commits";
      case Step::tm_abort:
        return "the transaction manager aborts";
      case Step::tm_receive_prepared:
        return fmt::format("the transaction manager learns that resource manager {} is prepared",
                           rm);
      case Step::rm_prepare:
        return fmt::format("resource manager {} prepares", rm);
      case Step::rm_choose_to_abort:
        return fmt::format("resource manager {} chooses to abort", rm);
      case Step::rm_receive_commit:
        return fmt::format("resource manager {} is told to commit", rm);
      case Step::rm_receive_abort:
        return fmt::format("resource manager {} is told to abort", rm);
    }
    return {};
  }

  std::vector<sim::StateProperty<State>> properties() const {
    const auto both = [](const State& s) {
      return fmt::format("one resource manager has committed and another aborted: {:b}, {:b}",
                         s.committed, s.aborted);
    };
    const unsigned everyone = everyone_;
    return {
        sim::always<State>(
            "consistent", [](const State& s) { return s.committed == 0 || s.aborted == 0; }, both),
        sim::sometimes<State>("all-commit",
                              [everyone](const State& s) { return s.committed == everyone; })};
  }

 private:
  template <class Emit>
  void transaction_manager(const State& now, Emit&& emit) const {
    if (now.tm_prepared == everyone_) {
      State next = now;
      next.tm = Manager::committed;
      next.decision_sent |= kCommit;
      emit(action(Step::tm_commit), next);
    }
    State abort = now;
    abort.tm = Manager::aborted;
    abort.decision_sent |= kAbort;
    emit(action(Step::tm_abort), abort);
    for_each_manager(now.prepared_sent & ~now.tm_prepared, [&](unsigned rm, std::uint32_t bit) {
      State next = now;
      next.tm_prepared |= bit;
      emit(action(Step::tm_receive_prepared, rm), next);
    });
    // Messages stay, so they can be received again, which then changes nothing.
    for_each_manager(now.prepared_sent & now.tm_prepared, [&](unsigned rm, std::uint32_t) {
      emit(action(Step::tm_receive_prepared, rm), now);
    });
  }

  // Told the decision, a resource manager follows it whatever it has done before: that this never
  // contradicts is what the property says.
  template <auto kDecided, auto kOther, class Emit>
  void all_follow(const State& now, std::uint32_t working, Step step, Emit&& emit) const {
    for_each_manager(now.prepared, [&](unsigned rm, std::uint32_t bit) {
      State next = now;
      next.prepared &= ~bit;
      next.*kDecided |= bit;
      emit(action(step, rm), next);
    });
    for_each_manager(working, [&](unsigned rm, std::uint32_t bit) {
      State next = now;
      next.*kDecided |= bit;
      emit(action(step, rm), next);
    });
    for_each_manager(now.*kOther, [&](unsigned rm, std::uint32_t bit) {
      State next = now;
      next.*kOther &= ~bit;
      next.*kDecided |= bit;
      emit(action(step, rm), next);
    });
    for_each_manager(now.*kDecided,
                     [&](unsigned rm, std::uint32_t) { emit(action(step, rm), now); });
  }

  std::uint32_t everyone_;
};

}  // namespace

std::unique_ptr<sim::Space> make_two_phase_commit_space(unsigned resource_managers) {
  if (resource_managers < 1 || resource_managers > kManagersMax) {
    throw std::invalid_argument(
        fmt::format("two-phase-commit: {} resource managers, expected 1 to {}", resource_managers,
                    kManagersMax));
  }
  return std::make_unique<sim::ModelSpace<TwoPhaseCommit>>(TwoPhaseCommit(resource_managers));
}

}  // namespace slotlab::textbook
