// CLUSTER NODES texts of an incident become a scenario that starts where the cluster stands: what
// nodes say of themselves is the cluster, what they believe otherwise their views, what the texts
// cannot tell is listed.
#include "models/scenario/import.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/node/node.h"
#include "models/node/persistence/nodes_text.h"
#include "models/scenario/build.h"
#include "models/scenario/load.h"

namespace slotlab::scenario {
namespace {

const std::string kA(40, 'a'), kB(40, 'b'), kC(40, 'c'), kA1 = std::string(38, 'a') + "f1";

std::string line(const std::string& id, const std::string& flags, const std::string& master,
                 int epoch, const std::string& slots) {
  return id + " 127.0.0.1:7000@17000 " + flags + " " + master + " 0 0 " + std::to_string(epoch) +
         " connected" + (slots.empty() ? "" : " ") + slots + "\n";
}

// The manual's warning as it looks from outside: A was told that 100 is B's, B was not.
std::vector<NodesDump> hand_over_half_done() {
  return {{"a.txt", line(kA, "myself,master", "-", 1, "0-99 101-5460") +
                        line(kB, "master", "-", 2, "100 5461-10922") +
                        line(kC, "master,fail?", "-", 3, "10923-16383") +
                        line(kA1, "slave", kA, 1, "")},
          {"b.txt", line(kA, "master", "-", 1, "0-5460") +
                        line(kB, "myself,master", "-", 2, "5461-10922 [100-<-" + kA + "]") +
                        line(kC, "master", "-", 3, "10923-16383") + line(kA1, "slave", kA, 1, "") +
                        "vars currentEpoch 7 lastVoteEpoch 5\n"}};
}

Scenario imported(const std::vector<NodesDump>& dumps, const ImportChoices& choices) {
  return load_text(imported_text(import_dumps(dumps, choices)), "imported.yaml");
}

const node::NodeState& state_of(const Built& built, std::size_t i) {
  return dynamic_cast<const node::Node&>(*built.system->spec().actors.at(i)).state();
}

TEST(Import, StartsWhereTheClusterStands) {
  const Scenario scenario = imported(hand_over_half_done(), {.dialect = "redis-7.0"});
  EXPECT_EQ(scenario.node_names(), (std::vector<std::string>{"A", "A1", "B", "C"}));
  EXPECT_EQ(scenario.node("A1")->replica_of->value, "A");
  EXPECT_EQ(scenario.node("B")->epoch->value, 2u);
  const Built built = build(scenario, {});
  const auto slot = built.node_settings->slots.of(100);
  ASSERT_TRUE(slot);
  const auto& at_a = state_of(built, 0).config;
  const auto& at_b = state_of(built, 2).config;
  const protocol::NodeId a{0}, b{2}, c{3};
  EXPECT_EQ(at_a.owner[*slot], b);
  EXPECT_EQ(at_b.owner[*slot], a);
  EXPECT_EQ(at_b.importing_from[*slot], a);
  EXPECT_EQ(at_a.importing_from[*slot], protocol::kNoNode);
  EXPECT_TRUE(at_a.nodes.at(c).pfail);
  EXPECT_FALSE(at_b.nodes.at(c).pfail);
  EXPECT_EQ(at_b.current_epoch, 7u);
  EXPECT_EQ(at_b.last_vote_epoch, 5u);
  EXPECT_EQ(at_a.current_epoch, 3u);
  // C gave no text: it is given A's beliefs, the first text's. A1 has its master's.
  EXPECT_EQ(state_of(built, 3).config.owner[*slot], b);
  EXPECT_EQ(state_of(built, 3).config.last_vote_epoch, 0u);
  EXPECT_EQ(state_of(built, 1).config.owner[*slot], b);
}

// What a virtual node prints of itself is imported as what it is.
TEST(Import, WhatVirtualNodesPrintComesBack) {
  const Scenario once = imported(hand_over_half_done(), {.dialect = "redis-7.2"});
  const Built built = build(once, {});
  std::vector<NodesDump> printed;
  for (std::size_t i = 0; i < once.nodes.size(); ++i) {
    printed.push_back({once.nodes[i].name.value,
                       node::nodes_conf_text(state_of(built, i).config, *built.node_settings)});
  }
  const Scenario twice = imported(printed, {.dialect = "redis-7.2"});
  const Built again = build(twice, {});
  for (std::size_t i = 0; i < once.nodes.size(); ++i) {
    EXPECT_EQ(node::nodes_conf_text(state_of(again, i).config, *again.node_settings),
              printed[i].text);
  }
}

TEST(Import, ListsWhatItFilledIn) {
  const Imported out = import_dumps(hand_over_half_done(), {.dialect = "redis-7.0"});
  const auto says = [&](const std::string& part) {
    return std::any_of(out.filled_in.begin(), out.filled_in.end(), [&](const std::string& each) {
      return each.find(part) != std::string::npos;
    });
  };
  EXPECT_TRUE(says("No text of C"));
  EXPECT_TRUE(says("No text of A1"));
  EXPECT_FALSE(says("No text of B"));
  EXPECT_TRUE(says("current epoch of A is not in its text: 3"));
  EXPECT_FALSE(says("current epoch of B"));
  EXPECT_TRUE(says("16383 slots are not open"));
}

TEST(Import, TellsChosenSlotsApart) {
  const Scenario scenario =
      imported(hand_over_half_done(), {.dialect = "redis-7.0", .slots = {{200, 203}}});
  const auto& slots = scenario.node("A")->slots;
  ASSERT_EQ(slots.size(), 1u);
  EXPECT_EQ(slots[0].value.first, 200);
  EXPECT_EQ(slots[0].value.last, 203);
}

struct BadDump {
  std::string text, says;
};

TEST(Import, RefusesWhatItCannotUse) {
  const std::string good = line(kA, "myself,master", "-", 1, "0-5460");
  const std::vector<BadDump> bad = {
      {"", "expected at least one node, found none"},
      {line(kA, "master", "-", 1, ""), "no line has the flag 'myself'"},
      {good + line(kB, "myself,master", "-", 1, ""), "x.txt:2:1: a second line with the flag"},
      {good + good, "x.txt:2:1: the id '" + kA + "' is on an earlier line"},
      {"abc\n" + good, "x.txt:1:1: "},
      {line(std::string(40, 'z'), "myself,master", "-", 1, ""), "40 hexadecimal digits"},
      {line(kA, "myself,slave", kB, 1, ""), "its master '" + kB + "'"},
      {line(kA, "myself,master", "-", 1, "[5->-" + kB + "]"), "the mark of slot 5 names"}};
  for (const BadDump& each : bad) {
    try {
      import_dumps({{"x.txt", each.text}}, {.dialect = "redis-7.0"});
      ADD_FAILURE() << each.text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(each.says), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(import_dumps({{"x", good}, {"y", good}}, {.dialect = "redis-7.0"}), InputError);
}

// The section by itself: every key arrives at the node's state, and comes back when written.
TEST(Views, SetWhatANodeBelieves) {
  const std::string text = R"(title: Views
teaches: Nothing.
cluster:
  A: {epoch: 1, slots: [7, home]}
  B: {epoch: 2, slots: [100-200, home]}
  A1: {replica of: A}
  C: {epoch: 3}
views:
  B:
    current epoch: 9
    last vote epoch: 4
    epochs: {A: 5}
    owners: {7: nobody, 100-150: A}
    migrating: {151-200: A}
    importing: {7: A}
    masters: [A1]
    failed: [A1]
    suspects: [A]
    unknown: [C]
  A: {replicas: {B: A1}}
check: {always: [owned]}
expect: {owned: violated}
)";
  const Scenario scenario = load_text(text, "views.yaml");
  const Built built = build(scenario, {});
  const auto& at_b = state_of(built, 1).config;
  const auto slot = [&](int number) {
    return *built.node_settings->slots.of(static_cast<protocol::Slot>(number));
  };
  const protocol::NodeId a{0}, b{1}, a1{2}, c{3};
  EXPECT_EQ(at_b.current_epoch, 9u);
  EXPECT_EQ(at_b.last_vote_epoch, 4u);
  EXPECT_EQ(at_b.nodes.at(a).config_epoch, 5u);
  EXPECT_EQ(at_b.owner[slot(7)], protocol::kNoNode);
  EXPECT_EQ(at_b.owner[slot(120)], a);
  EXPECT_EQ(at_b.owner[slot(180)], b);
  EXPECT_EQ(at_b.migrating_to[slot(180)], a);
  EXPECT_EQ(at_b.migrating_to[slot(120)], protocol::kNoNode);
  EXPECT_EQ(at_b.importing_from[slot(7)], a);
  EXPECT_FALSE(at_b.nodes.at(a1).replica);
  EXPECT_TRUE(at_b.nodes.at(a1).fail);
  EXPECT_TRUE(at_b.nodes.at(a).pfail);
  EXPECT_FALSE(at_b.nodes.contains(c));
  EXPECT_TRUE(state_of(built, 0).config.nodes.at(b).replica);
  EXPECT_EQ(state_of(built, 0).config.nodes.at(b).master, a1);
}

}  // namespace
}  // namespace slotlab::scenario
