// Commands about nodes: who is known, who follows whom, and starting over.
#pragma once

#include "models/node/words.h"

namespace slotlab::node {

Reply forget(Context& context, const Words& words);
Reply replicate(Context& context, const Words& words);
// RESET [SOFT|HARD]. A hard reset takes the identity that the directory names next for this
// process. ERRORS besides the server's: none is left in the directory.
Reply reset(Context& context, const Words& words);
Reply meet(Context& context, const Words& words);
// FAILOVER [FORCE|TAKEOVER]. OK means begun, not done.
Reply failover(Context& context, const Words& words);
Reply count_failure_reports(Context& context, const Words& words);
Reply save_config_now(Context& context);

}  // namespace slotlab::node
