// The only clock in the checker: wall and processor time for time budgets, progress and the report.
// No count, verdict or run depends on it, except that a time budget may end a search early, which
// makes its verdict inconclusive.
#pragma once

#include <cstdint>

namespace slotlab::sim {

class Stopwatch {
 public:
  Stopwatch();
  double seconds() const;      // wall time since construction
  double cpu_seconds() const;  // user and system time of the whole process since construction

 private:
  double wall_start_;
  double cpu_start_;
};

// Most memory that the process has had resident so far, in bytes.
std::uint64_t peak_memory_bytes();

// Memory of the process that is in use now, as the system counts it; 0 if it cannot be told.
std::uint64_t resident_bytes();

}  // namespace slotlab::sim
