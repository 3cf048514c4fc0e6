// Commands on keys whatever they hold, and on strings, the only type that virtual nodes store.
// SOURCE: Redis 7.0.15, src/db.c, src/expire.c, src/t_string.c.
#pragma once

#include "models/node/words.h"

namespace slotlab::node {

Reply get(Context& context, const Words& words);
Reply set(Context& context, const Words& words);
Reply setnx(Context& context, const Words& words);
Reply getset(Context& context, const Words& words);
Reply getdel(Context& context, const Words& words);
Reply mget(Context& context, const Words& words);
Reply mset(Context& context, const Words& words);
Reply msetnx(Context& context, const Words& words);
Reply append(Context& context, const Words& words);
Reply strlen_of(Context& context, const Words& words);
Reply incr(Context& context, const Words& words);  // INCR, DECR, INCRBY, DECRBY

Reply del(Context& context, const Words& words);
Reply exists(Context& context, const Words& words);  // EXISTS, TOUCH
Reply type_of(Context& context, const Words& words);
Reply ttl(Context& context, const Words& words);  // TTL, PTTL
Reply expire(Context& context, const Words& words);  // EXPIRE, PEXPIRE
Reply persist(Context& context, const Words& words);
Reply rename(Context& context, const Words& words);  // RENAME, RENAMENX
Reply copy(Context& context, const Words& words);
Reply object(Context& context, const Words& words);
Reply sort(Context& context, const Words& words);  // SORT, SORT_RO: no key holds a list

}  // namespace slotlab::node
