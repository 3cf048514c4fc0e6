// The node as an actor: what it offers, answers and says; and whole clusters of nodes, run event by
// event, that tell the first stories of the manual's warning.
#include "models/node/node.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/models/node/lab.h"
#include "models/node/step_codes.h"
#include "sim/system/world.h"

namespace slotlab::node {
namespace {

using protocol::Command;
using protocol::Rule;
using sim::Action;
using sim::ActionKind;

Node node_of(NodeId me, const LabOptions& options = {}) {
  const Settings settings = lab_settings(options);
  return Node(settings, initial_state(*settings, me, lab_cluster(options)));
}

std::vector<std::string> offered(const Node& node) {
  std::vector<sim::Offer> offers;
  node.offers(offers);
  std::vector<std::string> texts;
  for (const sim::Offer& offer : offers) texts.push_back(node.step_text(offer.code));
  return texts;
}

bool says(const Node& node, const std::string& line) {
  const std::vector<std::string> lines = node.beliefs();
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

// Somebody who sends commands and keeps the answers.
class Caller final : public sim::Actor {
 public:
  std::unique_ptr<sim::Actor> clone() const override { return std::make_unique<Caller>(*this); }
  void encode(sim::Encoder& out) const override { out.bytes(last); }
  void offers(std::vector<sim::Offer>& out) const override {
    if (!to_say.empty()) out.push_back({.code = 0});
  }
  void take(sim::StepCode, sim::Effects& effects) override {
    auto command = std::make_shared<Command>();
    command->words = to_say.front().second;
    const sim::ActorId to = to_say.front().first;
    to_say.erase(to_say.begin());
    effects.call(to, command);
  }
  void receive(sim::ActorId, std::uint8_t, const sim::Message& message, sim::Effects&) override {
    last = protocol::text(dynamic_cast<const protocol::ReplyMessage&>(message).reply);
  }
  void no_answer(sim::ActorId, const sim::Message&, sim::Effects&) override { last = "no answer"; }
  std::string step_text(sim::StepCode) const override { return "says"; }

  std::vector<std::pair<sim::ActorId, std::vector<std::string>>> to_say;
  std::string last;
};

// A cluster of the lab's nodes and one caller, driven by hand.
class Cluster {
 public:
  using Lines = std::vector<std::pair<NodeId, std::vector<std::string>>>;

  // `script`: what the caller says, in order.
  Cluster(const LabOptions& options, const Lines& script)
      : directory_(lab_settings(options)->directory) {
    sim::SystemSpec spec;
    const Settings settings = lab_settings(options);
    const InitialCluster initial = lab_cluster(options);
    for (const auto& [id, node] : initial.nodes) {
      spec.names.push_back(directory_[id].name);
      spec.actors.push_back(
          std::make_shared<Node>(settings, initial_state(*settings, id, initial)));
    }
    const std::size_t count = initial.nodes.size();
    auto caller = std::make_shared<Caller>();
    for (const auto& [to, words] : script)
      caller->to_say.emplace_back(actor_of(to), with_ids(words));
    caller_ = sim::ActorId{static_cast<std::uint8_t>(count)};
    spec.names.push_back("caller");
    spec.actors.push_back(caller);
    for (std::size_t from = 0; from < count; ++from) {
      for (std::size_t to = 0; to < count; ++to) {
        if (from == to) continue;
        for (const std::uint8_t stream : {protocol::kOutbound, protocol::kReplication}) {
          spec.links.push_back({.from = sim::ActorId{static_cast<std::uint8_t>(from)},
                                .to = sim::ActorId{static_cast<std::uint8_t>(to)},
                                .stream = stream});
        }
      }
    }
    sim::FaultRule crash;
    crash.name = "crash";
    crash.at_most = 9;
    for (const auto& [id, node] : initial.nodes) crash.actors.push_back(actor_of(id));
    spec.faults.push_back(crash);
    world_.emplace(std::make_shared<const sim::System>(std::move(spec)));
  }

  // The next line of the script; its answer.
  std::string say() {
    world_->take(Action::make(ActionKind::step, static_cast<std::uint32_t>(caller_), 0));
    return answer();
  }
  std::string answer() const { return dynamic_cast<const Caller&>(world_->actor(caller_)).last; }

  // `from` sends a heartbeat to `to`, and everything between them arrives.
  void tells(NodeId from, NodeId to) {
    deliver(from, to, protocol::kOutbound);
    world_->take(Action::make(ActionKind::step, static_cast<std::uint32_t>(actor_of(from)),
                              make_step(StepKind::heartbeat, to, protocol::kOutbound)));
    deliver(from, to, protocol::kOutbound);
  }
  void step(NodeId who, sim::StepCode code) {
    world_->take(Action::make(ActionKind::step, static_cast<std::uint32_t>(actor_of(who)), code));
  }
  void deliver(NodeId from, NodeId to, std::uint8_t stream) {
    const sim::LinkId link = world_->system().link(actor_of(from), actor_of(to), stream);
    while (!world_->link(link).empty()) world_->take(Action::make(ActionKind::deliver, link));
  }
  void crash(NodeId who) {
    world_->take(Action::make(ActionKind::crash, 0, static_cast<std::uint32_t>(actor_of(who))));
  }
  void restart(NodeId who) {
    world_->take(Action::make(ActionKind::restart, static_cast<std::uint32_t>(actor_of(who))));
  }
  // Everybody who is up tells everybody else, twice.
  void settle() {
    const std::size_t count = world_->system().actor_count() - 1;
    for (std::size_t i = 0; i < 2 * count * count; ++i) {
      const NodeId from{static_cast<std::uint8_t>(i / count % count)};
      const NodeId to{static_cast<std::uint8_t>(i % count)};
      if (from != to && up(from) && up(to)) tells(from, to);
    }
  }
  bool up(NodeId who) const { return world_->system().up(world_->environment(), actor_of(who)); }
  const NodeState& state(NodeId who) const {
    return dynamic_cast<const Node&>(world_->actor(actor_of(who))).state();
  }
  NodeId owner(NodeId who) const { return state(who).config.owner[kSeven]; }

 private:
  std::vector<std::string> with_ids(std::vector<std::string> words) const {
    for (std::string& word : words) {
      const NodeId node = directory_.by_name(word);
      if (node != kNoNode) word = directory_[node].id;
    }
    return words;
  }
  protocol::Directory directory_;
  sim::ActorId caller_;
  std::optional<sim::World> world_;
};

std::vector<std::string> setslot(std::vector<std::string> rest) {
  rest.insert(rest.begin(), {"CLUSTER", "SETSLOT", "7"});
  return rest;
}

const std::vector<std::string> kImporting = setslot({"IMPORTING", "A"});
const std::vector<std::string> kMigrating = setslot({"MIGRATING", "B"});
const std::vector<std::string> kToB = setslot({"NODE", "B"});

// --- The actor ---

TEST(NodeActor, OffersAHeartbeatToEachPeerOnEachStream) {
  EXPECT_EQ(offered(node_of(A)), (std::vector<std::string>{"heartbeat to B", "heartbeat to C"}));
  EXPECT_EQ(offered(node_of(A, {.streams = 2})),
            (std::vector<std::string>{"heartbeat to B", "heartbeat to B as an answer",
                                      "heartbeat to C", "heartbeat to C as an answer"}));
  EXPECT_EQ(offered(node_of(A, {.heartbeats = Heartbeats::ping_pong})),
            (std::vector<std::string>{"PING to B", "PING to C"}));
}

TEST(NodeActor, EqualStatesHaveEqualBytes) {
  EXPECT_EQ(sim::canonical_bytes(node_of(A).state()), sim::canonical_bytes(node_of(A).state()));
  sim::Encoder one, other;
  Node node = node_of(A);
  node.encode(one);
  sim::Effects effects;
  Command command;
  command.words = setslot({"MIGRATING", id_of(B)});
  node.receive(sim::ActorId{9}, 0, command, effects);
  node.encode(other);
  EXPECT_NE(one.str(), other.str());
  command.words = setslot({"STABLE"});
  node.receive(sim::ActorId{9}, 0, command, effects);
  other.clear();
  node.encode(other);
  EXPECT_EQ(one.str(), other.str());
}

TEST(NodeActor, ARepeatedHeartbeatChangesNothing) {
  Lab c(C);
  const NodeState before = c.state;
  c.hears(c.header_of(A));
  c.hears(c.header_of(B));
  EXPECT_EQ(c.state, before);
  EXPECT_TRUE(c.effects.outputs.empty());
}

TEST(NodeActor, SaysWhatItBelieves) {
  Lab lab(B, {.replicas = true});
  lab.setslot("7 IMPORTING A");
  lab.record(C).pfail = true;
  lab.put_key(kSeven, "apple");
  const Node node(lab.settings, lab.state);
  for (const char* line : {"role: master", "config epoch 2", "current epoch 3", "owner of 7: A",
                           "importing 7 from A", "C fail?", "cluster state ok", "keys of 7: apple",
                           "A1 is a replica of A", "config epoch of A: 1"}) {
    EXPECT_TRUE(says(node, line)) << line;
  }
  EXPECT_TRUE(says(node_of(B1, {.replicas = true}), "role: replica of B"));
}

TEST(NodeActor, NamesItsMessages) {
  const Lab lab(A);
  EXPECT_EQ(node_of(B).message_text(lab.header_of(A)),
            "HEARTBEAT currentEpoch 3 configEpoch 1 slots {1,7}");
}

// --- Stories ---

TEST(Story, TheManualsOrderEndsWithAllNodesAgreed) {
  for (const std::string& dialect : protocol::dialect_names()) {
    Cluster cluster({.dialect = dialect},
                    {{B, kImporting}, {A, kMigrating}, {B, kToB}, {A, kToB}, {C, kToB}});
    for (int i = 0; i < 5; ++i) ASSERT_EQ(cluster.say(), "+OK") << dialect;
    cluster.settle();
    for (const NodeId who : {A, B, C}) EXPECT_EQ(cluster.owner(who), B) << dialect;
    EXPECT_EQ(cluster.state(B).config.nodes.at(B).config_epoch, 4u);
  }
}

// The manual's warning: the source is told first, then the destination dies, then nobody owns
// slot 7.
TEST(Story, TheSourceToldFirstAndTheDestinationDead) {
  Cluster cluster({}, {{B, kImporting}, {A, kMigrating}, {A, kToB}});
  for (int i = 0; i < 3; ++i) ASSERT_EQ(cluster.say(), "+OK");
  cluster.crash(B);
  cluster.settle();
  EXPECT_EQ(cluster.owner(A), B);
  cluster.restart(B);
  cluster.settle();
  // B says A, A says B: nobody claims it.
  EXPECT_EQ(cluster.owner(A), B);
  EXPECT_EQ(cluster.owner(B), A);
  EXPECT_EQ(cluster.owner(C), A);
  EXPECT_TRUE(cluster.state(C).memory.not_claiming.has(kSeven));
  EXPECT_TRUE(cluster.state(C).memory.state_ok);  // and every node reports that all is well
}

TEST(Story, InValkeyTheImportingDestinationTakesTheSlotByItself) {
  Cluster cluster({.dialect = "valkey-8.0"}, {{B, kImporting}, {A, kMigrating}, {A, kToB}});
  for (int i = 0; i < 3; ++i) ASSERT_EQ(cluster.say(), "+OK");
  cluster.settle();
  for (const NodeId who : {A, B, C}) EXPECT_EQ(cluster.owner(who), B);
}

TEST(Story, TheDestinationsClaimReachesTheSourceThoughStep5NeverHappens) {
  Cluster cluster({}, {{B, kImporting}, {A, kMigrating}, {B, kToB}});
  for (int i = 0; i < 3; ++i) cluster.say();
  cluster.settle();
  EXPECT_EQ(cluster.owner(A), B);
  EXPECT_EQ(cluster.state(A).config.migrating_to[kSeven], B);  // hazard H3
}

TEST(Story, ADestinationThatNoLongerImportsLosesTheSlotToTheSourcesEpoch) {  // hazard H7
  Cluster cluster({.epoch_a = 3, .epoch_c = 1}, {{B, kToB}});
  cluster.say();
  EXPECT_EQ(cluster.owner(B), B);
  cluster.settle();
  EXPECT_EQ(cluster.owner(B), A);
}

TEST(Story, TwoMastersWithOneEpochEndWithTwo) {
  Cluster cluster({.epoch_b = 1}, {});
  cluster.settle();
  EXPECT_EQ(cluster.state(A).config.nodes.at(A).config_epoch, 4u);
  EXPECT_EQ(cluster.state(B).config.nodes.at(B).config_epoch, 1u);
  EXPECT_EQ(cluster.state(B).config.nodes.at(A).config_epoch, 4u);
}

TEST(Story, AStaleOwnerIsUpdatedByAThirdNode) {
  Cluster cluster({}, {{B, kImporting}, {B, kToB}});
  cluster.say();
  cluster.say();
  cluster.deliver(B, C, protocol::kOutbound);  // B's broadcast reaches C, not yet A
  ASSERT_EQ(cluster.owner(C), B);
  cluster.tells(A, C);
  cluster.deliver(C, A, protocol::kOutbound);  // the UPDATE
  EXPECT_EQ(cluster.owner(A), B);
}

// --- Valkey: SETSLOT runs on the replicas first ---

const LabOptions kReplicated{.dialect = "valkey-8.0", .replicas = true};

TEST(ReplicatedSetslot, ChangesTheReplicaFirstThenTheMaster) {
  Cluster cluster(kReplicated, {{B, kImporting}});
  EXPECT_EQ(cluster.say(), "");  // it waits
  EXPECT_EQ(cluster.state(B).config.importing_from[kSeven], kNoNode);
  cluster.deliver(B, B1, protocol::kReplication);
  EXPECT_EQ(cluster.state(B1).config.importing_from[kSeven], A);
  EXPECT_EQ(cluster.state(B).config.importing_from[kSeven], kNoNode);
  cluster.deliver(B1, B, protocol::kReplication);
  EXPECT_EQ(cluster.state(B).config.importing_from[kSeven], A);
  EXPECT_EQ(cluster.answer(), "+OK");
}

TEST(ReplicatedSetslot, ClosesTheImportOnTheReplicaAsWell) {
  Cluster cluster(kReplicated, {{B, kImporting}, {B, kToB}});
  for (int i = 0; i < 2; ++i) {
    cluster.say();
    cluster.deliver(B, B1, protocol::kReplication);
    cluster.deliver(B1, B, protocol::kReplication);
  }
  EXPECT_EQ(cluster.state(B1).config.importing_from[kSeven], kNoNode);
  EXPECT_EQ(cluster.owner(B1), B);
  EXPECT_EQ(cluster.state(B1).config.nodes.at(B1).config_epoch, 0u);  // only the master bumps
  EXPECT_EQ(cluster.owner(B), B);
  EXPECT_EQ(cluster.state(B).config.nodes.at(B).config_epoch, 4u);
}

TEST(ReplicatedSetslot, WithTimeout0WaitsForEver) {
  for (const auto& [ms, timeouts] : {std::pair{"0", 0}, std::pair{"5", 1}}) {
    Lab b(B, kReplicated);
    b.setslot(std::string("7 IMPORTING A TIMEOUT ") + ms);
    const std::vector<std::string> steps = offered(Node(b.settings, b.state));
    EXPECT_EQ(std::count(steps.begin(), steps.end(), "waiting SETSLOT 1 times out"), timeouts);
  }
}

TEST(ReplicatedSetslot, TimesOutThoughTheReplicaChanged) {  // hazard H17
  Cluster cluster(kReplicated, {{B, kImporting}});
  cluster.say();
  cluster.deliver(B, B1, protocol::kReplication);
  cluster.step(B, make_step(StepKind::setslot_times_out));
  EXPECT_EQ(cluster.answer(), "-NOREPLICAS Not enough good replicas to write.");
  EXPECT_EQ(cluster.state(B).config.importing_from[kSeven], kNoNode);
  EXPECT_EQ(cluster.state(B1).config.importing_from[kSeven], A);
  cluster.deliver(B1, B, protocol::kReplication);  // the acknowledgement comes too late
  EXPECT_EQ(cluster.state(B).config.importing_from[kSeven], kNoNode);
}

TEST(ReplicatedSetslot, GuardsAreLookedAtAgain) {
  Cluster cluster(kReplicated, {{A, kMigrating}, {B, kToB}});
  cluster.say();
  cluster.say();
  cluster.deliver(B, B1, protocol::kReplication);
  cluster.deliver(B1, B, protocol::kReplication);
  cluster.tells(B, A);  // no bump: 7 stays A's in A's eyes, but B claims it with epoch 2 > 1
  ASSERT_EQ(cluster.owner(A), B);
  cluster.deliver(A, A1, protocol::kReplication);
  cluster.deliver(A1, A, protocol::kReplication);
  EXPECT_EQ(cluster.answer(), "-ERR I'm not the owner of hash slot 7");
}

TEST(ReplicatedSetslot, ADeadReplicaIsNotWaitedForOnceItsConnectionIsFoundBroken) {
  Cluster cluster(kReplicated, {{B, kImporting}});
  cluster.crash(B1);
  cluster.step(B, make_step(StepKind::replication, B1, kReplicaLost));
  EXPECT_EQ(cluster.say(), "+OK");
}

TEST(ReplicatedSetslot, AReplicaThatComesBackCopiesTheMarks) {
  Cluster cluster(kReplicated, {{B, kImporting}});
  cluster.crash(B1);
  cluster.step(B, make_step(StepKind::replication, B1, kReplicaLost));
  cluster.say();
  cluster.restart(B1);
  cluster.step(B1, make_step(StepKind::replication, B, kCopies));
  EXPECT_EQ(cluster.state(B1).config.importing_from[kSeven], A);
  EXPECT_EQ(cluster.state(B).memory.attached, std::set<NodeId>{B1});
}

TEST(ReplicatedSetslot, IsNotReplicatedWhereTheRuleIsOff) {
  LabOptions options = kReplicated;
  options.rules = {{Rule::setslot_replicated_first, false}};
  Cluster cluster(options, {{B, kImporting}});
  EXPECT_EQ(cluster.say(), "+OK");
  EXPECT_EQ(cluster.state(B1).config.importing_from[kSeven], kNoNode);
}

}  // namespace
}  // namespace slotlab::node
