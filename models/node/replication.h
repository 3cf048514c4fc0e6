// A replica's copy of its master's keys: how it begins (a copy as a whole), how it follows (command
// by command, with a lag of its own) and how it ends. A replica that misses a command notices by
// the offset and asks for a new copy.
#pragma once

#include "models/node/context.h"
#include "models/protocol/replication.h"

namespace slotlab::node {

// Ends what this node copies from a master, and tells it; a new copy may be due. The keys stay
// until that arrives.
void leave_replication(Context& context);

// A master's write, for all replicas that copy from it. Without replicas these do nothing.
void propagate_set(Context& context, SlotClass slot, const std::string& key,
                   const Stored& stored);
void propagate_delete(Context& context, SlotClass slot, const std::string& key);
// The same for a SETSLOT. Returns the offset at which it will have been processed.
std::uint64_t propagate_setslot(Context& context, const std::vector<std::string>& words);

// A replica asks its master for a copy. REQUIRES: wants_copy().
bool wants_copy(const NodeState& state);
void request_copy(Context& context);
// The master answers it, if it is a master and knows the replica as its own.
void on_sync_request(Context& context, sim::ActorId from, const protocol::SyncRequest& request);
void on_sync_data(Context& context, const protocol::SyncData& data);

// A replica's connection is gone: closed by itself, or found broken.
void on_detached(Context& context, NodeId replica);

// A replicated command arrives: what it is good for. `applied` means that a write was carried out;
// a SETSLOT is left to the caller, to be run and then acknowledged.
enum class Arrival : std::uint8_t { ignored, applied, run_setslot };
Arrival on_replicated(Context& context, const protocol::Replicated& command);
void acknowledge(Context& context, const protocol::Replicated& command);

}  // namespace slotlab::node
