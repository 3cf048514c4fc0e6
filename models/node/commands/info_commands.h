// Questions about the cluster: what this node believes, in the servers' own formats. None changes
// anything.
#pragma once

#include "models/node/words.h"

namespace slotlab::node {

Reply cluster_nodes(Context& context);
Reply cluster_slots(Context& context);
Reply cluster_shards(Context& context);   // 7.0 and later
Reply cluster_info(Context& context);
Reply replicas_of(Context& context, const Words& words);  // REPLICAS, SLAVES
Reply my_id(Context& context);
Reply my_shard_id(Context& context);      // 7.2 and later

}  // namespace slotlab::node
