// Manual failover: an operator asks a replica to take over while its master lives. The master stops
// its writers and says how far it has come; the replica starts an election when it has come as far.
#pragma once

#include "models/node/context.h"

namespace slotlab::node {

// Forgets a manual failover in progress; at a master, writers may go on.
// SOURCE: Redis 7.0.15, resetManualFailover in src/cluster.c.
void reset_manual_failover(Context& context);

// A replica asks me, its master, to pause. I answer with a PING at once that carries the pause and
// my offset. SOURCE: Redis 7.0.15, clusterProcessPacket (MFSTART).
void on_mfstart(Context& context, NodeId sender);

// At the replica: the header of `sender` says that it is paused at `offset`.
// SOURCE: Redis 7.0.15, clusterProcessPacket (CLUSTERMSG_FLAG0_PAUSED).
void on_paused_header(Context& context, NodeId sender, std::uint64_t offset);

// At the replica: starts the election if I have all that my master had when it paused. The servers
// try again without end until then; here it is tried when the replica has processed more.
// SOURCE: Redis 7.0.15, clusterHandleManualFailover.
void manual_failover_step(Context& context);

// A manual failover is possible only for a while; then it is given up on both sides.
// SOURCE: Redis 7.0.15, manualFailoverCheckTimeout.
void manual_failover_times_out(Context& context);

// Clients that would write must wait: I am a master in a manual failover.
bool writes_are_paused(const NodeState& state);

}  // namespace slotlab::node
