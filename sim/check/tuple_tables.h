// The intern tables and memo tables behind TupleSpace; private to it.
//
//   input     anything that makes an actor change: a delivery from a link, a call, a reply, a call
//             that got no answer, an own step, a crash, a restart, a stop
//   effect    what one input does to one local state: the next local state and the outputs
//   content   what a link holds, oldest first
//   menu      the own steps of one local state that one environment grants
//
// All are found by number. A number depends on the order of discovery and never reaches a
// fingerprint, which is made of contents alone.
#pragma once

#include <array>
#include <atomic>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "sim/check/seats.h"
#include "sim/check/tuple_space.h"

namespace slotlab::sim {

using Id = std::uint32_t;
inline constexpr Id kUnknown = UINT32_MAX;

struct NumberHash {
  using is_avalanching = void;
  std::size_t operator()(std::uint64_t x) const {
    x ^= x >> 32;
    x *= 0x9e3779b97f4a7c15ull;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9ull;
    return x ^ x >> 32;
  }
};
using NumberMap = boost::unordered_flat_map<std::uint64_t, Id, NumberHash>;
using BytesMap = boost::unordered_flat_map<std::string, Id>;

// Menus of the first environments and effects of the first inputs are found by number alone.
inline constexpr Id kNearEnvironments = 64;
inline constexpr Id kNearInputs = 128;

// REQUIRES: none reaches 2^21.
constexpr std::uint64_t triple_key(Id a, Id b, Id c) {
  return std::uint64_t{a} << 42 | std::uint64_t{b} << 21 | c;
}
constexpr std::uint64_t pair_key(Id a, Id b) { return std::uint64_t{a} << 32 | b; }

// The share that one component with these canonical bytes has in a state's fingerprint.
Fingerprint contribution(std::uint32_t component, const std::string& bytes);

// Components' shares are combined by exclusive or, so this turns one into the other and back.
constexpr Fingerprint difference(const Fingerprint& a, const Fingerprint& b) {
  return {a.low ^ b.low, a.high ^ b.high};
}

struct Input {
  enum class Kind : std::uint8_t { delivery, call, reply, no_answer, step, crash, restart, stop };
  Kind kind = Kind::delivery;
  std::uint32_t source = 0;  // link, actor, step code or CrashKind
  Id message = kUnknown;
  auto operator<=>(const Input&) const = default;
};

std::string bytes_of_actor(const Actor& actor);

// Gives the input to the actor. `message`: what the input carries, or null.
void run_input(const System& system, Actor& actor, const Input& input, const Message* message,
               Effects& effects);

struct OutcomeOutput {
  Output::Kind kind = Output::Kind::send;
  ActorId to = kNoActor;
  LinkId link = kNoLink;    // send
  Id input = kUnknown;      // as an input of `to`
  Id no_answer = kUnknown;  // call: as an input of the caller
};

struct Outcome {
  Id local = 0;
  std::vector<OutcomeOutput> outputs;
};

// An outcome as it is looked up.
struct Effect {
  Id local = kUnknown;    // afterwards; kUnknown: not computed yet
  Id outputs = kUnknown;  // number of the list of outputs; kUnknown: none
  Fingerprint shift;      // what a fingerprint changes by (exclusive or)
};

struct Local {
  std::unique_ptr<const Actor> actor;
  std::string bytes;
  std::vector<Offer> offers;
  std::vector<Id> step_inputs;  // parallel to offers
  std::uint32_t phase = 0;
  bool can_stop = false;
  std::vector<LinkId> heard;  // links that are heard all the same, if `busy`
  bool busy = false;
  std::vector<Id> menus;     // by environment, as far as kNearEnvironments; kUnknown
  std::vector<Id> next;      // local graph: where inputs that were taken led to, without itself
};

struct Content {
  Id head = kUnknown;            // the oldest of items
  Id popped = 0;                 // the content without its head
  Fingerprint shift;             // what a fingerprint changes by when the head is taken
  std::uint16_t room_taken = 0;  // messages that count when a step asks for room
  std::uint16_t size = 0;        // of items
  std::vector<Id> items;         // inputs of the receiver
};

// A content that one message makes in an empty link.
struct Alone {
  Id content = kUnknown;
  Fingerprint shift;
};

// A message that is sent without any change besides.
struct Said {
  LinkId link = kNoLink;
  Id input = kUnknown;
};

// A link's content once the receiver is in a certain local state.
struct Settled {
  Id content = 0;            // without what is inert
  std::vector<Said> said;    // what its messages make the receiver say without any change besides
};

struct MenuItem {
  // What is known of the step's effect. Simple: it changes the environment, the actor and, with at
  // most one message, a link; then the fields below say all.
  enum class Plan : std::uint8_t { unknown, simple, general };
  Plan plan = Plan::unknown;
  Id local = 0;             // afterwards
  LinkId send = kNoLink;    // takes `message`
  Id message = kUnknown;
  Fingerprint shift;        // by environment and actor together
  bool only_sends = false;  // it changes nothing but the link that it needs room on

