#include "sim/drive/link_clocks.h"

#include "sim/base/assert.h"

namespace slotlab::sim {

LinkClocks::LinkClocks(const World& world, Latency latency, Random random, Agenda& agenda)
    : world_(world),
      latency_(latency),
      random_(random),
      agenda_(agenda),
      clocks_(world.system().link_count()) {}

void LinkClocks::sync(LinkId id, Instant now) {
  Clock& clock = clocks_[id];
  const std::size_t waiting = world_.link(id).size();
  if (clock.arrivals.size() > waiting) {
    // A fault lost what was in the link; faults lose all of it.
    clock.arrivals.clear();
    agenda_.cancel(clock.due);
  }
  while (clock.arrivals.size() < waiting) {
    clock.arrivals.push_back(after(now, draw(random_, latency_.min, latency_.max)));
  }
  if (clock.arrivals.empty() || agenda_.holds(clock.due)) return;
  if (!world_.is_possible(Action::make(ActionKind::deliver, id))) return;
  // The one before it has just arrived if it took longer: now is the earliest that FIFO allows.
  clock.due = schedule(agenda_, later(now, clock.arrivals.front()),
                       {.what = Due::What::delivery, .a = id});
}

void LinkClocks::sync_all(Instant now) {
  for (LinkId id = 0; id < clocks_.size(); ++id) sync(id, now);
}

void LinkClocks::take_head(LinkId id) {
  Clock& clock = clocks_[id];
  SIM_ASSERT(!clock.arrivals.empty());
  clock.arrivals.erase(clock.arrivals.begin());
  agenda_.cancel(clock.due);
}

}  // namespace slotlab::sim
