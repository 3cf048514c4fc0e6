// Work that is made by many threads at once and taken by one of them in order: batch after batch,
// of which some are made ahead. Whoever takes makes batches too while there is nothing to take.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

#include "sim/check/seats.h"
#include "sim/check/worker_pool.h"

namespace slotlab::sim {

class Relay {
 public:
  // A batch lies in a slot from when it is made until it was taken; slots are numbered from 0.
  static constexpr std::size_t kSlotsPerThread = 4;

  explicit Relay(WorkerPool& pool);

  std::size_t slots() const { return slot_count_; }

  // Makes and takes batches 0 to count - 1. `make` runs on several threads at once, each of which
  // makes its batches in rising order; `take` on one thread at a time, in order, while later
  // batches are made.
  // ERRORS: rethrows the first exception of `make` or `take`, after all threads have stopped.
  using Make = std::function<void(std::size_t batch, std::size_t slot, std::size_t thread)>;
  using Take = std::function<void(std::size_t slot)>;
  void run(std::size_t count, const Make& make, const Take& take);

 private:
  struct alignas(kOwnLines) Slot {
    std::atomic<bool> made{false};
  };
  struct Round;

  void make_next(Round& round, std::size_t batch, std::size_t thread);
  void make_all(Round& round, std::size_t thread);
  void take_all(Round& round, std::size_t thread);
  void give_up();

  WorkerPool& pool_;
  std::size_t slot_count_;
  std::unique_ptr<Slot[]> slots_;
  alignas(kOwnLines) std::atomic<std::size_t> next_{0};   // to be made
  alignas(kOwnLines) std::atomic<std::size_t> taken_{0};  // so many of the first
  std::atomic<bool> failed_{false};
};

}  // namespace slotlab::sim
