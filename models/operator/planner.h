// Builds the steps of a tool's plan: the moves and repairs that all tools are made of. Inside
// models/operator only.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "models/operator/tool.h"

namespace slotlab::oper {

class Planner {
 public:
  Planner(const Tool& tool, const std::vector<Seen>& seen)
      : tool_(tool), seen_(seen), slot_(tool.slot) {}

  // The slot that the next steps are about; at first the tool's own.
  void work_on(protocol::Slot slot) { slot_ = slot; }

  void send(std::size_t node, std::vector<std::string> words, OnError on_error = OnError::stop,
            std::vector<std::string> ignores = {});
  void setslot(std::size_t node, const char* what, std::size_t other,
               OnError on_error = OnError::stop, std::vector<std::string> ignores = {});
  void stable(std::size_t node);
  void move_keys(std::size_t from, std::size_t to, bool replace);
  void unassign(std::size_t node);
  // MULTI, DELSLOTS, ADDSLOTS, BUMPEPOCH, EXEC; that the slot is unassigned is no error.
  void set_owner(std::size_t node);
  // As set_owner(), where nobody claims the slot.
  void cover(std::size_t node);
  // The whole move of the slot, states included. `fixing`: errors of the source at the end do not
  // matter.
  void move_slot(std::size_t from, std::size_t to, bool fixing);

  std::vector<std::size_t> masters() const;  // that answered
  bool old() const { return tool_.flavour == Flavour::redis_trib_3_0; }
  bool empty() const { return plan_.steps.empty(); }
  void complain(std::string why) { plan_.complaint = std::move(why); }
  ToolPlan take() { return std::move(plan_); }

 private:
  Step begin(std::size_t node) const;
  std::string slot() const { return std::to_string(slot_); }
  std::string name_of(const std::string& word) const;

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
