// The groupings of split.h. Both give each key a label that says with whom it goes, then order the
// groups by their smallest slot, so that a client without a map gets the same from both.
#include "models/client/split.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "models/protocol/key_slot.h"

namespace slotlab::client {

namespace {

struct Group {
  protocol::Slot smallest = 0;
  Keys keys;
};

// Whom a key goes with: all keys of one node, or all keys of one unmapped slot.
using Label = std::pair<std::optional<std::string>, protocol::Slot>;

Label label_of(protocol::Slot slot, const SlotMap& map) {
  const auto at = map.find(slot);
  if (at == map.end()) return {std::nullopt, slot};
  return {at->second, 0};
}

}  // namespace

std::vector<Keys> split_by_node(const Keys& keys, const SlotMap& map) {
  std::map<Label, Group> groups;
  for (const std::string& key : keys) {
    const protocol::Slot slot = protocol::key_slot(key);
    Group& group = groups.try_emplace(label_of(slot, map), Group{slot, {}}).first->second;
    group.smallest = std::min(group.smallest, slot);
    group.keys.push_back(key);
  }
  std::vector<Group> ordered;
  for (auto& [label, group] : groups) ordered.push_back(std::move(group));
  // No two groups have a slot in common, so this order has no ties.
  std::sort(ordered.begin(), ordered.end(),
            [](const Group& a, const Group& b) { return a.smallest < b.smallest; });
  std::vector<Keys> out;
  for (Group& group : ordered) out.push_back(std::move(group.keys));
  return out;
}

std::vector<Keys> split_by_slot(const Keys& keys) { return split_by_node(keys, {}); }

}  // namespace slotlab::client
