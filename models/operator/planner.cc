// See planner.h.
#include "models/operator/planner.h"

#include <fmt/format.h>

namespace slotlab::oper {

void Planner::send(std::size_t node, std::vector<std::string> words, OnError on_error,
                   std::vector<std::string> ignores) {
  Step step = begin(node);
  for (const std::string& word : words) {
    step.typed += (step.typed.empty() ? "" : " ") + name_of(word);
  }
  step.words = std::move(words);
  step.reaction.on_error = on_error;
  step.ignores = std::move(ignores);
  plan_.steps.push_back(std::move(step));
}

void Planner::setslot(std::size_t node, const char* what, std::size_t other, OnError on_error,
                      std::vector<std::string> ignores) {
  send(node, {"CLUSTER", "SETSLOT", slot(), what, tool_.nodes[other].id}, on_error,
       std::move(ignores));
}

void Planner::stable(std::size_t node) { send(node, {"CLUSTER", "SETSLOT", slot(), "STABLE"}); }

void Planner::move_keys(std::size_t from, std::size_t to, bool replace) {
  Step step = begin(from);
  const ToolNode& target = tool_.nodes[to];
  step.move = MoveKeys{.slot = slot_,
                       .to = target.actor,
                       .to_name = target.name,
                       .host = target.ip,
                       .port = target.port,
                       .replace = replace};
  plan_.steps.push_back(std::move(step));
}

void Planner::unassign(std::size_t node) {
  send(node, {"CLUSTER", "DELSLOTS", slot()}, OnError::carry_on);
}

void Planner::set_owner(std::size_t node) {
  send(node, {"MULTI"});
  send(node, {"CLUSTER", "DELSLOTS", slot()});
  send(node, {"CLUSTER", "ADDSLOTS", slot()});
  send(node, {"CLUSTER", "BUMPEPOCH"});
  send(node, {"EXEC"});
}

void Planner::cover(std::size_t node) {
  if (old()) {
    send(node, {"CLUSTER", "ADDSLOTS", slot()});
  } else {
    set_owner(node);
  }
}

void Planner::move_slot(std::size_t from, std::size_t to, bool fixing) {
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

std::vector<std::size_t> Planner::masters() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if (seen_[i].answered && seen_[i].master) out.push_back(i);
  }
  return out;
}

Step Planner::begin(std::size_t node) const {
  Step step;
  step.label = fmt::format("{}", plan_.steps.size() + 1);
  step.target = tool_.nodes[node].actor;
  step.target_name = tool_.nodes[node].name;
  step.reaction.on_no_answer = OnNoAnswer::stop;
  return step;
}

std::string Planner::name_of(const std::string& word) const {
  for (const ToolNode& node : tool_.nodes) {
    if (node.id == word) return node.name;
  }
  return word;
}

}  // namespace slotlab::oper
