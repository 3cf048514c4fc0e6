// What a good file says, key by key: every value arrives where it belongs, every default is what
// the reference promises, and what was read can be written and read again.
#include "models/scenario/load.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "models/scenario/tree.h"
#include "models/scenario/write.h"

namespace slotlab::scenario {
namespace {

// The least that a scenario must say.
const std::string kLeast = R"(title: Least
teaches: Nothing.
cluster:
  A: {}
check:
  always: [owned]
expect: {owned: holds}
)";

// Something of everything.
const std::string kFull = R"(# A comment.
title: "Everything: at once"
teaches: >
  What each key does,
  folded into a line.
dialect: [redis-7.0, valkey-8.0]
rules: {bump-on-import: off, not-claiming-remembered: true}
cluster:
  A: {epoch: 5, slots: [7, 100-200, home], keys: {7: 2, 12182: [foo]}}
  B: {id: "ffffffffffffffffffffffffffffffffffffffff", slots: [home]}
  A1: {replica of: A}
current epoch: 9
views:
  B: {current epoch: 3, owners: {7: nobody, 150: B}, migrating: {100: A}, suspects: [A],
      masters: [A1]}
  A1: {last vote epoch: 2, epochs: {B: 8}, importing: {7: B}, failed: [B], replicas: {B: nobody}}
operators:
  first:
    may stop: on
    fair: true
    on error: retry
    retries: 5
    steps:
      - {step: 1, to: B, send: CLUSTER SETSLOT 7 IMPORTING A}
      - {step: 3, move keys: 7, from: A, to: B, replace: on, on no answer: skip, on error: continue}
      - {step: bad, to: A, send: "cluster setslot '16384' node B", on error: stop}
  second:
    steps:
      - {step: meet, to: A, send: CLUSTER MEET B}
      - {step: migrate, to: A, send: 'MIGRATE B "" 0 1000 KEYS foo'}
faults:
  - {crash: [A, B], at most: 2, between steps: [1, bad], restart: never, power loss: on}
  - {crash: any}
  - {cut: [A, B], both ways: off, heals: never, after step: 3}
  - {cut: any, before step: bad}
  - {pause: B}
  - {stop: second, before step: migrate}
  - {lose reply: any}
network: {heartbeats: ping and pong, streams: 2, heartbeats in flight: 2, messages in flight: 8}
servers:
  require full coverage: off
  allow replica migration: off
  persist keys: off
  node timeout ms: 2000
  failure detection: on
  suspicions of live peers: 3
  elections: 2
check:
  always: [owned, one-owner]
  eventually always: [agreed]
  leads to: [{crashed: owned}]
  sometimes: [owner-changed]
expect:
  owned: violated
  one-owner: holds
  agreed: violated
  crashed leads to owned: holds
  owner-changed: reached
  valkey-8.0: {owned: holds, owner-changed: not reached}
)";

TEST(ScenarioLoad, DefaultsAreThoseOfTheReference) {
  const Scenario s = load_text(kLeast, "least");
  EXPECT_EQ(s.file, "least");
  ASSERT_EQ(s.dialects.size(), 1u);
  EXPECT_EQ(s.dialects[0].value, "redis-7.0");
  ASSERT_EQ(s.nodes.size(), 1u);
  EXPECT_FALSE(s.nodes[0].epoch.has_value());
  EXPECT_FALSE(s.nodes[0].home);
  EXPECT_TRUE(s.operators.empty());
  EXPECT_TRUE(s.faults.empty());
  EXPECT_EQ(s.network.streams, 1);
  EXPECT_EQ(s.network.heartbeats_in_flight, 1);
  EXPECT_EQ(s.network.messages_in_flight, 8);
  EXPECT_TRUE(s.network.merged_heartbeats);
  EXPECT_FALSE(s.servers.failure_detection);
  EXPECT_EQ(s.servers.node_timeout_ms, 15000u);
  EXPECT_EQ(s.expected("owned", "redis-7.0"), Expectation::holds);
}

