// Memory and growth of the visited set. The table lies in one mapping with huge pages asked for:
// with small pages, a search spends a good part of its time walking page tables.
#include "sim/check/visited_set.h"

#include <sys/mman.h>

#include <new>

namespace slotlab::sim {

namespace {

constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;
constexpr std::uint64_t kFirstLines = 2048;

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
  if (lines_ < 1 << 15) return lines_ * 4;
  if (lines_ < 1 << 18) return lines_ * 2;
  return lines_ / 3 * 4;
}

// The upper half first, so that nobody who finds the lower one can miss it.
bool VisitedSet::insert_wide(const Fingerprint& fingerprint) {
  const std::uint64_t key = key_of(fingerprint);
  std::uint64_t* line = line_of(key);
  std::size_t at = 0;
  while (line[at] != 0) {
    if (line[at] == key && line[at + 1] == fingerprint.high) return false;
    at += 2;
    if (at < kLineWords) continue;
    line = line_after(line);
    at = 0;
  }
  std::atomic_ref(line[at + 1]).store(fingerprint.high, std::memory_order_relaxed);
  std::atomic_ref(line[at]).store(key, std::memory_order_release);
  ++size_;
  return true;
}

bool VisitedSet::contains(const Fingerprint& fingerprint) const {
  const std::uint64_t key = key_of(fingerprint);
  std::uint64_t* line = line_of(key);
  while (true) {
    bool found = false;
    std::uint64_t there = 0;
    for (std::size_t at = 0; at < kLineWords; at += stride_) {  // the whole line, without branches
      there = std::atomic_ref(line[at]).load(std::memory_order_acquire);
      bool same = there == key;
      if (stride_ == 2) {
        same &= std::atomic_ref(line[at + 1]).load(std::memory_order_relaxed) == fingerprint.high;
      }
      found |= same;
    }
    if (found || there == 0) return found;
    line = line_after(line);
  }
}

// Moves old lines `first` to `end` - 1, of `old_lines`, into the part of the new table that is
// theirs. What belongs elsewhere, or finds no room before the end of that part, goes to `aside`.
void VisitedSet::move_lines(std::uint64_t* old_slots, std::uint64_t old_lines, std::uint64_t first,
                            std::uint64_t end, std::vector<Fingerprint>& aside) {
  const auto new_line = [&](std::uint64_t line) {
    return slots_ + static_cast<std::uint64_t>(Product{line} * lines_ / old_lines) * kLineWords;
  };
  std::uint64_t* const begin_here = new_line(first);
  std::uint64_t* const end_here = new_line(end);
  const std::uint64_t page_words = kHugePage / sizeof(std::uint64_t);
  std::uint64_t given_back = (first * kLineWords + page_words - 1) / page_words * page_words;
  for (std::uint64_t at = first * kLineWords; at < end * kLineWords; at += stride_) {
    // What has been moved is given back at once, so that both tables are never whole together.
    if (at == given_back + page_words) {
      madvise(old_slots + given_back, kHugePage, MADV_DONTNEED);
      given_back = at;
    }
    if (old_slots[at] == 0) continue;
    const std::uint64_t high = stride_ == 2 ? old_slots[at + 1] : 0;
    std::uint64_t* place = line_of(old_slots[at]);
    if (place >= begin_here && place < end_here) {
      while (place != end_here && *place != 0) place += stride_;
      if (place != end_here) {
        *place = old_slots[at];
        if (stride_ == 2) place[1] = high;
        continue;
      }
    }
    aside.push_back({old_slots[at], high});
  }
}

void VisitedSet::grow(WorkerPool* pool) {
  std::uint64_t* const old_slots = slots_;
  const std::uint64_t old_bytes = bytes();
  const std::uint64_t old_lines = lines_;
  const std::uint64_t old_size = size_;
  std::uint64_t* const new_slots = map_zeroed(bytes_after_growth());
  set_lines(grown_lines());
  slots_ = new_slots;
  const std::uint64_t parts = pool == nullptr ? 1 : 4 * pool->threads();
  std::vector<std::vector<Fingerprint>> aside(parts);
  const auto move_part = [&](std::size_t part) {
    move_lines(old_slots, old_lines, old_lines * part / parts, old_lines * (part + 1) / parts,
               aside[part]);
  };
  if (pool == nullptr) {
    move_part(0);
  } else {
    pool->run(parts, move_part);
  }
  unmap(old_slots, old_bytes);
  for (const auto& some : aside) {
    for (const Fingerprint& fingerprint : some) insert(fingerprint);
  }
  size_ = old_size;
}

}  // namespace slotlab::sim
