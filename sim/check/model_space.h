// A Model as a Space: the components of a state are the 32-bit words of the model's State. The
// template is instantiated in the .cc of each model, by a function that returns unique_ptr<Space>.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/assert.h"
#include "sim/check/fingerprint.h"
#include "sim/check/space.h"
#include "sim/model.h"

namespace slotlab::sim {

template <Model M>
class ModelSpace final : public Space {
 public:
  using State = typename M::State;
  static constexpr std::size_t kWidth = sizeof(State) / sizeof(std::uint32_t);
  using Words = std::array<std::uint32_t, kWidth>;

  explicit ModelSpace(M model) : model_(std::move(model)), properties_(model_.properties()) {
    SIM_ASSERT(properties_.size() <= kPropertiesMax);
  }

  std::size_t width() const override { return kWidth; }
  std::vector<std::vector<std::uint32_t>> initial() const override {
    std::vector<std::vector<std::uint32_t>> states;
    for (const State& state : model_.initial_states()) {
      const auto words = std::bit_cast<Words>(state);
      states.emplace_back(words.begin(), words.end());
    }
    return states;
  }
  Fingerprint fingerprint(std::span<const std::uint32_t> state) const override {
    return tuple_fingerprint(state);
  }
  void expand(std::span<const std::uint32_t> state, const Fingerprint& fingerprint,
              Successors& out) const override;
  PropertyBits check(std::span<const std::uint32_t> state) const override;

  std::size_t property_count() const override { return properties_.size(); }
  const std::string& property_name(std::size_t p) const override { return properties_[p].name; }
  Mood property_mood(std::size_t p) const override { return properties_[p].mood; }
  std::string explain(std::size_t p, std::span<const std::uint32_t> state) const override {
    return properties_[p].explain ? properties_[p].explain(state_of(state)) : std::string{};
  }
  std::string describe(std::span<const std::uint32_t> state, Action action) const override {
    return model_.describe(state_of(state), action);
  }
  std::vector<std::string> beliefs(std::span<const std::uint32_t> state) const override {
    if constexpr (requires { model_.beliefs(state_of(state)); }) {
      return model_.beliefs(state_of(state));
    } else {
      return {};
    }
  }
  std::vector<Bound> bounds() const override {
    if constexpr (requires { model_.bounds(); }) {
      return model_.bounds();
    } else {
      return {};
    }
  }
  std::vector<std::string> fairness_classes() const override {
    if constexpr (requires { model_.fairness_classes(); }) {
      return model_.fairness_classes();
    } else {
      return {};
    }
  }

 private:
  // Does something for each component, by straight-line code as long as that stays short.
  template <class Do>
  __attribute__((always_inline)) static void unrolled(const Do& act) {
    constexpr std::size_t kShort = 16;
    if constexpr (kWidth <= kShort) {
      [&]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>)
          __attribute__((always_inline)) {
        (act(I), ...);
      }
      (std::make_integer_sequence<std::uint32_t, kWidth>{});
    } else {
      for (std::uint32_t i = 0; i < kWidth; ++i) act(i);
    }
  }

  template <class Sum>
  void expand_with(std::span<const std::uint32_t> components, const Sum& before,
                   Successors& out) const;

  static State state_of(std::span<const std::uint32_t> components) {
    Words words;
    for (std::size_t i = 0; i < kWidth; ++i) words[i] = components[i];
    return std::bit_cast<State>(words);
  }

  // One component, read alone: a copy of the whole state would have to wait for the stores of the
  // members that the model has just assigned.
  static std::uint32_t word(const State& state, std::size_t i) {
    std::uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<const std::byte*>(&state) + i * sizeof(value),
                sizeof(value));
    return value;
  }

  M model_;
  std::vector<StateProperty<State>> properties_;
};

template <Model M>
void ModelSpace<M>::expand(std::span<const std::uint32_t> components,
                           const Fingerprint& fingerprint, Successors& out) const {
  // A search that looks at lower halves only pays for lower halves only.
  if (out.wide) {
    expand_with<Fingerprint>(components, fingerprint, out);
  } else {
    expand_with<LowHalf>(components, LowHalf(fingerprint), out);
  }
}

// Flattened, so that the whole of the model's successors() and all that it calls is compiled in
// here: a state then lives in registers, and what an action leaves alone costs nothing.
template <Model M>
template <class Sum>
__attribute__((flatten)) void ModelSpace<M>::expand_with(std::span<const std::uint32_t> components,
                                                         const Sum& before, Successors& out) const {
  const State state = state_of(components);
  // What each component takes from the fingerprint when it changes, once per state.
  std::array<Sum, kWidth> without;
  for (std::uint32_t i = 0; i < kWidth; ++i) {
    without[i] = Sum{} - Sum(component_fingerprint(i, components[i]));
  }
  // At each place where the model emits, the compiler sees which members of the state were assigned
  // and drops the comparisons of all others.
  auto emit = [&](Action action, const State& next) __attribute__((always_inline)) {
    // All is compared before anything is written: the compiler cannot know that what is written
    // does not overlap the state.
    std::array<std::uint32_t, kWidth> after;
    std::array<bool, kWidth> differs;
    unrolled([&](std::uint32_t i) __attribute__((always_inline)) {
      after[i] = word(next, i);
      differs[i] = after[i] != word(state, i);
    });
    Sum sum = before;
    Change* const first = out.changes.room(kWidth);
    Change* last = first;
    unrolled([&](std::uint32_t i) __attribute__((always_inline)) {
      if (!differs[i]) return;
      sum = sum + without[i] + Sum(component_fingerprint(i, after[i]));
      *last++ = {i, after[i]};
    });
    if (last == first && !out.list_self_loops) {
      ++out.self_loops;
      return;
    }
    Successors::Entry& entry = *out.entries.room(1);
    entry.fingerprint = Fingerprint(sum);
    entry.action = action;
    entry.first_change = static_cast<std::uint32_t>(out.changes.size());
    entry.change_count = static_cast<std::uint16_t>(last - first);
    entry.fairness = kUnfair;
    if constexpr (requires { model_.fairness(action); }) entry.fairness = model_.fairness(action);
    out.changes.grow_by(entry.change_count);
    out.entries.grow_by(1);
  };
  model_.successors(state, emit);
}

template <Model M>
PropertyBits ModelSpace<M>::check(std::span<const std::uint32_t> components) const {
  const State state = state_of(components);
  PropertyBits bits = 0;
  for (std::size_t p = 0; p < properties_.size(); ++p) {
    const auto& property = properties_[p];
    if (property.holds(state)) bits |= PropertyBits{1} << p;
    if (property.then && property.then(state)) bits |= PropertyBits{1} << (kPropertiesMax + p);
  }
  return bits;
}

}  // namespace slotlab::sim
