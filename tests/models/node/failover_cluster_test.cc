// Whole clusters in virtual time: what the rules of the failover room come to when they work
// together. Three masters A, B and C, a replica each of A and B, and D, whom nobody knows; node
// timeout 1 s; each seed draws other latencies.
#include <gtest/gtest.h>

#include "tests/models/node/failover_bench.h"
#include "models/node/node.h"
#include "sim/drive/timed.h"
#include "sim/system/world.h"

namespace slotlab::node {
namespace {

constexpr std::uint8_t kNodes = 6;
constexpr std::uint64_t kSeeds = 3;

// Types one command at one node, once.
class Typist final : public sim::Actor {
 public:
  Typist(NodeId at, std::vector<std::string> words) : at_(at), words_(std::move(words)) {}
  std::unique_ptr<Actor> clone() const override { return std::make_unique<Typist>(*this); }
  void encode(sim::Encoder& out) const override { sim::encode(out, std::tie(done_, answer)); }
  void offers(std::vector<sim::Offer>& out) const override {
    if (done_) return;
    sim::Offer offer;
    offer.delay_min = offer.delay_max = sim::seconds(2);
    out.push_back(offer);
  }
  void take(sim::StepCode, sim::Effects& effects) override {
    done_ = true;
    auto command = std::make_shared<protocol::Command>();
    command->words = words_;
    effects.call(actor_of(at_), std::move(command));
  }
  void receive(sim::ActorId, std::uint8_t, const sim::Message& message, sim::Effects&) override {
    answer = dynamic_cast<const protocol::ReplyMessage&>(message).reply.text;
  }
  std::string step_text(sim::StepCode) const override { return words_.back(); }

  std::string answer;

 private:
  NodeId at_;
  std::vector<std::string> words_;
  bool done_ = false;
};

struct ClusterOptions {
  std::string dialect = "redis-7.0";
  std::vector<NodeId> crashes;      // may crash, once each
  bool restarts = false;
  NodeId at = A1;                    // where the command is typed
  std::vector<std::string> command;  // none if empty
};

sim::World cluster(const ClusterOptions& options) {
  LabOptions lab = failing_lab(options.dialect);
  lab.heartbeats = Heartbeats::ping_pong;
  lab.streams = 2;
  auto settings = std::make_shared<NodeSettings>(*lab_settings(lab));
  settings->timed_guards = true;
  settings->node_timeout = sim::seconds(1);
  const InitialCluster all = lab_cluster(lab);
  InitialCluster stranger;
  stranger.alone = true;
  stranger.nodes[D] = {.owned = {}};
  sim::SystemSpec spec;
  for (std::uint8_t i = 0; i < kNodes; ++i) {
    const NodeId node{i};
    spec.names.push_back(settings->directory[node].name);
    spec.actors.push_back(std::make_shared<const Node>(
        settings, initial_state(*settings, node, node == D ? stranger : all)));
    for (std::uint8_t j = 0; j < kNodes; ++j) {
      for (std::uint8_t stream = 0; i != j && stream < 3; ++stream) {
        spec.links.push_back({.from = sim::ActorId{i},
                              .to = sim::ActorId{j},
                              .stream = stream,
                              .room = 20,
                              .capacity = 100});
      }
    }
  }
  if (!options.command.empty()) {
    spec.names.push_back("operator");
    spec.actors.push_back(std::make_shared<const Typist>(options.at, options.command));
  }
  for (const NodeId node : options.crashes) {
    sim::FaultRule rule;
    rule.name = "crash";
    rule.actors = {actor_of(node)};
    rule.mends = options.restarts;
    spec.faults.push_back(rule);
  }
  return sim::World(std::make_shared<const sim::System>(spec));
}

const Node& node_of(const sim::World& world, NodeId node) {
  return dynamic_cast<const Node&>(world.actor(actor_of(node)));
}
const NodeRecord& record_at(const sim::World& world, NodeId at, NodeId about) {
  return node_of(world, at).state().config.nodes.at(about);
}

sim::TimedOptions timed(std::uint64_t seed, std::uint64_t seconds) {
  sim::TimedOptions options;
  options.seed = seed;
  options.horizon = sim::seconds(seconds);
  options.mend_min = options.mend_max = sim::seconds(10);
  return options;
}

sim::PlannedEvent after_one_second(const std::string& sentence) {
  return {.at = sim::Instant{1'000'000}, .sentence = sentence};
}

class FailoverInEachDialect : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Dialects, FailoverInEachDialect,
                         testing::ValuesIn(protocol::dialect_names()),
                         [](const auto& dialect) {
                           std::string name = dialect.param;
                           std::replace_if(
                               name.begin(), name.end(),
                               [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

TEST_P(FailoverInEachDialect, TheReplicaOfADeadMasterTakesItsPlace) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    sim::World world = cluster({.dialect = GetParam(), .crashes = {A}, .command = {}});
    sim::TimedOptions options = timed(seed, 30);
    options.plan = {after_one_second("A crashes for good")};
    const sim::RunResult result = run_timed(world, options);
    ASSERT_TRUE(result.unused.empty());
    for (const NodeId at : {B, C, A1}) {
      const NodeState& state = node_of(world, at).state();
      EXPECT_EQ(state.config.owner[kSeven], A1) << "seed " << seed;
      EXPECT_EQ(state.config.nodes.at(A1).config_epoch, 4u) << "seed " << seed;
      EXPECT_TRUE(state.config.nodes.at(A).fail) << "seed " << seed;
      EXPECT_TRUE(state.memory.state_ok) << "seed " << seed;
      EXPECT_EQ(state.config.current_epoch, 4u) << "seed " << seed;
    }
  }
}

TEST_P(FailoverInEachDialect, AnOldMasterThatReturnsFollowsItsSuccessor) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    sim::World world =
        cluster({.dialect = GetParam(), .crashes = {A}, .restarts = true, .command = {}});
    sim::TimedOptions options = timed(seed, 60);
    options.plan = {after_one_second("A crashes")};
    const sim::RunResult result = run_timed(world, options);
    ASSERT_TRUE(result.unused.empty());
    EXPECT_TRUE(record_at(world, A, A).replica) << "seed " << seed;
    EXPECT_EQ(record_at(world, A, A).master, A1) << "seed " << seed;
    EXPECT_EQ(node_of(world, A).state().memory.replicating_from, A1) << "seed " << seed;
    for (const NodeId at : {A, B, C, A1}) {
      EXPECT_FALSE(record_at(world, at, A).fail) << "seed " << seed;
      EXPECT_TRUE(node_of(world, at).state().memory.state_ok) << "seed " << seed;
    }
  }
}

TEST_P(FailoverInEachDialect, WithoutAMajorityNobodyIsPromoted) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    sim::World world = cluster({.dialect = GetParam(), .crashes = {A, C}, .command = {}});
    sim::TimedOptions options = timed(seed, 60);
    options.plan = {after_one_second("A crashes for good"),
                    after_one_second("C crashes for good")};
    const sim::RunResult result = run_timed(world, options);
    ASSERT_TRUE(result.unused.empty());
    EXPECT_TRUE(record_at(world, A1, A1).replica) << "seed " << seed;
    EXPECT_FALSE(node_of(world, B).state().memory.state_ok) << "seed " << seed;
    EXPECT_TRUE(record_at(world, B, A).pfail) << "seed " << seed;
    EXPECT_FALSE(record_at(world, B, A).fail) << "seed " << seed;
  }
}

