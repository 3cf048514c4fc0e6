// Tries to refute early deliveries: over drawn systems the verdicts and the states in which nothing
// is possible any more must be those of the full search. Actors that are mere tables leave little
// to take early, so there are others that keep marks, which mostly nobody asks about.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/check/explorer.h"
#include "tests/sim/check/end_states.h"
#include "tests/sim/check/random_system.h"

namespace slotlab::sim {
namespace {

using testing::Number;

constexpr std::uint8_t kPushAndMark = 7;  // sends 3 and 0

// Has a state, which it acts by, and marks, which it gets by messages and seldom acts by.
struct Rules {
  std::uint8_t states = 3;
  std::vector<std::uint8_t> next;       // by state: by a step
  std::vector<std::int8_t> send_to;     // by state: what that step sends, -1: nothing
  std::vector<std::uint8_t> message;    // by state
  std::vector<std::uint8_t> on_push;    // by state: by the message 3
  std::vector<std::uint8_t> otherwise;  // the same, if it has the mark that `asks` says
  int asks = -1;
  bool answers = false;                 // a push is answered by the marks
  int waits_for = -1;                   // the step of state 1 needs this mark
  int forgets = -1;                     // the step of state 0 takes away this mark
  bool shows = false;                   // what is sent tells the marks
  int shuns = -1;                       // the step of state 1 must not have this mark
};

class Marker final : public Actor {
 public:
  explicit Marker(std::shared_ptr<const Rules> rules) : rules_(std::move(rules)) {}
  std::unique_ptr<Actor> clone() const override { return std::make_unique<Marker>(*this); }
  void encode(Encoder& out) const override {
    out.number(state_);
    out.number(marks_);
  }
  void offers(std::vector<Offer>& out) const override {
    if (rules_->next[state_] == state_) return;
    if (state_ == 1 && rules_->waits_for >= 0 && (marks_ >> rules_->waits_for & 1) == 0) return;
    if (state_ == 1 && rules_->shuns >= 0 && (marks_ >> rules_->shuns & 1) != 0) return;
    Offer offer;
    offer.code = 1;
    if (rules_->send_to[state_] >= 0) {
      offer.need = Need::room;
      offer.peer = ActorId{static_cast<std::uint8_t>(rules_->send_to[state_])};
    }
    out.push_back(offer);
  }
  void take(StepCode, Effects& effects) override {
    if (rules_->send_to[state_] >= 0 && rules_->message[state_] == kPushAndMark) {
      const ActorId to{static_cast<std::uint8_t>(rules_->send_to[state_])};
      for (const std::uint8_t value : {std::uint8_t{3}, std::uint8_t{0}}) {
        auto number = std::make_shared<Number>();
        number->value = value;
        effects.send(to, 0, number);
      }
    } else if (rules_->send_to[state_] >= 0) {
      auto number = std::make_shared<Number>();
      number->value = rules_->message[state_];
      if (rules_->shows && marks_ != 0) number->value = 3;
      effects.send(ActorId{static_cast<std::uint8_t>(rules_->send_to[state_])}, 0, number);
    }
    if (state_ == 0 && rules_->forgets >= 0) marks_ &= ~(1u << rules_->forgets);
    state_ = rules_->next[state_];
  }
  void receive(ActorId from, std::uint8_t, const Message& message, Effects& effects) override {
    const auto value = dynamic_cast<const Number&>(message).value;
    if (value < 3) marks_ |= 1u << value;
    if (value != 3) return;
    if (rules_->answers) {
      auto number = std::make_shared<Number>();
      number->value = static_cast<std::uint8_t>(marks_ % 3);
      effects.send(from, 0, number);
    }
    const bool other = rules_->asks >= 0 && (marks_ >> rules_->asks & 1) != 0;
    state_ = other ? rules_->otherwise[state_] : rules_->on_push[state_];
  }
  void crash(CrashKind) override { marks_ = 0; }
  std::string step_text(StepCode) const override { return "steps"; }
  std::vector<std::string> beliefs() const override {
    return {"state " + std::to_string(state_), "marks " + std::to_string(marks_)};
  }
  std::uint8_t state() const { return state_; }
  unsigned marks() const { return marks_; }

