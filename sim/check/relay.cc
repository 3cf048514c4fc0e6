// Thread 0 takes. It cannot wait for ever: the batch it waits for is being made by a thread that
// has a slot for it, since all before it were taken.
#include "sim/check/relay.h"

namespace slotlab::sim {

struct Relay::Round {
  std::size_t count;
  const Make& make;
  const Take& take;
};

Relay::Relay(WorkerPool& pool)
    : pool_(pool),
      slot_count_(kSlotsPerThread * pool.threads()),
      slots_(std::make_unique<Slot[]>(slot_count_)) {}

void Relay::run(std::size_t count, const Make& make, const Take& take) {
  Round round{count, make, take};
  next_ = 0;
  taken_ = 0;
  failed_ = false;
  for (std::size_t i = 0; i < slot_count_; ++i) slots_[i].made = false;
  pool_.run(pool_.threads(), [&](std::size_t thread) {
    try {
      thread == 0 ? take_all(round, thread) : make_all(round, thread);
    } catch (...) {
      give_up();
      throw;
    }
  });
}

// Wakes whoever waits.
void Relay::give_up() {
  failed_ = true;
  taken_ += slot_count_;
  taken_.notify_all();
  for (std::size_t i = 0; i < slot_count_; ++i) {
    slots_[i].made = true;
    slots_[i].made.notify_all();
  }
}

void Relay::make_next(Round& round, std::size_t batch, std::size_t thread) {
  Slot& slot = slots_[batch % slot_count_];
  round.make(batch, batch % slot_count_, thread);
  slot.made.store(true, std::memory_order_release);
  slot.made.notify_one();
}

void Relay::make_all(Round& round, std::size_t thread) {
  for (std::size_t batch = next_++; batch < round.count; batch = next_++) {
    // Who takes may go on for a moment after another thread gave up.
    for (std::size_t taken = taken_; batch >= taken + slot_count_ && !failed_; taken = taken_) {
      taken_.wait(taken);
    }
    if (failed_) return;
    make_next(round, batch, thread);
  }
}

void Relay::take_all(Round& round, std::size_t thread) {
  std::size_t batch = 0;
  while (batch < round.count && !failed_) {
    Slot& slot = slots_[batch % slot_count_];
    if (slot.made.load(std::memory_order_acquire)) {
      round.take(batch % slot_count_);
      slot.made.store(false, std::memory_order_relaxed);
      taken_ = ++batch;
      taken_.notify_all();
    } else if (std::size_t next = next_; next < round.count && next < batch + slot_count_ &&
                                         next_.compare_exchange_strong(next, next + 1)) {
      make_next(round, next, thread);
    } else {
      slot.made.wait(false, std::memory_order_acquire);
    }
  }
}

}  // namespace slotlab::sim
