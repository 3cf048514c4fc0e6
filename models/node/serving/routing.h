// The decision that a cluster node makes about every command with keys: serve it, or which error to
// answer. One function, the checks in the servers' order, the same for a single command, for a
// queued one and for a whole transaction at EXEC.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/node/context.h"

namespace slotlab::node {

// What routing needs to know of a command, or of all queued commands together.
struct RoutedRequest {
  std::vector<std::string> keys;  // in the order of the arguments, repetitions included
  bool write = false;             // the command has the write flag (EXEC itself has not)
  bool writes_inside = false;     // EXEC: some queued command has it
  bool readonly_flag = false;     // the command has the readonly flag (3.0 asks for it at replicas)
  bool asking_flag = false;       // RESTORE-ASKING
  bool migrate = false;
  bool pubsubshard = false;       // sharded pub/sub: channels, not keys
};

// Nothing: serve it here. Else the error that is the reply.
// SOURCE: Redis 7.0.15, getNodeByQuery in src/cluster.c.
std::optional<Reply> route(const Context& context, const RoutedRequest& request,
                           const Connection& connection);

}  // namespace slotlab::node
