// A system: its actors at the start, the FIFO links between them, the faults that may befall them,
// and the rules of what is possible and what happens, which World (one living run) and TupleSpace
// (all runs) share.
//
//   links   FIFO per ordered pair of actors and stream, as TCP gives it. A cut link or a crash
//   loses
//           what was in it; a message to where it cannot go is lost.
//   action  deliver the head of a link | an actor takes an own step | a fault | a mending
//
// Order of possible() everywhere: deliveries by link, then steps by actor in the order of its
// offers (each followed by its lose_reply variant), then faults by rule and target, then mendings.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/system/action.h"
#include "sim/system/actor.h"
#include "sim/system/environment.h"
#include "sim/system/fault.h"

namespace slotlab::sim {

struct LinkSpec {
  ActorId from = kNoActor;
  ActorId to = kNoActor;
  std::uint8_t stream = 0;
  std::uint16_t room = 1;      // an offered step with Need::room is possible below this many
                               // messages that take room; 0: never
  std::uint16_t capacity = 4;  // a message beyond this many is lost, and the bound reported as hit
  bool coalesce = false;       // a message equal to the last one still queued is not queued again
  bool lasts = true;           // a search may take its messages for lasting (lasting.cc); false
                               // where much depends on their order and number
};

// An own step that is rationed over the whole run ("suspect a live peer": 2).
struct StepBudget {
  std::string name;
  std::uint8_t at_most = 0;
};

struct SystemSpec {
  std::vector<std::string> names;                    // by actor, as printed
  std::vector<std::shared_ptr<const Actor>> actors;  // initial states
  std::vector<LinkSpec> links;                       // sorted by (from, to, stream)
  std::vector<FaultRule> faults;
  std::vector<StepBudget> step_budgets;
  std::vector<Status> initial_status;  // empty: all up
};

// A bound that limited what was explored.
struct Bound {
  std::string name;  // "1 crash of B", "1 message in flight per link"
  bool hit = false;  // something that the system could have done was refused because of it
};

using LinkId = std::uint32_t;
inline constexpr LinkId kNoLink = UINT32_MAX;

// The fixed part of a system with its lookups. All functions are pure.
class System {
 public:
  // ERRORS: throws std::invalid_argument for a spec that breaks its own comments.
  explicit System(SystemSpec spec);

  const SystemSpec& spec() const { return spec_; }
  std::size_t actor_count() const { return spec_.actors.size(); }
  std::size_t link_count() const { return spec_.links.size(); }
  const std::string& name(ActorId id) const { return spec_.names[index(id)]; }
  LinkId link(ActorId from, ActorId to, std::uint8_t stream) const;  // kNoLink if there is none

  Environment initial_environment() const;
  bool up(const Environment& env, ActorId id) const { return env.status[index(id)] == Status::up; }
  bool alive(const Environment& env, ActorId id) const {  // up or paused: its sockets exist
    return env.status[index(id)] <= Status::paused;
  }
  bool open(const Environment& env, ActorId from, ActorId to) const {
    return env.cut[index(from) * actor_count() + index(to)] == Cut::open;
  }
  // Messages from `from` to `to` can be queued.
  bool connected(const Environment& env, ActorId from, ActorId to) const {
    return alive(env, from) && alive(env, to) && open(env, from, to);
  }
  bool reachable(const Environment& env, ActorId from, ActorId to) const {
    return up(env, from) && up(env, to) && open(env, from, to) && open(env, to, from);
  }
  // All of an offer's needs but room on the link, and its budget, are granted.
  bool grants(const Environment& env, ActorId actor, const Offer& offer) const;

  // Appends the faults and mendings possible, in the fixed order. `phase` gives an actor's phase,
  // `can_stop` whether it could stop.
  void faults_possible(const Environment& env, const std::function<std::uint32_t(ActorId)>& phase,
                       const std::function<bool(ActorId)>& can_stop,
                       std::vector<Action>& out) const;
  // The rule by which the answer to a call of `actor` may still be lost; SIZE_MAX if none.
  std::size_t lose_reply_rule(const Environment& env, ActorId actor,
                              const std::function<std::uint32_t(ActorId)>& phase) const;

  // What a fault or mending does to the environment, and what the caller must do to the rest.
  struct FaultEffect {
    ActorId crashed = kNoActor;
    CrashKind crash = CrashKind::process_kill;
    ActorId restarted = kNoActor;
    ActorId stopped = kNoActor;
    std::vector<LinkId> emptied;
  };
  FaultEffect apply_fault(Environment& env, Action action) const;

  // "A crashes", "the link between A and B is cut": the sentence of a fault or mending.
  std::string describe_fault(Action action) const;
  // "A -> C: " and the message's text, as its receiver tells it.
  std::string describe_delivery(LinkId link, const std::string& message) const;

  // The bounds that the spec sets, none of them marked as hit: faults in order, step budgets, then
  // room and capacity of links.
  std::vector<Bound> bounds() const;

  // Whether the rule has uses left and its window is open.
  bool rule_open(const Environment& env, std::size_t rule,
                 const std::function<std::uint32_t(ActorId)>& phase) const;
  // Some target of the rule could suffer it now, uses and window aside.
  bool rule_has_target(const Environment& env, std::size_t rule,
                       const std::function<bool(ActorId)>& can_stop) const;

 private:
  void append_faults(const Environment& env, std::size_t rule,
                     const std::function<bool(ActorId)>& can_stop, std::vector<Action>& out) const;
  void cut_pair(Environment& env, const FaultRule& rule, std::size_t target, Cut to,
                FaultEffect& effect) const;
  void empty_links_of(ActorId actor, FaultEffect& effect) const;
  std::string fault_sentence(const FaultRule& rule, std::size_t target) const;
  SystemSpec spec_;
  std::vector<LinkId> link_index_;  // by (from * actors + to) * streams + stream
  std::size_t streams_ = 1;
};

}  // namespace slotlab::sim
