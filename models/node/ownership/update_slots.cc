// The slot-config update algorithm, slot by slot, then what follows for this node's own role.
#include "models/node/ownership/update_slots.h"

#include "models/node/ownership/slot_table.h"
#include "models/node/serving/keyspace.h"
#include "sim/base/assert.h"

namespace slotlab::node {
namespace {

using protocol::Rule;

// One claim being applied, and what was seen so far.
struct Update {
  Context& context;
  NodeId sender;
  Epoch epoch;
  NodeId current;     // who holds my slots: me, or my master if I am a replica
  bool same = false;  // sender is in my shard, as of the entry
  NodeId new_master = kNoNode;
  std::vector<SlotClass> dirty;  // lost slots in which I still hold keys
  std::size_t claimed = 0;       // slots the sender claims
  std::size_t ours = 0;          // of those, taken from `current`

  Durable& config() { return context.config(); }
};

void raise_all(Context& context) {
  context.todo.save = context.todo.fsync = context.todo.update_state = true;
}

void repair_marks_of_taken_slot(Update& update, SlotClass slot) {
  NodeId& migrating_to = update.config().migrating_to[slot];
  if (update.context.rule(Rule::bus_clears_migrating) && migrating_to != kNoNode && !update.same) {
    migrating_to = kNoNode;
    update.context.effects.note("migrating mark cleared: another shard took the slot");
  }
  NodeId& importing_from = update.config().importing_from[slot];
  if (update.context.rule(Rule::marks_follow_failover) && importing_from != kNoNode &&
      importing_from != update.sender) {
    const bool successor = same_shard(update.context, update.sender, importing_from);
    importing_from = successor ? update.sender : kNoNode;
    update.context.effects.note(successor ? "importing mark follows the source's failover"
                                          : "importing mark cleared: another shard took the slot");
  }
}

void take_slot(Update& update, SlotClass slot) {
  Context& context = update.context;
  const NodeId owner = update.config().owner[slot];
  if (owner == context.me() && has_keys(context.state, slot)) update.dirty.push_back(slot);
  if (owner == update.current && owner != kNoNode) {
    update.new_master = update.sender;
    ++update.ours;
  }
  repair_marks_of_taken_slot(update, slot);
  del_slot(context, slot);
  add_slot(context, update.sender, slot);
  context.memory().not_claiming.remove(slot);
  raise_all(context);
  context.effects.note("slot rebound to the claimant");
}

void consider_claimed(Update& update, SlotClass slot) {
  Context& context = update.context;
  ++update.claimed;
  const NodeId owner = update.config().owner[slot];
  if (owner == update.sender) {
    context.memory().not_claiming.remove(slot);
    return;
  }
  if (context.rule(Rule::importing_slot_pinned) &&
      update.config().importing_from[slot] != kNoNode) {
    context.effects.note("claim ignored: importing the slot");
    return;
  }
  if (!unclaimed(context, slot) && context.find(owner)->config_epoch >= update.epoch) {
    context.effects.note("claim ignored: the owner's epoch is not smaller");
    return;
  }
  take_slot(update, slot);
}

// The mark follows a failover of the migration's target.
void repoint_migrating(Update& update, SlotClass slot) {
  Context& context = update.context;
  NodeId& target = update.config().migrating_to[slot];
  if (!context.rule(Rule::marks_follow_failover) || target == kNoNode || target == update.sender) {
    return;
  }
  const NodeRecord* old_target = context.find(target);
  if (old_target == nullptr || !same_shard(context, update.sender, target)) return;
  if (old_target->config_epoch >= update.epoch && !old_target->replica) return;
  target = update.sender;
  raise_all(context);
  context.effects.note("migrating mark follows the target's failover");
}

void finalise_import(Update& update, SlotClass slot) {
  Context& context = update.context;
  NodeId& importing_from = update.config().importing_from[slot];
  if (!context.rule(Rule::auto_finalise_import) || context.my_record().replica ||
      importing_from != update.sender) {
    return;
  }
  importing_from = kNoNode;
  raise_all(context);
  if (update.config().owner[slot] == context.me()) return;
  del_slot(context, slot);
  add_slot(context, context.me(), slot);
  bump_config_epoch_without_consensus(context);
  context.effects.note("import finalised: the source dropped the slot");
}

void consider_unclaimed(Update& update, SlotClass slot) {
  Context& context = update.context;
  if (update.config().owner[slot] == update.sender && context.rule(Rule::not_claiming_remembered) &&
      !context.memory().not_claiming.has(slot)) {
    context.memory().not_claiming.add(slot);
    context.effects.note("the owner stopped claiming the slot");
  }
  repoint_migrating(update, slot);
  finalise_import(update, slot);
}

// A master of my own shard without slots, with a greater epoch, is my new master if I have none
// either.
void consider_slotless_successor(Update& update) {
  Context& context = update.context;
  if (!context.rule(Rule::slotless_master_failover) || update.new_master != kNoNode) return;
  const NodeRecord& mine = context.my_record();
  const NodeRecord* master = context.find(mine.master);
  const Epoch shard_epoch =
      mine.replica && master != nullptr ? master->config_epoch : mine.config_epoch;
  if (mine.master != update.sender && update.claimed == 0 && update.same &&
      slots_owned_by(context.state, context.me()) == 0 && shard_epoch < update.epoch) {
    update.new_master = update.sender;
  }
}

// Rule 1. True: it applies, so the later rules do not.
bool follow_claimant(Update& update) {
  Context& context = update.context;
  if (update.new_master == kNoNode || slots_owned_by(context.state, update.current) != 0) {
    return false;
  }
  const bool migrates = context.settings.allow_replica_migration;
  if (context.rule(Rule::demote_within_shard)) {
    if (!migrates && !update.same) {
      context.effects.note("stays an empty master: replica migration is off");
      return true;
    }
  } else if (context.rule(Rule::demote_only_if_all_claimed) && !migrates &&
             update.claimed != update.ours) {
    return false;
  }
  set_my_master(context, {.master = update.new_master, .close_slots = !update.same});
  raise_all(context);
  return true;
}

// Rule 2.
bool follow_grand_master(Update& update) {
  Context& context = update.context;
  if (!context.rule(Rule::follow_grand_master)) return false;
  const NodeRecord* master = context.find(context.my_record().master);
  if (master == nullptr || context.find(master->master) == nullptr ||
      master->master == context.me()) {
    return false;
  }
  set_my_master(context, {.master = master->master});
  raise_all(context);
  return true;
}

void settle(Update& update) {
  consider_slotless_successor(update);
  if (follow_claimant(update) || follow_grand_master(update) || update.dirty.empty()) return;
  for (const SlotClass slot : update.dirty) delete_keys_in_slot(update.context, slot);
  update.context.effects.note("keys of a lost slot deleted");
}

}  // namespace

void update_slots_config_with(Context& context, NodeId sender, Epoch epoch, const SlotSet& slots) {
  if (sender == context.me()) {
    context.effects.note("claim ignored: it is about myself");
    return;
  }
  SIM_ASSERT(context.find(sender) != nullptr);
  const NodeRecord& mine = context.my_record();
  Update update{.context = context,
                .sender = sender,
                .epoch = epoch,
                .current = mine.replica ? mine.master : context.me(),
                .same = same_shard(context, sender, context.me()),
                .dirty = {}};
  for (std::size_t i = 0; i < context.slot_classes(); ++i) {
    const auto slot = static_cast<SlotClass>(i);
    slots.has(slot) ? consider_claimed(update, slot) : consider_unclaimed(update, slot);
  }
  settle(update);
}

}  // namespace slotlab::node
