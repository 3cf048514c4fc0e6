// The CLUSTER commands as a node answers them: which subcommand, whether the number of words is
// right, then the subcommand's own guards in the servers' order. Replies are the servers' texts,
// word for word, since operators' tools decide by them.
#pragma once

#include "models/node/context.h"
#include "models/protocol/command.h"

namespace slotlab::node {

// Runs one command of a client. Commands without a room of their own here (all but CLUSTER) are
// answered as unknown; keyed commands are routed before they come here (serving/).
// `caller` is the actor that sent it: Valkey lets a replica's master do what clients may not.
protocol::Reply run_command(Context& context, const protocol::Command& command,
                            sim::ActorId caller);

}  // namespace slotlab::node
