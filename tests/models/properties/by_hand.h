// A cluster of three masters by hand, and what properties say of it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/client/client.h"
#include "models/node/initial.h"
#include "models/node/node.h"
#include "models/operator/operator.h"
#include "models/properties/picture.h"
#include "models/properties/registry.h"

namespace slotlab::properties {

using node::NodeState;
using protocol::kNoNode;
using protocol::NodeId;
using sim::ActorId;
using sim::Status;

constexpr NodeId kA{0}, kB{1}, kC{2};
constexpr std::size_t kSlot7 = 0, kHomeOfC = 1, kHomeOfB = 2, kHomeOfA = 3;
constexpr ActorId kOperator{3}, kClients{4};
inline const std::string kKey = "k{41432}";  // of slot 7

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

  Picture picture() {
    make_nodes();
    return picture_of(*cast_, *this);
  }
  void make_nodes() {
    nodes_.clear();
    for (const NodeState& state : states) {
      nodes_.push_back(std::make_unique<node::Node>(settings_, state));
    }
  }
  // What the property says: "holds", or its explanation, or "violated" if it has none.
  std::string ask(const std::string& name) {
    make_nodes();
    const sim::Property property = make(name, sim::Mood::always, cast_);
    const std::string why = property.explain(*this);
    if (property.holds(*this)) {
      EXPECT_EQ(why, "") << name << " holds, but explains";
      return "holds";
    }
    return why.empty() ? "violated" : why;
  }

  sim::Property property_named(std::string_view name) {
    return make(name, sim::Mood::always, cast_);
  }
  node::Durable& config(NodeId id) { return states[index(id)].config; }
  void everybody_says(std::size_t slot, NodeId owner) {
    for (NodeState& state : states) state.config.owner[slot] = owner;
  }
  template <class Change>
  void change_cast(Change change) {
    auto changed = std::make_shared<Cast>(*cast_);
    change(*changed);
    cast_ = changed;
  }
  void set(NodeId id, Status status) { env_.status[index(id)] = status; }

  const sim::Actor& actor(ActorId id) const override {
    if (id == kOperator) return *op;
    if (id == kClients) return *clients;
    return *nodes_[sim::index(id)];
  }
  const sim::Environment& environment() const override { return env_; }
  const sim::System& system() const override { return *system_; }

  std::vector<NodeState> states;
  std::unique_ptr<oper::Operator> op;
  std::unique_ptr<client::Clients> clients;  // none at first
  sim::Environment env_;

  NodeState& node_of(NodeId id) { return states[index(id)]; }
  void put_key(NodeId id, const std::string& value) { node_of(id).keys[kSlot7][kKey] = value; }
  void take_key(NodeId id) { node_of(id).keys[kSlot7].erase(kKey); }
  // The key is A's, and part of what was there at the start.
  void begin_with_a_key() {
    put_key(kA, client::kFirstValue);
    change_cast([](Cast& cast) { cast.first_keys = {{kSlot7, kKey}}; });
  }
  // One session whose commands go to A, with at most one redirection and one MOVED.
  void begin_with_a_client(std::vector<client::Words> commands) {
    client::ClientsSpec spec;
    for (std::uint8_t i = 0; i < 3; ++i) {
      spec.nodes.push_back({std::string(1, static_cast<char>('A' + i)), ActorId{i}, "127.0.0.1",
                            static_cast<std::uint16_t>(7001 + i)});
    }
    client::SessionSpec session{.name = "c", .policy = {}, .program = {}, .map = {{7, 0}},
                                .asks = {0}};
    for (client::Words& words : commands) {
      session.program.push_back({.kind = client::Item::Kind::commands, .commands = {words}});
    }
    spec.sessions = {session};
    spec.keys_at_start = {kKey};
    spec.redirects_max = 1;
    spec.moved_max = 1;
    clients = std::make_unique<client::Clients>(
        std::make_shared<const client::ClientsSpec>(std::move(spec)));
    change_cast([](Cast& cast) { cast.clients = kClients; });
  }
  // The client sends its command, or sends it again, and is answered by whoever it went to.
  void client_is_told(const protocol::Reply& reply) {
    std::vector<sim::Offer> offers;
    clients->offers(offers);
    sim::Effects effects;
    clients->take(offers.front().code, effects);
    const std::vector<sim::Output> sent = effects.outputs;
    for (std::size_t i = 0; i < sent.size(); ++i) {
      protocol::ReplyMessage message;
      message.reply = i + 1 < sent.size() ? protocol::Reply::ok() : reply;  // ASKING goes before
      clients->receive(sent[i].to, 0, message, effects);
    }
  }

 private:
  node::Settings settings_;
  CastPtr cast_;
  std::vector<std::unique_ptr<node::Node>> nodes_;
  std::shared_ptr<const sim::System> system_;
};

}  // namespace slotlab::properties
