// What fix makes of a slot, whatever state it is in. SOURCE: redis-cli 7.0.15,
// clusterManagerFixOpenSlot and clusterManagerFixSlotsCoverage in src/redis-cli.c; redis-trib.rb
// 3.0.7, fix_open_slot.
#include <algorithm>
#include <optional>

#include "models/operator/planner.h"

namespace slotlab::oper {

namespace {

// What fix makes of the views, before it decides.
struct Slots {
  std::optional<std::size_t> owner;
  std::vector<std::size_t> owners, migrating, importing;
};

void drop(std::vector<std::size_t>& list, std::size_t each) {
  list.erase(std::remove(list.begin(), list.end(), each), list.end());
}

Slots sort_out(const Planner& planner, const std::vector<Seen>& seen) {
  Slots out;
  for (const std::size_t each : planner.masters()) {
    const bool keys_count = !planner.old() && seen[each].keys > 0;
    if (seen[each].owns || keys_count) out.owners.push_back(each);
  }
  if (out.owners.size() == 1) out.owner = out.owners.front();
  for (const std::size_t each : planner.masters()) {
    if (seen[each].migrating_to != kNobody) {
      out.migrating.push_back(each);
    } else if (seen[each].importing_from != kNobody) {
      out.importing.push_back(each);
    } else if (seen[each].keys > 0 && (!out.owner || *out.owner != each)) {
      out.importing.push_back(each);
    }
  }
  return out;
}

std::size_t with_most_keys(const Planner& planner, const std::vector<Seen>& seen) {
  const std::vector<std::size_t> masters = planner.masters();
  return *std::max_element(masters.begin(), masters.end(), [&](std::size_t a, std::size_t b) {
    return seen[a].keys < seen[b].keys;
  });
}

// Step 4 and 5: no single owner. The one with most keys becomes it, the others give way.
void choose_owner(Planner& planner, const std::vector<Seen>& seen, Slots& slots) {
  const std::size_t owner = with_most_keys(planner, seen);
  slots.owner = owner;
  if (!planner.old()) planner.stable(owner);
  planner.set_owner(owner);
  drop(slots.migrating, owner);
  drop(slots.importing, owner);
  for (const std::size_t each : slots.owners) {
    if (each == owner) continue;
    planner.unassign(each);
    planner.setslot(each, "NODE", owner, planner.old() ? OnError::carry_on : OnError::stop);
    planner.setslot(each, "IMPORTING", owner);
    drop(slots.migrating, each);
    drop(slots.importing, each);
    slots.importing.push_back(each);
  }
}

bool any_keys(const std::vector<std::size_t>& nodes, const std::vector<Seen>& seen) {
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](std::size_t each) { return seen[each].keys > 0; });
}

// Case 2: the keys of all importing nodes go to the owner, and the slot is closed everywhere.
void fix_importing(const Tool& tool, Planner& planner, const Slots& slots) {
  for (const std::size_t each : slots.importing) {
    if (each == *slots.owner) continue;
    planner.move_keys(each, *slots.owner, tool.replace || planner.old());
    planner.stable(each);
  }
  if (planner.old()) return;
  for (const std::size_t each : planner.masters()) {
    if (each != *slots.owner) planner.setslot(each, "NODE", *slots.owner);
  }
}

// Case 3: several nodes import and none has keys.
void fix_several(Planner& planner, const std::vector<Seen>& seen, const Slots& slots) {
  const std::size_t from = slots.migrating.front();
  const std::size_t target = seen[from].migrating_to;
  const bool named =
      std::find(slots.importing.begin(), slots.importing.end(), target) != slots.importing.end();
  if (named) {
    planner.move_slot(from, target, true);
  } else {
    planner.stable(from);
  }
  for (const std::size_t each : slots.importing) {
    if (!named || each != target) planner.stable(each);
  }
}

// No node that answers claims the slot: fix-coverage.
void fix_coverage(const Tool& tool, Planner& planner, const std::vector<Seen>& seen) {
  const std::size_t owner = with_most_keys(planner, seen);
  planner.cover(owner);
  for (const std::size_t each : planner.masters()) {
    if (each == owner || seen[each].keys == 0) continue;
    planner.setslot(each, "NODE", owner);
    planner.setslot(each, "IMPORTING", owner);
    planner.move_keys(each, owner, tool.replace);
    planner.stable(each);
  }
}

// Cases 1 to 4 and, at the end, the slot's coverage, which counts what the first part has assigned.
void fix_open_slot(const Tool& tool, Planner& planner, const std::vector<Seen>& seen) {
  Slots slots = sort_out(planner, seen);
  bool covered = std::any_of(seen.begin(), seen.end(), [](const Seen& each) { return each.owns; });
  if (!slots.owner) {
    choose_owner(planner, seen, slots);
    covered = true;
  }
  const std::size_t migrating = slots.migrating.size(), importing = slots.importing.size();
  const bool alone = migrating == 1 && importing == 0;
  const bool may_close = alone && (planner.old() ? seen[slots.migrating[0]].keys == 0
                                                 : slots.migrating[0] == *slots.owner ||
                                                       seen[slots.migrating[0]].keys == 0);
  if (migrating == 1 && importing == 1) {
    planner.move_slot(slots.migrating[0], slots.importing[0], true);
    return;
  }
  if (migrating == 0 && importing > 0) {
    fix_importing(tool, planner, slots);
    if (!covered) planner.cover(*slots.owner);  // it has all keys by now
    return;
  }
  if (migrating == 1 && importing > 1 && !planner.old() && !any_keys(slots.importing, seen)) {
    fix_several(planner, seen, slots);
  } else if (may_close) {
    planner.stable(slots.migrating[0]);
  } else if (planner.empty() && covered) {
    planner.complain("Sorry, redis-cli can't fix this slot yet (work in progress)");
  }
  if (!covered) fix_coverage(tool, planner, seen);
}

}  // namespace

ToolPlan plan_fix(const Tool& tool, const std::vector<Seen>& seen) {
  Planner planner(tool, seen);
  if (planner.masters().empty()) {
    planner.complain("no master answers");
    return planner.take();
  }
  const auto any = [&](auto is) { return std::any_of(seen.begin(), seen.end(), is); };
  const bool open = any([](const Seen& each) {
    return each.answered &&
           (each.migrating_to != kNobody || each.importing_from != kNobody);
  });
  const bool owned = any([](const Seen& each) { return each.owns; });
  if (!open && owned) return planner.take();
  const bool missing = any([](const Seen& each) { return each.listed && !each.answered; });
  if (missing && !planner.old() && !tool.unreachable_masters) {
    planner.complain("a master cannot be reached, which makes fixing dangerous");
    return planner.take();
  }
  if (!open) {
    fix_coverage(tool, planner, seen);
    return planner.take();
  }
  fix_open_slot(tool, planner, seen);
  return planner.take();
}

}  // namespace slotlab::oper
