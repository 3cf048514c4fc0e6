// One living run of a system: actors that change in place, messages that wait in their links. The
// timed, random and replay drivers work on a World; they differ only in which possible action they
// take next. Every run of a World is a path of the graph that TupleSpace gives to the exhaustive
// driver, since both follow the rules in System.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "sim/property/property.h"
#include "sim/system/system.h"

namespace slotlab::sim {

class World : public SystemView {
 public:
  explicit World(std::shared_ptr<const System> system);
  World(const World&);  // a copy goes its own way from here
  World& operator=(const World&);

  // All actions possible now, in the fixed order of System.
  std::vector<Action> possible() const;
  bool is_possible(Action action) const;

  // What one action did, for printing and for the timed driver.
  struct Event {
    Action action;
    std::string text;                         // the sentence, built before the action
    std::vector<std::string> notes;           // named reasons given by handlers
    std::vector<std::string> gained, lost;    // lines of belief, "B: importing 7 from A"; empty
                                              // unless record_beliefs was asked for
    std::vector<LinkId> sent_on;              // links that took a message, in order
    std::vector<std::pair<ActorId, StepCode>> rearmed;
    std::vector<std::pair<ActorId, std::string>> replies;  // what callers were answered
    std::vector<ActorId> touched;             // actors whose handlers ran
  };
  // Takes `action`. REQUIRES: is_possible(action).
  Event take(Action action, bool record_beliefs = false);

  std::string describe(Action action) const;  // REQUIRES: is_possible(action)

  const System& system() const override { return *system_; }
  const Environment& environment() const override { return environment_; }
  const Actor& actor(ActorId id) const override { return *actors_[index(id)]; }
  const std::deque<MessagePtr>& link(LinkId id) const { return links_[id]; }
  // Canonical bytes of the whole state: equal worlds give equal bytes.
  std::string canonical() const;
  // A message was lost because a link was at its capacity at least once.
  bool capacity_hit() const { return capacity_hit_; }

 private:
  void append_steps(ActorId id, std::vector<Action>& out) const;
  bool can_deliver(LinkId id) const;
  bool has_room(ActorId id, const Offer& offer) const;
  void send(ActorId from, const Output& output, Event& event);
  void carry_out(ActorId id, const Effects& effects, Event& event, bool& lose_reply);
  void take_fault(Action action, Event& event);
  void spend(ActorId id, StepCode code, bool lose_reply);
  std::shared_ptr<const System> system_;
  Environment environment_;
  std::vector<std::unique_ptr<Actor>> actors_;
  std::vector<std::deque<MessagePtr>> links_;
  MessagePtr lost_request_;  // within take() only: the call whose reply gets lost
  bool capacity_hit_ = false;
};

}  // namespace slotlab::sim
