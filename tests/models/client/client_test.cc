// How a client of each policy goes on after each kind of answer. The nodes are the test: it sees
// what is sent to whom, and answers.
#include "models/client/client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace slotlab::client {
namespace {

using protocol::Reply;

const std::string kMovedToB = "MOVED 3300 127.0.0.1:7002";
const std::string kMovedToC = "MOVED 3300 127.0.0.1:7003";
const std::string kAskB = "ASK 3300 127.0.0.1:7002";

Policy named(const std::string& name) { return policy_named(name).value(); }
Item one(Words words) { return {.kind = Item::Kind::commands, .commands = {std::move(words)}}; }
const Item kGet = one({"GET", "{b}1"});

// One session against nodes A, B and C. Its map names A for the slot of {b}, unless told otherwise.
class Talk {
 public:
  explicit Talk(Policy policy, std::vector<Item> program = {kGet, kGet}, bool with_map = true) {
    ClientsSpec spec;
    for (std::uint8_t i = 0; i < 3; ++i) {
      spec.nodes.push_back({std::string(1, static_cast<char>('A' + i)), sim::ActorId{i},
                            "127.0.0.1", static_cast<std::uint16_t>(7001 + i)});
    }
    SessionSpec session;
    session.name = "c";
    session.policy = std::move(policy);
    session.program = std::move(program);
    if (with_map) session.map[3300] = 0;
    session.asks = {0, 1, 2};
    spec.sessions = {session};
    spec.keys_at_start = {"{b}1"};
    spec.redirects_max = 100;
    clients_ = std::make_unique<Clients>(std::make_shared<const ClientsSpec>(std::move(spec)));
  }

  // Takes the step whose text begins so, and gives what goes out in that one event.
  std::vector<std::string> takes(const std::string& begins) {
    std::vector<sim::Offer> offers;
    clients_->offers(offers);
    const auto offer = std::find_if(offers.begin(), offers.end(), [&](const sim::Offer& each) {
      return clients_->step_text(each.code).starts_with(begins);
    });
    if (offer == offers.end()) return {"no such step: " + begins};
    sim::Effects effects;
    clients_->take(offer->code, effects);
    std::vector<std::string> sent;
    collect(effects, sent);
    return sent;
  }
  std::vector<std::string> sends() { return takes("c -> "); }

  // The first unanswered request is answered; what the client sends at once because of it.
  std::vector<std::string> answered(Reply reply) {
    const auto [node, connection] = open_.front();
    open_.pop_front();
    protocol::ReplyMessage message;
    message.reply = std::move(reply);
    message.connection = connection;
    sim::Effects effects;
    clients_->receive(node, 0, message, effects);
    std::vector<std::string> sent;
    collect(effects, sent);
    return sent;
  }
  std::vector<std::string> fails(const std::string& error) { return answered(Reply::error(error)); }
  void is_lost() {
    const auto [node, connection] = open_.front();
    open_.pop_front();
    protocol::Command request;
    request.connection = connection;
    sim::Effects effects;
    clients_->no_answer(node, request, effects);
  }

  // On A's connection of that number, whatever it is asked now.
  void comes_late(Reply reply, std::uint8_t connection) {
    protocol::ReplyMessage message;
    message.reply = std::move(reply);
    message.connection = connection;
    sim::Effects effects;
    clients_->receive(sim::ActorId{0}, 0, message, effects);
  }

  bool ended() const { return clients_->ended(0); }
  const Session& session() const { return clients_->state().sessions[0]; }
  bool broken() const { return !clients_->state().first_break.empty(); }

 private:
  void collect(const sim::Effects& effects, std::vector<std::string>& sent) {
    for (const sim::Output& output : effects.outputs) {
      const auto& command = dynamic_cast<const protocol::Command&>(*output.message);
      sent.push_back(std::string(1, "ABC"[index(output.to)]) + ": " + protocol::text(command));
      open_.emplace_back(output.to, command.connection);
    }
  }

