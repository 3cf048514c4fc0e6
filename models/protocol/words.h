// The words everybody in the protocol shares: slots, node identities, epochs, and the directory
// that gives identities their names. Nodes, operators and clients know these and nothing of each
// other.
//
// Slots are handled by class. Slots that nothing in a scenario tells apart (same owner at the
// start, named by no command, key or range) behave alike for ever, so each such set is one
// SlotClass with its ranges; a slot that is named on its own is a class of one. A table over
// classes is exact, and with all 16384 slots named it is the servers' own table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/system/actor.h"

namespace slotlab::protocol {

inline constexpr std::uint16_t kSlots = 16384;
using Slot = std::uint16_t;   // 0..16383
using Epoch = std::uint64_t;  // config epoch or current epoch

// Index of a node identity (a 40-digit id) in the Directory. An identity is not a process: CLUSTER
// RESET HARD gives a process a new one.
enum class NodeId : std::uint8_t {};
inline constexpr NodeId kNoNode{255};
constexpr std::size_t index(NodeId id) { return static_cast<std::size_t>(id); }

// Index of a slot class in the SlotClasses, 0..classes-1.
using SlotClass = std::uint16_t;

struct SlotRange {
  Slot first = 0;
  Slot last = 0;  // inclusive
  auto operator<=>(const SlotRange&) const = default;
};

class SlotClasses {
 public:
  // Cuts 0..16383 (or only the slots of `covered`, if given) so that each range of `told_apart` is
  // a union of classes. Classes are numbered by their first slot. Ranges of equal `told_apart`
  // membership that are not adjacent stay separate classes.
  static SlotClasses cut(const std::vector<SlotRange>& told_apart,
                         const std::optional<std::vector<SlotRange>>& covered = {});
  std::size_t count() const { return ranges_.size(); }
  SlotRange range(SlotClass c) const { return ranges_[c]; }
  std::uint32_t size(SlotClass c) const { return 1u + ranges_[c].last - ranges_[c].first; }
  std::optional<SlotClass> of(Slot slot) const;  // none if the slot is not covered

 private:
  std::vector<SlotRange> ranges_;        // ascending, disjoint
  std::vector<std::uint16_t> class_of_;  // by slot; 0xffff: not covered
};

// A set of slot classes: one bit per class. Equal sets are equal values, whatever room was asked
// for.
class SlotSet {
 public:
  SlotSet() = default;
  explicit SlotSet(std::size_t classes) {
    words_.reserve((classes + 63) / 64);
  }  // room, still empty
  bool has(SlotClass c) const {
    return c / 64u < words_.size() && (words_[c / 64u] >> (c % 64u) & 1u) != 0;
  }
  void add(SlotClass c);
  void remove(SlotClass c);
  bool empty() const { return words_.empty(); }
  std::size_t count() const;  // classes, not slots
  auto members() const { return std::tie(words_); }
  bool operator==(const SlotSet&) const = default;

 private:
  std::vector<std::uint64_t> words_;  // the last word is never 0
};

// One identity: where it lives and what it is called.
struct Identity {
  std::string name = {};               // as scenarios and traces call it: "A", "B1"
  std::string id = {};                 // 40 lower-case hexadecimal digits
  sim::ActorId actor = sim::kNoActor;  // the process that bears it
  std::string ip = "127.0.0.1";
  std::uint16_t port = 0;  // bus port is port + 10000
};

// All identities that may occur in a run; NodeId is the index. Their order by `id` decides epoch
// collisions, so `smaller` compares ids, not indices.
struct Directory {
  std::vector<Identity> identities;
  // For each identity, the one a hard reset of its process takes next; kNoNode if none is left.
  std::vector<NodeId> after_reset;

  const Identity& operator[](NodeId id) const { return identities[index(id)]; }
  std::size_t count() const { return identities.size(); }
  bool smaller(NodeId a, NodeId b) const { return (*this)[a].id < (*this)[b].id; }
  NodeId by_id(std::string_view id) const;  // kNoNode if unknown
  NodeId by_name(std::string_view name) const;
  NodeId by_address(std::string_view ip, std::uint16_t port) const;
};

std::string slots_text(const SlotClasses& classes, const SlotSet& set);  // "0-99,101"

}  // namespace slotlab::protocol