  StepCode code = 0;
  Id input = 0;
  LinkId room = kNoLink;   // this link must have room
  Id env = 0;              // the environment after the step
  Id env_lost = kUnknown;  // the same if the reply is lost; kUnknown: cannot be
  std::uint16_t fairness = kUnfair;
};

// The own steps of one local state that one environment grants.
struct Menu {
  Id env = 0;
  Id local = 0;
  std::vector<MenuItem> items;
  // Lasting messages: those that its steps send without changing anything; where `says_known`.
  std::vector<Said> says = {};
  bool says_known = false;
};

struct FaultItem {
  Action action;
  Id env = 0;
  System::FaultEffect effect;
  Id input = kUnknown;  // of the crashed, restarted or stopped actor
  ActorId actor = kNoActor;
  std::uint16_t fairness = kUnfair;
};

struct ActorTable {
  std::vector<Local> locals;
  BytesMap local_ids;
  std::vector<Input> inputs;
  std::map<Input, Id> input_ids;
  // Effects of the first inputs are found by number alone: near[local][input]. There are too many
  // (local state, input) pairs to do so with all.
  std::vector<std::vector<Effect>> near;
  NumberMap far_ids;  // (local, input) -> far
  std::vector<Effect> far;
  std::vector<std::vector<OutcomeOutput>> outputs;
  NumberMap menu_ids;  // (environment, local) -> menus, for environments that are not near
  std::vector<Menu> menus;
  // Inert messages, for one round.
  std::vector<std::vector<Id>> frozen_next;  // the local graph at the start of the round
  NumberMap inert;                           // (local, input) -> 0 or 1
  NumberMap trivial;                         // (local, input) -> 0 or 1, for ever
};

struct LinkTable {
  std::vector<Content> contents{Content{}};  // 0: empty
  std::map<std::vector<Id>, Id> content_ids{{{}, 0}};
  NumberMap pushed;       // (content, input) -> content
  std::vector<Alone> alone;  // by input
  NumberMap filtered;     // (content, local of the receiver) -> content
  // Lasting messages: (content, local of the receiver) -> settled, and (content, local of the
  // receiver, input) -> the content with that input, without what is inert.
  NumberMap settled_ids;
  std::vector<Settled> settled;
  NumberMap told;
};

struct EnvironmentInfo {
  Environment environment;
  std::string bytes;
  std::vector<std::uint8_t> receives;   // by link: its receiver is up
  std::vector<std::uint8_t> connected;  // by link
  std::vector<std::uint8_t> reachable;  // by from * actors + to
  std::vector<std::uint8_t> at_risk;    // by link: a fault may empty it; with deliver_early only
};

// What a lookup found missing; resolved under the exclusive lock, then the caller starts over.
struct Miss {
  enum class Kind : std::uint8_t {
    none, effect, menu, plan, faults, push, filter, check, freeze, commute, says, settle, tell
  };
  Kind kind = Kind::none;
  ActorId actor = kNoActor;
  Id a = 0, b = 0;
  LinkId link = kNoLink;
  Id c = 0;
};

// A global state as properties see it: numbers resolved to values.
class StateView final : public SystemView {
 public:
  StateView(const TupleSpace::Tables& tables, std::span<const std::uint32_t> state)
      : tables_(tables), state_(state) {}
  const Actor& actor(ActorId id) const override;
  const Environment& environment() const override;
  const System& system() const override;

 private:
  const TupleSpace::Tables& tables_;
  std::span<const std::uint32_t> state_;
};

class Commuting;  // commuting.h
class Symmetry;   // symmetry.h

struct TupleSpace::Tables {
  Tables(std::shared_ptr<const System> s, std::vector<Property> p, TupleSpaceOptions o);

  // Interning; exclusive lock.
  Id intern_environment(const Environment& environment);
  Id intern_local(ActorId actor, std::unique_ptr<const Actor> value);
  Id intern_input(ActorId actor, const Input& input);
  Id intern_message(const MessagePtr& message);
  Id intern_content(LinkId link, const std::vector<Id>& items);
  std::uint16_t fairness_of_step(ActorId actor, StepCode code);