  std::unique_ptr<Clients> clients_;
  std::deque<std::pair<sim::ActorId, std::uint8_t>> open_;
};

using Sent = std::vector<std::string>;
const Sent kToA = {"A: GET {b}1"}, kToB = {"B: GET {b}1"}, kToC = {"C: GET {b}1"};
const Sent kAskingToB = {"B: ASKING", "B: GET {b}1"};
const Reply kV0 = Reply::bulk("v0");

TEST(Client, GoesWhereItsMapSaysAndEnds) {
  Talk talk(named("careful"));
  EXPECT_EQ(talk.sends(), kToA);
  talk.answered(kV0);
  EXPECT_EQ(talk.sends(), kToA);
  EXPECT_FALSE(talk.ended());
  talk.answered(kV0);
  EXPECT_TRUE(talk.ended());
  EXPECT_FALSE(talk.broken());
  EXPECT_EQ(talk.session().most_redirects, 0);
}

TEST(Client, MovedChangesTheMap) {
  Talk talk(named("careful"));
  talk.sends();
  talk.fails(kMovedToB);
  EXPECT_EQ(talk.sends(), kToB);
  talk.answered(kV0);
  EXPECT_EQ(talk.sends(), kToB);
  EXPECT_EQ(talk.session().most_redirects, 1);
}

TEST(Client, AskIsForOneCommand) {
  Talk talk(named("careful"));
  talk.sends();
  talk.fails(kAskB);
  EXPECT_EQ(talk.sends(), kAskingToB);
  talk.answered(Reply::ok());
  talk.answered(kV0);
  EXPECT_EQ(talk.sends(), kToA);
}

TEST(Client, NoAskingLeavesItOut) {
  Talk talk(named("no-asking"));
  talk.sends();
  talk.fails(kAskB);
  EXPECT_EQ(talk.sends(), kToB);
}

TEST(Client, AskingApartIsAnEventOfItsOwn) {
  Talk talk(named("asking-apart"));
  talk.sends();
  talk.fails(kAskB);
  EXPECT_EQ(talk.sends(), Sent{"B: ASKING"});
  talk.answered(Reply::ok());
  EXPECT_EQ(talk.sends(), kToB);
}

TEST(Client, MapOnAskTakesItForMoved) {
  Talk talk(named("map-on-ask"));
  talk.sends();
  talk.fails(kAskB);
  EXPECT_EQ(talk.sends(), kAskingToB);
  talk.answered(Reply::ok());
  talk.answered(kV0);
  EXPECT_EQ(talk.sends(), kToB);
}

TEST(Client, StickyStaysWhereItWasSent) {
  for (const char* name : {"redisc", "redis-cli"}) {
    Talk talk(named(name));
    talk.sends();
    talk.fails(kAskB);
    EXPECT_EQ(talk.sends(), kAskingToB) << name;
    talk.answered(Reply::ok());
    talk.answered(kV0);
    EXPECT_EQ(talk.sends(), kToB) << name;
  }
}

TEST(Client, RedisCliLearnsNothing) {
  Talk redis_cli(named("redis-cli"));
  redis_cli.sends();
  redis_cli.fails(kMovedToC);
  EXPECT_EQ(redis_cli.session().map.at(3300), 0);
  EXPECT_EQ(redis_cli.sends(), kToC);
  Talk redisc(named("redisc"));
  redisc.sends();
  redisc.fails(kMovedToC);
  EXPECT_EQ(redisc.session().map.at(3300), 2);
}

TEST(Client, KnownNodesOnlyFollowsNobodyElse) {
  Talk talk(named("known-nodes-only"));
  talk.sends();
  talk.fails(kMovedToB);
  EXPECT_EQ(talk.sends(), kToA);
}

TEST(Client, RefreshingAsksForTheWholeMap) {
  const Reply range = Reply::array(
      {Reply::integer(0), Reply::integer(16383),
       Reply::array({Reply::bulk("127.0.0.1"), Reply::integer(7003), Reply::bulk("id")})});
  Talk talk(named("refreshing"));
  talk.sends();
  talk.fails(kMovedToB);
  EXPECT_EQ(talk.takes("c -> C: CLUSTER SLOTS"), Sent{"C: CLUSTER SLOTS"});
  talk.answered(Reply::array({range}));
  EXPECT_EQ(talk.session().map.at(3300), 2);
  EXPECT_FALSE(talk.session().refresh_due);
}

TEST(Client, WithoutAMapItAsksFirst) {
  Talk talk(named("careful"), {kGet}, false);
  EXPECT_EQ(talk.takes("c -> B: CLUSTER SLOTS"), Sent{"B: CLUSTER SLOTS"});
  talk.answered(Reply::array({}));  // nothing is owned
  EXPECT_TRUE(talk.session().map.empty());
}

TEST(Client, TryAgainStartsOverFromTheMap) {
  Talk talk(named("careful"), {one({"MGET", "{b}1", "{b}2"})});
  talk.sends();
  talk.fails(kAskB);
  EXPECT_EQ(talk.sends(), (Sent{"B: ASKING", "B: MGET {b}1 {b}2"}));
  talk.answered(Reply::ok());
  talk.fails("TRYAGAIN Multiple keys request during rehashing of slot");
  EXPECT_EQ(talk.sends(), Sent{"A: MGET {b}1 {b}2"});
}

TEST(Client, GivesUpWhenItsAttemptsAreSpent) {
  Talk talk(named("careful"), {kGet});
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(talk.sends(), kToA) << i;
    talk.fails("CLUSTERDOWN The cluster is down");
  }
  EXPECT_TRUE(talk.ended());
  EXPECT_EQ(talk.session().errors, 1);
}

