// The CLUSTER commands as a node answers them: which subcommand, whether the number of words is
// right, then the subcommand's own guards in the servers' order. Replies are the servers' texts,
// word for word, since operators' tools decide by them.
#pragma once

#include <optional>

#include "models/node/words.h"

namespace slotlab::node {

// The error that the words deserve before anything is looked at; nothing if they are right.
std::optional<Reply> check_cluster_words(const Context& context, const Words& words);
// Runs one CLUSTER command of context.caller; Valkey lets a replica's master do what clients may
// not.
Reply run_cluster(Context& context, const Words& words);

}  // namespace slotlab::node
