// Keys and what hangs on them. SOURCE: Redis 7.0.15, src/db.c and src/expire.c.
#include "models/node/serving/keyspace.h"

#include <iterator>
#include <utility>

#include "models/node/replication.h"
#include "models/protocol/key_slot.h"
#include "sim/base/assert.h"

namespace slotlab::node {
namespace {

using protocol::Rule;

bool is_master(const Context& context) {
  return !context.state.config.nodes.at(context.state.config.me).replica;
}

// The file keeps what was deleted without a word to it, until a later write of that key.
bool keeps_ghosts(const Context& context) {
  return context.settings.persist_keys && context.settings.can_crash;
}

bool has_passed(const NodeState& state, const std::string& key) {
  const auto at = state.expires.find(key);
  return at != state.expires.end() && at->second.passed;
}

}  // namespace

std::optional<SlotClass> class_of_key(const NodeSettings& settings, std::string_view key) {
  return settings.slots.of(protocol::key_slot(key));
}

bool key_exists(const Context& context, const std::string& key) {
  const auto slot = class_of_key(context.settings, key);
  return slot && context.state.keys[*slot].contains(key) && !has_passed(context.state, key);
}

bool is_volatile(const Context& context, const std::string& key) {
  return context.state.expires.contains(key);
}

std::uint64_t ttl_of(const Context& context, const std::string& key) {
  const auto at = context.state.expires.find(key);
  return at == context.state.expires.end() ? 0 : at->second.ttl_ms;
}

const std::string* read_key(Context& context, const std::string& key) {
  if (has_passed(context.state, key)) {
    if (is_master(context)) remove_key(context, key);
    return nullptr;
  }
  const auto slot = class_of_key(context.settings, key);
  if (!slot) return nullptr;
  const Keys& keys = context.state.keys[*slot];
  const auto at = keys.find(key);
  return at == keys.end() ? nullptr : &at->second;
}

void store_key(Context& context, const std::string& key, Stored stored) {
  const auto slot = class_of_key(context.settings, key);
  SIM_ASSERT(slot.has_value());
  store_key_in(context, *slot, key, std::move(stored));
}

void store_key_in(Context& context, SlotClass slot, const std::string& key, Stored stored) {
  propagate_set(context, slot, key, stored);
  context.state.keys[slot][key] = std::move(stored.value);
  context.state.ghosts.erase(key);
  if (stored.ttl_ms == 0) {
    context.state.expires.erase(key);
  } else {
    context.state.expires[key] = {.ttl_ms = stored.ttl_ms};
  }
  touch_watched(context, key);
}

void set_ttl(Context& context, const std::string& key, std::uint64_t ttl_ms) {
  const std::string* value = read_key(context, key);
  SIM_ASSERT(value != nullptr);
  store_key(context, key, {.value = *value, .ttl_ms = ttl_ms});
}

std::optional<Stored> remove_key_silently(Context& context, SlotClass slot,
                                          const std::string& key) {
  Keys& keys = context.state.keys[slot];
  const auto at = keys.find(key);
  if (at == keys.end()) return std::nullopt;
  Stored stored{.value = std::move(at->second), .ttl_ms = ttl_of(context, key)};
  keys.erase(at);
  context.state.expires.erase(key);
  touch_watched(context, key);
  return stored;
}

bool remove_key(Context& context, const std::string& key) {
  const auto slot = class_of_key(context.settings, key);
  return slot && remove_key_from(context, *slot, key);
}

bool remove_key_from(Context& context, SlotClass slot, const std::string& key) {
  context.state.ghosts.erase(key);
  if (!remove_key_silently(context, slot, key)) return false;
  propagate_delete(context, slot, key);
  return true;
}

void remove_all_keys(Context& context) {
  for (std::size_t slot = 0; slot < context.state.keys.size(); ++slot) {
    Keys& keys = context.state.keys[slot];
    for (const auto& [key, value] : keys) {
      propagate_delete(context, static_cast<SlotClass>(slot), key);
    }
    keys.clear();
  }
  context.state.expires.clear();
  context.state.ghosts.clear();
  touch_all_watched(context);
}

void touch_watched(Context& context, const std::string& key) {
  for (auto& [caller, connection] : context.memory().connections) {
    if (connection.watched.contains(key)) connection.dirty_cas = true;
  }
}

void touch_all_watched(Context& context) {
  for (auto& [caller, connection] : context.memory().connections) {
    if (!connection.watched.empty()) connection.dirty_cas = true;
  }
}

void delete_keys_in_slot(Context& context, SlotClass slot) {
  std::vector<std::string> names;
  for (const auto& [key, value] : context.state.keys[slot]) names.push_back(key);
  for (const std::string& name : names) {
    if (context.rule(Rule::dirty_deletion_propagated)) {
      remove_key_from(context, slot, name);
      continue;
    }
    const std::optional<Stored> stored = remove_key_silently(context, slot, name);
    if (!stored || !keeps_ghosts(context)) continue;
    context.state.ghosts[name] = {.slot = slot, .stored = *stored};
  }
}

std::size_t key_count(const NodeState& state) {
  std::size_t count = 0;
  for (const Keys& keys : state.keys) count += keys.size();
  return count;
}

const std::string* volatile_key(const NodeState& state, std::size_t number) {
  if (number >= state.expires.size()) return nullptr;
  return &std::next(state.expires.begin(), static_cast<std::ptrdiff_t>(number))->first;
}

void expire_key(Context& context, std::size_t number) {
  const std::string* key = volatile_key(context.state, number);
  SIM_ASSERT(key != nullptr);
  context.state.expires.at(*key).passed = true;
  touch_watched(context, *key);
}

void delete_expired_key(Context& context, std::size_t number) {
  const std::string* key = volatile_key(context.state, number);
  SIM_ASSERT(key != nullptr);
  remove_key(context, std::string(*key));
}

}  // namespace slotlab::node
