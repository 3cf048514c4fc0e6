// Manual failover; node.md 4.7.
#include "models/node/failover/manual.h"

#include "models/node/heartbeat.h"
#include "models/node/replication.h"
#include "models/node/step_codes.h"

namespace slotlab::node {

void reset_manual_failover(Context& context) { context.memory().manual = ManualFailover{}; }

void on_mfstart(Context& context, NodeId sender) {
  const NodeRecord* record = sender == kNoNode ? nullptr : context.find(sender);
  if (record == nullptr || record->handshake) {
    return context.effects.note("MFSTART ignored: unknown sender");
  }
  if (context.my_record().replica) return context.effects.note("MFSTART ignored: I am a replica");
  if (!record->replica || record->master != context.me()) {
    return context.effects.note("MFSTART ignored: not from a replica of mine");
  }
  reset_manual_failover(context);
  ManualFailover& manual = context.memory().manual;
  manual.running = true;
  manual.replica = sender;
  context.effects.rearm(make_step(StepKind::manual_ends));
  context.effects.note("pauses its writers for a manual failover");
  const bool merged = context.settings.heartbeats == Heartbeats::merged;
  const auto type = merged ? protocol::PacketType::heartbeat : protocol::PacketType::ping;
  // It goes back on the connection on which the request came.
  const std::uint8_t stream =
      context.settings.streams > 1 ? protocol::kReplies : protocol::kOutbound;
  send_packet(context, sender, build_packet(context, type, sender), stream);
}

void on_paused_header(Context& context, NodeId sender, std::uint64_t offset) {
  ManualFailover& manual = context.memory().manual;
  const NodeRecord& me = context.my_record();
  if (!me.replica || me.master != sender) {
    return context.effects.note("pause ignored: it is not my master");
  }
  if (!manual.running) return context.effects.note("pause ignored: no manual failover of mine");
  if (manual.offset_known) return context.effects.note("pause ignored: I know its offset already");
  manual.offset_known = true;
  manual.master_offset = offset;
  context.effects.note("my master has paused");
  if (context.rule(protocol::Rule::manual_failover_at_once)) {
    context.todo.handle_manual_failover = true;
  }
}

void manual_failover_step(Context& context) {
  ManualFailover& manual = context.memory().manual;
  if (!manual.running || manual.can_start) return;
  if (!manual.offset_known) {
    return context.effects.note("manual failover: my master has not paused");
  }
  if (wants_copy(context.state) || context.memory().offset != manual.master_offset) {
    return context.effects.note("manual failover: I lag behind my master");
  }
  manual.can_start = true;
  context.todo.handle_failover = true;
  context.effects.note("manual failover: I have all that my master had");
}

void manual_failover_times_out(Context& context) {
  reset_manual_failover(context);
  context.effects.note("manual failover timed out");
}

bool writes_are_paused(const NodeState& state) {
  return state.memory.manual.running && !state.config.nodes.at(state.config.me).replica;
}

}  // namespace slotlab::node
