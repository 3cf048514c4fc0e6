// Deliveries that may as well come first. Private to TupleSpace. A delivery commutes if, from the
// receiver's local state on, it can change places with everything that the receiver may do or get
// without anybody seeing a difference; then a search need not look at the other orders.
// docs/reductions.md has the argument.
//
// As with inert messages, a round judges by what the receiver could get as of its beginning; when
// it ends all is judged again, and properties are asked about the states that were left out.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sim/check/tuple_tables.h"

namespace slotlab::sim {

// By link: a fault that is still possible may empty it, or end its receiver.
std::vector<std::uint8_t> links_at_risk(const System& system, const Environment& environment);

class Commuting {
 public:
  explicit Commuting(TupleSpace::Tables& tables);

  // The judgement of delivering `head` from `link` in `local`; none: not computed yet.
  std::optional<bool> commutes(LinkId link, Id local, Id head) const {
    const auto found = judged_[link].find(pair_key(local, head));
    if (found == judged_[link].end()) return std::nullopt;
    return found->second != 0;
  }
  void compute(LinkId link, Id local, Id head);
  void computed_check(std::span<const std::uint32_t> state);

  void begin_round();
  // Judges again all that was judged in this round, by all that is known now, and asks the
  // properties about what was left out. What comes out wrong is remembered.
  bool round_was_right();

 private:
  // A local state that need not be reachable, so that it has no number in the tables.
  struct Shadow {
    std::unique_ptr<const Actor> actor;
    std::vector<Offer> offers;
    std::uint32_t phase = 0;
    bool can_stop = false;
    bool busy = false;
  };
  using Number = std::uint32_t;
  struct Result {
    Number next = 0;
    std::string outputs;  // canonical; "" if there are none
    bool possible = true;
  };
  struct Shadows {
    std::vector<Shadow> all;
    BytesMap numbers;
    std::map<std::pair<Number, Input>, Result> results;
    // Pairs (after, before) of this round's deliveries, and those that a property told apart.
    std::map<Number, std::set<Number>> before;
    std::set<std::pair<Number, Number>> seen;  // (before, after)
    Id inputs = 0;                             // so many were known when the round began
  };
  using Pair = std::pair<Number, Number>;  // before, after
  using Combination = std::pair<Id, std::vector<Number>>;  // environment, local states

  Number number_of(std::size_t actor, std::unique_ptr<const Actor> value);
  const Result& result_of(std::size_t actor, Number local, const Input& input);
  std::vector<Input> inputs_of(std::size_t actor, Number local, Id inputs);
  bool alike(std::size_t actor, const Pair& pair) const;
  bool judge(LinkId link, Id local, Id head, bool at_start, std::set<Pair>& pairs);
  bool is_diamond(std::size_t actor, const Pair& pair, const Input& head, const Input& other,
                  Pair& after);
  PropertyBits bits_of(const Combination& combination) const;
  bool hidden(const std::vector<Combination>& found);

  TupleSpace::Tables& t_;
  std::vector<Shadows> shadows_;                     // by actor
  std::vector<NumberMap> judged_;                    // by link
  std::vector<std::vector<std::uint32_t>> checked_;  // environment and local states, of all rounds
  bool given_up_ = false;
};

}  // namespace slotlab::sim
