// Failure detection: a node suspects a peer by itself (PFAIL), tells others in its gossip, and a
// majority of masters that suspect it makes it FAIL, which is broadcast. Every step from suspicion
// to FAIL and back is here, as is the gossip section of heartbeats that carries it.
#pragma once

#include "models/node/context.h"
#include "models/protocol/packet.h"

namespace slotlab::node {

// Suspects `node`: PFAIL. REQUIRES: it is known, not me, and neither suspected nor failed.
// SOURCE: Redis 7.0.15, the node timeout check of clusterCron in src/cluster.c.
void suspect(Context& context, NodeId node);

// `reporter` says that `failing` is suspected or failed; FAIL if that makes a majority.
// Quorum is counted over distinct reporters whose reports have not expired, and me if I may report.
// SOURCE: Redis 7.0.15, clusterNodeAddFailureReport and markNodeAsFailingIfNeeded.
void on_fail_report(Context& context, NodeId failing, NodeId reporter);

// `sender` says that `failed` is FAIL; no quorum is asked for and nothing is sent on.
// SOURCE: Redis 7.0.15, clusterProcessPacket (FAIL).
void on_fail_packet(Context& context, NodeId sender, NodeId failed);

// `node` has answered me over my own link: PFAIL ends; FAIL ends if it is a replica, owns no slots,
// or failed longer ago than twice the node timeout.
// SOURCE: Redis 7.0.15, clusterProcessPacket (PONG) and clearNodeFailureIfNeeded.
void clear_failure_if_needed(Context& context, NodeId node);

// Applies the gossip section of a heartbeat: failure reports, and nodes not known before.
// `sender` is kNoNode for a sender that is not known (or only in handshake).
// SOURCE: Redis 7.0.15, clusterProcessGossipSection.
void process_gossip(Context& context, NodeId sender, const protocol::Packet& packet);

}  // namespace slotlab::node
