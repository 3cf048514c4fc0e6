// The three rules by which config epochs grow without an election.
#include "models/node/ownership/epochs.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace slotlab::node {

using protocol::Rule;

Epoch max_epoch(const NodeState& state) {
  Epoch max = state.config.current_epoch;
  for (const auto& [id, record] : state.config.nodes) max = std::max(max, record.config_epoch);
  return max;
}

bool bump_config_epoch_without_consensus(Context& context) {
  NodeRecord& mine = context.my_record();
  if (mine.config_epoch != 0 && mine.config_epoch == max_epoch(context.state)) {
    context.effects.note("epoch kept: already the greatest");
    return false;
  }
  mine.config_epoch = ++context.config().current_epoch;
  context.todo.save = context.todo.fsync = true;
  context.effects.note("epoch bumped");
  return true;
}

void handle_config_epoch_collision(Context& context, NodeId sender) {
  const NodeRecord* other = context.find(sender);
  SIM_ASSERT(other != nullptr);
  NodeRecord& mine = context.my_record();
  if (!context.rule(Rule::epoch_collision_resolved)) return;
  if (mine.replica || other->replica || other->config_epoch != mine.config_epoch) return;
  if (!context.settings.directory.smaller(context.me(), sender)) {
    context.effects.note("epoch collision left to the smaller id");
    return;
  }
  mine.config_epoch = ++context.config().current_epoch;
  // The servers save this at once, synced; it is one atomic step with the packet here.
  context.todo.save = context.todo.fsync = true;
  context.effects.note("epoch collision: moved to a new epoch");
}

}  // namespace slotlab::node
