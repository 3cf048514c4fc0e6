// Slot classes, slot sets and the directory: the bodies of words.h.
#include "models/protocol/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "sim/base/assert.h"

namespace slotlab::protocol {
namespace {

constexpr std::uint16_t kNotCovered = 0xffff;

std::vector<bool> covered_slots(const std::optional<std::vector<SlotRange>>& covered) {
  std::vector<bool> in(kSlots, !covered.has_value());
  if (!covered) return in;
  for (const SlotRange& range : *covered) {
    SIM_ASSERT(range.first <= range.last && range.last < kSlots);
    std::fill(in.begin() + range.first, in.begin() + range.last + 1, true);
  }
  return in;
}

template <class Match>
NodeId first_identity(const Directory& directory, Match match) {
  const auto at = std::find_if(directory.identities.begin(), directory.identities.end(), match);
  if (at == directory.identities.end()) return kNoNode;
  return NodeId{static_cast<std::uint8_t>(at - directory.identities.begin())};
}

}  // namespace

SlotClasses SlotClasses::cut(const std::vector<SlotRange>& told_apart,
                             const std::optional<std::vector<SlotRange>>& covered) {
  const std::vector<bool> in = covered_slots(covered);
  std::vector<bool> begins(kSlots + 1u, false);  // a class begins here at the latest
  begins[0] = true;
  for (const SlotRange& range : told_apart) {
    SIM_ASSERT(range.first <= range.last && range.last < kSlots);
    begins[range.first] = true;
    begins[range.last + 1u] = true;
  }
  SlotClasses classes;
  classes.class_of_.assign(kSlots, kNotCovered);
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    if (!in[slot]) continue;
    if (begins[slot] || slot == 0 || !in[slot - 1]) {
      classes.ranges_.push_back({static_cast<Slot>(slot), static_cast<Slot>(slot)});
    }
    classes.ranges_.back().last = static_cast<Slot>(slot);
    classes.class_of_[slot] = static_cast<std::uint16_t>(classes.ranges_.size() - 1);
  }
  return classes;
}

std::optional<SlotClass> SlotClasses::of(Slot slot) const {
  if (slot >= class_of_.size() || class_of_[slot] == kNotCovered) return std::nullopt;
  return class_of_[slot];
}

void SlotSet::add(SlotClass c) {
  if (words_.size() <= c / 64u) words_.resize(c / 64u + 1u);
  words_[c / 64u] |= 1ull << (c % 64u);
}

void SlotSet::remove(SlotClass c) {
  if (c / 64u >= words_.size()) return;
  words_[c / 64u] &= ~(1ull << (c % 64u));
  while (!words_.empty() && words_.back() == 0) words_.pop_back();
}

std::size_t SlotSet::count() const {
  std::size_t n = 0;
  for (const std::uint64_t word : words_) n += static_cast<std::size_t>(std::popcount(word));
  return n;
}

NodeId Directory::by_id(std::string_view id) const {
  return first_identity(*this, [&](const Identity& identity) { return identity.id == id; });
}

NodeId Directory::by_name(std::string_view name) const {
  return first_identity(*this, [&](const Identity& identity) { return identity.name == name; });
}

NodeId Directory::by_address(std::string_view ip, std::uint16_t port) const {
  return first_identity(
      *this, [&](const Identity& identity) { return identity.ip == ip && identity.port == port; });
}

std::string slots_text(const SlotClasses& classes, const SlotSet& set) {
  std::string out;
  for (std::size_t c = 0; c < classes.count();) {
    const auto first = static_cast<SlotClass>(c++);
    if (!set.has(first)) continue;
    Slot last = classes.range(first).last;
    while (c < classes.count() && set.has(static_cast<SlotClass>(c)) &&
           classes.range(static_cast<SlotClass>(c)).first == last + 1) {
      last = classes.range(static_cast<SlotClass>(c++)).last;
    }
    const Slot start = classes.range(first).first;
    if (!out.empty()) out += ',';
    fmt::format_to(std::back_inserter(out), "{}", start);
    if (last != start) fmt::format_to(std::back_inserter(out), "-{}", last);
  }
  return out;
}

}  // namespace slotlab::protocol
