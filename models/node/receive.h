// A bus packet, in the exact order in which a server applies its parts: first what every header
// says (epochs), then the packet's own meaning. The order matters: the PONG that answers a PING is
// built before the PING changes who owns what. Everything ignored is ignored for a named reason.
#pragma once

#include "models/node/context.h"
#include "models/protocol/packet.h"

namespace slotlab::node {

// Applies `packet`, which came from the process `from` on `stream`.
// SOURCE: Redis 7.0.15, clusterProcessPacket in src/cluster.c.
void receive_packet(Context& context, sim::ActorId from, std::uint8_t stream,
                    const protocol::Packet& packet);

}  // namespace slotlab::node