TEST_P(FailoverInEachDialect, AManualFailoverSwapsTheRolesAndTakesOneEpoch) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    sim::World world = cluster(
        {.dialect = GetParam(), .crashes = {}, .command = {"CLUSTER", "FAILOVER"}});
    run_timed(world, timed(seed, 30));
    EXPECT_EQ(dynamic_cast<const Typist&>(world.actor(sim::ActorId{kNodes})).answer, "OK");
    for (const NodeId at : {A, B, C, A1}) {
      EXPECT_EQ(record_at(world, at, A).master, A1) << "seed " << seed;
      EXPECT_EQ(record_at(world, at, A1).config_epoch, 4u) << "seed " << seed;
      EXPECT_EQ(node_of(world, at).state().config.owner[kHomeA], A1) << "seed " << seed;
      EXPECT_EQ(node_of(world, at).state().memory.manual, ManualFailover{}) << "seed " << seed;
    }
  }
}

TEST_P(FailoverInEachDialect, OneMeetMakesAStrangerKnownToAll) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    sim::World world = cluster({.dialect = GetParam(),
                                .crashes = {},
                                .at = A,
                                .command = {"CLUSTER", "MEET", "127.0.0.1", "7006"}});
    run_timed(world, timed(seed, 30));
    for (const NodeId at : {A, B, C, A1, B1, D}) {
      const NodeState& state = node_of(world, at).state();
      ASSERT_EQ(state.config.nodes.size(), 6u) << "seed " << seed;
      EXPECT_FALSE(state.config.nodes.at(D).handshake) << "seed " << seed;
      EXPECT_EQ(state.config.owner[kSeven], A) << "seed " << seed;
      EXPECT_EQ(state.config.current_epoch, 3u) << "seed " << seed;
      EXPECT_EQ(state.config.nodes.at(A1).master, A) << "seed " << seed;
    }
  }
}

TEST_P(FailoverInEachDialect, AReplicaThatIsResetIsAnEmptyMasterThatKnowsNobody) {
  sim::World world =
      cluster({.dialect = GetParam(), .crashes = {}, .command = {"CLUSTER", "RESET"}});
  run_timed(world, timed(1, 30));
  EXPECT_EQ(node_of(world, A1).state().config.nodes.size(), 1u);
  EXPECT_FALSE(record_at(world, A1, A1).replica);
  for (const NodeId at : {A, B, C, B1}) {
    EXPECT_FALSE(record_at(world, at, A1).replica);
    // Before Valkey, what the replica's headers said of its master's epoch stays.
    EXPECT_EQ(record_at(world, at, A1).config_epoch, GetParam() == "valkey-8.0" ? 0u : 1u);
  }
}

TEST_P(FailoverInEachDialect, NobodyIsSuspectedWithoutCause) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    sim::World world = cluster({.dialect = GetParam(), .crashes = {}, .command = {}});
    run_timed(world, timed(seed, 60));
    for (const NodeId at : {A, B, C, A1}) {
      EXPECT_EQ(node_of(world, at).state().config.current_epoch, 3u) << "seed " << seed;
      for (const NodeId about : {A, B, C, A1}) {
        EXPECT_FALSE(record_at(world, at, about).pfail) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace slotlab::node
