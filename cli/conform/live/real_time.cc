#include "cli/conform/live/real_time.h"

#include <chrono>
#include <thread>

namespace slotlab::conform {

Milliseconds real_now() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

void sleep_for_real(Milliseconds time) {
  std::this_thread::sleep_for(std::chrono::milliseconds(time));
}

void sleep_unless(const std::atomic<bool>* interrupt, Milliseconds time) {
  if (interrupt != nullptr && *interrupt) throw Interrupted{};
  sleep_for_real(time);
  if (interrupt != nullptr && *interrupt) throw Interrupted{};
}

}  // namespace slotlab::conform
