// Memory and growth of the visited set. The table lies in one mapping with huge pages asked for:
// with small pages, a search spends a good part of its time walking page tables.
#include "sim/check/visited_set.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace slotlab::sim {

namespace {

constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;
constexpr std::uint64_t kFirstLines = 32;  // per shard

std::uint64_t rounded_up(std::uint64_t bytes) { return (bytes + kHugePage - 1) & ~(kHugePage - 1); }

// A zeroed area of at least `bytes`, on a huge-page boundary if it is big enough for one.
// ERRORS: throws std::bad_alloc.
std::uint64_t* map_zeroed(std::uint64_t bytes) {
  const bool huge = bytes >= kHugePage;
  const std::uint64_t wanted = huge ? rounded_up(bytes) + kHugePage : bytes;
  void* const area = mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (area == MAP_FAILED) throw std::bad_alloc();
  if (!huge) return static_cast<std::uint64_t*>(area);
  // Cut what lies before and after the aligned part.
  char* const begin = static_cast<char*>(area);
  const std::uint64_t ahead =
      (kHugePage - reinterpret_cast<std::uintptr_t>(area) % kHugePage) % kHugePage;
  if (ahead != 0) munmap(begin, ahead);
  if (ahead != kHugePage) munmap(begin + ahead + rounded_up(bytes), kHugePage - ahead);
  madvise(begin + ahead, rounded_up(bytes), MADV_HUGEPAGE);
  return reinterpret_cast<std::uint64_t*>(begin + ahead);
}

void unmap(std::uint64_t* area, std::uint64_t bytes) {
  if (area != nullptr) munmap(area, bytes >= kHugePage ? rounded_up(bytes) : bytes);
}

}  // namespace

VisitedSet::VisitedSet(FingerprintWidth width)
    : stride_(width == FingerprintWidth::bits128 ? 2 : 1) {
  set_lines(kFirstLines);
  slots_ = map_zeroed(bytes());
}

VisitedSet::~VisitedSet() { unmap(slots_, bytes()); }

void VisitedSet::set_lines(std::uint64_t lines) {
  lines_ = lines;
  limit_ = lines * kLineWords / stride_ / 16 * 15;
}

std::uint64_t VisitedSet::grown_lines() const {
  // Small tables grow fast, since their copies are cheap; large ones by a third, to waste less.
  if (lines_ < 512) return lines_ * 4;
  if (lines_ < 4096) return lines_ * 2;
  return lines_ / 3 * 4;
}

bool VisitedSet::crowded() const {
  const std::uint64_t enough = lines_ * kLineWords / stride_ / 32 * 27;  // 84 %
  return std::any_of(counts_.begin(), counts_.end(),
                     [&](const Count& count) { return count.value > enough; });
}

bool VisitedSet::insert_wide(const Fingerprint& fingerprint) {
  const std::uint64_t key = key_of(fingerprint);
  const unsigned shard = shard_of(fingerprint);
  std::uint64_t* line = line_of(shard, key);
  std::size_t at = 0;
  while (line[at] != 0) {
    if (line[at] == key && line[at + 1] == fingerprint.high) return false;
    at += 2;
    if (at < kLineWords) continue;
    line = line_after(shard, line);
    at = 0;
  }
  line[at] = key;
  line[at + 1] = fingerprint.high;
  ++counts_[shard].value;
  return true;
}

bool VisitedSet::contains_wide(const Fingerprint& fingerprint) const {
  const std::uint64_t key = key_of(fingerprint);
  const unsigned shard = shard_of(fingerprint);
  const std::uint64_t* line = line_of(shard, key);
  std::size_t at = 0;
  while (line[at] != 0) {
    if (line[at] == key && line[at + 1] == fingerprint.high) return true;
    at += 2;
    if (at < kLineWords) continue;
    line = line_after(shard, line);
    at = 0;
  }
  return false;
}

void VisitedSet::grow() {
  std::uint64_t* const old_slots = slots_;
  const std::uint64_t old_bytes = bytes();
  std::uint64_t* const new_slots = map_zeroed(bytes_after_growth());
  set_lines(grown_lines());
  slots_ = new_slots;
  for (auto& count : counts_) count.value = 0;

  const std::uint64_t words = old_bytes / sizeof(std::uint64_t);
  const std::uint64_t page_words = kHugePage / sizeof(std::uint64_t);
  for (std::uint64_t at = 0; at < words; at += stride_) {
    // What has been copied is given back at once, so that both tables are never whole together.
    if (at % page_words == 0 && at != 0) {
      madvise(old_slots + at - page_words, kHugePage, MADV_DONTNEED);
    }
    if (old_slots[at] == 0) continue;
    insert(Fingerprint{old_slots[at], stride_ == 2 ? old_slots[at + 1] : 0});
  }
  unmap(old_slots, old_bytes);
}

}  // namespace slotlab::sim
