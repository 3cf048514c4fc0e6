// CLUSTER SETSLOT, the operator's only tool to move a slot: the two marks (IMPORTING, MIGRATING),
// their removal (STABLE) and the change of owner (NODE). Each node believes what it is told; the
// guards here are the only checks between an operator and a wrong slot table.
#pragma once

#include <string>
#include <vector>

#include "models/node/context.h"
#include "models/protocol/command.h"

namespace slotlab::node {

// Runs "CLUSTER SETSLOT slot MIGRATING id | IMPORTING id | STABLE | NODE id [TIMEOUT ms]".
// `words` are the whole command, `caller` the actor that sent it. With setslot_replicated_first and
// replicas attached it raises context.reply_later instead of answering: the command waits in
// memory().pending until its replicas have executed it.
// ERRORS: an error reply with the server's text; nothing has changed then.
// SOURCE: Redis 7.0.15, clusterCommand (SETSLOT) in src/cluster.c; Valkey 8.0.1,
// clusterCommandSetSlot in src/cluster_legacy.c.
protocol::Reply setslot(Context& context, const std::vector<std::string>& words,
                        sim::ActorId caller);

// The same command as it arrives at a replica in its master's stream. Its reply goes nowhere.
protocol::Reply setslot_from_master(Context& context, const std::vector<std::string>& words);
// The second pass at the master, when the replicas have acknowledged: all guards are looked at
// again.
protocol::Reply setslot_again(Context& context, const std::vector<std::string>& words);

}  // namespace slotlab::node