TEST(ScenarioLoad, ReadsSilencesAndWritesThem) {
  const std::string text = R"(title: Silent
teaches: Who says nothing.
dialect: [redis-7.0, redis-7.0-bump-on-import]
cluster: {A: {}, B: {}}
network: {silent: [A, [B, A]]}
check: {always: [owned]}
expect: {owned: holds, redis-7.0-bump-on-import: {owned: violated}}
)";
  const Scenario s = load_text(text, "silent");
  ASSERT_EQ(s.network.silent.size(), 2u);
  EXPECT_EQ(s.network.silent[0].from.value, "A");
  EXPECT_FALSE(s.network.silent[0].to.has_value());
  EXPECT_EQ(s.network.silent[1].from.value, "B");
  EXPECT_EQ(s.network.silent[1].to->value, "A");
  EXPECT_EQ(s.expected("owned", "redis-7.0-bump-on-import"), Expectation::violated);
  EXPECT_EQ(load_text(to_yaml(s), "again"), s);
}

TEST(ScenarioLoad, ReadsNodes) {
  const Scenario s = load_text(kFull, "full");
  ASSERT_EQ(s.nodes.size(), 3u);
  const NodeSpec& a = s.nodes[0];
  EXPECT_EQ(a.name.value, "A");
  EXPECT_EQ(a.name.at, (Position{9, 3}));
  EXPECT_EQ(a.epoch->value, 5u);
  ASSERT_EQ(a.slots.size(), 2u);
  EXPECT_EQ(a.slots[0].value, (protocol::SlotRange{7, 7}));
  EXPECT_EQ(a.slots[1].value, (protocol::SlotRange{100, 200}));
  EXPECT_TRUE(a.home);
  ASSERT_EQ(a.keys.size(), 2u);
  EXPECT_EQ(a.keys[0].names.size(), 2u);
  EXPECT_EQ(a.keys[1].names[0].value, "foo");
  EXPECT_EQ(s.nodes[1].id->value, std::string(40, 'f'));
  EXPECT_EQ(s.nodes[2].replica_of->value, "A");
  EXPECT_EQ(s.current_epoch->value, 9u);
}

TEST(ScenarioLoad, ReadsOperatorsAndTheirReactions) {
  const Scenario s = load_text(kFull, "full");
  ASSERT_EQ(s.operators.size(), 2u);
  const OperatorSpec& first = s.operators[0];
  EXPECT_TRUE(first.may_stop);
  EXPECT_TRUE(first.fair);
  ASSERT_EQ(first.steps.size(), 3u);
  EXPECT_EQ(first.steps[0].reaction.on_error, oper::OnError::retry);
  EXPECT_EQ(first.steps[0].reaction.retries_max, 5);
  EXPECT_EQ(first.steps[1].reaction.on_error, oper::OnError::carry_on);
  EXPECT_EQ(first.steps[1].reaction.on_no_answer, oper::OnNoAnswer::skip);
  EXPECT_TRUE(first.steps[1].move->replace);
  EXPECT_EQ(first.steps[1].to.value, "A");
  EXPECT_EQ(first.steps[2].reaction.on_error, oper::OnError::stop);
  EXPECT_FALSE(s.operators[1].may_stop);
}

TEST(ScenarioLoad, TakesCommandsApart) {
  const Scenario s = load_text(kFull, "full");
  const CommandSpec& importing = *s.operators[0].steps[0].send;
  ASSERT_EQ(importing.words.size(), 5u);
  EXPECT_EQ(importing.words[4].kind, CommandWord::Kind::node_id);
  EXPECT_EQ(importing.words[4].text, "A");
  EXPECT_EQ(importing.slots, (std::vector<protocol::SlotRange>{{7, 7}}));
  const CommandSpec& bad = *s.operators[0].steps[2].send;
  EXPECT_EQ(bad.words[2].text, "16384");  // meant, as the single quotes say
  EXPECT_TRUE(bad.slots.empty());
  EXPECT_EQ(s.operators[1].steps[0].send->words[2].kind, CommandWord::Kind::node_address);
  const CommandSpec& migrate = *s.operators[1].steps[1].send;
  EXPECT_EQ(migrate.words[1].kind, CommandWord::Kind::node_address);
  EXPECT_EQ(migrate.words[2].text, "");
  EXPECT_EQ(migrate.slots, (std::vector<protocol::SlotRange>{{12182, 12182}}));
}

