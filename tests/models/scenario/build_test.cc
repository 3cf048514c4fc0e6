// From a scenario to its system: who is there, which links, which faults when, which slots.
#include "models/scenario/build.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>

#include <string>
#include <vector>

#include "models/node/node.h"
#include "models/operator/operator.h"
#include "models/scenario/load.h"
#include "models/scenario/tree.h"
#include "models/scenario/write.h"
#include "sim/system/world.h"

namespace slotlab::scenario {
namespace {

// `extra` goes between the cluster and the checks.
Built build_with(const std::string& extra, const std::string& cluster = "",
                 BuildOptions options = {}) {
  const std::string nodes = cluster.empty() ? R"(
  A: {epoch: 1, slots: [7, home]}
  B: {epoch: 2, slots: [home]}
  C: {epoch: 3, slots: [home]})"
                                            : cluster;
  const std::string text = "title: t\nteaches: t\ncluster:" + nodes + "\n" + extra +
                           "check:\n  always: [owned]\nexpect: {owned: holds}\n";
  return build(load_text(text, "test"), options);
}

const std::string kSteps = R"(operator:
  may stop: on
  steps:
    - {step: 1, to: B, send: CLUSTER SETSLOT 7 IMPORTING A}
    - {step: 2, to: A, send: CLUSTER SETSLOT 7 MIGRATING B}
    - {step: 3, move keys: 7, from: A, to: B}
    - {step: 5, to: A, send: CLUSTER SETSLOT 7 NODE B}
    - {step: 4, to: B, send: CLUSTER SETSLOT 7 NODE B}
)";

const node::NodeState& state_of(const Built& built, std::size_t i) {
  return dynamic_cast<const node::Node&>(*built.system->spec().actors[i]).state();
}

TEST(ScenarioBuild, NodesComeFirstThenOperators) {
  const Built built = build_with(kSteps);
  EXPECT_EQ(built.system->spec().names, (std::vector<std::string>{"A", "B", "C", "operator"}));
  EXPECT_EQ(built.cast->nodes.size(), 3u);
  EXPECT_EQ(built.cast->operators, std::vector<sim::ActorId>{sim::ActorId{3}});
  EXPECT_EQ(built.dialect, "redis-7.0");
  ASSERT_EQ(built.properties.size(), 1u);
  EXPECT_EQ(built.expectations[0], Expectation::holds);
}

TEST(ScenarioBuild, OneLinkPerOrderedPairOfNodesAndStream) {
  for (const std::uint8_t streams : {std::uint8_t{1}, std::uint8_t{2}}) {
    const Built built =
        build_with(kSteps + "network: {heartbeats in flight: 2, messages in flight: 6, streams: " +
                   std::to_string(streams) + "}\n");
    EXPECT_EQ(built.system->link_count(), std::size_t{6} * streams);
    const auto last = static_cast<std::uint8_t>(streams - 1);
    EXPECT_NE(built.system->link(sim::ActorId{0}, sim::ActorId{2}, last), sim::kNoLink);
    for (const sim::LinkSpec& link : built.system->spec().links) {
      EXPECT_EQ(link.room, 2);
      EXPECT_EQ(link.capacity, 6);
      EXPECT_LT(index(link.to), 3u);
    }
  }
}

TEST(ScenarioBuild, SilentNodesHaveNoRoomForFreeHeartbeats) {
  const Built built = build_with("network: {silent: [A, [B, C]]}\n");
  for (const sim::LinkSpec& link : built.system->spec().links) {
    const std::size_t from = sim::index(link.from);
    const bool silent = from == 0 || (from == 1 && sim::index(link.to) == 2);
    EXPECT_EQ(link.room, silent ? 0 : 1);
    EXPECT_EQ(link.capacity, 8);
  }
}

