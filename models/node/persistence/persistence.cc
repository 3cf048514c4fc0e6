// The file, the crash and the start. Handler and save are one atomic step, so a torn write cannot
// be seen here: config_file_atomic makes no difference to the state.
#include "models/node/persistence/persistence.h"

#include <algorithm>

#include "models/node/ownership/slot_table.h"
#include "models/node/serving/keyspace.h"
#include "sim/base/assert.h"

namespace slotlab::node {
namespace {

using protocol::Rule;

Epoch greatest_config_epoch(const Durable& config) {
  Epoch max = 0;
  for (const auto& [id, record] : config.nodes) max = std::max(max, record.config_epoch);
  return max;
}

// A replica's own epoch is not in the file (7.0 and later write its master's), nor read back.
void forget_replica_epochs(Durable& config) {
  for (auto& [id, record] : config.nodes) {
    if (record.replica && config.nodes.contains(record.master)) record.config_epoch = 0;
  }
}

// Whoever waits for an answer, and will not get one.
void note_unanswered(NodeState& state) {
  const auto note = [&](const Caller& caller) {
    if (!caller.node) state.unanswered.insert(caller.actor);
  };
  for (const PendingSetslot& pending : state.memory.pending) {
    state.unanswered.insert(pending.caller);
  }
  for (const WaitingCommand& waiting : state.memory.waiting) note(waiting.caller);
  if (state.memory.migration) note(state.memory.migration->caller);
}

void put_back(NodeState& state, SlotClass slot, const std::string& key, const Stored& stored) {
  state.keys[slot][key] = stored.value;
  if (stored.ttl_ms != 0) state.expires[key] = {.ttl_ms = stored.ttl_ms};
}

// What the append-only file has and the memory had no longer: keys that a MIGRATE under way has
// deleted, and keys deleted with a lost slot.
void read_back_keys(NodeState& state) {
  if (state.memory.migration) {
    const Migration& migration = *state.memory.migration;
    for (const auto& [key, stored] : migration.gone) put_back(state, migration.slot, key, stored);
  }
  for (const auto& [key, ghost] : state.ghosts) put_back(state, ghost.slot, key, ghost.stored);
  state.ghosts.clear();
}

}  // namespace

namespace {

// What the file does not hold of a configuration, or holds otherwise.
void leave_out_unsaved(Durable& file, const NodeSettings& settings) {
  std::erase_if(file.nodes, [](const auto& entry) { return entry.second.handshake; });
  for (std::size_t i = 0; i < file.migrating_to.size(); ++i) {
    if (file.migrating_to[i] != kNoNode) file.importing_from[i] = kNoNode;
  }
  if (settings.dialect.has(Rule::replica_epoch_is_masters)) forget_replica_epochs(file);
  if (file.current_epoch <= greatest_config_epoch(file)) file.current_epoch = 0;
}

}  // namespace

Durable as_saved(const Durable& config, const NodeSettings& settings) {
  Durable file = config;
  leave_out_unsaved(file, settings);
  return file;
}

void save_config(Context& context, bool fsync) {
  if (!context.settings.can_crash) return;
  NodeState& state = context.state;
  state.written = state.config;  // in place, which takes no memory anew
  leave_out_unsaved(state.written, context.settings);
  if (fsync || !context.settings.power_loss) state.synced = state.written;
}

void lose_volatile(NodeState& state, const NodeSettings& settings, sim::CrashKind kind) {
  SIM_ASSERT(settings.can_crash);
  if (kind == sim::CrashKind::power_loss) state.written = state.synced;
  state.synced = state.written;
  state.config = state.written;
  note_unanswered(state);
  if (settings.persist_keys) read_back_keys(state);
  state.memory = {};
  if (settings.dialect.has(Rule::first_eval_counts_zero_masters)) state.memory.size = 0;
  state.memory.may_be_ok = !settings.timed_guards;  // a master waits after its start
  if (settings.persist_keys) return;
  std::fill(state.keys.begin(), state.keys.end(), Keys{});
  state.expires.clear();
}

void load_config(Context& context) {
  Durable& config = context.config();
  SIM_ASSERT(config.me != kNoNode && config.nodes.contains(config.me));
  config.current_epoch = std::max(config.current_epoch, greatest_config_epoch(config));
}

void verify_config_with_data(Context& context) {
  if (context.my_record().replica) return;
  bool changed = false;
  for (std::size_t i = 0; i < context.slot_classes(); ++i) {
    const auto slot = static_cast<SlotClass>(i);
    const NodeId owner = context.config().owner[i];
    NodeId& importing_from = context.config().importing_from[i];
    if (!has_keys(context.state, slot) || owner == context.me() || importing_from != kNoNode) {
      continue;
    }
    changed = true;
    if (owner == kNoNode) {
      add_slot(context, context.me(), slot);
      context.effects.note("keys of a slot without owner: claimed");
    } else if (context.rule(Rule::foreign_keys_mark_importing)) {
      importing_from = owner;
      context.effects.note("keys of another node's slot: marked importing");
    } else {
      delete_keys_in_slot(context, slot);
      context.effects.note("keys of another node's slot: deleted");
    }
  }
  if (changed) save_config(context, true);
}

}  // namespace slotlab::node
