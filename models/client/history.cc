// The states a register could be in, followed as calls and answers come. See history.h.
#include "models/client/history.h"

#include <utility>

#include "sim/base/assert.h"

namespace slotlab::client {

namespace {

// Lets `op` take effect: the state afterwards, with its answer noted.
Possible after(Possible state, OpId id, const Op& op) {
  state.effective[id] = state.held;
  if (op.kind == OpKind::write) state.held = op.value;
  if (op.kind == OpKind::remove) state.held = std::nullopt;
  return state;
}

bool explains(const Op& op, const Held& effective, const Held& seen) {
  switch (op.kind) {
    case OpKind::read:
      return effective == seen;
    case OpKind::remove:
      return effective.has_value() == seen.has_value();
    case OpKind::write:
      break;
  }
  return true;
}

}  // namespace

OpId Register::begin(Op op) {
  OpId id = 0;
  while (open_.contains(id)) ++id;
  if (!broken()) open_[id] = std::move(op);
  return id;
}

// All states that come of letting open operations take effect, in any order, none twice.
std::set<Possible> Register::reachable() const {
  std::set<Possible> seen = possible_;
  std::vector<Possible> work(possible_.begin(), possible_.end());
  while (!work.empty()) {
    const Possible state = std::move(work.back());
    work.pop_back();
    for (const auto& [id, op] : open_) {
      if (state.effective.contains(id)) continue;
      Possible next = after(state, id, op);
      if (seen.insert(next).second) work.push_back(std::move(next));
    }
  }
  return seen;
}

bool Register::answered(OpId id, const Held& seen) {
  if (broken()) return false;
  const auto open = open_.find(id);
  SIM_ASSERT(open != open_.end());
  const Op op = open->second;
  std::set<Possible> left;
  for (Possible state : reachable()) {
    const auto effective = state.effective.find(id);
    if (effective == state.effective.end()) continue;
    if (!explains(op, effective->second, seen)) continue;
    state.effective.erase(effective);
    left.insert(std::move(state));
  }
  if (left.empty()) {
    break_now(op.kind == OpKind::read);
    return false;
  }
  possible_ = std::move(left);
  open_.erase(open);
  return true;
}

bool Register::refused(OpId id) {
  if (broken()) return false;
  std::set<Possible> left;
  for (const Possible& state : possible_) {
    if (!state.effective.contains(id)) left.insert(state);
  }
  if (left.empty()) {
    break_now(false);
    return false;
  }
  possible_ = std::move(left);
  open_.erase(id);
  return true;
}

// What comes after a break is not judged, so that all runs after it look alike.
void Register::break_now(bool by_read) {
  last_acceptable_ = acceptable();
  bad_read_ = by_read;
  possible_.clear();
  open_.clear();
}

std::set<Held> Register::acceptable() const {
  if (broken()) return last_acceptable_;
  std::set<Held> out;
  for (const Possible& state : reachable()) out.insert(state.held);
  return out;
}

std::string held_text(const Held& held) { return held ? *held : "nothing"; }

std::string held_text(const std::set<Held>& held) {
  std::string out;
  for (const Held& each : held) out += (out.empty() ? "" : " or ") + held_text(each);
  return out;
}

}  // namespace slotlab::client
