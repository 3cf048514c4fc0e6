// Ctrl-C as an answer, not an accident: the first asks a search to end with what it knows, the
// second ends the program at once.
#pragma once

#include <atomic>

namespace slotlab::cli {

// While it lives, SIGINT and SIGTERM set flag(); a second one has its default effect. One at a
// time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>& flag() const;
};

}  // namespace slotlab::cli
