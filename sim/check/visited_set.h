// The set of states already seen, as fingerprints and nothing else: one flat table of 64-bit (or
// 128-bit) numbers. The top bits of a fingerprint choose one of 64 shards, so that threads can
// insert into different shards without locks; the bits below choose the line, scaled instead of
// masked, so that the table can grow by less than doubling. Scaling keeps the lines in the order of
// their fingerprints, and growing the table is a copy from front to back.
//
// A line is a cache line of 8 (or 4) places, filled from the front and compared whole: nine in ten
// insertions find their fingerprint there, without a branch that depends on where. A full line
// overflows into the next.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/assert.h"
#include "sim/check/explorer.h"
#include "sim/check/space.h"

namespace slotlab::sim {

class VisitedSet {
 public:
  static constexpr unsigned kShardBits = 6;
  static constexpr unsigned kShards = 1u << kShardBits;

  explicit VisitedSet(FingerprintWidth width);
  ~VisitedSet();
  VisitedSet(const VisitedSet&) = delete;
  VisitedSet& operator=(const VisitedSet&) = delete;

  static unsigned shard_of(const Fingerprint& fingerprint) {
    return static_cast<unsigned>(fingerprint.low >> (64 - kShardBits));
  }
  // Brings the place of `fingerprint` near, some dozens of insertions ahead of its insertion.
  void prefetch(const Fingerprint& fingerprint) const {
    __builtin_prefetch(line_of(shard_of(fingerprint), key_of(fingerprint)), 1);
  }
  // True if `fingerprint` was not in the set. Safe for different shards at once.
  // REQUIRES: has_room(shard, 1).
  bool insert(const Fingerprint& fingerprint) {
    return stride_ == 1 ? insert_narrow(fingerprint) : insert_wide(fingerprint);
  }

  // Nobody may insert meanwhile.
  bool contains(const Fingerprint& fingerprint) const {
    return stride_ == 1 ? contains_narrow(fingerprint) : contains_wide(fingerprint);
  }

  std::uint64_t size(unsigned shard) const { return counts_[shard].value; }
  // Inserting `more` new fingerprints into `shard` leaves probing bearable.
  bool has_room(unsigned shard, std::uint64_t more) const { return size(shard) + more <= limit_; }
  // Some shard is as full as it should get: time to grow, if memory allows.
  bool crowded() const;
  void grow();

  std::uint64_t bytes() const { return bytes_for(lines_); }
  std::uint64_t bytes_after_growth() const { return bytes_for(grown_lines()); }

 private:
  __extension__ using Product = unsigned __int128;
  static constexpr std::size_t kLineWords = 8;
  // Numbers are compared in halves of 32 bits, four at once, which every x86-64 can; other
  // processors get what the compiler makes of it.
  using Halves = std::uint32_t __attribute__((vector_size(16)));
  using Numbers = std::uint64_t __attribute__((vector_size(16)));

  // A count per shard, each on a cache line of its own, since threads update them side by side.
  struct alignas(64) Count {
    std::uint64_t value = 0;
  };

  // 0 marks a free place, so fingerprint 0 takes the number of its neighbour 1.
  static std::uint64_t key_of(const Fingerprint& fingerprint) {
    return fingerprint.low + (fingerprint.low == 0);
  }
  std::uint64_t* shard_begin(unsigned shard) const { return slots_ + shard * lines_ * kLineWords; }
  std::uint64_t* line_of(unsigned shard, std::uint64_t key) const {
    const Product scaled = Product{key << kShardBits} * lines_;
    return shard_begin(shard) + static_cast<std::uint64_t>(scaled >> 64) * kLineWords;
  }
  template <class Word>
  Word* line_after(unsigned shard, Word* line) const {
    line += kLineWords;
    return line == shard_begin(shard) + lines_ * kLineWords ? shard_begin(shard) : line;
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
    const unsigned shard = shard_of(fingerprint);
    std::uint64_t* line = line_of(shard, key);
    while (true) {
      if (line_contains(line, key)) return false;
      if (line[kLineWords - 1] == 0) break;
      line = line_after(shard, line);
    }
    while (*line != 0) ++line;
    *line = key;
    ++counts_[shard].value;
    return true;
  }
  bool contains_narrow(const Fingerprint& fingerprint) const {
    const std::uint64_t key = key_of(fingerprint);
    const unsigned shard = shard_of(fingerprint);
    const std::uint64_t* line = line_of(shard, key);
    while (true) {
      if (line_contains(line, key)) return true;
      if (line[kLineWords - 1] == 0) return false;
      line = line_after(shard, line);
    }
  }
  bool insert_wide(const Fingerprint& fingerprint);
  bool contains_wide(const Fingerprint& fingerprint) const;

  std::uint64_t grown_lines() const;
  static std::uint64_t bytes_for(std::uint64_t lines) {
    return lines * kShards * kLineWords * sizeof(std::uint64_t);
  }
  void set_lines(std::uint64_t lines);

  std::uint64_t* slots_ = nullptr;
  std::uint64_t lines_ = 0;   // per shard
  std::uint64_t limit_ = 0;   // fingerprints per shard that must not be exceeded
  std::uint64_t stride_ = 1;  // 64-bit words per place
  std::array<Count, kShards> counts_{};
};

}  // namespace slotlab::sim
