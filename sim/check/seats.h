// Seats for threads, and a lock that is cheap to share. A shared lock of the standard library keeps
// one count of its readers, and threads that take it a million times a second spend their time
// passing that count to and fro. Here every thread has a seat, a cache line of its own on which it
// says that it reads; whoever wants to write looks at all seats.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace slotlab::sim {

inline constexpr unsigned kSeats = 128;
// What one thread writes and others look at lies this far apart: processors fetch lines in pairs.
inline constexpr std::size_t kOwnLines = 128;

// Takes a seat for the calling thread, which leaves it when it ends. See my_seat().
unsigned take_seat();
inline constinit thread_local unsigned seat_of_this_thread = kSeats;

// The calling thread's seat, below kSeats. No two living threads have the same.
// ERRORS: fails an assertion if more than kSeats threads live that ever asked.
inline unsigned my_seat() {
  return seat_of_this_thread < kSeats ? seat_of_this_thread : take_seat();
}

class SeatLock {
 public:
  void lock_shared() {
    Seat& seat = seats_[my_seat()];
    while (true) {
      // Sequentially consistent on both sides: of a reader and a writer that come at once, at least
      // one sees the other.
      seat.reading.store(true);
      if (!writing_.load()) return;
      seat.reading.store(false);
      writing_.wait(true);
    }
  }
  void unlock_shared() {
    seats_[my_seat()].reading.store(false, std::memory_order_release);
  }
  void lock();
  void unlock();

 private:
  struct alignas(kOwnLines) Seat {
    std::atomic<bool> reading{false};
  };
  std::array<Seat, kSeats> seats_;
  std::atomic<bool> writing_{false};
  std::mutex writers_;
};

// A count that many threads raise and nobody reads in between.
class SeatCount {
 public:
  void add(std::uint64_t more) {
    std::atomic<std::uint64_t>& mine = seats_[my_seat()].count;
    mine.store(mine.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
  std::uint64_t sum() const;
  // Forgets what was counted and goes on from `count`. Nobody may be counting.
  void reset(std::uint64_t count);

 private:
  struct alignas(kOwnLines) Seat {
    std::atomic<std::uint64_t> count{0};
  };
  std::array<Seat, kSeats> seats_;
};

}  // namespace slotlab::sim
