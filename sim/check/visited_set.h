// The set of states already seen, as fingerprints and nothing else: one flat table of 64-bit (or
// 128-bit) numbers. A fingerprint chooses its line by scaling instead of masking, so that the table
// can grow by less than doubling. Scaling keeps the lines in the order of their fingerprints, and
// growing the table is a copy from front to back.
//
// A line is a cache line of 8 (or 4) places, filled from the front and compared whole: nine in ten
// insertions find their fingerprint there, without a branch that depends on where. A full line
// overflows into the next.
//
// One thread inserts; others may look meanwhile, while nobody makes the table grow.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "sim/base/assert.h"
#include "sim/check/explorer.h"
#include "sim/check/space.h"
#include "sim/check/worker_pool.h"

namespace slotlab::sim {

class VisitedSet {
 public:
  explicit VisitedSet(FingerprintWidth width);
  ~VisitedSet();
  VisitedSet(const VisitedSet&) = delete;
  VisitedSet& operator=(const VisitedSet&) = delete;

  // 0 marks a free place, so fingerprint 0 takes the number of its neighbour 1.
  static std::uint64_t key_of(const Fingerprint& fingerprint) {
    return fingerprint.low + (fingerprint.low == 0);
  }
  // Brings the place of `fingerprint` near, some dozens of insertions ahead of its insertion.
  void prefetch(const Fingerprint& fingerprint) const {
    __builtin_prefetch(line_of(key_of(fingerprint)));
  }
  // True if `fingerprint` was not in the set. REQUIRES: has_room().
  bool insert(const Fingerprint& fingerprint) {
    return stride_ == 1 ? insert_narrow(fingerprint) : insert_wide(fingerprint);
  }
  // While another thread inserts: what it inserted just now may be missing.
  bool contains(const Fingerprint& fingerprint) const;

  std::uint64_t size() const { return size_; }
  // Inserting a new fingerprint leaves probing bearable.
  bool has_room() const { return size_ < limit_; }
  // As full as it should get: time to grow, if memory allows.
  bool crowded() const { return size_ > lines_ * kLineWords / stride_ / 32 * 27; }  // 84 %
  // Nobody may look meanwhile. `pool`: moves what is there; null: the caller does.
  void grow(WorkerPool* pool = nullptr);

  std::uint64_t bytes() const { return bytes_for(lines_); }
  std::uint64_t bytes_after_growth() const { return bytes_for(grown_lines()); }

 private:
  __extension__ using Product = unsigned __int128;
  static constexpr std::size_t kLineWords = 8;
  // Numbers are compared in halves of 32 bits, four at once, which every x86-64 can; other
  // processors get what the compiler makes of it.
  using Halves = std::uint32_t __attribute__((vector_size(16)));
  using Numbers = std::uint64_t __attribute__((vector_size(16)));

  std::uint64_t* line_of(std::uint64_t key) const {
    return slots_ + static_cast<std::uint64_t>(Product{key} * lines_ >> 64) * kLineWords;
  }
  std::uint64_t* line_after(std::uint64_t* line) const {
    line += kLineWords;
    return line == slots_ + lines_ * kLineWords ? slots_ : line;
  }
  static bool line_contains(const std::uint64_t* line, std::uint64_t key) {
    const auto wanted = reinterpret_cast<Halves>(Numbers{key, key});
    const Halves* const pairs = reinterpret_cast<const Halves*>(line);
    // Lane by lane, whether both halves of one of four numbers agree.
    const auto agree = [&](std::size_t first) {
      const auto a = pairs[first] == wanted;
      const auto b = pairs[first + 1] == wanted;
      return __builtin_shufflevector(a, b, 0, 2, 4, 6) & __builtin_shufflevector(a, b, 1, 3, 5, 7);
    };
    const auto found = reinterpret_cast<Numbers>(agree(0) | agree(2));
    return (found[0] | found[1]) != 0;
  }
  bool insert_narrow(const Fingerprint& fingerprint) {
    const std::uint64_t key = key_of(fingerprint);
    std::uint64_t* line = line_of(key);
    while (true) {
      if (line_contains(line, key)) return false;
      if (line[kLineWords - 1] == 0) break;
      line = line_after(line);
    }
    while (*line != 0) ++line;
    std::atomic_ref(*line).store(key, std::memory_order_relaxed);
    ++size_;
    return true;
  }
  bool insert_wide(const Fingerprint& fingerprint);

  std::uint64_t grown_lines() const;
  static std::uint64_t bytes_for(std::uint64_t lines) {
    return lines * kLineWords * sizeof(std::uint64_t);
  }
  void set_lines(std::uint64_t lines);
  void move_lines(std::uint64_t* old_slots, std::uint64_t old_lines, std::uint64_t first,
                  std::uint64_t end, std::vector<Fingerprint>& aside);

  std::uint64_t* slots_ = nullptr;
  std::uint64_t lines_ = 0;
  std::uint64_t limit_ = 0;   // fingerprints that must not be exceeded
  std::uint64_t stride_ = 1;  // 64-bit words per place
  std::uint64_t size_ = 0;
};

}  // namespace slotlab::sim
