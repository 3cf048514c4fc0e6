// How an operator works through a procedure, alone and in a small world with a toy node that
// answers what the test tells it to.
#include "models/operator/operator.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/protocol/command.h"
#include "sim/system/world.h"

namespace slotlab::oper {
namespace {

using protocol::Command;
using protocol::Reply;
using protocol::ReplyMessage;
using sim::ActorId;

constexpr ActorId kA{0};
constexpr ActorId kB{1};
constexpr ActorId kOperator{2};
const std::string kIdOfB(40, 'b');

Step send_step(const std::string& label, ActorId target, Reaction reaction = {}) {
  Step step;
  step.label = label;
  step.target = target;
  step.target_name = target == kA ? "A" : "B";
  step.words = {"CLUSTER", "SETSLOT", "7", "NODE", kIdOfB};
  step.typed = "CLUSTER SETSLOT 7 NODE B";
  step.reaction = reaction;
  return step;
}

Step move_step(const std::string& label, Reaction reaction = {}) {
  Step step;
  step.label = label;
  step.target = kA;
  step.target_name = "A";
  step.move = MoveKeys{.slot = 7, .to = kB, .to_name = "B", .host = "127.0.0.1", .port = 7002};
  step.reaction = reaction;
  return step;
}

ProcedurePtr procedure(std::vector<Step> steps, bool fair = false) {
  Procedure out;
  out.steps = std::move(steps);
  out.fair = fair;
  out.names = {{kIdOfB, "B"}};
  return std::make_shared<const Procedure>(std::move(out));
}

ReplyMessage answer(Reply reply) {
  ReplyMessage message;
  message.reply = std::move(reply);
  return message;
}

std::vector<sim::Offer> offers_of(const Operator& op) {
  std::vector<sim::Offer> out;
  op.offers(out);
  return out;
}

// Sends the next command and has it answered; gives the words that were sent.
std::vector<std::string> step(Operator& op, const Reply& reply) {
  sim::Effects effects;
  op.take(Operator::kNextCommand, effects);
  SIM_ASSERT(effects.outputs.size() == 1);
  const auto& command = dynamic_cast<const Command&>(*effects.outputs[0].message);
  op.receive(effects.outputs[0].to, 0, answer(reply), effects);
  return command.words;
}

TEST(Operator, SendsItsCommandsInOrderAndIsDone) {
  Operator op(procedure({send_step("4", kB), send_step("5", kA)}));
  EXPECT_EQ(op.phase(), 0u);
  EXPECT_EQ(op.beliefs(), std::vector<std::string>{"step 4 next"});
  EXPECT_EQ(op.step_text(Operator::kNextCommand), "-> B: CLUSTER SETSLOT 7 NODE B");
  EXPECT_EQ(step(op, Reply::ok()),
            (std::vector<std::string>{"CLUSTER", "SETSLOT", "7", "NODE", kIdOfB}));
  EXPECT_EQ(op.phase(), 1u);
  ASSERT_EQ(offers_of(op).size(), 1u);
  EXPECT_EQ(offers_of(op)[0].peer, kA);
  EXPECT_EQ(offers_of(op)[0].need, sim::Need::reachable);
  EXPECT_FALSE(offers_of(op)[0].fair);
  step(op, Reply::ok());
  EXPECT_TRUE(op.done());
  EXPECT_EQ(op.phase(), 2u);
  EXPECT_TRUE(offers_of(op).empty());
  EXPECT_FALSE(op.can_stop());
  EXPECT_EQ(op.beliefs(), std::vector<std::string>{"done"});
}

TEST(Operator, FairnessIsThatOfTheProcedure) {
  Operator op(procedure({send_step("4", kB)}, true));
  EXPECT_TRUE(offers_of(op)[0].fair);
}

TEST(Operator, StopsAtAnErrorAndReportsItWithNames) {
  Operator op(procedure({send_step("4", kB), send_step("5", kA)}));
  step(op, Reply::ok());
  step(op, Reply::error("ERR Unknown node " + kIdOfB));
  EXPECT_TRUE(op.refused());
  EXPECT_EQ(op.phase(), 1u);
  EXPECT_EQ(op.error_text(), "ERR Unknown node B");
  EXPECT_EQ(op.beliefs(), std::vector<std::string>{"step 5 refused: ERR Unknown node B"});
  EXPECT_TRUE(offers_of(op).empty());
}

TEST(Operator, CarriesOnAfterAnErrorIfToldTo) {
  Operator op(procedure({send_step("4", kB, {.on_error = OnError::carry_on})}));
  step(op, Reply::error("ERR no"));
  EXPECT_TRUE(op.done());
}

TEST(Operator, RetriesAfterErrorsAsOftenAsToldTo) {
  Operator op(procedure({send_step("4", kB, {.on_error = OnError::retry, .retries_max = 2})}));
  step(op, Reply::error("ERR no"));
  step(op, Reply::error("ERR no"));
  EXPECT_TRUE(op.working());
  EXPECT_EQ(op.beliefs(), (std::vector<std::string>{"step 4 next", "failed tries: 2"}));
  step(op, Reply::error("ERR still no"));
  EXPECT_TRUE(op.refused());
  EXPECT_EQ(op.error_text(), "ERR still no");
}

TEST(Operator, TriesAreForgottenWhenAStepSucceeds) {
  Operator op(procedure({send_step("4", kB, {.on_error = OnError::retry}), send_step("5", kA)}));
  step(op, Reply::error("ERR no"));
  step(op, Reply::ok());
  EXPECT_EQ(op.state().tries, 0);
}

TEST(Operator, WaitingMeansThatTheSameCommandIsSentAgain) {
  Operator op(procedure({send_step("4", kB)}));
  OperatorState before = op.state();
  sim::Effects effects;
  op.take(Operator::kNextCommand, effects);
  op.no_answer(kB, *effects.outputs[0].message, effects);
  before.connection = 1;  // the old one may still bring the answer
  EXPECT_TRUE(op.state() == before);
  EXPECT_EQ(effects.notes, std::vector<std::string>{"no answer; will send the command again"});
  EXPECT_EQ(offers_of(op).size(), 1u);  // waits for ever: giving up is not offered
}

TEST(Operator, AnAnswerThatCameTooLateIsNobodys) {
  Operator op(procedure({send_step("4", kB), send_step("5", kB)}));
  sim::Effects effects;
  op.take(Operator::kNextCommand, effects);
  op.no_answer(kB, *effects.outputs[0].message, effects);
  op.take(Operator::kNextCommand, effects);
  ReplyMessage late = answer(Reply::error("ERR no"));
  op.receive(kB, 0, late, effects);
  EXPECT_EQ(effects.notes.back(), "an answer that nobody waits for");
  EXPECT_TRUE(op.state().waiting);
  ReplyMessage now = answer(Reply::ok());
  now.connection = 1;
  op.receive(kB, 0, now, effects);
  EXPECT_EQ(op.phase(), 1u);
}

TEST(Operator, OthersMayGiveUpWaitingForANodeThatCannotBeReached) {
  for (OnNoAnswer how : {OnNoAnswer::stop, OnNoAnswer::skip, OnNoAnswer::retry}) {
    Operator op(procedure({send_step("4", kB, {.on_no_answer = how, .retries_max = 1})}));
    const std::vector<sim::Offer> offers = offers_of(op);
    ASSERT_EQ(offers.size(), 2u);
    EXPECT_EQ(offers[1].code, Operator::kGiveUpWaiting);
    EXPECT_EQ(offers[1].need, sim::Need::unreachable);
    EXPECT_EQ(op.step_text(Operator::kGiveUpWaiting), "gives up waiting for B");
    sim::Effects effects;
    op.take(Operator::kGiveUpWaiting, effects);
    EXPECT_EQ(op.stopped(), how == OnNoAnswer::stop);
    EXPECT_EQ(op.done(), how == OnNoAnswer::skip);
    EXPECT_EQ(op.working(), how == OnNoAnswer::retry);
    if (how != OnNoAnswer::retry) continue;
    op.take(Operator::kGiveUpWaiting, effects);
    EXPECT_TRUE(op.stopped());
    EXPECT_EQ(op.beliefs(), std::vector<std::string>{"stopped before the first step"});
  }
}

TEST(Operator, StoppingIsForEverAndLeavesOneStatePerStep) {
  Operator a(procedure({send_step("1", kB), move_step("3")}));
  step(a, Reply::ok());
  Operator b = a;
  step(b, Reply::array({Reply::bulk("k1")}));  // has keys in hand
  a.stop();
  b.stop();
  EXPECT_EQ(a.state(), b.state());
  EXPECT_EQ(sim::canonical_bytes(a.state()), sim::canonical_bytes(b.state()));
  EXPECT_TRUE(a.stopped());
  EXPECT_EQ(a.beliefs(), std::vector<std::string>{"stopped after step 1"});
  EXPECT_TRUE(offers_of(a).empty());
  EXPECT_FALSE(a.can_stop());
}

TEST(Operator, MovesKeysUntilNoneIsListed) {
  Operator op(procedure({move_step("3")}));
  EXPECT_EQ(offers_of(op)[0].peer, kA);
  EXPECT_EQ(offers_of(op)[0].also_reachable, sim::kNoActor);  // the list is asked of A alone
  EXPECT_EQ(op.step_text(Operator::kNextCommand), "-> A: CLUSTER GETKEYSINSLOT 7 10");
  EXPECT_EQ(step(op, Reply::array({Reply::bulk("k1"), Reply::bulk("k2")})),
            (std::vector<std::string>{"CLUSTER", "GETKEYSINSLOT", "7", "10"}));
  EXPECT_EQ(op.phase(), 0u);
  EXPECT_EQ(op.step_text(Operator::kNextCommand), "-> A: MIGRATE B \"\" 0 60000 KEYS k1 k2");
  EXPECT_EQ(step(op, Reply::ok()), (std::vector<std::string>{"MIGRATE", "127.0.0.1", "7002", "",
                                                             "0", "60000", "KEYS", "k1", "k2"}));
  EXPECT_TRUE(op.working());
  step(op, Reply::array({}));
  EXPECT_TRUE(op.done());
}

TEST(Operator, ListsAgainAfterAMigrateThatFailed) {
  Operator op(procedure({move_step("3", {.on_error = OnError::retry, .retries_max = 1})}));
  step(op, Reply::array({Reply::bulk("k1")}));
  step(op, Reply::error("IOERR error or timeout writing to target instance"));
  EXPECT_TRUE(op.working());
  EXPECT_TRUE(op.state().keys.empty());
  EXPECT_EQ(op.step_text(Operator::kNextCommand), "-> A: CLUSTER GETKEYSINSLOT 7 10");
}

TEST(Operator, IgnoresAnswersThatNobodyWaitsFor) {
  Operator op(procedure({send_step("4", kB)}));
  const OperatorState before = op.state();
  sim::Effects effects;
  op.receive(kB, 0, answer(Reply::ok()), effects);
  EXPECT_EQ(op.state(), before);
  EXPECT_EQ(effects.notes, std::vector<std::string>{"an answer that nobody waits for"});
  op.take(Operator::kNextCommand, effects);
  op.receive(kA, 0, answer(Reply::ok()), effects);  // from another node
  EXPECT_TRUE(op.state().waiting);
}

TEST(Operator, RefusesProceduresThatAreNone) {
  EXPECT_THROW(Operator(nullptr), std::invalid_argument);
  EXPECT_THROW(Operator(procedure({send_step("1", kA), send_step("1", kB)})),
               std::invalid_argument);
  EXPECT_THROW(Operator(procedure({send_step("1", kA, {.retries_max = 255})})),
               std::invalid_argument);
  Step both = send_step("1", kA);
  both.move = MoveKeys{};
  EXPECT_THROW(Operator(procedure({both})), std::invalid_argument);
  EXPECT_TRUE(Operator(procedure({})).done());
}

// Answers every command with the text it was made with, and counts them in its state.
class ToyNode final : public sim::Actor {
 public:
  explicit ToyNode(Reply reply) : reply_(std::move(reply)) {}
  std::unique_ptr<sim::Actor> clone() const override { return std::make_unique<ToyNode>(*this); }
  void encode(sim::Encoder& out) const override { sim::encode(out, commands_); }
  void offers(std::vector<sim::Offer>&) const override {}
  void take(sim::StepCode, sim::Effects&) override {}
  void receive(ActorId from, std::uint8_t, const sim::Message& message,
               sim::Effects& effects) override {
    const auto& command = dynamic_cast<const Command&>(message);
    commands_.push_back(protocol::text(command));
    auto reply = std::make_shared<ReplyMessage>();
    reply->reply = reply_;
    reply->connection = command.connection;
    effects.reply(from, std::move(reply));
  }
  std::string step_text(sim::StepCode) const override { return ""; }
  const std::vector<std::string>& commands() const { return commands_; }

