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

}  // namespace slotlab::conform
