// Building and sending bus packets: the header every packet carries, the gossip of heartbeats, and
// the UPDATE about a third node. All handlers that speak on the bus do it through these, so the
// header is built in one place, from the state at that moment.
#pragma once

#include "models/node/context.h"
#include "models/protocol/packet.h"

namespace slotlab::node {

// The packet of `type` that this node would send now. `to` chooses which nodes the gossip section
// of a PING, PONG or MEET mentions. SOURCE: Redis 7.0.15, clusterBuildMessageHdr in src/cluster.c.
protocol::Packet build_packet(const Context& context, protocol::PacketType type,
                              NodeId to = kNoNode);

// My own connection to `to` is up, as far as I know. A process that starts anew finds its peers
// without one, until their next tick (timed driver only; see PeerMemory::no_link).
bool has_link(const NodeState& state, NodeId to);

// Queues `packet` for `to`. Without a link to `to` it is lost, as on the servers.
void send_packet(Context& context, NodeId to, protocol::Packet packet,
                 std::uint8_t stream = protocol::kOutbound);
// The same to a process whose node may be unknown: the answer to a MEET.
void answer_packet(Context& context, sim::ActorId to, protocol::Packet packet);

// Sends `type` to every known node that is not in handshake.
void broadcast_packet(Context& context, const protocol::Packet& packet);
// PONG to all; a merged heartbeat where heartbeats are merged.
// SOURCE: Redis 7.0.15, clusterBroadcastPong(CLUSTER_BROADCAST_ALL).
void broadcast_pong(Context& context);
// PONG to the other replicas of my master, or to my own replicas.
// SOURCE: Redis 7.0.15, clusterBroadcastPong(CLUSTER_BROADCAST_LOCAL_SLAVES).
void broadcast_pong_to_local_replicas(Context& context);
// Tells `to` which slots `subject` serves. SOURCE: Redis 7.0.15, clusterSendUpdate.
void send_update(Context& context, NodeId to, NodeId subject);

}  // namespace slotlab::node