 private:
  Reply reply_;
  std::vector<std::string> commands_;
};

sim::SystemSpec toy_system(ProcedurePtr steps) {
  sim::SystemSpec spec;
  spec.names = {"A", "B", "operator"};
  spec.actors = {std::make_shared<const ToyNode>(Reply::array({})),
                 std::make_shared<const ToyNode>(Reply::ok()),
                 std::make_shared<const Operator>(std::move(steps))};
  return spec;
}

const Operator& operator_in(const sim::World& world) {
  return dynamic_cast<const Operator&>(world.actor(kOperator));
}

TEST(OperatorInAWorld, ACommandAndItsAnswerAreOneEvent) {
  sim::World world(std::make_shared<const sim::System>(
      toy_system(procedure({send_step("4", kB), move_step("3")}))));
  ASSERT_EQ(world.possible().size(), 1u);
  const sim::World::Event event = world.take(world.possible()[0], true);
  EXPECT_EQ(event.text, "operator -> B: CLUSTER SETSLOT 7 NODE B");
  EXPECT_EQ(dynamic_cast<const ToyNode&>(world.actor(kB)).commands(),
            std::vector<std::string>{"CLUSTER SETSLOT 7 NODE " + kIdOfB});
  EXPECT_EQ(operator_in(world).phase(), 1u);
  EXPECT_FALSE(operator_in(world).state().waiting);
  world.take(world.possible()[0]);
  EXPECT_TRUE(operator_in(world).done());
  EXPECT_TRUE(world.possible().empty());
}

TEST(OperatorInAWorld, WaitsWhileANodeIsDownAndStopsWhenToldTo) {
  sim::SystemSpec spec =
      toy_system(procedure({send_step("4", kB, {.on_no_answer = OnNoAnswer::stop})}));
  sim::FaultRule crash;
  crash.kind = sim::FaultKind::crash;
  crash.name = "crash of B";
  crash.actors = {kB};
  crash.window = sim::Window{.actor = kOperator, .first = 0, .last = 0};
  spec.faults = {crash};
  sim::World world(std::make_shared<const sim::System>(std::move(spec)));
  const std::vector<sim::Action> first = world.possible();
  ASSERT_EQ(first.size(), 2u);  // the command, the crash
  world.take(first[1]);
  std::vector<std::string> texts;
  for (sim::Action action : world.possible()) texts.push_back(world.describe(action));
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts[0], "operator gives up waiting for B");
  world.take(world.possible()[0]);
  EXPECT_TRUE(operator_in(world).stopped());
}

TEST(OperatorInAWorld, SendsAgainWhenAnAnswerWasLost) {
  sim::SystemSpec spec = toy_system(procedure({send_step("4", kB)}));
  sim::FaultRule lost;
  lost.kind = sim::FaultKind::lose_reply;
  lost.name = "lost answer";
  lost.actors = {kOperator};
  spec.faults = {lost};
  sim::World world(std::make_shared<const sim::System>(std::move(spec)));
  const std::vector<sim::Action> first = world.possible();
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[1].kind(), sim::ActionKind::lose_reply);
  world.take(first[1]);
  EXPECT_TRUE(operator_in(world).working());
  ASSERT_EQ(world.possible().size(), 1u);
  world.take(world.possible()[0]);
  EXPECT_TRUE(operator_in(world).done());
  EXPECT_EQ(dynamic_cast<const ToyNode&>(world.actor(kB)).commands().size(), 2u);
}

