// The steps that actors offer, as armed timers: part of the timed driver. An actor's offers are
// looked at again only when one of its handlers ran or the environment changed, and compared with
// the last ones first, so that an event on a cluster of sixty nodes costs the work of one or two.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/drive/agenda.h"
#include "sim/system/world.h"

namespace slotlab::sim {

class StepTimers {
 public:
  // `retry_min`: how long at least a step waits that was due while its link had no room.
  StepTimers(const World& world, Duration retry_min, Random random, Agenda& agenda);

  // Arms what became possible, disarms what is not any more.
  void refresh(ActorId id, Instant now);
  void refresh_all(Instant now);  // after a change of the environment

  // The step is taken; refresh() arms it anew if it is still offered.
  void remove(ActorId id, StepCode code);
  // Draws the countdown anew; nothing happens if the step is not armed.
  void rearm(ActorId id, StepCode code, Instant now);
  // The step was due but is not possible: its link had no room, or its actor stands still, in which
  // case it is due when the actor goes on. REQUIRES: it is armed.
  void retry(ActorId id, StepCode code, Instant now);

  // For the question whether all is quiet: whether each fair timer that was armed when mark() was
  // last called has been taken, drawn anew or disarmed since.
  void mark();
  bool all_had_their_turn() const { return waiting_ == 0; }

 private:
  struct Timer {
    Offer offer;
    Ticket due = {};
    std::uint64_t marks = 0;  // the number of calls of mark() when it was armed
    bool overdue = false;     // became due while its actor was paused; not on the agenda
  };
  struct Timers {
    std::vector<Offer> offers;  // as last seen
    std::vector<Timer> armed;   // sorted by step code
    std::vector<StepCode> taken;  // since the last look
    bool must_look = true;      // armed is not what follows from offers, but for those taken
  };
  Timer* find(ActorId id, StepCode code);
  void arm_taken(ActorId id, Instant now);
  void arm_all(ActorId id, Instant now);
  void arm(Timer& timer, ActorId id, Duration delay_floor, Instant now);
  void arm_at(Timer& timer, ActorId id, Instant due);
  bool paused(ActorId id) const;
  void disarm(const Timer& timer);

  const World& world_;
  Duration retry_min_;
  Random random_;
  Agenda& agenda_;
  std::vector<Timers> actors_;
  std::uint64_t marks_ = 0;
  std::uint64_t fair_ = 0;     // armed timers of fair steps
  std::uint64_t waiting_ = 0;  // of those, armed before the last mark
};

}  // namespace slotlab::sim
