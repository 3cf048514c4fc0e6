// Who sits where: a thread takes the lowest free seat when it first asks and leaves it when it
// ends.
#include "sim/check/seats.h"

#include <thread>

#include "sim/base/assert.h"

namespace slotlab::sim {

namespace {

std::mutex plan_mutex;
std::array<bool, kSeats> plan_taken{};

struct Ticket {
  unsigned seat = 0;
  Ticket() {
    const std::lock_guard lock(plan_mutex);
    while (seat < kSeats && plan_taken[seat]) ++seat;
    SIM_ASSERT(seat < kSeats, "more threads than seats");
    plan_taken[seat] = true;
  }
  ~Ticket() {
    const std::lock_guard lock(plan_mutex);
    plan_taken[seat] = false;
  }
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;
};

}  // namespace

unsigned take_seat() {
  thread_local const Ticket ticket;
  seat_of_this_thread = ticket.seat;
  return ticket.seat;
}

void SeatLock::lock() {
  writers_.lock();
  writing_.store(true);
  for (Seat& seat : seats_) {
    // A reader is done within a microsecond or so: look a few times before sleeping.
    for (unsigned look = 0; look < 1000 && seat.reading.load(); ++look) {
    }
    while (seat.reading.load()) std::this_thread::yield();
  }
}

void SeatLock::unlock() {
  writing_.store(false);
  writing_.notify_all();
  writers_.unlock();
}

std::uint64_t SeatCount::sum() const {
  std::uint64_t sum = 0;
  for (const Seat& seat : seats_) sum += seat.count.load(std::memory_order_relaxed);
  return sum;
}

void SeatCount::reset(std::uint64_t count) {
  for (Seat& seat : seats_) seat.count.store(0, std::memory_order_relaxed);
  seats_[0].count.store(count, std::memory_order_relaxed);
}

}  // namespace slotlab::sim
