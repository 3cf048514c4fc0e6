// See stopwatch.h: this is the one file of the checker that may look at the wall clock.
#include "sim/check/stopwatch.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace slotlab::sim {

namespace {

double wall_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double cpu_now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

}  // namespace

Stopwatch::Stopwatch() : wall_start_(wall_now()), cpu_start_(cpu_now()) {}

double Stopwatch::seconds() const { return wall_now() - wall_start_; }

double Stopwatch::cpu_seconds() const { return cpu_now() - cpu_start_; }

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

std::uint64_t resident_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long pages = 0;
  const int found = std::fscanf(file, "%*u %lu", &pages);
  std::fclose(file);
  return found == 1 ? pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace slotlab::sim