TEST(ScenarioBuild, OnlyNamedSlotsAndHomesExist) {
  const Built built = build_with(kSteps);
  const auto& slots = built.node_settings->slots;
  EXPECT_EQ(slots.count(), 4u);  // 7 and three homes
  EXPECT_EQ(slots.of(8), std::nullopt);
  const node::NodeState& a = state_of(built, 0);
  EXPECT_EQ(a.config.owner[*slots.of(7)], protocol::NodeId{0});
  EXPECT_EQ(a.config.owner[*slots.of(16383)], protocol::NodeId{0});
  EXPECT_EQ(a.config.owner[*slots.of(16382)], protocol::NodeId{1});
  EXPECT_EQ(a.config.owner[*slots.of(16381)], protocol::NodeId{2});
  EXPECT_EQ(built.cast->home_of[*slots.of(7)], sim::kNoActor);
  EXPECT_EQ(built.cast->home_of[*slots.of(16382)], sim::ActorId{1});
}

TEST(ScenarioBuild, HomesKeepOutOfNamedSlots) {
  const Built built = build_with("", R"(
  A: {slots: [16380-16382, home]}
  B: {slots: [home]})");
  const auto& slots = built.node_settings->slots;
  EXPECT_EQ(built.cast->home_of[*slots.of(16383)], sim::ActorId{0});
  EXPECT_EQ(built.cast->home_of[*slots.of(16379)], sim::ActorId{1});
  EXPECT_EQ(slots.size(*slots.of(16381)), 3u);  // one class for the range
}

TEST(ScenarioBuild, SlotsNamedByCommandsAreApart) {
  const Built built = build_with(
      "operator: {steps: [{step: 1, to: A, send: CLUSTER SETSLOT 50 MIGRATING B}]}\n", R"(
  A: {slots: [0-100]}
  B: {})");
  const auto& slots = built.node_settings->slots;
  EXPECT_EQ(slots.count(), 3u);  // 0-49, 50, 51-100
  EXPECT_EQ(slots.size(*slots.of(50)), 1u);
  EXPECT_EQ(state_of(built, 1).config.owner[*slots.of(99)], protocol::NodeId{0});
}

TEST(ScenarioBuild, EpochsCountMastersUnlessSaid) {
  const Built built = build_with("current epoch: 9\n", R"(
  A: {slots: [home]}
  A1: {replica of: A}
  B: {slots: [home]}
  C: {epoch: 7, slots: [home]})");
  const node::NodeState& a = state_of(built, 0);
  EXPECT_EQ(a.config.nodes.at(protocol::NodeId{0}).config_epoch, 1u);
  EXPECT_EQ(a.config.nodes.at(protocol::NodeId{2}).config_epoch, 2u);
  EXPECT_EQ(a.config.nodes.at(protocol::NodeId{3}).config_epoch, 7u);
  EXPECT_EQ(a.config.current_epoch, 9u);
  EXPECT_TRUE(a.config.nodes.at(protocol::NodeId{1}).replica);
  EXPECT_EQ(a.config.nodes.at(protocol::NodeId{1}).master, protocol::NodeId{0});
}

TEST(ScenarioBuild, IdsRiseInTheOrderOfTheFileUnlessSaid) {
  const Built built = build_with("", R"(
  A: {}
  B: {id: "0000000000000000000000000000000000000001"}
  C: {id: "0101010101010101010101010101010101010101"})");
  const protocol::Directory& directory = built.node_settings->directory;
  EXPECT_EQ(directory[protocol::NodeId{1}].id, std::string(39, '0') + "1");
  EXPECT_NE(directory[protocol::NodeId{0}].id, directory[protocol::NodeId{2}].id);
  const Built plain = build_with("");
  const protocol::Directory& rising = plain.node_settings->directory;
  EXPECT_TRUE(rising.smaller(protocol::NodeId{0}, protocol::NodeId{1}));
  EXPECT_TRUE(rising.smaller(protocol::NodeId{1}, protocol::NodeId{2}));
}

TEST(ScenarioBuild, KeysLieAtTheirNodeAndItsReplicas) {
  const Built built = build_with("", R"(
  A: {slots: [7], keys: {7: 2}}
  A1: {replica of: A}
  B: {})");
  EXPECT_EQ(state_of(built, 0).keys[0].size(), 2u);
  EXPECT_EQ(state_of(built, 1).keys[0].size(), 2u);
  EXPECT_EQ(state_of(built, 2).keys[0].size(), 0u);
}

