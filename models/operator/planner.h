// Builds the steps of a tool's plan: the moves and repairs that all tools are made of. Inside
// models/operator only.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "models/operator/tool.h"

namespace slotlab::oper {

// Builds the steps of one plan.
class Planner {
 public:
  Planner(const Tool& tool, const std::vector<Seen>& seen)
      : tool_(tool), seen_(seen), slot_(tool.slot) {}

  // The slot that the next steps are about; at first the tool's own.
  void work_on(protocol::Slot slot) { slot_ = slot; }

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
    step.move = MoveKeys{.slot = slot_,
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
  std::string slot() const { return std::to_string(slot_); }
  std::string name_of(const std::string& word) const {
    for (const ToolNode& node : tool_.nodes) {
      if (node.id == word) return node.name;
    }
    return word;
  }

  const Tool& tool_;
  const std::vector<Seen>& seen_;
  protocol::Slot slot_;
  ToolPlan plan_;
};

// The plan of fix: fix.cc.
ToolPlan plan_fix(const Tool& tool, const std::vector<Seen>& seen);
// The plans of tools that choose slots themselves: shares.cc.
ToolPlan plan_shares(const Tool& tool, const std::vector<Seen>& seen);

}  // namespace slotlab::oper
