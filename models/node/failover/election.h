// How a replica takes the place of its master: it waits its turn, asks all masters for their vote
// in a new epoch, and with a majority claims its master's slots at that epoch. Time is not in the
// state: the waits are the armed steps of steps.h, and here is what happens when they come.
#pragma once

#include "models/node/context.h"
#include "models/protocol/packet.h"

namespace slotlab::node {

// How many other replicas of my master are ahead of me; each makes me wait a second longer.
// SOURCE: Redis 7.0.15, clusterGetSlaveRank in src/cluster.c.
std::uint8_t election_rank(const NodeState& state, const NodeSettings& settings);

// An election may be scheduled, or go on, at all: I am a replica of a known master with slots that
// is failed, or a manual failover has reached its start.
bool election_possible(const NodeState& state, const NodeSettings& settings);

// This voter knows one of the slots to be claimed with a greater epoch, so that it votes for nobody
// who claims them at this one. SOURCE: Redis 7.0.15, the last check of
// clusterSendFailoverAuthIfNeeded.
bool claim_is_stale(const NodeState& state, const SlotSet& slots, Epoch epoch);

// Does whatever the election asks for now: schedules it, asks for votes, or takes over. A server
// does this every 100 ms and whenever a handler asks for it. We know no data age:
// cluster-replica-validity-factor is 0 here.
// SOURCE: Redis 7.0.15, clusterHandleSlaveFailover.
void election_step(Context& context);

// The wait of a scheduled election is over. REQUIRES: it is scheduled and not due.
void election_due(Context& context);
// Votes no longer count. With timed guards a pause follows before the next attempt. REQUIRES: due.
void election_expires(Context& context);
// The pause after an attempt is over.
void election_rests_no_longer(Context& context);

// A replica asks for my vote. One vote for each epoch; a refusal is silent.
// SOURCE: Redis 7.0.15, clusterSendFailoverAuthIfNeeded.
void on_auth_request(Context& context, const protocol::Packet& packet);
// A master has voted for me. SOURCE: Redis 7.0.15, clusterProcessPacket (FAILOVER_AUTH_ACK).
void on_auth_ack(Context& context, const protocol::Packet& packet);

// Becomes master and claims every slot that the old master owns in this node's table, then tells
// all.
// SOURCE: Redis 7.0.15, clusterFailoverReplaceYourMaster.
void take_over(Context& context);

}  // namespace slotlab::node
