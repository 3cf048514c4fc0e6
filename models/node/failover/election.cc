// Elections; node.md 4.3 to 4.6.
#include "models/node/failover/election.h"

#include <fmt/format.h>

#include "models/node/failover/cluster_state.h"
#include "models/node/failover/manual.h"
#include "models/node/failover/peer_memory.h"
#include "models/node/heartbeat.h"
#include "models/node/ownership/slot_table.h"
#include "models/node/step_codes.h"

namespace slotlab::node {

namespace {

using protocol::PacketType;
using protocol::Rule;

bool manual_has_started(const NodeState& state) {
  return state.memory.manual.running && state.memory.manual.can_start;
}

// Empty: nothing stands in the way.
std::string_view why_no_election(const NodeState& state, const NodeSettings& settings) {
  const NodeRecord& me = state.config.nodes.at(state.config.me);
  if (!me.replica) return "no election: I am a master";
  if (me.master == kNoNode) return "no election: my master is unknown";
  const auto master = state.config.nodes.find(me.master);
  if (master == state.config.nodes.end()) return "no election: my master is unknown";
  const bool manual = manual_has_started(state);
  if (!master->second.fail && !manual) return "no election: my master has not failed";
  if (me.no_failover && !manual) return "no election: not allowed to this replica";
  if (!settings.dialect.has(Rule::slotless_master_failover) &&
      slots_owned_by(state, me.master) == 0) {
    return "no election: my master owns no slots";
  }
  return {};
}

void schedule_election(Context& context) {
  Election& election = context.memory().election;
  const Epoch last_epoch = election.epoch;
  election = Election{};
  election.scheduled = true;
  election.epoch = last_epoch;
  if (context.memory().manual.running) {
    election.due = true;
    context.todo.handle_failover = true;
  } else if (context.settings.timed_guards) {
    election.rank = election_rank(context.state, context.settings);
  }
  context.effects.note("election scheduled");
  broadcast_pong_to_local_replicas(context);
}

// A replica that learns that others are ahead of it waits longer.
void recompute_rank(Context& context) {
  if (!context.settings.timed_guards || context.memory().manual.running) return;
  Election& election = context.memory().election;
  const std::uint8_t rank = election_rank(context.state, context.settings);
  const bool may_shrink = context.rule(Rule::equal_offsets_ranked_by_id);
  if (rank > election.rank || (may_shrink && rank < election.rank)) {
    election.rank = rank;
    context.effects.rearm(make_step(StepKind::election_due));
    context.effects.note(fmt::format("election: rank {} now", rank));
  }
}

void ask_for_votes(Context& context) {
  Durable& config = context.config();
  Election& election = context.memory().election;
  config.current_epoch += 1;
  election.epoch = config.current_epoch;
  election.sent = true;
  context.effects.note(fmt::format("asks for votes in epoch {}", election.epoch));
  protocol::Packet request = build_packet(context, PacketType::auth_request);
  request.header.force_ack = context.memory().manual.running;
  broadcast_packet(context, request);
  context.todo.save = true;
  context.todo.update_state = true;
  context.todo.fsync = true;
}


// Empty: the vote is granted.
std::string_view why_no_vote(Context& context, const protocol::Header& header) {
  const Durable& config = context.config();
  if (!is_voter(context.state, context.me())) return "no vote: I am no master with slots";
  if (header.current_epoch < config.current_epoch) return "no vote: an epoch of the past";
  if (config.last_vote_epoch == config.current_epoch) return "no vote: I voted in this epoch";
  const NodeRecord* candidate = context.find(header.sender);
  if (candidate == nullptr || candidate->handshake) return "no vote: unknown candidate";
  if (!candidate->replica) return "no vote: the candidate is a master";
  const NodeRecord* master = context.find(candidate->master);
  if (candidate->master == kNoNode || master == nullptr) {
    return "no vote: the candidate's master is unknown";
  }
  if (!master->fail && !header.force_ack) return "no vote: its master has not failed";
  if (context.settings.timed_guards &&
      peer_memory(context.state, candidate->master).voted_recently) {
    return "no vote: I voted for this master's slots lately";
  }
  if (claim_is_stale(context.state, header.slots, header.config_epoch)) {
    return "no vote: a slot is claimed at a greater epoch";
  }
  return {};
}

}  // namespace

std::uint8_t election_rank(const NodeState& state, const NodeSettings& settings) {
  const NodeId me = state.config.me;
  const NodeId master = state.config.nodes.at(me).master;
  const std::uint64_t mine = state.memory.offset;
  std::uint8_t rank = 0;
  for (const auto& [node, record] : state.config.nodes) {
    if (node == me || !record.replica || record.master != master || record.no_failover) continue;
    const std::uint64_t offset = peer_memory(state, node).offset;
    const bool tie_goes_to_it = settings.dialect.has(Rule::equal_offsets_ranked_by_id) &&
                                offset == mine && settings.directory.smaller(node, me);
    if (offset > mine || tie_goes_to_it) ++rank;
  }
  return rank;
}

// An owner that is remembered as not claiming a slot has no say in it; where the rule is off,
// nothing is ever remembered.
bool claim_is_stale(const NodeState& state, const SlotSet& slots, Epoch epoch) {
  for (std::size_t c = 0; c < state.config.owner.size(); ++c) {
    const auto slot = static_cast<SlotClass>(c);
    if (!slots.has(slot) || state.memory.not_claiming.has(slot)) continue;
    const auto owner = state.config.nodes.find(state.config.owner[slot]);
    if (owner != state.config.nodes.end() && owner->second.config_epoch > epoch) return true;
  }
  return false;
}

bool election_possible(const NodeState& state, const NodeSettings& settings) {
  return why_no_election(state, settings).empty();
}

void election_step(Context& context) {
  const std::string_view why_not = why_no_election(context.state, context.settings);
  if (!why_not.empty()) return context.effects.note(why_not);
  Election& election = context.memory().election;
  if (!election.scheduled) {
    if (election.due) return context.effects.note("no election: the last attempt is too recent");
    return schedule_election(context);
  }
  if (!election.sent && !context.memory().manual.running) recompute_rank(context);
  if (!election.due) return context.effects.note("election: not yet due");
  if (!election.sent) return ask_for_votes(context);
  if (election.votes < quorum(context.state)) {
    return context.effects.note("election: no majority of votes yet");
  }
  NodeRecord& me = context.my_record();
  if (me.config_epoch < election.epoch) me.config_epoch = election.epoch;
  context.effects.note(fmt::format("wins the election of epoch {}", election.epoch));
  take_over(context);
}

void election_due(Context& context) {
  context.memory().election.due = true;
  election_step(context);
}

void election_expires(Context& context) {
  Election& election = context.memory().election;
  election = Election{};
  // Scheduled no more but still due: the pause before a new attempt.
  election.due = context.settings.timed_guards;
  context.effects.note("election expired");
}

void election_rests_no_longer(Context& context) {
  context.memory().election = Election{};
  context.effects.note("a new election is possible");
}

void on_auth_request(Context& context, const protocol::Packet& packet) {
  const std::string_view why_not = why_no_vote(context, packet.header);
  if (!why_not.empty()) return context.effects.note(why_not);
  Durable& config = context.config();
  const NodeId candidate = packet.header.sender;
  config.last_vote_epoch = config.current_epoch;
  if (context.settings.timed_guards) {
    change_peer_memory(context, config.nodes.at(candidate).master,
                       [](PeerMemory& memory) { memory.voted_recently = true; });
    context.effects.rearm(make_step(StepKind::vote_gets_old, config.nodes.at(candidate).master));
  }
  if (context.rule(Rule::vote_persisted)) {
    context.todo.save = true;
    context.todo.fsync = true;
  }
  send_packet(context, candidate, build_packet(context, PacketType::auth_ack));
  context.effects.note(fmt::format("votes for {} in epoch {}",
                                   context.settings.directory[candidate].name,
                                   config.current_epoch));
}

void on_auth_ack(Context& context, const protocol::Packet& packet) {
  const protocol::Header& header = packet.header;
  Election& election = context.memory().election;
  if (!is_voter(context.state, header.sender)) {
    return context.effects.note("vote ignored: not from a master with slots");
  }
  if (header.current_epoch < election.epoch) {
    return context.effects.note("vote ignored: of an epoch of the past");
  }
  // Without a scheduled election the count is set to zero before it is next looked at.
  if (!election.scheduled) return context.effects.note("vote ignored: no election");
  ++election.votes;
  context.todo.handle_failover = true;
}

void take_over(Context& context) {
  const NodeId old_master = context.my_record().master;
  if (!context.my_record().replica || old_master == kNoNode) {
    return context.effects.note("no takeover: I am no replica of a known master");
  }
  set_node_as_master(context, context.me());
  context.memory().replicating_from = kNoNode;
  for (std::size_t c = 0; c < context.slot_classes(); ++c) {
    const auto slot = static_cast<SlotClass>(c);
    if (context.config().owner[slot] != old_master) continue;
    del_slot(context, slot);
    add_slot(context, context.me(), slot);
  }
  update_state(context);
  // The servers save at once; here the save ends the same atomic step.
  context.todo.save = true;
  context.todo.fsync = true;
  broadcast_pong(context);
  reset_manual_failover(context);
}

}  // namespace slotlab::node
