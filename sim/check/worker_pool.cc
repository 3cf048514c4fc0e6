// The pool's two waits are both waits on an atomic number: helpers wait for a new generation, the
// caller waits until no helper is busy with the current one.
#include "sim/check/worker_pool.h"

namespace slotlab::sim {

WorkerPool::WorkerPool(unsigned threads) {
  for (unsigned i = 1; i < threads; ++i) helpers_.emplace_back([this] { help(); });
}

WorkerPool::~WorkerPool() {
  ending_ = true;
  ++generation_;
  generation_.notify_all();
  for (auto& helper : helpers_) helper.join();
}

void WorkerPool::run(std::size_t count, const std::function<void(std::size_t)>& task) {
  if (helpers_.empty()) {
    for (std::size_t i = 0; i < count; ++i) task(i);
    return;
  }
  task_ = &task;
  count_ = count;
  next_ = 0;
  failure_ = nullptr;
  busy_ = static_cast<std::uint32_t>(helpers_.size());
  ++generation_;
  generation_.notify_all();
  work_through_tasks();
  for (std::uint32_t busy = busy_; busy != 0; busy = busy_) busy_.wait(busy);
  if (failure_) std::rethrow_exception(failure_);
}

void WorkerPool::help() {
  std::uint32_t seen = 0;
  while (true) {
    generation_.wait(seen);
    seen = generation_;
    if (ending_) return;
    work_through_tasks();
    if (--busy_ == 0) busy_.notify_all();
  }
}

void WorkerPool::work_through_tasks() {
  try {
    for (std::size_t i = next_++; i < count_; i = next_++) (*task_)(i);
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = std::current_exception();
    next_ = count_;  // the others need not go on
  }
}

}  // namespace slotlab::sim