TEST(Client, WithAnyNumberOfAttemptsItNeverGivesUp) {
  Policy patient = named("careful");
  patient.sends_max = 0;
  Talk talk(patient, {kGet});
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(talk.sends(), i % 2 == 0 ? kToA : kToB) << i;
    talk.fails(i % 2 == 0 ? kMovedToB : "MOVED 3300 127.0.0.1:7001");
  }
  EXPECT_EQ(talk.session().most_redirects, 101);  // one more than the bound, however many
}

TEST(Client, OtherErrorsEndTheCommand) {
  Talk talk(named("careful"), {kGet});
  talk.sends();
  talk.fails("ERR unknown");
  EXPECT_TRUE(talk.ended());
  EXPECT_EQ(talk.session().errors, 1);
}

TEST(Client, ALostAnswerEndsTheCommandUnlessItResends) {
  Talk careful(named("careful"), {one({"SET", "{b}1", "x"}), kGet});
  careful.sends();
  careful.is_lost();
  EXPECT_EQ(careful.session().errors, 1);
  EXPECT_EQ(careful.sends(), kToA);
  careful.answered(Reply::bulk("x"));  // it may have been executed
  EXPECT_FALSE(careful.broken());
  Talk resending(named("resending"), {one({"SET", "{b}1", "x"})});
  resending.sends();
  resending.is_lost();
  EXPECT_EQ(resending.sends(), Sent{"A: SET {b}1 x"});
}

TEST(Client, WhatComesLateOnABrokenConnectionIsNobodys) {
  Talk talk(named("resending"), {one({"SET", "{b}1", "x"})});
  talk.sends();
  talk.is_lost();
  EXPECT_EQ(talk.sends(), Sent{"A: SET {b}1 x"});
  talk.comes_late(Reply::error("ERR of the first"), 0);
  EXPECT_FALSE(talk.ended());
  talk.answered(Reply::ok());
  EXPECT_TRUE(talk.ended());
  EXPECT_EQ(talk.session().errors, 0);
}

TEST(Client, ALostAnswerTakesThePipelineWithIt) {
  Talk talk(named("careful"), {{.kind = Item::Kind::commands,
                                .commands = {{"GET", "{b}1"}, {"SET", "{b}1", "x"}}}, kGet});
  talk.sends();
  talk.is_lost();
  EXPECT_EQ(talk.session().errors, 2);
  EXPECT_EQ(talk.session().item, 1);
}

TEST(Client, APipelineResendsOnlyWhatWasRedirected) {
  Talk talk(named("careful"), {{.kind = Item::Kind::commands,
                                .commands = {{"GET", "{b}1"}, {"SET", "{b}2", "x"}}}});
  EXPECT_EQ(talk.sends(), (Sent{"A: GET {b}1", "A: SET {b}2 x"}));
  talk.answered(kV0);
  talk.fails(kAskB);
  EXPECT_EQ(talk.sends(), (Sent{"B: ASKING", "B: SET {b}2 x"}));
}

TEST(Client, ATransactionIsSentAgainAsAWhole) {
  Talk talk(named("careful"),
            {{.kind = Item::Kind::transaction, .commands = {{"SET", "{b}1", "x"}}}});
  EXPECT_EQ(talk.sends(), Sent{"A: MULTI"});
  talk.answered(Reply::ok());
  EXPECT_EQ(talk.sends(), Sent{"A: SET {b}1 x"});
  EXPECT_EQ(talk.fails(kMovedToB), Sent{"A: DISCARD"});
  talk.answered(Reply::ok());
  EXPECT_EQ(talk.sends(), Sent{"B: MULTI"});
  talk.answered(Reply::ok());
  EXPECT_EQ(talk.sends(), Sent{"B: SET {b}1 x"});
  talk.answered(Reply::status("QUEUED"));
  EXPECT_EQ(talk.sends(), Sent{"B: EXEC"});
  talk.answered(Reply::array({Reply::ok()}));
  EXPECT_TRUE(talk.ended());
  EXPECT_FALSE(talk.broken());
}

TEST(Client, AnAnswerThatNothingExplainsBreaksTheHistory) {
  Talk talk(named("careful"), {kGet});
  talk.sends();
  talk.answered(Reply::bulk("never written"));
  EXPECT_TRUE(talk.broken());
}

}  // namespace
}  // namespace slotlab::client