Condition condition(const char* text) { return condition_of(text).value(); }

Step if_step(const std::string& label, std::uint16_t step, const char* text) {
  Step out = send_step(label, kB);
  out.only_if = OnlyIf{.step = step, .condition = condition(text)};
  return out;
}

TEST(Condition, IsReadAndWritten) {
  for (const char* text : {"is 0", "is not 0", "contains a b", "lacks x", "begins with ERR",
                           "failed", "succeeded", "is not", "is  x"}) {
    EXPECT_EQ(condition_text(condition(text)), text);
  }
  EXPECT_EQ(condition("is not").test, Condition::Test::is);
  EXPECT_EQ(condition("is not 0").test, Condition::Test::is_not);
  for (const char* text : {"", "is", "is ", "contains", "failed 0", "equals 0", "isnot 0"}) {
    EXPECT_FALSE(condition_of(text).has_value()) << text;
  }
}

TEST(Condition, IsAboutOneAnswer) {
  using How = Answered::How;
  const Answered zero{.how = How::well, .text = "0"}, error{.how = How::error, .text = "ERR no"};
  const Answered none;
  EXPECT_TRUE(meets(zero, condition("is 0")));
  EXPECT_FALSE(meets(zero, condition("is not 0")));
  EXPECT_TRUE(meets(error, condition("begins with ERR")));
  EXPECT_TRUE(meets(error, condition("lacks 0")));
  EXPECT_TRUE(meets(zero, condition("succeeded")));
  EXPECT_FALSE(meets(error, condition("succeeded")));
  for (const char* text : {"is 0", "is not 0", "contains 0", "lacks 0", "begins with 0"}) {
    EXPECT_FALSE(meets(none, condition(text))) << text;
  }
  EXPECT_TRUE(meets(none, condition("failed")));
}

