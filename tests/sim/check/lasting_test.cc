// Tries to refute lasting messages: over random systems every combination of local states that can
// be reached must be reached with them as well, and more can only come of old messages.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/sim/check/random_system.h"
#include "tests/sim/check/reached.h"
#include "tests/sim/check/seen_property.h"

namespace slotlab::sim {
namespace {

using testing::explore_all;
using testing::described;
using testing::Number;
using testing::Reached;
using testing::sometimes_seen;

RC_GTEST_PROP(LastingMessages, ReachAllCombinationsOfLocalStates, ()) {
  const std::shared_ptr<const System> system = testing::random_system();
  const Reached full = explore_all(system, {});
  RC_PRE(!full.capacity_hit);
  const Reached lasting = explore_all(system, {.drop_inert = true, .lasting = true}, 200'000);
  RC_PRE(!lasting.too_large && !lasting.capacity_hit);
  for (const auto& each : full.combinations) {
    std::string text = "missing: ";
    for (const std::string& line : each) text += line + "; ";
    if (!lasting.combinations.contains(each)) RC_FAIL(text + described(*system));
  }
  RC_CLASSIFY(lasting.states < full.states, "smaller");
  RC_CLASSIFY(lasting.combinations.size() > full.combinations.size(), "more can happen");
  RC_CLASSIFY(lasting.combinations.size() > 4, "something happens");
}

// Says its count to the other for ever. May jump to 9, once, where `need` is granted.
class Counter final : public Actor {
 public:
  explicit Counter(Need need) : need_(need) {}
  std::unique_ptr<Actor> clone() const override { return std::make_unique<Counter>(*this); }
  void encode(Encoder& out) const override { out.number(count_); }
  void offers(std::vector<Offer>& out) const override {
    out.push_back({.code = 0, .need = Need::room, .peer = ActorId{1}});
    if (need_ != Need::room && count_ == 0) {
      out.push_back({.code = 1, .need = need_, .peer = ActorId{1}});
    }
  }
  void take(StepCode code, Effects& effects) override {
    if (code == 1) {
      count_ = 9;
      return;
    }
    auto message = std::make_shared<Number>();
    message->value = count_;
    effects.send(ActorId{1}, 0, message);
  }
  void receive(ActorId, std::uint8_t, const Message&, Effects&) override {}
  std::string step_text(StepCode code) const override { return "step " + std::to_string(code); }
  std::vector<std::string> beliefs() const override { return {"count " + std::to_string(count_)}; }

 private:
  Need need_;
  std::uint8_t count_ = 0;
};
// Counts what it hears, up to 2.
class Listener final : public Actor {
 public:
  std::unique_ptr<Actor> clone() const override { return std::make_unique<Listener>(*this); }
  void encode(Encoder& out) const override { out.number(heard_); }
  void offers(std::vector<Offer>&) const override {}
  void take(StepCode, Effects&) override {}
  void receive(ActorId, std::uint8_t, const Message&, Effects&) override {
    if (heard_ < 2) ++heard_;
  }
  std::string step_text(StepCode) const override { return ""; }
  std::vector<std::string> beliefs() const override { return {"heard " + std::to_string(heard_)}; }

 private:
  std::uint8_t heard_ = 0;
};

std::shared_ptr<const System> counter_system(Need need) {
  SystemSpec spec;
  spec.names = {"A", "B"};
  spec.actors = {std::make_shared<Counter>(need), std::make_shared<Listener>()};
  spec.links = {{.from = ActorId{0}, .to = ActorId{1}}};
  FaultRule cut;
  cut.kind = FaultKind::cut;
  cut.name = "cut";
  cut.pairs = {{ActorId{0}, ActorId{1}}};
  spec.faults = {cut};
  return std::make_shared<const System>(spec);
}

// What was sent once is heard again; and a cut that nobody can tell is not made.
TEST(LastingMessages, AreHeardAgainAndACutThatNobodyCanTellIsLeftOut) {
  const Reached reached =
      explore_all(counter_system(Need::room), {.drop_inert = true, .lasting = true});
  EXPECT_EQ(reached.states, 3u);  // heard 0, 1, 2
}

// A cut is made where an actor may notice it, though that is known only after the search began.
TEST(LastingMessages, ACutThatAnActorMayNoticeIsMade) {
  for (const Need need : {Need::unreachable, Need::cut_off}) {
    const auto system = counter_system(need);
    const Reached full = explore_all(system, {.drop_inert = true});
    const Reached lasting = explore_all(system, {.drop_inert = true, .lasting = true});
    EXPECT_TRUE(std::ranges::includes(lasting.combinations, full.combinations));
    EXPECT_TRUE(lasting.combinations.contains({"A: count 9", "B: heard 2"}));
  }
}

// The same where a property of the mood `always` looks at cuts, and not where it says that it does
// not.
TEST(LastingMessages, ACutThatAPropertySeesIsMade) {
  Property property;
  property.name = "no cut";
  property.holds = [](const SystemView& view) { return view.environment().cut[1] == Cut::open; };
  for (const bool sees : {true, false}) {
    property.sees_cuts = sees;
    TupleSpace space(counter_system(Need::room), {property}, {.drop_inert = true, .lasting = true});
    Successors out;
    const auto start = space.initial().front();
    space.expand(start, space.fingerprint(start), out);
    const bool cut = std::ranges::any_of(out.entries, [](const auto& entry) {
      return entry.action.kind() == ActionKind::cut;
    });
    EXPECT_EQ(cut, sees);
  }
}

FaultRule one_stop_of(ActorId actor) {
  FaultRule stop;
  stop.kind = FaultKind::stop;
  stop.name = "stop(s)";
  stop.actors = {actor};
  stop.at_most = 1;
  return stop;
}

// Walks on by itself, and may stop; says nothing.
class Walker final : public Actor {
 public:
  std::unique_ptr<Actor> clone() const override { return std::make_unique<Walker>(*this); }
  void encode(Encoder& out) const override { sim::encode(out, std::pair(at_, stopped_)); }
  void offers(std::vector<Offer>& out) const override {
    if (at_ < 3 && !stopped_) out.push_back({.code = 0, .need = Need::nothing});
  }
  void take(StepCode, Effects&) override { ++at_; }
  void receive(ActorId, std::uint8_t, const Message&, Effects&) override {}
  std::string step_text(StepCode) const override { return "walks on"; }
  bool can_stop() const override { return at_ < 3 && !stopped_; }
  void stop() override { stopped_ = true; }
  std::vector<std::string> beliefs() const override {
    return {"at " + std::to_string(at_) + (stopped_ ? ", stopped" : "")};
  }
  std::uint8_t at() const { return at_; }
  bool stopped() const { return stopped_; }

 private:
  std::uint8_t at_ = 0;
  bool stopped_ = false;
};

Reached walks_of(bool property_tells, bool is_told) {
  SystemSpec spec;
  spec.names = {"walker", "counter"};
  spec.actors = {std::make_shared<Walker>(), std::make_shared<Walker>()};
  if (is_told) spec.links = {{.from = ActorId{1}, .to = ActorId{0}}};
  spec.faults = {one_stop_of(ActorId{0})};
  const auto looks_so = [property_tells](const Actor& actor) {
    const auto& walker = dynamic_cast<const Walker&>(actor);
    return property_tells ? walker.stopped() : walker.at() == 3;
  };
  return explore_all(std::make_shared<const System>(spec), {.drop_inert = true, .lasting = true},
                     10'000, {sometimes_seen("seen", ActorId{0}, looks_so)});
}

bool stops_somewhere(const Reached& reached) {
  return std::ranges::any_of(reached.combinations, [](const auto& lines) {
    return std::ranges::any_of(lines, [](const std::string& line) {
      return line.find("stopped") != std::string::npos;
    });
  });
}

TEST(LastingMessages, AStopThatNobodyCanTellIsLeftOut) {
  EXPECT_FALSE(stops_somewhere(walks_of(false, false)));
}

TEST(LastingMessages, AStopThatAPropertySeesIsMade) {
  EXPECT_TRUE(stops_somewhere(walks_of(true, false)));
}

TEST(LastingMessages, AStopOfWhoIsToldSomethingIsMade) {
  EXPECT_TRUE(stops_somewhere(walks_of(false, true)));
}

// Asks, once, and is answered by a later step of who was asked; may stop at any time.
class Asker final : public Actor {
 public:
  std::unique_ptr<Actor> clone() const override { return std::make_unique<Asker>(*this); }
  void encode(Encoder& out) const override {
    sim::encode(out, std::tuple(asked_, answered_, stopped_));
  }
  void offers(std::vector<Offer>& out) const override {
    if (asked_ || stopped_) return;
    out.push_back({.code = 0, .need = Need::reachable, .peer = ActorId{1}});
  }
  void take(StepCode, Effects& effects) override {
    asked_ = true;
    effects.call(ActorId{1}, std::make_shared<Number>());
  }
  void receive(ActorId, std::uint8_t, const Message&, Effects&) override {
    if (!stopped_) answered_ = true;
  }
  void no_answer(ActorId, const Message&, Effects&) override {}
  bool can_stop() const override { return !stopped_; }
  void stop() override { stopped_ = true; }
  std::string step_text(StepCode) const override { return "asks"; }
  std::vector<std::string> beliefs() const override {
    return {std::string(answered_ ? "answered" : "not answered") + (stopped_ ? ", stopped" : "")};
  }
  bool answered() const { return answered_; }

 private:
  bool asked_ = false, answered_ = false, stopped_ = false;
};

class Answerer final : public Actor {
 public:
  std::unique_ptr<Actor> clone() const override { return std::make_unique<Answerer>(*this); }
  void encode(Encoder& out) const override { out.number(steps_left_); }
  void offers(std::vector<Offer>& out) const override {
    if (steps_left_ > 0 && steps_left_ < kNotAsked) out.push_back({.code = 0});
  }
  void take(StepCode, Effects& effects) override {
    if (--steps_left_ == 0) effects.reply(ActorId{0}, std::make_shared<Number>());
  }
  void receive(ActorId, std::uint8_t, const Message&, Effects&) override { --steps_left_; }
  std::string step_text(StepCode) const override { return "works on the answer"; }
  std::vector<std::string> beliefs() const override {
    return {steps_left_ == 0 ? "has answered" : "has not answered"};
  }

 private:
  static constexpr std::uint8_t kNotAsked = 5;
  std::uint8_t steps_left_ = kNotAsked;
};

TEST(LastingMessages, AStopOfWhoIsAnsweredLaterIsMade) {
  SystemSpec spec;
  spec.names = {"asker", "answerer"};
  spec.actors = {std::make_shared<Asker>(), std::make_shared<Answerer>()};
  spec.faults = {one_stop_of(ActorId{0})};
  const auto looks_so = [](const Actor& actor) {
    return dynamic_cast<const Asker&>(actor).answered();
  };
  const Reached reached = explore_all(std::make_shared<const System>(spec),
                                      {.drop_inert = true, .lasting = true}, 10'000,
                                      {sometimes_seen("answered", ActorId{0}, looks_so)});
  EXPECT_TRUE(reached.combinations.contains({"asker: not answered, stopped",
                                             "answerer: has answered"}));
  EXPECT_EQ(reached.rounds, 2);  // the first saw the answer come
}

}  // namespace
}  // namespace slotlab::sim
