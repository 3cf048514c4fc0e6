// The evaluation of node.md 5.
#include "models/node/failover/cluster_state.h"

#include <array>

#include "models/node/ownership/slot_table.h"

namespace slotlab::node {

ClusterVerdict judge_cluster(const NodeState& state, const NodeSettings& settings) {
  ClusterVerdict verdict;
  const auto& nodes = state.config.nodes;
  // By NodeId. Neighbours in the table mostly have one owner, which is then looked at once.
  std::array<bool, 256> owns{};
  std::size_t reachable = 0;
  std::size_t owners = 0;
  const std::vector<NodeId>& owner = state.config.owner;
  for (std::size_t slot = 0; slot < owner.size(); ++slot) {
    if (slot > 0 && owner[slot] == owner[slot - 1]) continue;
    const auto at = nodes.find(owner[slot]);
    if (owner[slot] == kNoNode || at == nodes.end()) {
      if (settings.full_coverage) verdict.covered = false;
      continue;
    }
    if (settings.full_coverage && at->second.fail) verdict.covered = false;
    bool& known = owns[protocol::index(owner[slot])];
    if (at->second.replica || known) continue;
    known = true;
    ++owners;
    if (!failing(at->second)) ++reachable;
  }
  verdict.size = static_cast<std::uint8_t>(owners);
  verdict.majority = reachable >= owners / 2 + 1;
  return verdict;
}

void update_state(Context& context) {
  Volatile& memory = context.memory();
  const ClusterVerdict verdict = judge_cluster(context.state, context.settings);
  const bool master = !context.my_record().replica;
  memory.size = verdict.size;
  if (context.settings.timed_guards && !verdict.majority) memory.may_be_ok = false;
  if (!verdict.ok()) {
    if (memory.state_ok) {
      context.effects.note(verdict.majority ? "cluster state fail: a slot is not served"
                                            : "cluster state fail: in a minority");
    }
    memory.state_ok = false;
    return;
  }
  if (memory.state_ok) return;
  if (context.settings.timed_guards && master && !memory.may_be_ok) {
    context.effects.note("cluster state stays fail: too early for a master");
    return;
  }
  memory.state_ok = true;
  memory.may_be_ok = true;
  context.effects.note("cluster state ok");
}

std::size_t quorum(const NodeState& state) { return state.memory.size / 2u + 1u; }

bool is_voter(const NodeState& state, NodeId node) {
  const auto at = state.config.nodes.find(node);
  return at != state.config.nodes.end() && !at->second.replica && slots_owned_by(state, node) > 0;
}

}  // namespace slotlab::node