TEST(ScenarioBuild, WordsOfNodesBecomeIdsAndAddresses) {
  const Built built = build_with(R"(operator:
  steps:
    - {step: 1, to: B, send: CLUSTER SETSLOT 7 IMPORTING A}
    - {step: 2, to: A, send: CLUSTER MEET B}
)");
  const auto& op = dynamic_cast<const oper::Operator&>(*built.system->spec().actors[3]);
  const std::string id = built.node_settings->directory[protocol::NodeId{0}].id;
  EXPECT_EQ(op.procedure().steps[0].words,
            (std::vector<std::string>{"CLUSTER", "SETSLOT", "7", "IMPORTING", id}));
  EXPECT_EQ(op.procedure().steps[0].typed, "CLUSTER SETSLOT 7 IMPORTING A");
  EXPECT_EQ(op.procedure().steps[1].words,
            (std::vector<std::string>{"CLUSTER", "MEET", "127.0.0.1", "7002"}));
}

TEST(ScenarioBuild, WindowsOpenWhenOneStepIsDoneAndCloseWhenTheOtherIs) {
  const Built built = build_with(kSteps + R"(faults:
  - {crash: B, between steps: [5, 4], restart: never}
  - {crash: any, at most: 2}
  - {cut: [A, B], both ways: off, after step: 1}
  - {cut: any}
  - {cut: any, both ways: off, heals: never}
  - {pause: A, before step: 2}
  - {lose reply: operator}
)");
  const std::vector<sim::FaultRule>& faults = built.system->spec().faults;
  ASSERT_EQ(faults.size(), 8u);
  EXPECT_EQ(faults[0].kind, sim::FaultKind::stop);  // from 'may stop'
  EXPECT_EQ(faults[0].name, "stop of operator");
  EXPECT_EQ(faults[1].name, "crash of B for good between steps 5 and 4");
  EXPECT_FALSE(faults[1].mends);
  ASSERT_TRUE(faults[1].window.has_value());
  EXPECT_EQ(faults[1].window->actor, sim::ActorId{3});
  EXPECT_EQ(faults[1].window->first, 4u);  // steps 1, 2, 3, 5 are done
  EXPECT_EQ(faults[1].window->last, 4u);
  EXPECT_EQ(faults[2].actors.size(), 3u);
  EXPECT_EQ(faults[2].name, "crash of any node");
  EXPECT_FALSE(faults[2].window.has_value());
  EXPECT_EQ(faults[3].name, "one-way cut from A to B after step 1");
  EXPECT_EQ(faults[3].pairs.size(), 1u);
  EXPECT_EQ(faults[3].window->first, 1u);
  EXPECT_EQ(faults[3].window->last, UINT32_MAX);
  EXPECT_EQ(faults[4].pairs.size(), 3u);
  EXPECT_EQ(faults[5].pairs.size(), 6u);
  EXPECT_EQ(faults[6].window->first, 0u);
  EXPECT_EQ(faults[6].window->last, 1u);
  EXPECT_EQ(faults[7].kind, sim::FaultKind::lose_reply);
}

TEST(ScenarioBuild, KeepsFileImagesOnlyIfSomethingCanCrash) {
  EXPECT_FALSE(build_with(kSteps).node_settings->can_crash);
  const Built crash = build_with("faults: [{crash: A}]\n");
  EXPECT_TRUE(crash.node_settings->can_crash);
  EXPECT_FALSE(crash.node_settings->power_loss);
  EXPECT_TRUE(build_with("faults: [{crash: A, power loss: on}]\n").node_settings->power_loss);
}

TEST(ScenarioBuild, RulesChangeTheDialectAndItsName) {
  const Built plain = build_with("");
  const Built changed = build_with("rules: {bump-on-import: off}\n");
  EXPECT_TRUE(plain.node_settings->dialect.has(protocol::Rule::bump_on_import));
  EXPECT_FALSE(changed.node_settings->dialect.has(protocol::Rule::bump_on_import));
  EXPECT_NE(changed.node_settings->dialect.name, plain.node_settings->dialect.name);
  EXPECT_EQ(changed.settings[0].second, changed.node_settings->dialect.name);
  EXPECT_EQ(build_with("rules: {bump-on-import: on}\n").node_settings->dialect.name,
            plain.node_settings->dialect.name);
}

