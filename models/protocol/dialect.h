// What differs between server versions, as data: named rule switches. A dialect is a set of
// switches with a name; the handlers ask for the rule, never for the version. Scenarios may turn
// single rules on or off to see what breaks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotlab::protocol {

// Each rule's meaning in one sentence, with the versions that have it, is in dialect.cc (the matrix
// that `slotlab list --dialects` prints). Names there are these, with '-' for '_'.
enum class Rule : std::uint8_t {
  importing_slot_pinned,        // a slot being imported is never rebound by the bus
  bump_on_import,               // SETSLOT NODE to myself of an importing slot takes a new epoch
  epoch_collision_resolved,     // of two masters with one config epoch the smaller id moves on
  not_claiming_remembered,      // an owner that stops claiming a slot is remembered as such
  delslot_clears_not_claiming,  // unbinding a slot also forgets that its owner stopped claiming
  addslot_clears_not_claiming,
  update_to_stale_sender,         // a sender that claims slots with an old epoch is sent an UPDATE
  update_masks_not_claiming,      // an UPDATE leaves out slots that their owner stopped claiming
  update_to_replicas,             // stale replicas are sent UPDATE as well
  broadcast_after_import,         // SETSLOT NODE that closes an import broadcasts a PONG
  setslot_checks_replica_target,  // SETSLOT refuses a target that is a replica
  last_slot_demotes_source,       // SETSLOT NODE of a master's last slot makes it a replica
  demote_only_if_all_claimed,     // with replica migration off, an emptied master follows only then
  follow_grand_master,            // a replica of a replica moves to the latter's master
  bus_clears_migrating,           // a slot taken by another shard loses its migrating mark
  marks_follow_failover,          // marks naming a failed-over node move to its successor
  auto_finalise_import,           // an importing node takes the slot when its source drops it
  setslot_replicated_first,       // SETSLOT runs on the replicas before it runs on the master
  foreign_keys_mark_importing,    // at start-up keys of another's slot mark it importing, else they
                                  // are deleted
  dirty_deletion_propagated,      // keys deleted with a lost slot are deleted on replicas and AOF
  same_shard_keeps_slots,         // a master that turns replica in its own shard keeps its slots
  replica_header_raises_epoch,    // a replica's header raises its record's config epoch
  vote_persisted,                 // a vote is written before it is sent
  votes_survive_reparenting,      // an election goes on when the replica changes its master
  forget_gossiped,                // FORGET spreads through the bus
  config_file_atomic,             // nodes.conf is replaced, never overwritten in place
  lone_master_fails_alone,        // a single voting master promotes PFAIL to FAIL by itself
  slotless_master_failover,       // a replica of a master without slots may fail it over
  equal_offsets_ranked_by_id,     // elections: replicas with equal offsets are ranked by id
  reports_need_slots,             // only masters with slots report failures
  replicas_broadcast_fail,        // a replica that promotes to FAIL broadcasts it
  first_eval_counts_zero_masters,  // cluster size starts at 0 instead of 1
  replica_epoch_is_masters,        // CLUSTER NODES shows a replica's epoch as its master's
  ask_with_missing_keys_tryagain,  // several keys, some moved: TRYAGAIN instead of ASK
  cluster_down_checked_first,      // CLUSTERDOWN is answered before slots are looked at
  exec_reroutes,                   // EXEC checks the slots of the queued commands again
  shard_ids,                       // each node names its shard on the bus
  shard_mates_keep_marks,          // marks survive when a master follows a node of its own shard
  demote_within_shard,             // an emptied master follows a node of its shard in any case
  grand_master_at_role_change,     // a replica whose master turns replica moves on at once
  promotion_always_updates,        // the first header of a promoted replica is applied in full
  manual_failover_at_once,         // a manual failover goes on in the event that allows it
  gossip_adds_nodes,     // a node heard of by gossip is added as it is; before: a handshake
  replicate_broadcasts,  // REPLICATE of a new master is broadcast, of the present one ignored
  replicas_know_open_slots,   // READONLY replicas answer ASK and TRYAGAIN by their own marks
  replica_reads_by_flag,      // a READONLY replica serves only commands with the readonly flag
  migrate_ttl_per_key,        // MIGRATE restores each key with its own expiry
  todo_read_live,        // 3.0: flags raised during the pass before sleep are seen at once
};
// todo_read_live stays the last one.
inline constexpr std::size_t kRules = static_cast<std::size_t>(Rule::todo_read_live) + 1;

// Which words the server uses; for texts that differ without differing in meaning.
enum class Wording : std::uint8_t { redis_3_0, redis_7_0, redis_7_2, valkey_8_0 };

struct Dialect {
  std::string name;
  Wording wording = Wording::redis_7_0;
  std::array<bool, kRules> rules{};
  bool has(Rule rule) const { return rules[static_cast<std::size_t>(rule)]; }
  Dialect with(Rule rule, bool on) const;  // a copy; its name gains "+rule" or "-rule"
};

// "redis-7.0" and the others, and each with rules switched that it has otherwise:
// "redis-7.0-bump-on-import", "redis-7.0+auto-finalise-import-importing-slot-pinned". None if
// unknown, or if a rule is already as the name says.
std::optional<Dialect> dialect_named(std::string_view name);
std::vector<std::string> dialect_names();  // baseline first
std::string_view rule_name(Rule rule);     // "importing-slot-pinned"
std::string_view rule_sentence(Rule rule);
std::optional<Rule> rule_named(std::string_view name);
// The rule is among those that decide who owns a slot; scenarios/rules has a scenario for each.
bool rule_decides_ownership(Rule rule);

}  // namespace slotlab::protocol
