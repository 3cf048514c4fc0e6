// ADDSLOTS, DELSLOTS, their ranges, FLUSHSLOTS, and the questions about keys of a slot.
// SOURCE: Redis 7.0.15, clusterCommand and checkSlotAssignmentsOrReply in src/cluster.c; node.md
// 2.3 to 2.5 and 2.13 to 2.15.
#include "models/node/commands/slot_commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/node/ownership/slot_table.h"
#include "models/protocol/key_slot.h"

namespace slotlab::node {

namespace {

using protocol::Slot;
using protocol::SlotRange;

enum class Change : std::uint8_t { bind, unbind };

std::optional<NodeId> owner_of(const Context& context, Slot slot) {
  const auto slot_class = context.settings.slots.of(slot);
  if (!slot_class) return std::nullopt;  // outside the scenario: bound to nobody
  const NodeId owner = context.state.config.owner[*slot_class];
  return owner == kNoNode ? std::nullopt : std::optional(owner);
}

// The slots that a command names, each once and in its order. Bits, since a command may name all.
class NamedSlots {
 public:
  bool add(Slot slot) {  // false: named before
    if (named_[slot]) return false;
    named_[slot] = true;
    return true;
  }
  bool has(Slot slot) const { return named_[slot]; }

 private:
  std::vector<bool> named_ = std::vector<bool>(protocol::kSlots);
};

std::optional<Reply> check_slot(const Context& context, Change change, Slot slot,
                                NamedSlots& named) {
  const bool bound = owner_of(context, slot).has_value();
  if (change == Change::bind && bound) return err(fmt::format("Slot {} is already busy", slot));
  if (change == Change::unbind && !bound) {
    return err(fmt::format("Slot {} is already unassigned", slot));
  }
  if (!named.add(slot)) return err(fmt::format("Slot {} specified multiple times", slot));
  return std::nullopt;
}

// A class changes as a whole. SlotClasses cuts at every slot that a command of the scenario names,
// so a class that is named in part comes only from a command that nobody announced.
std::optional<Reply> check_whole_classes(const Context& context, const NamedSlots& named) {
  const protocol::SlotClasses& classes = context.settings.slots;
  for (std::size_t c = 0; c < classes.count(); ++c) {
    const SlotRange range = classes.range(static_cast<SlotClass>(c));
    std::uint32_t count = 0;
    for (std::uint32_t slot = range.first; slot <= range.last; ++slot) {
      count += named.has(static_cast<Slot>(slot)) ? 1u : 0u;
    }
    if (count != 0 && count != 1u + range.last - range.first) {
      return err(fmt::format("slots {}-{} are one class in this scenario and change together",
                             range.first, range.last));
    }
  }
  return std::nullopt;
}

Reply change_slots(Context& context, Change change, const NamedSlots& named) {
  if (const auto refused = check_whole_classes(context, named)) return *refused;
  const protocol::SlotClasses& classes = context.settings.slots;
  for (std::size_t c = 0; c < classes.count(); ++c) {
    const auto slot = static_cast<SlotClass>(c);
    if (!named.has(classes.range(slot).first)) continue;
    context.config().importing_from[slot] = kNoNode;
    if (change == Change::bind) {
      add_slot(context, context.me(), slot);
    } else {
      del_slot(context, slot);
    }
  }
  context.todo.update_state = true;
  context.todo.save = true;
  return Reply::ok();
}

Reply change_slot_list(Context& context, Change change, const Words& words) {
  std::vector<Slot> slots;
  NamedSlots named;
  const bool interleaved = worded_as(context, protocol::Wording::redis_3_0);
  for (std::size_t i = 2; i < words.size(); ++i) {
    const auto slot = read_slot(words[i]);
    if (!slot) return invalid_slot();
    if (interleaved) {
      if (const auto refused = check_slot(context, change, *slot, named)) return *refused;
    }
    slots.push_back(*slot);
  }
  if (!interleaved) {
    for (const Slot slot : slots) {
      if (const auto refused = check_slot(context, change, slot, named)) return *refused;
    }
  }
  return change_slots(context, change, named);
}

Reply change_slot_ranges(Context& context, Change change, const Words& words) {
  std::vector<SlotRange> ranges;
  for (std::size_t i = 2; i + 1 < words.size(); i += 2) {
    const auto first = read_slot(words[i]);
    const auto last = read_slot(words[i + 1]);
    if (!first || !last) return invalid_slot();
    if (*first > *last) {
      return err(fmt::format("start slot number {} is greater than end slot number {}", *first,
                             *last));
    }
    ranges.push_back({*first, *last});
  }
  NamedSlots named;
  for (const SlotRange& range : ranges) {
    for (std::uint32_t slot = range.first; slot <= range.last; ++slot) {
      const auto refused = check_slot(context, change, static_cast<Slot>(slot), named);
      if (refused) return *refused;
    }
  }
  return change_slots(context, change, named);
}

// The keys of `slot`. A class of several slots keeps its keys together, and they are told apart by
// their hash; in a class of one slot a scenario may give keys any name.
std::vector<std::string> names_of_keys(const Context& context, std::int64_t slot) {
  std::vector<std::string> names;
  const auto slot_class = context.settings.slots.of(static_cast<Slot>(slot));
  if (!slot_class) return names;
  const bool alone = context.settings.slots.size(*slot_class) == 1;
  for (const auto& [key, value] : context.state.keys[*slot_class]) {
    if (alone || protocol::key_slot(key) == slot) names.push_back(key);
  }
  return names;
}

}  // namespace

Reply add_slots(Context& context, const Words& words) {
  return change_slot_list(context, Change::bind, words);
}

Reply del_slots(Context& context, const Words& words) {
  return change_slot_list(context, Change::unbind, words);
}

Reply add_slots_range(Context& context, const Words& words) {
  return change_slot_ranges(context, Change::bind, words);
}

Reply del_slots_range(Context& context, const Words& words) {
  return change_slot_ranges(context, Change::unbind, words);
}

Reply flush_slots(Context& context) {
  if (has_any_keys(context.state)) return err("DB must be empty to perform CLUSTER FLUSHSLOTS.");
  del_node_slots(context, context.me());
  context.todo.update_state = true;
  context.todo.save = true;
  return Reply::ok();
}

Reply count_keys_in_slot(Context& context, const Words& words) {
  const auto slot = read_integer(words[2]);
  if (!slot) return not_an_integer();
  if (*slot < 0 || *slot >= protocol::kSlots) return err("Invalid slot");
  return Reply::integer(static_cast<std::int64_t>(names_of_keys(context, *slot).size()));
}

Reply get_keys_in_slot(Context& context, const Words& words) {
  const auto slot = read_integer(words[2]);
  if (!slot) return not_an_integer();
  const auto count = read_integer(words[3]);
  if (!count) return not_an_integer();
  if (*slot < 0 || *slot >= protocol::kSlots || *count < 0) {
    return err("Invalid slot or number of keys");
  }
  std::vector<Reply> keys;
  for (std::string& name : names_of_keys(context, *slot)) {
    if (static_cast<std::int64_t>(keys.size()) == *count) break;
    keys.push_back(Reply::bulk(std::move(name)));
  }
  return Reply::array(std::move(keys));
}

Reply key_slot_of(const Words& words) { return Reply::integer(protocol::key_slot(words[2])); }

}  // namespace slotlab::node
