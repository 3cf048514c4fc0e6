// What the parts of the timed driver have in common: the queue of what is due, and how a length of
// time is drawn.
#pragma once

#include <cstdint>

#include "sim/random/random.h"
#include "sim/time/event_queue.h"

namespace slotlab::sim {

struct Due {
  // In the order in which ties are taken.
  enum class What : std::uint8_t { planned, delivery, step, fault, mending };
  What what = What::planned;
  std::uint32_t a = 0;  // index in the plan | link | actor | fault rule | bits of the action
  std::uint32_t b = 0;  // step code
};

using Agenda = EventQueue<Due>;

inline Ticket schedule(Agenda& agenda, Instant at, Due due) {
  return agenda.push(at, static_cast<std::uint8_t>(due.what), due);
}

// Uniform from min to max, both included. REQUIRES: min <= max.
inline Duration draw(Random& random, Duration min, Duration max) {
  return Duration{random.between(min.us, max.us)};
}

// The later of the two; an instant that would lie beyond the last one is the last one.
inline Instant later(Instant a, Instant b) { return a < b ? b : a; }
inline Instant after(Instant at, Duration by) {
  return by.us > UINT64_MAX - at.us ? Instant{UINT64_MAX} : at + by;
}

}  // namespace slotlab::sim
