// The matrix of dialects: every rule with its meaning in one sentence and the versions that have
// it. redis-7.0 is the baseline and is held to Redis 7.0.15; redis-3.0 is 3.0.7, redis-7.2
// is 7.2.6, valkey-8.0 is 8.0.1.
#include "models/protocol/dialect.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace slotlab::protocol {
namespace {

// Whether a rule is among those that decide who owns a slot.
enum class Decides : std::uint8_t { owner, other };
constexpr Decides kOwner = Decides::owner;
constexpr Decides kOther = Decides::other;

struct RuleRow {
  Rule rule;
  std::string_view name;
  std::string_view versions;  // one sign per version, in the order of kVersions; '-' is no
  Decides decides;
  std::string_view sentence;
};

struct Version {
  std::string_view name;
  Wording wording;
  std::size_t column;  // in RuleRow::versions
};

constexpr std::array<Version, 4> kVersions = {{
    {"redis-7.0", Wording::redis_7_0, 1},
    {"redis-3.0", Wording::redis_3_0, 0},
    {"redis-7.2", Wording::redis_7_2, 2},
    {"valkey-8.0", Wording::valkey_8_0, 3},
}};

// Columns: 3.0, 7.0, 7.2, Valkey 8.0. In the order of Rule.
constexpr std::array<RuleRow, kRules> kMatrix = {{
    {Rule::importing_slot_pinned, "importing-slot-pinned", "yyy-", kOwner,
     "A slot that a node is importing is never rebound by the bus; only SETSLOT moves it."},
    {Rule::bump_on_import, "bump-on-import", "yyyy", kOwner,
     "SETSLOT NODE of an importing slot to the node itself takes a new config epoch at once."},
    {Rule::epoch_collision_resolved, "epoch-collision-resolved", "yyyy", kOwner,
     "Of two masters with one config epoch, the one with the smaller id moves to a new epoch."},
    {Rule::not_claiming_remembered, "not-claiming-remembered", "-yyy", kOwner,
     "A node remembers that a slot's owner sent a header without the slot, and lets any claim "
     "win."},
    {Rule::delslot_clears_not_claiming, "delslot-clears-not-claiming", "--yy", kOwner,
     "Unbinding a slot also forgets that its owner stopped claiming it."},
    {Rule::addslot_clears_not_claiming, "addslot-clears-not-claiming", "---y", kOwner,
     "Binding a slot also forgets that an owner stopped claiming it."},
    {Rule::update_to_stale_sender, "update-to-stale-sender", "yyyy", kOwner,
     "A sender that claims a slot with an epoch below its owner's is sent an UPDATE."},
    {Rule::update_masks_not_claiming, "update-masks-not-claiming", "-yyy", kOwner,
     "An UPDATE leaves out the slots that their owner stopped claiming."},
    {Rule::update_to_replicas, "update-to-replicas", "yyy-", kOwner,
     "Replicas that speak for an outdated master are sent UPDATEs as well."},
    {Rule::broadcast_after_import, "broadcast-after-import", "-yyy", kOwner,
     "SETSLOT NODE that closes an import broadcasts a PONG with the new slots and epoch."},
    {Rule::setslot_checks_replica_target, "setslot-checks-replica-target", "-yyy", kOwner,
     "SETSLOT refuses a node that is a replica as source, target or owner."},
    {Rule::last_slot_demotes_source, "last-slot-demotes-source", "-yyy", kOwner,
     "A master that gives its last slot away by SETSLOT NODE becomes a replica of the new owner."},
    {Rule::demote_only_if_all_claimed, "demote-only-if-all-claimed", "-yy-", kOther,
     "With replica migration off, an emptied master follows the new owner only if that node claims "
     "nothing but what it took."},
    {Rule::follow_grand_master, "follow-grand-master", "-yy-", kOther,
     "A replica of a replica moves to the latter's master at the end of every slot update."},
    {Rule::bus_clears_migrating, "bus-clears-migrating", "---y", kOwner,
     "A slot taken by a node of another shard loses its migrating mark."},
    {Rule::marks_follow_failover, "marks-follow-failover", "---y", kOwner,
     "Migrating and importing marks that name a failed-over node move to its successor."},
    {Rule::auto_finalise_import, "auto-finalise-import", "---y", kOwner,
     "An importing master takes the slot by itself when the node it imports from stops claiming "
     "it."},
    {Rule::setslot_replicated_first, "setslot-replicated-first", "---y", kOwner,
     "SETSLOT runs on the replicas before it runs on their master."},
    {Rule::foreign_keys_mark_importing, "foreign-keys-mark-importing", "yyy-", kOwner,
     "At start-up, keys of another node's slot mark it importing; without the rule they are "
     "deleted."},
    {Rule::dirty_deletion_propagated, "dirty-deletion-propagated", "--yy", kOther,
     "Keys deleted together with a lost slot are deleted on the replicas and in the file as well."},
    {Rule::same_shard_keeps_slots, "same-shard-keeps-slots", "---y", kOwner,
     "A master that announces itself as replica within its shard keeps its slots until its "
     "successor claims them."},
    {Rule::replica_header_raises_epoch, "replica-header-raises-epoch", "yyy-", kOther,
     "A replica's header raises the config epoch in the replica's own record."},
    {Rule::vote_persisted, "vote-persisted", "-yyy", kOwner,
     "A vote is written to disk before it is sent."},
    {Rule::votes_survive_reparenting, "votes-survive-reparenting", "yyy-", kOwner,
     "A replica that changes its master goes on with the election it had begun."},
    {Rule::forget_gossiped, "forget-gossiped", "--yy", kOwner,
     "CLUSTER FORGET spreads through the bus to all nodes."},
    {Rule::config_file_atomic, "config-file-atomic", "--yy", kOther,
     "nodes.conf is replaced by a new file, never overwritten in place."},
    {Rule::lone_master_fails_alone, "lone-master-fails-alone", "--yy", kOwner,
     "The only master with slots turns its own suspicion into FAIL without anybody's report."},
    {Rule::slotless_master_failover, "slotless-master-failover", "---y", kOwner,
     "A replica of a master without slots may fail it over."},
    {Rule::equal_offsets_ranked_by_id, "equal-offsets-ranked-by-id", "---y", kOther,
     "In elections, replicas with equal offsets are ranked by their ids."},
    {Rule::reports_need_slots, "reports-need-slots", "---y", kOther,
     "Only masters with slots count as reporters of a failure."},
    {Rule::replicas_broadcast_fail, "replicas-broadcast-fail", "-yyy", kOther,
     "A replica that promotes a suspicion to FAIL broadcasts it, as a master does."},
    {Rule::first_eval_counts_zero_masters, "first-eval-counts-zero-masters", "--yy", kOther,
     "A node that has not evaluated the cluster state counts no masters instead of one."},
    {Rule::replica_epoch_is_masters, "replica-epoch-is-masters", "-yyy", kOther,
     "CLUSTER NODES and nodes.conf show a replica's epoch as its master's."},
    {Rule::ask_with_missing_keys_tryagain, "ask-with-missing-keys-tryagain", "-yyy", kOther,
     "A migrating node that has some of several keys answers TRYAGAIN instead of ASK."},
    {Rule::cluster_down_checked_first, "cluster-down-checked-first", "y---", kOther,
     "A node in cluster state FAIL answers CLUSTERDOWN before it looks at slots."},
    {Rule::exec_reroutes, "exec-reroutes", "-yyy", kOther,
     "EXEC checks the slots of the queued commands again."},
    {Rule::shard_ids, "shard-ids", "--yy", kOther,
     "Each node belongs to a shard with an id of its own, which it tells on the bus."},
    {Rule::shard_mates_keep_marks, "shard-mates-keep-marks", "---y", kOther,
     "A master that follows a node of its own shard keeps its migrating and importing marks and "
     "its "
     "data."},
    {Rule::demote_within_shard, "demote-within-shard", "---y", kOther,
     "With replica migration off, an emptied master follows the new owner only within its shard."},
    {Rule::grand_master_at_role_change, "grand-master-at-role-change", "---y", kOther,
     "A replica whose master turns into a replica moves on to the latter's master at once."},
    {Rule::promotion_always_updates, "promotion-always-updates", "---y", kOther,
     "The first header of a promoted replica runs the slot update even if it claims nothing new."},
    {Rule::manual_failover_at_once, "manual-failover-at-once", "-yyy", kOther,
     "A manual failover goes on within the event that allows it, not at the next timer."},
    {Rule::gossip_adds_nodes, "gossip-adds-nodes", "-yyy", kOther,
     "A node that gossip mentions is added as described; without the rule a handshake is started."},
    {Rule::replicate_broadcasts, "replicate-broadcasts", "---y", kOther,
     "REPLICATE of a new master is broadcast at once, and of the present master does nothing."},
    {Rule::replicas_know_open_slots, "replicas-know-open-slots", "---y", kOther,
     "A replica answers ASK and TRYAGAIN by its own marks to connections that are READONLY."},
    {Rule::replica_reads_by_flag, "replica-reads-by-flag", "y---", kOther,
     "A replica serves only commands that are marked as reading; without the rule, all that are "
     "not "
     "marked as writing."},
    {Rule::migrate_ttl_per_key, "migrate-ttl-per-key", "-yyy", kOther,
     "MIGRATE restores each key with its own expiry; before, a key without one inherited that of "
     "the key before it."},
    {Rule::todo_read_live, "todo-read-live", "y---", kOther,
     "Work flags raised by the work before sleep are seen in the same pass or lost."},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRules; ++i) {
    if (static_cast<std::size_t>(kMatrix[i].rule) != i || kMatrix[i].versions.size() != 4) {
      return false;
    }
  }
  return true;
}
static_assert(in_order(), "kMatrix lists every rule once, in the order of Rule");

const RuleRow& row(Rule rule) { return kMatrix[static_cast<std::size_t>(rule)]; }

Dialect make(const Version& version) {
  Dialect dialect{.name = std::string(version.name), .wording = version.wording, .rules = {}};
  for (std::size_t i = 0; i < kRules; ++i) {
    dialect.rules[i] = kMatrix[i].versions[version.column] == 'y';
  }
  return dialect;
}

// The rule whose name `text` begins with, up to the end or to the next sign; the longest one.
std::optional<Rule> leading_rule(std::string_view text) {
  const RuleRow* best = nullptr;
  for (const RuleRow& each : kMatrix) {
    if (!text.starts_with(each.name)) continue;
    const std::string_view rest = text.substr(each.name.size());
    if (!rest.empty() && rest[0] != '+' && rest[0] != '-') continue;
    if (best == nullptr || each.name.size() > best->name.size()) best = &each;
  }
  return best == nullptr ? std::nullopt : std::optional<Rule>(best->rule);
}

// `base` with the switches "+rule-a-rule-b" thrown; none if one is no rule or changes nothing.
std::optional<Dialect> switched(Dialect base, std::string_view switches) {
  while (!switches.empty()) {
    const bool on = switches[0] == '+';
    if (!on && switches[0] != '-') return std::nullopt;
    const auto rule = leading_rule(switches.substr(1));
    if (!rule || base.has(*rule) == on) return std::nullopt;
    base = base.with(*rule, on);
    switches.remove_prefix(1 + row(*rule).name.size());
  }
  return base;
}

}  // namespace

Dialect Dialect::with(Rule rule, bool on) const {
  Dialect copy = *this;
  copy.rules[static_cast<std::size_t>(rule)] = on;
  copy.name += on ? '+' : '-';
  copy.name += row(rule).name;
  return copy;
}

std::optional<Dialect> dialect_named(std::string_view name) {
  for (const Version& version : kVersions) {
    if (!name.starts_with(version.name)) continue;
    return switched(make(version), name.substr(version.name.size()));
  }
  return std::nullopt;
}

std::vector<std::string> dialect_names() {
  std::vector<std::string> names;
  for (const Version& version : kVersions) names.emplace_back(version.name);
  return names;
}

std::string_view rule_name(Rule rule) { return row(rule).name; }
std::string_view rule_sentence(Rule rule) { return row(rule).sentence; }

bool rule_decides_ownership(Rule rule) { return row(rule).decides == Decides::owner; }

std::optional<Rule> rule_named(std::string_view name) {
  const auto at = std::find_if(kMatrix.begin(), kMatrix.end(),
                               [&](const RuleRow& each) { return each.name == name; });
  return at == kMatrix.end() ? std::nullopt : std::optional<Rule>(at->rule);
}

}  // namespace slotlab::protocol
