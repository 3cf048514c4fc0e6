// Each process goes round: idle, flag raised, turn given away, waiting, critical, and back. To want
// the lock is nobody's duty, so that step is in no fairness class; every other step of a process is
// in the class of that process.
//
//   idle --raise flag--> flagged --give turn--> waiting --enter--> critical --lower flag--> idle
#include "models/textbook/peterson.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sim/check/model_space.h"

namespace slotlab::textbook {

namespace {

using sim::Action;

enum class Place : std::uint8_t { idle, flagged, waiting, critical };

struct PetersonState {
  Place place[2] = {Place::idle, Place::idle};
  std::uint8_t flags = 0;  // bit p: process p wants the lock
  std::uint8_t turn = 0;   // the process that goes first if both want it
  bool operator==(const PetersonState&) const = default;
};

class Peterson {
 public:
  using State = PetersonState;

  std::vector<State> initial_states() const { return {State{}}; }

  // Action p: process p takes its next step. Action p + 2: idle process p raises its flag.
  template <class Emit>
  void successors(const State& now, Emit&& emit) const {
    for (std::uint8_t p = 0; p < 2; ++p) {
      State next = now;
      const auto bit = static_cast<std::uint8_t>(1u << p);
      switch (now.place[p]) {
        case Place::idle:
          next.place[p] = Place::flagged;
          next.flags = static_cast<std::uint8_t>(now.flags | bit);
          emit(Action{p + 2u}, next);
          break;
        case Place::flagged:
          next.place[p] = Place::waiting;
          next.turn = static_cast<std::uint8_t>(1 - p);
          emit(Action{p}, next);
          break;
        case Place::waiting:
          // The other does not want it, or has given the turn to this one.
          if ((now.flags & ~bit) != 0 && now.turn != p) break;
          next.place[p] = Place::critical;
          emit(Action{p}, next);
          break;
        case Place::critical:
          next.place[p] = Place::idle;
          next.flags = static_cast<std::uint8_t>(now.flags & ~bit);
          emit(Action{p}, next);
          break;
      }
    }
  }

  std::uint16_t fairness(Action action) const {
    return action.bits < 2 ? static_cast<std::uint16_t>(action.bits) : sim::kUnfair;
  }
  std::vector<std::string> fairness_classes() const { return {"process 1", "process 2"}; }

  std::string describe(const State& now, Action action) const {
    const unsigned p = action.bits % 2;
    switch (now.place[p]) {
      case Place::idle:
        return fmt::format("process {} raises its flag", p + 1);
      case Place::flagged:
        return fmt::format("process {} gives the turn away", p + 1);
      case Place::waiting:
        return fmt::format("process {} enters the critical section", p + 1);
      case Place::critical:
        return fmt::format("process {} leaves and lowers its flag", p + 1);
    }
    return {};
  }

  std::vector<sim::StateProperty<State>> properties() const {
    const auto at = [](unsigned p, Place place) {
      return [p, place](const State& s) { return s.place[p] == place; };
    };
    const auto both = [](Place place) {
      return [place](const State& s) { return s.place[0] == place && s.place[1] == place; };
    };
    return {
        sim::always<State>(
            "mutual-exclusion", [both](const State& s) { return !both(Place::critical)(s); },
            [](const State&) { return "both processes are in the critical section"; }),
        sim::sometimes<State>("both-wait", both(Place::waiting)),
        sim::leads_to<State>("process-1-gets-in", at(0, Place::waiting), at(0, Place::critical)),
        sim::leads_to<State>("process-2-gets-in", at(1, Place::waiting), at(1, Place::critical)),
    };
  }
};

}  // namespace

std::unique_ptr<sim::Space> make_peterson_space() {
  return std::make_unique<sim::ModelSpace<Peterson>>(Peterson{});
}

}  // namespace slotlab::textbook
