// DUMP and RESTORE: how a key travels. The payload of a real server is a binary image with a
// checksum; here it is the value with a mark in front, so that a payload that is none is refused.
// SOURCE: Redis 7.0.15, dumpCommand and restoreCommand in src/cluster.c.
#pragma once

#include "models/node/words.h"

namespace slotlab::node {

std::string payload_of(std::string_view value);

Reply dump(Context& context, const Words& words);
Reply restore(Context& context, const Words& words);  // RESTORE, RESTORE-ASKING

}  // namespace slotlab::node
