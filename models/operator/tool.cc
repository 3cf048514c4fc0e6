// Looking, and the plans that follow from it. See tool.h.
#include "models/operator/tool.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

namespace slotlab::oper {

namespace {

// Builds the steps of one plan.
class Planner {
 public:
  Planner(const Tool& tool, const std::vector<Seen>& seen) : tool_(tool), seen_(seen) {}

  void send(std::size_t node, std::vector<std::string> words, OnError on_error = OnError::stop,
            std::vector<std::string> ignores = {}) {
    Step step = begin(node);
    for (const std::string& word : words) {
      step.typed += (step.typed.empty() ? "" : " ") + name_of(word);
    }
    step.words = std::move(words);
    step.reaction.on_error = on_error;
    step.ignores = std::move(ignores);
    plan_.steps.push_back(std::move(step));
  }

  void setslot(std::size_t node, const char* what, std::size_t other,
               OnError on_error = OnError::stop, std::vector<std::string> ignores = {}) {
    send(node, {"CLUSTER", "SETSLOT", slot(), what, tool_.nodes[other].id}, on_error,
         std::move(ignores));
  }
  void stable(std::size_t node) { send(node, {"CLUSTER", "SETSLOT", slot(), "STABLE"}); }

  void move_keys(std::size_t from, std::size_t to, bool replace) {
    Step step = begin(from);
    const ToolNode& target = tool_.nodes[to];
    step.move = MoveKeys{.slot = tool_.slot,
                         .to = target.actor,
                         .to_name = target.name,
                         .host = target.ip,
                         .port = target.port,
                         .replace = replace};
    plan_.steps.push_back(std::move(step));
  }

  void unassign(std::size_t node) {
    send(node, {"CLUSTER", "DELSLOTS", slot()}, OnError::carry_on);
  }

  // MULTI, DELSLOTS, ADDSLOTS, BUMPEPOCH, EXEC; that the slot is unassigned is no error.
  void set_owner(std::size_t node) {
    send(node, {"MULTI"});
    send(node, {"CLUSTER", "DELSLOTS", slot()});
    send(node, {"CLUSTER", "ADDSLOTS", slot()});
    send(node, {"CLUSTER", "BUMPEPOCH"});
    send(node, {"EXEC"});
  }

  // As set_owner(), where nobody claims the slot.
  void cover(std::size_t node) {
    if (old()) {
      send(node, {"CLUSTER", "ADDSLOTS", slot()});
    } else {
      set_owner(node);
    }
  }

  // The whole move of the slot, states included. `fixing`: errors of the source at the end do not
  // matter.
  void move_slot(std::size_t from, std::size_t to, bool fixing) {
    setslot(to, "IMPORTING", from);
    setslot(from, "MIGRATING", to);
    move_keys(from, to, tool_.replace || (fixing && old()));
    if (old()) {  // every master in the order of the list
      for (const std::size_t each : masters()) setslot(each, "NODE", to);
      return;
    }
    std::vector<std::string> ignores = {"ERR Please use SETSLOT only with masters."};
    if (tool_.flavour == Flavour::valkey_cli_8_0) {
      ignores.insert(ignores.end(), {"ERR Please use SETSLOT only with primaries.", "UNBLOCKED",
                                     "NOREPLICAS"});
    }
    setslot(to, "NODE", to);
    setslot(from, "NODE", to, fixing ? OnError::carry_on : OnError::stop, ignores);
    for (const std::size_t each : masters()) {
      if (each != from && each != to) setslot(each, "NODE", to);
    }
  }

  std::vector<std::size_t> masters() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i].answered && seen_[i].master) out.push_back(i);
    }
    return out;
  }
  bool old() const { return tool_.flavour == Flavour::redis_trib_3_0; }
  bool empty() const { return plan_.steps.empty(); }
  void complain(std::string why) { plan_.complaint = std::move(why); }
  ToolPlan take() { return std::move(plan_); }

 private:
  Step begin(std::size_t node) const {
    Step step;
    step.label = fmt::format("{}", plan_.steps.size() + 1);
    step.target = tool_.nodes[node].actor;
    step.target_name = tool_.nodes[node].name;
    step.reaction.on_no_answer = OnNoAnswer::stop;
    return step;
  }
  std::string slot() const { return std::to_string(tool_.slot); }
  std::string name_of(const std::string& word) const {
    for (const ToolNode& node : tool_.nodes) {
      if (node.id == word) return node.name;
    }
    return word;
  }

  const Tool& tool_;
  const std::vector<Seen>& seen_;
  ToolPlan plan_;
};

std::uint8_t node_with(const Tool& tool, const std::string& id) {
  for (std::size_t i = 0; i < tool.nodes.size(); ++i) {
    if (tool.nodes[i].id == id) return static_cast<std::uint8_t>(i);
  }
  return kNobody;
}

