// Tools: operators that look first and plan from what they read. A tool asks each node for its own
// view of one slot, then computes the Procedure that the real tool would work through, and works
// through it as any operator does. A tool that is started again looks again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "models/operator/procedure.h"

namespace slotlab::oper {

enum class ToolKind : std::uint8_t {
  reshard,     // moves one slot, or a number of slots, to a node
  fix,         // repairs one slot, whatever state it is in
  controller,  // brings one slot to a node, one step at a time, looking afresh before each
  rebalance,   // moves slots until every master has its share
};

// Whose tool: the versions differ in order and in the decisions of fix.
enum class Flavour : std::uint8_t { redis_trib_3_0, redis_cli_7_0, valkey_cli_8_0 };

struct ToolNode {
  std::string name;
  std::string id;  // 40 digits
  sim::ActorId actor = sim::kNoActor;
  std::string ip;
  std::uint16_t port = 0;
};

struct Tool {
  ToolKind kind = ToolKind::fix;
  Flavour flavour = Flavour::redis_cli_7_0;
  protocol::Slot slot = 0;
  std::uint8_t from = 0, to = 0;  // by number of the node; reshard and controller
  bool replace = false;           // --cluster-replace
  bool unreachable_masters = false;  // fix: --cluster-fix-with-unreachable-masters
  std::vector<ToolNode> nodes;    // in the order of the tool's list
  // Of tools that choose the slots themselves.
  std::uint16_t count = 0;             // reshard: how many; 0: it is the one slot
  std::vector<std::uint8_t> sources;   // reshard of a number: from whom, by number of the node
  std::vector<std::uint16_t> weights;  // rebalance: by node, 1 if missing
  std::uint8_t threshold = 2;          // rebalance: per cent that nobody minds
  bool use_empty = false;              // rebalance: masters without slots take part

  bool chooses() const { return kind == ToolKind::rebalance || count > 0; }
};

// Nobody: no such mark.
inline constexpr std::uint8_t kNobody = 255;

// What one node has said of itself; by number of the node in marks.
struct Seen {
  bool answered = false;
  bool master = false;
  bool owns = false;
  std::uint8_t migrating_to = kNobody;
  std::uint8_t importing_from = kNobody;
  std::uint16_t keys = 0;
  bool listed = false;  // the first node that answered lists it as a master
  bool open = false;    // some slot is marked
  std::vector<protocol::Slot> slots;  // its own, ascending; only for tools that choose slots
  auto members() const {
    return std::tie(answered, master, owns, migrating_to, importing_from, keys, listed, open,
                    slots);
  }
  bool operator==(const Seen&) const = default;
};

// The questions: CLUSTER NODES of each node, in order, each followed by COUNTKEYSINSLOT unless the
// tool chooses the slots itself.
std::vector<Step> look_steps(const Tool& tool);
// Takes in the answer to the question of that number.
void read_answer(const Tool& tool, std::size_t question, const std::string& text,
                 std::int64_t number, std::vector<Seen>& seen);

struct ToolPlan {
  std::vector<Step> steps;  // empty: there is nothing to do
  std::string complaint;    // why the tool will not work; empty: it will
};
// What the tool does next. SOURCE: redis-cli 7.0.15, clusterManagerMoveSlot and
// clusterManagerFixOpenSlot in src/redis-cli.c; redis-trib.rb 3.0.7, move_slot and fix_open_slot.
ToolPlan plan_of(const Tool& tool, const std::vector<Seen>& seen);

}  // namespace slotlab::oper