 private:
  std::shared_ptr<const Rules> rules_;
  std::uint8_t state_ = 0;
  unsigned marks_ = 0;
};

int below(int n) { return *rc::gen::inRange(0, n); }

std::shared_ptr<const System> system_of_markers() {
  SystemSpec spec;
  const auto id = [](int a) { return ActorId{static_cast<std::uint8_t>(a)}; };
  const bool coalesce = below(2) == 0;
  for (int a = 0; a < 3; ++a) {
    auto rules = std::make_shared<Rules>();
    for (int s = 0; s < rules->states; ++s) {
      rules->next.push_back(static_cast<std::uint8_t>(below(rules->states)));
      const int to = below(5) == 0 ? -1 : (a + 1 + below(2)) % 3;
      rules->send_to.push_back(static_cast<std::int8_t>(to));
      rules->message.push_back(static_cast<std::uint8_t>(below(5) == 0 ? 3 : below(3)));
      rules->on_push.push_back(static_cast<std::uint8_t>(below(rules->states)));
      rules->otherwise.push_back(static_cast<std::uint8_t>(below(rules->states)));
    }
    if (below(4) == 0) rules->waits_for = below(3);
    if (below(8) == 0) rules->shuns = below(3);
    if (below(6) == 0) rules->forgets = below(3);
    if (below(4) == 0) rules->asks = below(3);
    rules->answers = below(6) == 0;
    rules->shows = below(6) == 0;
    spec.names.push_back(std::string(1, static_cast<char>('A' + a)));
    spec.actors.push_back(std::make_shared<Marker>(rules));
    for (int b = 0; b < 3; ++b) {
      if (a == b) continue;
      spec.links.push_back(
          {.from = id(a), .to = id(b), .room = 1, .capacity = 2, .coalesce = coalesce});
    }
  }
  FaultRule cut;
  cut.kind = FaultKind::cut;
  cut.name = "cut(s)";
  cut.pairs = {{id(0), id(1)}};
  cut.at_most = static_cast<std::uint8_t>(below(3) == 0);
  FaultRule crash;
  crash.name = "crash(es)";
  crash.actors = {id(2)};
  crash.at_most = static_cast<std::uint8_t>(below(3) == 0);
  crash.mends = below(2) == 0;
  FaultRule pause;
  pause.kind = FaultKind::pause;
  pause.name = "pause(s)";
  pause.actors = {id(1)};
  pause.at_most = static_cast<std::uint8_t>(below(3) == 0);
  spec.faults = {cut, crash, pause};
  return std::make_shared<const System>(std::move(spec));
}

// Looks at the state of one actor and, seldom, at a mark of another.
Property drawn_property(Mood mood, int number) {
  const ActorId first{static_cast<std::uint8_t>(below(3))};
  const ActorId second{static_cast<std::uint8_t>(below(3))};
  const int state = below(3);
  const int mark = below(2) == 0 ? below(3) : -1;
  return {.name = "p" + std::to_string(number),
          .mood = mood,
          .holds =
              [=](const SystemView& view) {
                const auto& a = dynamic_cast<const Marker&>(view.actor(first));
                const auto& b = dynamic_cast<const Marker&>(view.actor(second));
                const bool found =
                    a.state() == state && (mark < 0 || (b.marks() >> mark & 1) == 0);
                return found == (mood == Mood::sometimes);
              },
          .then = nullptr,
          .explain = nullptr};
}

void holds_of(const std::shared_ptr<const System>& system,
              const std::vector<Property>& properties) {
  const testing::Ends full = testing::ends_of(system, properties, {}, 20000);
  // A message lost at a full link is where the argument stops (docs/reductions.md).
  RC_PRE(full.complete && !full.capacity_hit);
  const testing::Ends inert = testing::ends_of(system, properties, {.drop_inert = true});
  const testing::Ends early =
      testing::ends_of(system, properties, {.drop_inert = true, .deliver_early = true});
  RC_ASSERT(early.verdicts == full.verdicts);
  RC_ASSERT(early.ends == full.ends);
  RC_ASSERT(early.states <= inert.states);
  RC_CLASSIFY(early.states == inert.states, "as many states");
  RC_CLASSIFY(early.states < inert.states, "fewer states");
  RC_CLASSIFY(early.states * 2 <= inert.states, "at most half");
}

// One run of three actors: A sends B a push and a mark in one step, and ends in state 2; B, pushed
// to state 1, takes a step to state 2 before or after it takes the mark.
struct OneRun {
  std::shared_ptr<Rules> a, b, c;
};

OneRun one_run() {
  const auto still = [] {
    auto rules = std::make_shared<Rules>();
    rules->next = {0, 1, 2};
    rules->send_to = {-1, -1, -1};
    rules->message = {0, 0, 0};
    rules->on_push = rules->otherwise = {0, 1, 2};
    return rules;
  };
  OneRun run{still(), still(), still()};
  run.a->next = {1, 2, 2};
  run.a->send_to = {1, -1, -1};
  run.a->message = {kPushAndMark, 0, 0};
  run.b->on_push = {1, 1, 2};
  run.b->next = {0, 2, 2};
  return run;
}

// Whether it is reached that an actor is in `state` and has (or has not) the mark.
void expect_reached(const OneRun& run, std::uint8_t actor, int state, unsigned marks) {
  SystemSpec spec;
  spec.names = {"A", "B", "C"};
  for (const auto& rules : {run.a, run.b, run.c}) {
    spec.actors.push_back(std::make_shared<Marker>(rules));
  }
  for (std::uint8_t from = 0; from < 3; ++from) {
    for (std::uint8_t to = 0; to < 3; ++to) {
      if (from != to) spec.links.push_back({.from = ActorId{from}, .to = ActorId{to}});
    }
  }
  const Property wanted{.name = "reached",
                        .mood = Mood::sometimes,
                        .holds =
                            [=](const SystemView& view) {
                              const auto& m =
                                  dynamic_cast<const Marker&>(view.actor(ActorId{actor}));
                              return m.state() == state && m.marks() == marks;
                            },
                        .then = nullptr,
                        .explain = nullptr};
  const auto system = std::make_shared<const System>(std::move(spec));
  for (const bool early : {false, true}) {
    TupleSpace space(system, {wanted}, {.drop_inert = true, .deliver_early = early});
    EXPECT_EQ(explore(space, {}).properties[0].verdict, Verdict::holds) << early;
  }
}

TEST(EarlyDeliveries, AreNotTakenWhereAPropertySeesThem) { expect_reached(one_run(), 1, 2, 0); }

TEST(EarlyDeliveries, AreNotTakenWhereTheyWouldPreventAStep) {
  OneRun run = one_run();
  run.b->shuns = 0;
  run.b->send_to = {-1, 2, -1};
  run.b->message = {0, 1, 0};
  expect_reached(run, 2, 0, 2);
}

TEST(EarlyDeliveries, AreNotTakenWhereAnOutputShowsThem) {
  OneRun run = one_run();
  run.b->shows = true;
  run.b->send_to = {-1, 2, -1};
  run.b->message = {0, 1, 0};
  expect_reached(run, 2, 0, 2);
}

RC_GTEST_PROP(EarlyDeliveries, LeadToTheSameVerdictsAndEndsAmongMarkers, ()) {
  const std::shared_ptr<const System> system = system_of_markers();
  std::vector<Property> properties;
  for (int p = below(4); p > 0; --p) {
    properties.push_back(drawn_property(p % 2 == 0 ? Mood::always : Mood::sometimes, p));
  }
  holds_of(system, properties);
}

RC_GTEST_PROP(EarlyDeliveries, LeadToTheSameEndsAmongTables, ()) {
  holds_of(testing::random_system(), {});
}

}  // namespace
}  // namespace slotlab::sim