// "0-5460", "7", "[7->-ID]", "[7-<-ID]": one word at the end of a node's own line.
void read_slot_word(const Tool& tool, const std::string& word, Seen& seen) {
  if (word.front() == '[') {
    const std::size_t mark = word.find_first_of("><");
    if (mark == std::string::npos || mark < 2 || word.size() < mark + 3) return;
    if (std::stoul(word.substr(1)) != tool.slot) return;
    const std::uint8_t other = node_with(tool, word.substr(mark + 2, word.size() - mark - 3));
    (word[mark] == '>' ? seen.migrating_to : seen.importing_from) = other;
    return;
  }
  const std::size_t dash = word.find('-');
  const unsigned long first = std::stoul(word);
  const unsigned long last = dash == std::string::npos ? first : std::stoul(word.substr(dash + 1));
  if (first <= tool.slot && tool.slot <= last) seen.owns = true;
}

// A line of CLUSTER NODES of another node: whether it is in the list, and as a master.
void read_friend(const Tool& tool, const std::string& line, std::vector<Seen>& seen) {
  std::istringstream words(line);
  std::string id, address, flags;
  words >> id >> address >> flags;
  const std::uint8_t node = node_with(tool, id);
  if (node != kNobody) seen[node].listed = flags.find("master") != std::string::npos;
}

// Of each node its own line counts; of the first that answers also the list of all others.
void read_nodes(const Tool& tool, std::size_t node, const std::string& text,
                std::vector<Seen>& seen) {
  const bool first =
      std::none_of(seen.begin(), seen.end(), [](const Seen& each) { return each.answered; });
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("myself") == std::string::npos) {
      if (first) read_friend(tool, line, seen);
      continue;
    }
    std::istringstream words(line);
    std::string word;
    for (int i = 0; words >> word; ++i) {
      if (i == 2) seen[node].master = word.find("master") != std::string::npos;
      if (i >= 8) read_slot_word(tool, word, seen[node]);
    }
    seen[node].answered = true;
  }
}

ToolPlan plan_reshard(const Tool& tool, const std::vector<Seen>& seen) {
  Planner planner(tool, seen);
  for (const Seen& each : seen) {
    if (each.answered && (each.migrating_to != kNobody || each.importing_from != kNobody)) {
      planner.complain("Please fix your cluster problems before resharding");
      return planner.take();
    }
  }
  if (seen[tool.to].owns) return planner.take();
  if (!seen[tool.from].owns || !seen[tool.to].answered || !seen[tool.to].master) {
    planner.complain("the slot is not at the source, or the target is no master");
    return planner.take();
  }
  planner.move_slot(tool.from, tool.to, false);
  return planner.take();
}

ToolPlan plan_controller(const Tool& tool, const std::vector<Seen>& seen) {
  Planner planner(tool, seen);
  const std::size_t to = tool.to, from = tool.from;
  if (!seen[to].answered || !seen[to].master) {
    planner.complain("the target is not there, or no master");
    return planner.take();
  }
  if (seen[to].owns) {
    for (const std::size_t each : planner.masters()) {
      const Seen& other = seen[each];
      const bool marked = other.migrating_to != kNobody || other.importing_from != kNobody;
      if (!planner.empty() || (!marked && (each == to || !other.owns))) continue;
      planner.setslot(each, "NODE", to);
    }
  } else if (seen[to].importing_from == kNobody) {
    planner.setslot(to, "IMPORTING", from);
  } else if (seen[from].answered && seen[from].owns && seen[from].migrating_to == kNobody) {
    planner.setslot(from, "MIGRATING", to);
  } else if (seen[from].answered && seen[from].keys > 0) {
    planner.move_keys(from, to, tool.replace);
  } else {
    planner.setslot(to, "NODE", to);
  }
  return planner.take();
}

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

}  // namespace

std::vector<Step> look_steps(const Tool& tool) {
  std::vector<Step> steps;
  for (const ToolNode& node : tool.nodes) {
    for (const bool count : {false, true}) {
      Step step;
      step.label = fmt::format("{} of {}", count ? "keys" : "view", node.name);
      step.target = node.actor;
      step.target_name = node.name;
      step.words = {"CLUSTER", "NODES"};
      if (count) step.words = {"CLUSTER", "COUNTKEYSINSLOT", std::to_string(tool.slot)};
      for (const std::string& word : step.words) {
        step.typed += (step.typed.empty() ? "" : " ") + word;
      }
      step.reaction = {.on_error = OnError::carry_on, .on_no_answer = OnNoAnswer::skip};
      steps.push_back(std::move(step));
    }
  }
  return steps;
}

void read_answer(const Tool& tool, std::size_t question, const std::string& text,
                 std::int64_t number, std::vector<Seen>& seen) {
  seen.resize(tool.nodes.size());
  if (question % 2 == 0) {
    read_nodes(tool, question / 2, text, seen);
  } else {
    seen[question / 2].keys = static_cast<std::uint16_t>(std::clamp<std::int64_t>(number, 0, 1000));
  }
}

ToolPlan plan_of(const Tool& tool, const std::vector<Seen>& seen) {
  std::vector<Seen> all = seen;
  all.resize(tool.nodes.size());
  switch (tool.kind) {
    case ToolKind::reshard:
      return plan_reshard(tool, all);
    case ToolKind::controller:
      return plan_controller(tool, all);
    case ToolKind::fix:
      break;
  }
  return plan_fix(tool, all);
}

}  // namespace slotlab::oper
