// Each property on hand-made states: where it holds, where it does not, and what it says then.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/node/initial.h"
#include "models/node/node.h"
#include "models/operator/operator.h"
#include "models/properties/registry.h"

namespace slotlab::properties {
namespace {

using node::NodeState;
using protocol::kNoNode;
using protocol::NodeId;
using sim::ActorId;
using sim::Status;

constexpr NodeId kA{0}, kB{1}, kC{2};
constexpr std::size_t kSlot7 = 0, kHomeOfC = 1, kHomeOfB = 2, kHomeOfA = 3;
constexpr ActorId kOperator{3};

// Masters A, B and C with epochs 1, 2, 3; A owns slot 7, each has a home. Tests change what they
// need and then ask.
class Properties : public ::testing::Test, public sim::SystemView {
 protected:
  Properties() {
    node::NodeSettings settings;
    settings.dialect = *protocol::dialect_named("redis-7.0");
    for (std::uint8_t i = 0; i < 3; ++i) {
      protocol::Identity identity;
      identity.name = std::string(1, static_cast<char>('A' + i));
      identity.id = std::string(40, static_cast<char>('a' + i));
      identity.actor = ActorId{i};
      settings.directory.identities.push_back(identity);
      settings.directory.after_reset.push_back(kNoNode);
    }
    settings.slots = protocol::SlotClasses::cut({{7, 7}, {16381, 16381}, {16382, 16382}},
                                                {{{7, 7}, {16381, 16383}}});
    settings_ = std::make_shared<const node::NodeSettings>(settings);
    node::InitialCluster cluster;
    cluster.nodes[kA] = {.config_epoch = 1, .owned = {kSlot7, kHomeOfA}};
    cluster.nodes[kB] = {.config_epoch = 2, .owned = {kHomeOfB}};
    cluster.nodes[kC] = {.config_epoch = 3, .owned = {kHomeOfC}};
    for (NodeId id : {kA, kB, kC}) {
      states.push_back(node::initial_state(*settings_, id, cluster));
    }
    auto cast = std::make_shared<Cast>();
    cast->nodes = {ActorId{0}, ActorId{1}, ActorId{2}};
    cast->operators = {kOperator};
    cast->slots = settings_->slots;
    cast->directory = settings_->directory;
    cast->first_owner = states[0].config.owner;
    cast->home_of = {sim::kNoActor, ActorId{2}, ActorId{1}, ActorId{0}};
    cast_ = cast;
    oper::Procedure procedure;
    oper::Step step;
    step.label = "1";
    step.target = ActorId{1};
    step.words = {"PING"};
    procedure.steps = {step};
    op = std::make_unique<oper::Operator>(std::make_shared<const oper::Procedure>(procedure));
    env_.status.assign(4, Status::up);
    env_.cut.assign(16, sim::Cut::open);
    sim::SystemSpec spec;
    spec.names = {"A", "B", "C", "operator"};
    for (std::size_t i = 0; i < 3; ++i) {
      spec.actors.push_back(std::make_shared<const node::Node>(settings_, states[i]));
    }
    spec.actors.push_back(std::make_shared<const oper::Operator>(*op));
    system_ = std::make_shared<const sim::System>(std::move(spec));
  }

  // What the property says: "holds", or its explanation, or "violated" if it has none.
  std::string ask(const std::string& name) {
    nodes_.clear();
    for (const NodeState& state : states) {
      nodes_.push_back(std::make_unique<node::Node>(settings_, state));
    }
    const sim::Property property = make(name, sim::Mood::always, cast_);
    const std::string why = property.explain(*this);
    if (property.holds(*this)) {
      EXPECT_EQ(why, "") << name << " holds, but explains";
      return "holds";
    }
    return why.empty() ? "violated" : why;
  }

  node::Durable& config(NodeId id) { return states[index(id)].config; }
  void everybody_says(std::size_t slot, NodeId owner) {
    for (NodeState& state : states) state.config.owner[slot] = owner;
  }
  void set(NodeId id, Status status) { env_.status[index(id)] = status; }

  const sim::Actor& actor(ActorId id) const override {
    if (id == kOperator) return *op;
    return *nodes_[sim::index(id)];
  }
  const sim::Environment& environment() const override { return env_; }
  const sim::System& system() const override { return *system_; }

