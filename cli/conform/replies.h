// Replies of virtual nodes in the words of a transcript.
#pragma once

#include "cli/conform/json_tree.h"
#include "models/protocol/command.h"

namespace slotlab::conform {

// {"type": "status", "value": "OK"}
Json reply_json(const protocol::Reply& reply);

}  // namespace slotlab::conform
