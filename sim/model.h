// What a model is: the smallest thing that can be searched. Write a protocol as a State, the states
// it starts in, and what can happen next; ModelSpace (sim/check/model_space.h) makes a Space of it.
//
//   class Light {                       // a traffic light that must never skip amber
//    public:
//     struct State {
//       std::uint32_t colour = 0;       // 0 red, 1 green, 2 amber
//       bool operator==(const State&) const = default;
//     };
//     std::vector<State> initial_states() const { return {State{}}; }
//     template <class Emit>
//     void successors(const State& now, Emit&& emit) const {
//       emit(sim::Action{0}, State{(now.colour + 1) % 3});
//     }
//     std::string describe(const State&, sim::Action) const { return "the light changes"; }
//     std::vector<sim::StateProperty<State>> properties() const {
//       return {sim::always<State>("a colour", [](const State& s) { return s.colour < 3; })};
//     }
//   };
//
// Everything in a model is a pure function of the model's parameters and its arguments, and the
// order of successors is fixed: the same states, in the same order, in every run.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/property/property.h"
#include "sim/system/action.h"

namespace slotlab::sim {

// A property over a model's states; made by the four functions below. See sim/property/property.h
// for the moods. `explain` gives one sentence on a violation.
template <class State>
struct StateProperty {
  using Predicate = std::function<bool(const State&)>;
  using Text = std::function<std::string(const State&)>;
  std::string name;
  Mood mood;
  Predicate holds;  // P
  Predicate then;   // Q, leads_to only
  Text explain;     // optional
};

template <class State>
StateProperty<State> always(std::string name, typename StateProperty<State>::Predicate holds,
                            typename StateProperty<State>::Text explain = nullptr) {
  return {std::move(name), Mood::always, std::move(holds), nullptr, std::move(explain)};
}
template <class State>
StateProperty<State> sometimes(std::string name, typename StateProperty<State>::Predicate holds) {
  return {std::move(name), Mood::sometimes, std::move(holds), nullptr, nullptr};
}
template <class State>
StateProperty<State> eventually_always(std::string name,
                                       typename StateProperty<State>::Predicate holds,
                                       typename StateProperty<State>::Text explain = nullptr) {
  return {std::move(name), Mood::eventually_always, std::move(holds), nullptr, std::move(explain)};
}
template <class State>
StateProperty<State> leads_to(std::string name, typename StateProperty<State>::Predicate holds,
                              typename StateProperty<State>::Predicate then) {
  return {std::move(name), Mood::leads_to, std::move(holds), std::move(then), nullptr};
}

// A state is a plain value whose bytes are canonical: two states are equal exactly when their bytes
// are, so there is no padding, no pointer and no second encoding of one thing. Its size is a
// multiple of four bytes, since searches see it as 32-bit components.
template <class State>
concept ModelState = std::regular<State> && std::is_trivially_copyable_v<State> &&
                         std::has_unique_object_representations_v<State> && sizeof(State) %
                         sizeof(std::uint32_t) ==
                     0;

// An archetype of the callback that a model gives its successors to.
template <class State>
struct SuccessorSink {
  void operator()(Action, const State&) {}
};

// successors(state, emit) calls emit(action, next) once per possible action, each action once, in a
// fixed order, also where next equals state. A model may also have
//   std::uint16_t fairness(Action) const                  its weak-fairness class, or kUnfair
//   std::vector<std::string> fairness_classes() const     their names, by class
//   std::vector<std::string> beliefs(const State&) const  lines on the state for the trace printer
//   std::vector<Bound> bounds() const                     what limits the exploration
template <class M>
concept Model = ModelState<typename M::State> &&
    requires(const M& model, const typename M::State& state, Action action,
             SuccessorSink<typename M::State> sink) {
  { model.initial_states() } -> std::same_as<std::vector<typename M::State>>;
  model.successors(state, sink);
  { model.describe(state, action) } -> std::same_as<std::string>;
  { model.properties() } -> std::same_as<std::vector<StateProperty<typename M::State>>>;
};

}  // namespace slotlab::sim
