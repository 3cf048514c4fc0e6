// Looking, and the plans that follow from it. See tool.h.
#include "models/operator/tool.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "models/operator/planner.h"

namespace slotlab::oper {

namespace {

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
    seen.open = true;
    if (std::stoul(word.substr(1)) != tool.slot) return;
    const std::uint8_t other = node_with(tool, word.substr(mark + 2, word.size() - mark - 3));
    (word[mark] == '>' ? seen.migrating_to : seen.importing_from) = other;
    return;
  }
  const std::size_t dash = word.find('-');
  const unsigned long first = std::stoul(word);
  const unsigned long last = dash == std::string::npos ? first : std::stoul(word.substr(dash + 1));
  if (first <= tool.slot && tool.slot <= last) seen.owns = true;
  for (unsigned long slot = first; tool.chooses() && slot <= last; ++slot) {
    seen.slots.push_back(static_cast<protocol::Slot>(slot));
  }
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

}  // namespace

std::vector<Step> look_steps(const Tool& tool) {
  std::vector<Step> steps;
  for (const ToolNode& node : tool.nodes) {
    for (const bool count : {false, true}) {
      if (count && tool.chooses()) continue;  // it does not ask for keys
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
  if (tool.chooses()) {
    read_nodes(tool, question, text, seen);
  } else if (question % 2 == 0) {
    read_nodes(tool, question / 2, text, seen);
  } else {
    seen[question / 2].keys = static_cast<std::uint16_t>(std::clamp<std::int64_t>(number, 0, 1000));
  }
}

ToolPlan plan_of(const Tool& tool, const std::vector<Seen>& seen) {
  std::vector<Seen> all = seen;
  all.resize(tool.nodes.size());
  if (tool.chooses()) return plan_shares(tool, all);
  switch (tool.kind) {
    case ToolKind::reshard:
      return plan_reshard(tool, all);
    case ToolKind::controller:
      return plan_controller(tool, all);
    case ToolKind::fix:
    case ToolKind::rebalance:  // chooses
      break;
  }
  return plan_fix(tool, all);
}

}  // namespace slotlab::oper