  // Computing what was missing; exclusive lock.
  void resolve(const Miss& miss, std::span<const std::uint32_t> state);
  void compute_effect(ActorId actor, Id local, Id input);
  void compute_menu(Id env, ActorId actor, Id local);
  void compute_plan(ActorId actor, Id menu, Id item);
  void compute_faults(std::span<const std::uint32_t> state);
  void compute_push(LinkId link, Id content, Id input);
  void compute_filter(LinkId link, Id content, Id local);
  void compute_says(ActorId actor, Id menu);
  void compute_settled(LinkId link, Id content, Id local);
  void compute_told(LinkId link, Id content, Id local, Id input);
  void compute_check(std::span<const std::uint32_t> state);
  void run_handler(Actor& actor, const Input& input, Effects& effects) const;
  std::unique_ptr<Actor> merged(ActorId actor, std::unique_ptr<Actor> value) const;
  MessagePtr merged(LinkId link, const MessagePtr& message) const;
  Outcome outcome_of(ActorId actor, std::unique_ptr<Actor> changed, const Effects& effects);
  bool trivial(ActorId actor, Id local, Id input);
  bool trivial_for_all_likes(ActorId actor, Id local, Id input);
  bool inert(ActorId actor, Id local, Id input, bool frozen);
  void freeze_local_graphs();
  PropertyBits bits_of(std::span<const std::uint32_t> state) const;

  std::uint64_t fault_key(std::span<const std::uint32_t> state) const;
  std::uint64_t check_key(std::span<const std::uint32_t> state) const;
  // The effect of `input` on `local`, or null: not computed yet.
  static const Effect* effect_of(const ActorTable& table, Id local, Id input) {
    if (input < kNearInputs) {
      const std::vector<Effect>& effects = table.near[local];
      return input < effects.size() && effects[input].local != kUnknown ? &effects[input] : nullptr;
    }
    const auto found = table.far_ids.find(pair_key(local, input));
    return found == table.far_ids.end() ? nullptr : &table.far[found->second];
  }
  // The components that decide which faults are possible.
  std::vector<std::size_t> fault_components() const;
  // Notes in the journal that this is about to be computed.
  void note(const Miss& miss, std::span<const std::uint32_t> state);
  bool can_resolve(const Miss& miss, std::span<const std::uint32_t> state) const;
  std::uint64_t digest() const;  // of all that has a number, in the order of numbers
  Id menu_of(Id env, ActorId actor, Id local) const;  // kUnknown: not computed yet
  StateView view(std::span<const std::uint32_t> state) const { return {*this, state}; }
  std::size_t local_component(ActorId actor) const { return 1 + index(actor); }
  std::size_t link_component(LinkId link) const { return first_link + link; }

  std::shared_ptr<const System> system;
  std::vector<Property> properties;
  TupleSpaceOptions options;
  std::size_t first_link = 0;
  std::size_t width = 0;
  bool some_busy = false;  // some local state is; spares the look in all other systems

  mutable SeatLock mutex;
  std::vector<std::vector<Fingerprint>> contributions;  // by component, by number
  std::vector<ActorTable> actors;
  std::vector<LinkTable> links;
  std::vector<EnvironmentInfo> environments;
  BytesMap environment_ids;
  std::vector<MessagePtr> messages;
  BytesMap message_ids;
  // Lasting messages: pairs of actors of which one can tell whether it is cut off from the other,
  // and pairs between which no cuts were made since nobody could tell.
  std::set<std::pair<std::size_t, std::size_t>> told_apart_by_cuts;
  std::set<std::pair<std::size_t, std::size_t>> cuts_left_out;
  bool lasts(LinkId link) const { return options.lasting && system->spec().links[link].lasts; }
  void cut_matters(ActorId a, ActorId b);
  void note_what_cuts_do(ActorId actor, const Offer& offer);
  // Lasting messages: actors that are told something while they do nothing, and actors that did not
  // stop since nobody could tell.
  std::set<std::size_t> told_at_any_time;
  std::set<std::size_t> stops_left_out;
  bool leaves_out(Action action, std::span<const std::uint32_t> state);
  bool leaves_out_cut(Action action);
  bool leaves_out_stop(ActorId actor, Id local);
  void note_who_is_told(const Input& input, const Outcome& outcome);
  bool shows_cuts(ActorId a, ActorId b) const;
  NumberMap fault_ids;
  std::vector<std::vector<FaultItem>> fault_menus;
  std::vector<ActorId> watched;  // actors whose local state decides what faults can do
  boost::unordered_flat_map<std::uint64_t, PropertyBits, NumberHash> checks;
  std::map<std::pair<std::size_t, StepCode>, std::uint16_t> step_classes;
  std::vector<std::string> class_names;
  std::vector<std::vector<LinkId>> links_into;  // by actor
  std::vector<ActorId> receivers;               // by link
  mutable std::vector<std::atomic<bool>> bound_hit;
  std::set<std::tuple<std::size_t, Id, Id>> dropped;  // (actor, local, input) this round
  mutable SeatCount lookups;
  std::uint64_t computed = 0;
  // All that was computed and may have given numbers to something, in its order. Computing it again
  // in this order gives the same numbers, which is how a saved search finds its states' meaning.
  std::vector<Miss> journal;
  std::vector<std::uint32_t> journal_states;  // of the faults, fault_components() each
  std::unique_ptr<Symmetry> symmetry;         // null: none was asked for
  std::unique_ptr<Commuting> commuting;       // likewise
};

}  // namespace slotlab::sim