TEST(Operator, LeavesOutStepsWhoseConditionIsNotMet) {
  const auto steps = [] {
    return std::vector<Step>{send_step("count", kA), if_step("4", 0, "is 0"),
                             if_step("5", 1, "succeeded"), if_step("undo", 0, "is not 0"),
                             if_step("last", 1, "failed")};
  };
  Operator empty(procedure(steps()));
  step(empty, Reply::integer(0));
  EXPECT_EQ(empty.step_text(Operator::kNextCommand), "-> B: CLUSTER SETSLOT 7 NODE B");
  EXPECT_EQ(empty.phase(), 1u);
  step(empty, Reply::ok());
  EXPECT_EQ(empty.phase(), 2u);
  step(empty, Reply::ok());
  EXPECT_TRUE(empty.done());  // undo is not wanted, and 4 has not failed
  Operator full(procedure(steps()));
  step(full, Reply::integer(2));
  EXPECT_EQ(full.phase(), 3u);
  step(full, Reply::ok());
  EXPECT_EQ(full.phase(), 4u);  // 4 was left out, which is a failure
  step(full, Reply::ok());
  EXPECT_TRUE(full.done());
  EXPECT_TRUE(full.state().wanted.empty());
}

TEST(Operator, AConditionSeesNamesAndErrorsThatWereGoneOver) {
  Operator named(procedure({send_step("look", kA), if_step("then", 0, "contains at B")}));
  step(named, Reply::bulk("slot at " + kIdOfB));
  EXPECT_TRUE(named.working());
  Operator carried(procedure({send_step("try", kA, {.on_error = OnError::carry_on}),
                              if_step("then", 0, "begins with ERR I'm")}));
  step(carried, Reply::error("ERR I'm not the owner"));
  EXPECT_TRUE(carried.working());
  Operator other(procedure({send_step("try", kA, {.on_error = OnError::carry_on}),
                            if_step("then", 0, "begins with ERR I'm")}));
  step(other, Reply::error("ERR no"));
  EXPECT_TRUE(other.done());
}

TEST(Operator, SendsAgainUntilTheAnswerIsSo) {
  Step wait = send_step("wait", kA, {.retries_max = 2});
  wait.until = condition("is 0");
  Operator op(procedure({wait, send_step("4", kB)}));
  step(op, Reply::integer(2));
  step(op, Reply::integer(1));
  EXPECT_EQ(op.phase(), 0u);
  step(op, Reply::integer(0));
  EXPECT_EQ(op.phase(), 1u);
  Operator gives_up(procedure({wait, send_step("4", kB)}));
  for (int i = 0; i < 3; ++i) step(gives_up, Reply::integer(2));
  EXPECT_TRUE(gives_up.stopped());
  wait.reaction.retries_max = 0;
  Operator patient(procedure({wait}));
  const Operator at_first = patient;
  for (int i = 0; i < 1000; ++i) step(patient, Reply::integer(2));
  EXPECT_TRUE(patient.state() == at_first.state());  // tries are not counted
}

}  // namespace
}  // namespace slotlab::oper