  std::vector<NodeState> states;
  std::unique_ptr<oper::Operator> op;
  sim::Environment env_;

 private:
  node::Settings settings_;
  CastPtr cast_;
  std::vector<std::unique_ptr<node::Node>> nodes_;
  std::shared_ptr<const sim::System> system_;
};

TEST_F(Properties, AllRequirementsButTheProceduresEndHoldAtTheStart) {
  for (const char* name : {"owned", "one-owner", "unique-epochs", "agreed", "closed"}) {
    EXPECT_EQ(ask(name), "holds") << name;
  }
  EXPECT_EQ(ask("procedure-ends"), "operator is still at step 1");
}

TEST_F(Properties, NoSituationIsReachedAtTheStart) {
  for (const Entry& entry : registry()) {
    if (entry.mood == sim::Mood::sometimes) {
      EXPECT_NE(ask(std::string(entry.name)), "holds") << entry.name;
    }
  }
}

TEST_F(Properties, OwnedNeedsSomebodyWhoClaimsTheSlotForItself) {
  config(kA).owner[kSlot7] = kB;  // step 5 before step 4: A says B, B says A
  EXPECT_EQ(ask("owned"), "slot 7 has no owner");
  EXPECT_EQ(ask("unowned"), "holds");
  config(kB).owner[kSlot7] = kB;
  EXPECT_EQ(ask("owned"), "holds");
}

TEST_F(Properties, OwnedCountsADownNodeByItsFileIfItCanComeBack) {
  set(kA, Status::down);
  EXPECT_EQ(ask("owned"), "holds");
  states[0].written.owner[kSlot7] = kB;  // whatever it believed, this is what it will read back
  EXPECT_EQ(ask("owned"), "slot 7 has no owner");
  states[0].written.owner[kSlot7] = kA;
  set(kA, Status::gone);
  EXPECT_EQ(ask("owned"), "slot 7 has no owner");
}

// B is gone for good. C becomes its replica, which A alone may vote for.
TEST_F(Properties, ReplaceableNeedsVotersThatKnowNoNewerClaim) {
  set(kB, Status::gone);
  EXPECT_EQ(ask("replaceable"), "holds");  // B has no replica, so nobody is kept from anything
  node::NodeRecord& me = config(kC).nodes.at(kC);
  me.replica = true;
  me.master = kB;
  std::replace(config(kC).owner.begin(), config(kC).owner.end(), kC, kA);
  states[2].memory.size = 1;
  EXPECT_EQ(ask("replaceable"), "holds");
  EXPECT_NE(ask("irreplaceable"), "holds");
  ++config(kA).nodes.at(kB).config_epoch;  // A has heard of an epoch that C has not
  EXPECT_EQ(ask("replaceable"),
            "B is gone for good, and of 1 voters 1 would refuse C, which claims the slots at an "
            "epoch of the past");
  EXPECT_EQ(ask("irreplaceable"), "holds");
  config(kC).nodes.at(kB).config_epoch = config(kA).nodes.at(kB).config_epoch;
  EXPECT_EQ(ask("replaceable"), "holds");
}

TEST_F(Properties, HomesAreExcusedOnlyWhileTheirNodeIsGone) {
  set(kB, Status::gone);
  EXPECT_EQ(ask("owned"), "holds");
  EXPECT_EQ(ask("agreed"), "holds");
  set(kB, Status::up);
  everybody_says(kHomeOfB, kA);
  config(kA).owner[kHomeOfB] = kB;
  EXPECT_EQ(ask("owned"), "slot 16382 has no owner");
}

TEST_F(Properties, OneOwnerAllowsTwoClaimsWithDifferentEpochsOnly) {
  config(kB).owner[kSlot7] = kB;
  EXPECT_EQ(ask("one-owner"), "holds");
  EXPECT_EQ(ask("two-claim"), "holds");
  config(kB).nodes.at(kB).config_epoch = 1;
  EXPECT_EQ(ask("one-owner"), "slot 7 is claimed by A and B with config epoch 1");
  set(kA, Status::paused);
  EXPECT_NE(ask("one-owner"), "holds");
  set(kA, Status::down);
  EXPECT_EQ(ask("one-owner"), "holds");
  set(kA, Status::up);
  config(kB).nodes.at(kB).replica = true;
  EXPECT_EQ(ask("one-owner"), "holds");
}

TEST_F(Properties, UniqueEpochsComparesOwnEpochsOfLiveMasters) {
  config(kA).nodes.at(kC).config_epoch = 1;  // what A thinks of C does not matter
  EXPECT_EQ(ask("unique-epochs"), "holds");
  config(kC).nodes.at(kC).config_epoch = 2;
  EXPECT_EQ(ask("unique-epochs"), "B and C both have config epoch 2");
  EXPECT_EQ(ask("collision"), "holds");
  set(kB, Status::down);
  EXPECT_EQ(ask("unique-epochs"), "holds");
}

TEST_F(Properties, AgreedNeedsOneNameFromAllLiveNodes) {
  config(kC).owner[kSlot7] = kB;
  EXPECT_EQ(ask("agreed"), "slot 7: A says A, C says B");
  set(kC, Status::down);
  EXPECT_EQ(ask("agreed"), "holds");
  set(kC, Status::up);
  config(kC).owner[kSlot7] = kNoNode;
  EXPECT_EQ(ask("agreed"), "slot 7: C knows no owner");
}

TEST_F(Properties, AgreedNeedsTheNamedOwnerToClaimTheSlot) {
  everybody_says(kSlot7, kB);
  EXPECT_EQ(ask("agreed"), "holds");
  set(kB, Status::down);
  states[1].written.owner[kSlot7] = kA;
  EXPECT_EQ(ask("agreed"), "slot 7: all say B, which does not claim it");
  states[1].written.owner[kSlot7] = kB;
  EXPECT_EQ(ask("agreed"), "holds");
  set(kB, Status::gone);
  EXPECT_EQ(ask("agreed"), "slot 7: all say B, which never comes back");
}

TEST_F(Properties, ClosedSeesMarksOfLiveAndReturningNodes) {
  config(kA).migrating_to[kSlot7] = kB;
  EXPECT_EQ(ask("closed"), "slot 7 is still marked at A: migrating to B");
  set(kA, Status::down);
  EXPECT_EQ(ask("closed"), "holds");  // the mark is not in its file
  set(kA, Status::up);
  config(kA).migrating_to[kSlot7] = kNoNode;
  config(kB).importing_from[kSlot7] = kA;
  EXPECT_EQ(ask("closed"), "slot 7 is still marked at B: importing from A");
  set(kB, Status::gone);
  EXPECT_EQ(ask("closed"), "holds");
}

TEST_F(Properties, ProcedureEndsHoweverItEnds) {
  op->stop();
  EXPECT_EQ(ask("procedure-ends"), "holds");
  EXPECT_EQ(ask("operator-stopped"), "holds");
  EXPECT_NE(ask("procedure-done"), "holds");
}

TEST_F(Properties, SituationsAreReached) {
  set(kC, Status::down);
  EXPECT_EQ(ask("crashed"), "holds");
  set(kC, Status::paused);
  EXPECT_EQ(ask("paused"), "holds");
  EXPECT_NE(ask("crashed"), "holds");
  env_.cut[1] = sim::Cut::severed;
  EXPECT_EQ(ask("link-cut"), "holds");
  config(kB).owner[kSlot7] = kB;
  EXPECT_EQ(ask("owner-changed"), "holds");
  set(kB, Status::down);
  EXPECT_NE(ask("owner-changed"), "holds");
  config(kA).nodes.at(kA).replica = true;
  EXPECT_EQ(ask("demoted"), "holds");
}

TEST_F(Properties, LeadsToJoinsTwo) {
  const sim::Property property = make_leads_to("crashed", "owned", std::make_shared<const Cast>());
  EXPECT_EQ(property.name, "crashed leads to owned");
  EXPECT_EQ(property.mood, sim::Mood::leads_to);
  EXPECT_TRUE(property.then(*this));  // no slots in this cast
}

TEST(Registry, NamesAreUniqueAndEachHasASentence) {
  std::set<std::string_view> names;
  for (const Entry& entry : registry()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_TRUE(entry.sentence.ends_with('.')) << entry.name;
    EXPECT_EQ(find(entry.name), &entry);
  }
  EXPECT_EQ(find("nothing-of-the-kind"), nullptr);
}

}  // namespace
}  // namespace slotlab::properties
