// The data set of a node: looking keys up, storing and removing them, and everything that a change
// of a key entails: its expiry, the replicas, the watching connections, the append-only file. All
// handlers that change keys go through these functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/node/context.h"

namespace slotlab::node {

// The class of the key's slot; none if the scenario has no such slot.
std::optional<SlotClass> class_of_key(const NodeSettings& settings, std::string_view key);

// The key lies here and is not logically expired. Changes nothing, as the servers' routing does.
bool key_exists(const Context& context, const std::string& key);
bool is_volatile(const Context& context, const std::string& key);  // has an expiry
std::uint64_t ttl_of(const Context& context, const std::string& key);  // 0: none

// The key's value for a command that reads it; nullptr if absent. A master deletes an expired key
// at this moment. SOURCE: Redis 7.0.15, expireIfNeeded in src/db.c.
const std::string* read_key(Context& context, const std::string& key);

// A master's write. REQUIRES: the key's slot exists in the scenario.
void store_key(Context& context, const std::string& key, Stored stored);
void store_key_in(Context& context, SlotClass slot, const std::string& key, Stored stored);
void set_ttl(Context& context, const std::string& key, std::uint64_t ttl_ms);  // 0: none
// False: there was none.
bool remove_key(Context& context, const std::string& key);
bool remove_key_from(Context& context, SlotClass slot, const std::string& key);
// The same without a word to replicas and file. What was there; nothing if nothing was.
std::optional<Stored> remove_key_silently(Context& context, SlotClass slot,
                                          const std::string& key);
void remove_all_keys(Context& context);
// What is to be done after keys changed in another way.
void touch_watched(Context& context, const std::string& key);
void touch_all_watched(Context& context);

// Deletes all keys of a slot here, and on the replicas and in the file if the dialect propagates
// it. SOURCE: Redis 7.0.15, delKeysInSlot in src/cluster.c.
void delete_keys_in_slot(Context& context, SlotClass slot);

std::size_t key_count(const NodeState& state);

// The key with an expiry that a step is about, counted in the order of names; nullptr: no such.
const std::string* volatile_key(const NodeState& state, std::size_t number);
void expire_key(Context& context, std::size_t number);
void delete_expired_key(Context& context, std::size_t number);

}  // namespace slotlab::node
