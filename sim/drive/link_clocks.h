// When the messages that wait in the links of a world arrive: part of the timed driver. Only the
// head of a link is on the agenda, since links are FIFO.
#pragma once

#include <vector>

#include "sim/drive/agenda.h"
#include "sim/system/world.h"

namespace slotlab::sim {

class LinkClocks {
 public:
  struct Latency {
    Duration min, max;
  };
  LinkClocks(const World& world, Latency latency, Random random, Agenda& agenda);

  // Brings a link's clock up to date with what the world's link holds: gives new messages their
  // arrival, forgets those that were lost, and puts the head on the agenda if it can be received.
  void sync(LinkId id, Instant now);
  void sync_all(Instant now);

  // The head of the link is about to be delivered.
  void take_head(LinkId id);

 private:
  struct Clock {
    std::vector<Instant> arrivals;  // of the messages in the link, had each been alone in it
    Ticket due = {};
  };
  const World& world_;
  Latency latency_;
  Random random_;
  Agenda& agenda_;
  std::vector<Clock> clocks_;  // by link
};

}  // namespace slotlab::sim
