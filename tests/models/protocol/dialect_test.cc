// The dialects: the version matrix of what changes who owns a slot, and rules by name.
#include "models/protocol/dialect.h"

#include <gtest/gtest.h>

#include <set>

namespace slotlab::protocol {
namespace {

// Which of redis-3.0, redis-7.0, redis-7.2, valkey-8.0 have the rule.
std::string versions(Rule rule) {
  std::string found;
  for (const char* name : {"redis-3.0", "redis-7.0", "redis-7.2", "valkey-8.0"}) {
    found += dialect_named(name).value().has(rule) ? 'y' : '-';
  }
  return found;
}

TEST(Dialects, TheBaselineComesFirst) {
  EXPECT_EQ(dialect_names(),
            (std::vector<std::string>{"redis-7.0", "redis-3.0", "redis-7.2", "valkey-8.0"}));
  EXPECT_FALSE(dialect_named("redis-6.2").has_value());
  EXPECT_EQ(dialect_named("valkey-8.0")->wording, Wording::valkey_8_0);
}

TEST(Dialects, DifferInWhatChangesWhoOwnsASlot) {
  const std::vector<std::pair<Rule, std::string>> matrix = {
      {Rule::setslot_checks_replica_target, "-yyy"},
      {Rule::broadcast_after_import, "-yyy"},
      {Rule::last_slot_demotes_source, "-yyy"},
      {Rule::importing_slot_pinned, "yyy-"},
      {Rule::not_claiming_remembered, "-yyy"},
      {Rule::delslot_clears_not_claiming, "--yy"},
      {Rule::addslot_clears_not_claiming, "---y"},
      {Rule::update_masks_not_claiming, "-yyy"},
      {Rule::bus_clears_migrating, "---y"},
      {Rule::auto_finalise_import, "---y"},
      {Rule::setslot_replicated_first, "---y"},
      {Rule::foreign_keys_mark_importing, "yyy-"},
      {Rule::dirty_deletion_propagated, "--yy"},
      {Rule::same_shard_keeps_slots, "---y"},
      {Rule::replica_header_raises_epoch, "yyy-"},
      {Rule::update_to_replicas, "yyy-"},
      {Rule::vote_persisted, "-yyy"},
      {Rule::votes_survive_reparenting, "yyy-"},
      {Rule::forget_gossiped, "--yy"},
      {Rule::config_file_atomic, "--yy"},
      {Rule::lone_master_fails_alone, "--yy"},
      {Rule::slotless_master_failover, "---y"},
  };
  for (const auto& [rule, expected] : matrix)
    EXPECT_EQ(versions(rule), expected) << rule_name(rule);
}

TEST(Rules, HaveDistinctNamesAndASentence) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kRules; ++i) {
    const auto rule = static_cast<Rule>(i);
    EXPECT_TRUE(names.insert(rule_name(rule)).second) << rule_name(rule);
    EXPECT_EQ(rule_named(rule_name(rule)), rule);
    EXPECT_EQ(rule_name(rule).find('_'), std::string_view::npos);
    EXPECT_TRUE(rule_sentence(rule).ends_with('.')) << rule_name(rule);
  }
  EXPECT_EQ(rule_named("no-such-rule"), std::nullopt);
}

TEST(Rules, CanBeSwitchedOnACopy) {
  const Dialect base = dialect_named("redis-7.0").value();
  const Dialect changed =
      base.with(Rule::auto_finalise_import, true).with(Rule::bump_on_import, false);
  EXPECT_EQ(changed.name, "redis-7.0+auto-finalise-import-bump-on-import");
  EXPECT_TRUE(changed.has(Rule::auto_finalise_import));
  EXPECT_FALSE(changed.has(Rule::bump_on_import));
  EXPECT_FALSE(base.has(Rule::auto_finalise_import));
}

TEST(Rules, CanBeSwitchedByName) {
  const Dialect base = dialect_named("redis-7.0").value();
  for (std::size_t i = 0; i < kRules; ++i) {
    for (std::size_t j = 0; j < kRules; ++j) {
      const auto first = static_cast<Rule>(i);
      const auto second = static_cast<Rule>(j);
      Dialect changed = base.with(first, !base.has(first));
      if (i != j) changed = changed.with(second, !base.has(second));
      const auto found = dialect_named(changed.name);
      ASSERT_TRUE(found.has_value()) << changed.name;
      EXPECT_EQ(found->rules, changed.rules) << changed.name;
      EXPECT_EQ(found->name, changed.name);
    }
  }
  for (const char* bad : {"redis-7.0-", "redis-7.0+", "redis-7.0-no-such-rule",
                          "redis-7.0bump-on-import", "redis-7.0+bump-on-import",
                          "redis-7.0-bump-on-import-bump-on-import", "redis-7.0-bump-on-imports"}) {
    EXPECT_FALSE(dialect_named(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace slotlab::protocol
