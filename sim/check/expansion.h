// Expanding one global state of a TupleSpace by table look-ups alone; private to it. What the
// tables do not hold yet is named, never computed here, so that many threads can expand at once
// while the tables stand still.
#pragma once

#include <span>

#include "sim/check/tuple_tables.h"

namespace slotlab::sim {

// One successor being built, in place at the end of `out`: the components in which it differs from
// the state it comes from. A lookup that is not in the tables yet is recorded in `miss`, and the
// caller throws away what was built.
class Draft {
 public:
  Draft(const TupleSpace::Tables& tables, std::span<const std::uint32_t> state, Successors& out)
      : t_(tables), state_(state), out_(out) {}

  Miss miss;
  std::uint64_t lookups = 0;

  void start() { first_ = out_.changes.size(); }
  std::uint32_t get(std::size_t component) const {
    for (std::size_t i = first_; i < out_.changes.size(); ++i) {
      if (out_.changes[i].component == component) return out_.changes[i].value;
    }
    return state_[component];
  }
  void set(std::size_t component, std::uint32_t value) {
    for (std::size_t i = first_; i < out_.changes.size(); ++i) {
      if (out_.changes[i].component == component) {
        out_.changes[i].value = value;
        return;
      }
    }
    set_new(component, value);
  }

  bool apply(ActorId actor, Id input, bool& lose_reply, Id request);
  bool deliver(LinkId link);
  bool fault(const FaultItem& item);
  bool filter();
  void emit(const Fingerprint& from, Action action, std::uint16_t fairness);

 private:
  // REQUIRES: no change of this component yet.
  void set_new(std::size_t component, std::uint32_t value) {
    out_.changes.push_back({static_cast<std::uint32_t>(component), value});
  }
  const Outcome* outcome(ActorId actor, Id local, Id input);
  bool carry_out(ActorId actor, const Outcome& outcome, bool& lose_reply, Id request);
  bool push(LinkId link, Id input);
  bool filter_link(LinkId link);

  const TupleSpace::Tables& t_;
  std::span<const std::uint32_t> state_;
  Successors& out_;
  std::size_t first_ = 0;  // where this successor's changes begin
};

// Appends the successors; false if something is missing from the tables.
class Expansion {
 public:
  Expansion(const TupleSpace::Tables& tables, std::span<const std::uint32_t> state,
            const Fingerprint& fingerprint, Successors& out)
      : t_(tables), state_(state), fingerprint_(fingerprint), draft_(tables, state, out) {}

  bool run() { return deliveries() && steps() && faults(); }
  const Miss& miss() const { return draft_.miss; }
  std::uint64_t lookups() const { return draft_.lookups; }

 private:
  bool finish(Action action, std::uint16_t fairness) {
    if (t_.options.drop_inert && !draft_.filter()) return false;
    draft_.emit(fingerprint_, action, fairness);
    return true;
  }
  bool hears(LinkId link) const;
  bool deliveries();
  bool steps();
  bool step(ActorId actor, const MenuItem& item);
  bool faults();

  const TupleSpace::Tables& t_;
  std::span<const std::uint32_t> state_;
  const Fingerprint& fingerprint_;
  Draft draft_;
};

}  // namespace slotlab::sim
