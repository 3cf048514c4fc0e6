// Commands without keys, and those on channels and on lists that can only be redirected or refused
// here.
#pragma once

#include "models/node/words.h"

namespace slotlab::node {

Reply ping(Context& context, const Words& words);
Reply echo(Context& context, const Words& words);
Reply dbsize(Context& context, const Words& words);
Reply select(Context& context, const Words& words);
Reply auth(Context& context, const Words& words);
Reply flush(Context& context, const Words& words);  // FLUSHALL, FLUSHDB
Reply publish(Context& context, const Words& words);  // PUBLISH, SPUBLISH: nobody listens
Reply ssubscribe(Context& context, const Words& words);
Reply blocking_pop(Context& context, const Words& words);

}  // namespace slotlab::node
