// A fixed set of threads that work through numbered tasks together and wait for each other. With
// one thread nothing is started and no lock is taken: the tasks run in the caller, in order. Which
// thread runs which task is left to chance, so tasks must not care.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace slotlab::sim {

class WorkerPool {
 public:
  // `threads` in all, the caller's among them. REQUIRES: threads >= 1.
  explicit WorkerPool(unsigned threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned threads() const { return static_cast<unsigned>(helpers_.size()) + 1; }

  // Runs task(0) to task(count - 1), each once, and returns when all have ended.
  // ERRORS: rethrows the first exception that a task threw, after all threads have stopped.
  void run(std::size_t count, const std::function<void(std::size_t)>& task);

 private:
  void help();
  void work_through_tasks();

  std::vector<std::thread> helpers_;
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::uint32_t> generation_{0};  // raised to start the helpers
  std::atomic<std::uint32_t> busy_{0};        // helpers that have not ended this generation
  std::atomic<bool> ending_{false};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

}  // namespace slotlab::sim