TEST(ScenarioLoad, ReadsFaultsAndWindows) {
  const Scenario s = load_text(kFull, "full");
  ASSERT_EQ(s.faults.size(), 7u);
  EXPECT_EQ(s.faults[0].actors.size(), 2u);
  EXPECT_EQ(s.faults[0].at_most, 2);
  EXPECT_FALSE(s.faults[0].mends);
  EXPECT_TRUE(s.faults[0].power_loss);
  EXPECT_EQ(s.faults[0].window->operator_name, "first");
  EXPECT_EQ(s.faults[0].window->after->value, "1");
  EXPECT_EQ(s.faults[0].window->before->value, "bad");
  EXPECT_TRUE(s.faults[1].any);
  EXPECT_TRUE(s.faults[1].mends);
  EXPECT_FALSE(s.faults[1].window.has_value());
  EXPECT_EQ(s.faults[2].kind, sim::FaultKind::cut);
  EXPECT_FALSE(s.faults[2].both_ways);
  EXPECT_FALSE(s.faults[2].window->before.has_value());
  EXPECT_FALSE(s.faults[3].window->after.has_value());
  EXPECT_EQ(s.faults[4].kind, sim::FaultKind::pause);
  EXPECT_EQ(s.faults[5].window->operator_name, "second");
  EXPECT_EQ(s.faults[6].kind, sim::FaultKind::lose_reply);
}

TEST(ScenarioLoad, ExpectationsOfOneDialectGoBeforeThoseOfAll) {
  const Scenario s = load_text(kFull, "full");
  ASSERT_EQ(s.checks.size(), 5u);
  EXPECT_EQ(s.checks[3].name(), "crashed leads to owned");
  EXPECT_EQ(s.expected("owned", "redis-7.0"), Expectation::violated);
  EXPECT_EQ(s.expected("owned", "valkey-8.0"), Expectation::holds);
  EXPECT_EQ(s.expected("agreed", "valkey-8.0"), Expectation::violated);
  EXPECT_EQ(s.expected("owner-changed", "valkey-8.0"), Expectation::not_reached);
}

TEST(ScenarioLoad, WrittenAndReadAgainItSaysTheSame) {
  for (const std::string& text : {kLeast, kFull}) {
    const Scenario once = load_text(text, "once");
    const std::string written = to_yaml(once);
    const Scenario twice = load_text(written, "twice");
    EXPECT_TRUE(once == twice) << written;
    EXPECT_EQ(to_yaml(twice), written);
  }
}

TEST(ScenarioLoad, ScenariosDifferIfAnythingIsSaidDifferently) {
  const Scenario full = load_text(kFull, "full");
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"epoch: 5", "epoch: 6"},
      {"IMPORTING", "MIGRATING"},
      {"at most: 2", "at most: 3"},
      {"streams: 2", "streams: 1"},
      {"elections: 2", "elections: 1"},
      {"one-owner: holds", "one-owner: violated"},
      {"bump-on-import: off", "bump-on-import: on"}};
  for (const auto& [from, to] : changes) {
    std::string text = kFull;
    text.replace(text.find(from), from.size(), to);
    EXPECT_FALSE(full == load_text(text, "full")) << to;
  }
}

// All files that we ship.
TEST(ShippedScenarios, LoadAndSurviveWriting) {
  std::size_t files = 0;
  const auto folder = std::filesystem::path(SLOTLAB_SOURCE_DIR) / "scenarios";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    const Scenario scenario = load_file(entry.path().string());
    EXPECT_TRUE(scenario == load_text(to_yaml(scenario), "again")) << entry.path();
    EXPECT_EQ(read_file(entry.path().string()).front(), '#') << entry.path() << ": no header";
  }
  EXPECT_GE(files, 24u);
}

}  // namespace
}  // namespace slotlab::scenario
