// Local states and messages that nobody can tell apart. A local state simulates another one of the
// same actor if both look alike to every property, offer the same steps, and if to whatever the
// search can tell the other it answers with as much and goes on to a local state that simulates in
// turn. Two that simulate each other are similar, and one of them is enough. Likewise for messages:
// of similar ones one is enough, and one that changes nobody need not be sent at all.
//
// This holds where messages last (lasting.cc), so that more messages are never less. It is found
// out, not assumed: what a search takes for similar (`Merging`) is judged by what that search has
// seen, by learn(). docs/reductions.md has the argument.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/check/tuple_tables.h"

namespace slotlab::sim {

// What a search takes for one.
struct Merging {
  // By actor: the local state that stands for the one with these bytes, if that is another one.
  std::vector<boost::unordered_flat_map<std::string, std::shared_ptr<const Actor>>> locals;
  // By link: the message that stands for the one with these canonical bytes, if that is another
  // one; null: none at all, since it changes nobody.
  std::vector<boost::unordered_flat_map<std::string, MessagePtr>> messages;

  std::size_t merged_locals() const;
  std::size_t merged_messages() const;
};

class Similarity {
 public:
  // `go_on` is asked now and then; when it says no, learn() finds nothing right and solve() nothing
  // similar, soon.
  Similarity(std::shared_ptr<const System> system, const std::vector<Property>& properties,
             std::function<bool()> go_on);

  // Takes in what a search by `merging` has seen. True if it was right to merge as it did.
  bool learn(const TupleSpace::Tables& tables, const Merging& merging);
  // The best merging by all that is known.
  Merging solve();
  // Local states and messages known so far.
  std::size_t known() const;
  // Transitions that searches have taken so far: grows whenever there is more to judge by.
  std::size_t taken() const;

 private:
  using Number = std::uint32_t;
  struct Sent {
    LinkId link = kNoLink;
    Id input = kUnknown;  // of the receiver
  };
  struct Result {
    Number next = 0;
    std::vector<Sent> sends;
    std::string others;  // calls and replies, canonical
    bool possible = true;
  };
  struct Shadow {
    std::unique_ptr<const Actor> actor;
    std::string bytes;
    std::string label;       // what a property, a fault or the engine sees of it
    bool seen = false;       // by some search
    bool live = false;       // seen, and not only as what a crash left
    std::set<Id> relevant;   // inputs that some search gave to it, or to what stood for it
  };
  struct Table {
    std::vector<Shadow> locals;
    BytesMap local_ids;
    std::vector<Input> inputs;  // message: in messages_
    std::map<Input, Id> input_ids;
    std::vector<bool> heard;    // by input: a delivery that some search knows
    NumberMap result_ids;       // (local, input)
    std::vector<Result> results;
  };
  // What a judgement has to look at: "a is simulated by b" for local states of an actor or messages
  // of a link, or "a changes nobody" for a message.
  struct Claim {
    enum class Kind : std::uint8_t { local, message, silent };
    Kind kind = Kind::local;
    std::uint32_t where = 0;  // actor or link
    Id a = 0, b = 0;
    auto operator<=>(const Claim&) const = default;
  };
  class Solver;
  class Judge;

  Number local(std::size_t actor, std::unique_ptr<const Actor> value);
  // The local state that a search by `merging` has in the place of `x`.
  Number stands_for(const Merging& merging, std::size_t actor, Number x);
  Id input(std::size_t actor, const Input& input);
  Id message(const MessagePtr& message);
  std::string label_of(std::size_t actor, const Actor& value) const;
  // Good until the next result is computed, so that whoever needs two copies them.
  const Result& result(std::size_t actor, Number local, Id input);
  Result compute(std::size_t actor, Number local, Id input);
  std::vector<std::pair<LinkId, Id>> in_order(const Result& result) const;
  bool lasts(LinkId link) const { return system_->spec().links[link].lasts; }
  std::size_t receiver(LinkId link) const { return index(system_->spec().links[link].to); }

  std::shared_ptr<const System> system_;
  std::vector<Property> properties_;
  std::function<bool()> go_on_;
  std::vector<Table> tables_;
  std::vector<MessagePtr> messages_;
  std::vector<std::string> message_bytes_;
  BytesMap message_ids_;
};

}  // namespace slotlab::sim
