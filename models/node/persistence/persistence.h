// What reaches the disk and what comes back from it. nodes.conf keeps a part of what a node
// believes; a crash loses the rest, and power loss also what was written but not synced. The text
// of the file is written elsewhere; here the file is the value it would parse to.
#pragma once

#include "models/node/context.h"

namespace slotlab::node {

// What nodes.conf would hold of `config`, less what a restart cannot tell apart: handshakes, an
// importing mark hidden by a migrating one, a current epoch that the config epochs imply.
Durable as_saved(const Durable& config, const NodeSettings& settings);

// Writes nodes.conf. SOURCE: Redis 7.0.15, clusterSaveConfig in src/cluster.c.
void save_config(Context& context, bool fsync);

// The process ends: what is left is the file, the keys if they persist, and nothing else.
void lose_volatile(NodeState& state, const NodeSettings& settings, sim::CrashKind kind);

// Reads nodes.conf back. SOURCE: Redis 7.0.15, clusterLoadConfig in src/cluster.c.
void load_config(Context& context);

// Once after loading: slots that hold keys but are not mine are claimed, marked or emptied.
// SOURCE: Redis 7.0.15, verifyClusterConfigWithData in src/cluster.c.
void verify_config_with_data(Context& context);

}  // namespace slotlab::node
