// Who belongs to the cluster in this node's eyes: how a node gets to know another (MEET and the
// handshake that follows, or gossip) and how it forgets one.
//
// A server gives a handshake a random id and renames it when the other side answers. Here the
// record bears the identity that lives at the address, flagged as handshake, and until it is
// answered it counts as unknown everywhere a server would not find its id.
#pragma once

#include "models/node/context.h"
#include "models/protocol/packet.h"

namespace slotlab::node {

// Which packet opens a handshake: MEET asks the other side to shake hands as well.
enum class Greeting : std::uint8_t { meet, ping };

// Adds a record of `node` in handshake and greets it. Changes nothing if it is me, known already,
// or in handshake. SOURCE: Redis 7.0.15, clusterStartHandshake in src/cluster.c.
void start_handshake(Context& context, NodeId node, Greeting greeting);

// Which identity to greet at an address: the first in the line of the process there that is not
// known yet, since a hard reset changes the id but not the address. kNoNode: nobody lives there.
NodeId identity_at(const NodeState& state, const NodeSettings& settings, std::string_view ip,
                   std::uint16_t port);

// Nobody answered in time: the record goes. SOURCE: Redis 7.0.15, clusterCron (handshake timeout).
void expire_handshake(Context& context, NodeId node);

// A node that gossip mentions and that is not known: added as gossip describes it (before 7.0: a
// handshake). SOURCE: Redis 7.0.15, clusterProcessGossipSection.
void gossip_about_unknown(Context& context, NodeId sender, const protocol::GossipEntry& entry);

// Removes `node` and keeps gossip from bringing it back until the blacklist entry expires.
// SOURCE: Redis 7.0.15, clusterCommand (FORGET): clusterBlacklistAddNode and clusterDelNode.
void forget_node(Context& context, NodeId node);

// Applies the list of forgotten nodes that 7.2 and later send with every heartbeat.
// SOURCE: Redis 7.2.6, clusterProcessPingExtensions in src/cluster.c.
void process_forgotten(Context& context, NodeId sender, const protocol::Packet& packet);

}  // namespace slotlab::node