TEST(ScenarioBuild, AnotherDialectCanBeAskedFor) {
  EXPECT_EQ(build_with("", "", {.dialect = "redis-7.2"}).dialect, "redis-7.2");
  EXPECT_THROW(build_with("", "", {.dialect = "redis-9.9"}), InputError);
}

// The manual's procedure, played to the end without any heartbeat.
TEST(ScenarioBuild, TheManualsStepsMoveTheSlot) {
  const Built built = build(load_file(std::string(SLOTLAB_SOURCE_DIR) +
                                      "/scenarios/manual/right-order-without-faults.yaml"));
  sim::World world(built.system);
  std::vector<std::string> lines;
  for (int i = 0; i < 6; ++i) {
    for (sim::Action action : world.possible()) {
      if (world.describe(action).starts_with("operator -> ")) {
        lines.push_back(world.take(action).text);
        break;
      }
    }
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"operator -> B: CLUSTER SETSLOT 7 IMPORTING A",
                                             "operator -> A: CLUSTER SETSLOT 7 MIGRATING B",
                                             "operator -> A: CLUSTER GETKEYSINSLOT 7 10",
                                             "operator -> B: CLUSTER SETSLOT 7 NODE B",
                                             "operator -> A: CLUSTER SETSLOT 7 NODE B",
                                             "operator -> C: CLUSTER SETSLOT 7 NODE B"}));
  for (std::uint8_t i = 0; i < 3; ++i) {
    const auto& node = dynamic_cast<const node::Node&>(world.actor(sim::ActorId{i}));
    EXPECT_EQ(node.state().config.owner[0], protocol::NodeId{1}) << int{i};
  }
}

// Whatever is shipped becomes a system in which something can happen.
TEST(ShippedScenarios, BuildInEachOfTheirDialects) {
  const auto folder = std::filesystem::path(SLOTLAB_SOURCE_DIR) / "scenarios";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    const Scenario scenario = load_file(entry.path().string());
    for (const auto& dialect : scenario.dialects) {
      const Built built = build(scenario, {.dialect = dialect.value});
      EXPECT_EQ(built.properties.size(), scenario.checks.size()) << entry.path();
      EXPECT_FALSE(sim::World(built.system).possible().empty()) << entry.path();
    }
  }
}

// Cuts a piece out of a good file, doubles one, or puts in a word, at drawn places: what comes out
// is either refused with a place in the file, or a scenario that can be built.
RC_GTEST_PROP(DamagedScenarios, AreRefusedOrBuilt, ()) {
  static const std::string kGood =
      read_file(std::string(SLOTLAB_SOURCE_DIR) + "/scenarios/manual/wrong-order.yaml");
  static const std::vector<std::string> kWords = {"any", "home", "0",  "16384", "-1",
                                                  "[",   "}",    ":",  "never", "operator",
                                                  "A",   "on",   "\n", "\"",    "'"};
  std::string text = kGood;
  const int changes = *rc::gen::inRange(1, 4);
  for (int i = 0; i < changes; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto length = *rc::gen::inRange<std::size_t>(0, 30);
    const std::string piece = text.substr(at, length);
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, piece);
        break;
      default:
        text.replace(at, std::min<std::size_t>(length, 5), *rc::gen::elementOf(kWords));
    }
  }
  try {
    const Scenario scenario = load_text(text, "damaged");
    const Built built = build(scenario);
    RC_ASSERT(built.properties.size() == scenario.checks.size());
    RC_ASSERT(load_text(to_yaml(scenario), "again") == scenario);
  } catch (const InputError& error) {
    RC_ASSERT(error.file() == "damaged");
    RC_ASSERT(!error.message().empty());
  }
}

}  // namespace
}  // namespace slotlab::scenario
