// What is due in virtual time. Entries leave in the order (time, priority, sequence): the earlier
// first; at one instant the smaller priority first; and among those the one pushed first. The
// sequence number is never used twice, so no two entries are ever equal and every run of one seed
// takes ties the same way. An entry can be cancelled by the ticket that push() gave for it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <utility>

#include "sim/base/assert.h"
#include "sim/time/instant.h"

namespace slotlab::sim {

// The place of an entry in the queue and its name. The default is a ticket for nothing.
struct Ticket {
  Instant at;
  std::uint8_t priority = 0;
  std::uint64_t sequence = 0;  // 0: a ticket for nothing

  auto operator<=>(const Ticket&) const = default;
  explicit operator bool() const { return sequence != 0; }
};

template <class Payload>
class EventQueue {
 public:
  // Returns the ticket to cancel the entry with.
  Ticket push(Instant at, std::uint8_t priority, Payload payload) {
    const Ticket ticket{at, priority, ++last_sequence_};
    entries_.emplace(ticket, std::move(payload));
    return ticket;
  }

  // False if the entry left or was cancelled before, or if the ticket is for nothing.
  bool cancel(Ticket ticket) { return entries_.erase(ticket) == 1; }
  bool holds(Ticket ticket) const { return entries_.contains(ticket); }

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }

  // The time of the first entry. REQUIRES: !empty().
  Instant next_time() const {
    SIM_ASSERT(!entries_.empty());
    return entries_.begin()->first.at;
  }

  // Takes the first entry out. REQUIRES: !empty().
  std::pair<Ticket, Payload> pop() {
    SIM_ASSERT(!entries_.empty());
    auto first = entries_.extract(entries_.begin());
    return {first.key(), std::move(first.mapped())};
  }

 private:
  std::map<Ticket, Payload> entries_;
  std::uint64_t last_sequence_ = 0;
};

}  // namespace slotlab::sim
