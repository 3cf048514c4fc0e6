// Commands that set or raise this node's config epoch by the operator's word.
#pragma once

#include "models/node/words.h"

namespace slotlab::node {

Reply bump_epoch(Context& context);
Reply set_config_epoch(Context& context, const Words& words);

}  // namespace slotlab::node
