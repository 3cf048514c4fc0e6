// Expanding one global state of a TupleSpace by table look-ups alone; private to it. What the
// tables do not hold yet is named, never computed here, so that many threads can expand at once
// while the tables stand still.
#pragma once

#include <bitset>
#include <span>

#include "sim/check/tuple_tables.h"

namespace slotlab::sim {

// Lasting messages: which of those on a link is delivered, by its place. Such actions exist in a
// reduced space only.
inline constexpr std::size_t kLastingLinksMax = 1 << 16;
constexpr Action deliver_item(LinkId link, std::uint32_t item) {
  return Action::make(ActionKind::deliver, link | item << 16);
}
constexpr LinkId delivered_link(Action action) {
  return static_cast<LinkId>(action.a() & 0xffff);
}
constexpr std::uint32_t delivered_item(Action action) { return action.a() >> 16; }

// One successor being built, in place at the end of `out`: the components in which it differs from
// the state it comes from, and its fingerprint. A lookup that is not in the tables yet is recorded
// in `miss`, and the caller throws away what was built.
class Draft {
 public:
  Draft(const TupleSpace::Tables& tables, std::span<const std::uint32_t> state,
        const Fingerprint& from, Successors& out)
      : t_(tables), state_(state.data()), from_(from), out_(out) {}

  Miss miss;
  std::uint64_t lookups = 0;

  void start() {
    first_ = out_.changes.size();
    fingerprint_ = from_;
  }
  std::uint32_t get(std::size_t component) const {
    for (std::size_t i = first_; i < out_.changes.size(); ++i) {
      if (out_.changes[i].component == component) return out_.changes[i].value;
    }
    return state_[component];
  }
  // `shift` is the difference between the component's present share of the fingerprint and that of
  // `value`.
  void set(std::size_t component, std::uint32_t value, const Fingerprint& shift) {
    for (std::size_t i = first_; i < out_.changes.size(); ++i) {
      if (out_.changes[i].component == component) {
        out_.changes[i].value = value;
        add(shift);
        return;
      }
    }
    set_new(component, value, shift);
  }
  void set(std::size_t component, std::uint32_t value) {
    const Fingerprint* const share = t_.contributions[component].data();
    set(component, value, difference(share[get(component)], share[value]));
  }

  bool apply(ActorId actor, Id input, bool& lose_reply, Id request);
  bool deliver(LinkId link);
  bool simple_step(ActorId actor, const MenuItem& item);
  bool fault(const FaultItem& item);
  bool filter();
  bool deliver_item(LinkId link, Id input);
  // Whose messages may be said anew: those of actors that changed, or of all.
  enum class Whose { changed, all };
  bool saturate(Whose whose);
  // Something changed besides what can be told on links where messages last.
  bool changed() const {
    for (std::size_t i = first_; i < out_.changes.size(); ++i) {
      const std::size_t component = out_.changes[i].component;
      if (component < t_.first_link) return true;
      if (!t_.lasts(static_cast<LinkId>(component - t_.first_link))) return true;
    }
    return false;
  }
  void emit(Action action, std::uint16_t fairness);

 private:
  // REQUIRES: no change of this component yet.
  void set_new(std::size_t component, std::uint32_t value, const Fingerprint& shift) {
    out_.changes.push_back({static_cast<std::uint32_t>(component), value});
    add(shift);
  }
  void add(const Fingerprint& shift) {
    fingerprint_.low ^= shift.low;
    fingerprint_.high ^= shift.high;
  }
  const Effect* effect(ActorId actor, Id local, Id input);
  bool carry_out(ActorId actor, const std::vector<OutcomeOutput>& outputs, bool& lose_reply,
                 Id request);
  bool push(LinkId link, Id input);
  bool filter_link(LinkId link);
  bool say(LinkId link, Id input);
  void hear(LinkId link);
  bool settle(LinkId link, const EnvironmentInfo& env);
  void mark_changed();

  const TupleSpace::Tables& t_;
  const std::uint32_t* const state_;
  const Fingerprint from_;
  Successors& out_;
  std::size_t first_ = 0;  // where this successor's changes begin
  Fingerprint fingerprint_;
  // With lasting messages only: whose sends, and which links' answers, are to be looked at.
  std::bitset<256> speakers_;
  std::vector<LinkId> heard_;
};

// Appends the successors; false if something is missing from the tables.
class Expansion {
 public:
  Expansion(const TupleSpace::Tables& tables, std::span<const std::uint32_t> state,
            const Fingerprint& fingerprint, Successors& out)
      : t_(tables), state_(state), draft_(tables, state, fingerprint, out) {}

  bool run();
  const Miss& miss() const { return draft_.miss; }
  std::uint64_t lookups() const { return draft_.lookups; }

 private:
  bool finish(Action action, std::uint16_t fairness,
              Draft::Whose whose = Draft::Whose::changed) {
    if (t_.options.lasting) {
      if (!draft_.saturate(whose)) return false;
    } else if (t_.options.drop_inert && !draft_.filter()) {
      return false;
    }
    draft_.emit(action, fairness);
    return true;
  }
  bool hears(LinkId link) const;
  bool deliveries();
  bool deliver(LinkId link);
  bool deliver_lasting();
  LinkId early_delivery();
  bool steps();
  bool step(ActorId actor, Id menu, std::size_t number);
  bool faults();

  const TupleSpace::Tables& t_;
  std::span<const std::uint32_t> state_;
  Draft draft_;
};

}  // namespace slotlab::sim
