// A command from its arrival to its reply: the checks around routing in the servers' order, the
// flags of the connection, and transactions. SOURCE: Redis 7.0.15, processCommand in src/server.c
// and src/multi.c.
#pragma once

#include <optional>

#include "models/node/words.h"

namespace slotlab::node {

// Runs one command of context.caller. If reply_later is raised, the reply comes in a later event.
Reply serve(Context& context, const Words& words);

// The MIGRATE that was in the way has ended, with this reply: goes on with the transaction that it
// was part of. Nothing: the next MIGRATE of the same transaction has begun.
std::optional<Reply> go_on(Context& context, Migration ended, Reply reply);

}  // namespace slotlab::node
