// Small systems whose every run can be worked out with pencil and paper: the drivers' test pieces.
//
//   ping-pong   A serves a numbered ball, B sends it back, a given number of times
//   ring        a token goes round among n actors, a given number of rounds
//   counter     counts up and now and then saves; a crash forgets what was not saved
//   beater      sends a heartbeat to every peer for ever, and remembers whom it heard
//   guest       leaves after a while, sooner if a message told it to hurry
//   caller      asks a server for the next number, and asks again if no answer comes
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/property/property.h"
#include "sim/system/system.h"

namespace slotlab::sim::toys {

struct Number : Message {
  explicit Number(std::uint32_t n) : value(n) {}
  void encode(Encoder& out) const override { out.number(value); }
  std::uint32_t value;
};

inline std::uint32_t number_in(const Message& message) {
  return dynamic_cast<const Number&>(message).value;
}
inline MessagePtr number(std::uint32_t n) { return std::make_shared<Number>(n); }
constexpr ActorId id(std::size_t n) { return ActorId{static_cast<std::uint8_t>(n)}; }

// Gives a toy clone() and encode() from its copy constructor and members().
template <class Self>
class Toy : public Actor {
 public:
  std::unique_ptr<Actor> clone() const override {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
  void encode(Encoder& out) const override {
    sim::encode(out, static_cast<const Self&>(*this).members());
  }
  void offers(std::vector<Offer>&) const override {}
  void take(StepCode, Effects&) override {}
  void receive(ActorId, std::uint8_t, const Message&, Effects&) override {}
  std::string step_text(StepCode) const override { return "does nothing"; }
};

struct Times {
  Duration min, max;
};

class Player : public Toy<Player> {
 public:
  Player(ActorId other, std::uint32_t serves, Times delay)
      : other_(other), serves_left_(serves), delay_(delay) {}
  auto members() const { return std::tie(serves_left_, waiting_, returned_); }

  void offers(std::vector<Offer>& out) const override {
    if (serves_left_ == 0 || waiting_) return;
    out.push_back({.code = 0, .need = Need::room, .peer = other_, .delay_min = delay_.min,
                   .delay_max = delay_.max});
  }
  void take(StepCode, Effects& effects) override {
    waiting_ = true;
    effects.send(other_, 0, number(serves_left_--));
  }
  void receive(ActorId from, std::uint8_t, const Message& ball, Effects& effects) override {
    if (waiting_) {
      waiting_ = false;
      ++returned_;
      effects.note("caught");
    } else {
      effects.send(from, 0, number(number_in(ball)));
    }
  }
  std::string step_text(StepCode) const override {
    return "serves ball " + std::to_string(serves_left_);
  }
  std::string message_text(const Message& ball) const override {
    return "ball " + std::to_string(number_in(ball));
  }
  std::vector<std::string> beliefs() const override {
    return {"returned: " + std::to_string(returned_)};
  }
  std::uint32_t returned() const { return returned_; }

 private:
  ActorId other_;
  std::uint32_t serves_left_;
  Times delay_;
  bool waiting_ = false;
  std::uint32_t returned_ = 0;
};

class RingMember : public Toy<RingMember> {
 public:
  RingMember(ActorId next, bool holds, std::uint32_t passes, Times delay)
      : next_(next), holds_(holds), passes_left_(passes), delay_(delay) {}
  auto members() const { return std::tie(holds_, passes_left_); }

  void offers(std::vector<Offer>& out) const override {
    if (!holds_ || passes_left_ == 0) return;
    out.push_back({.code = 7, .need = Need::room, .peer = next_, .delay_min = delay_.min,
                   .delay_max = delay_.max});
  }
  void take(StepCode, Effects& effects) override {
    holds_ = false;
    --passes_left_;
    effects.send(next_, 0, number(1));
  }
  void receive(ActorId, std::uint8_t, const Message&, Effects&) override { holds_ = true; }
  std::string step_text(StepCode) const override { return "passes the token"; }
  std::string message_text(const Message&) const override { return "the token"; }
  bool holds() const { return holds_; }

 private:
  ActorId next_;
  bool holds_;
  std::uint32_t passes_left_;
  Times delay_;
};

class Counter : public Toy<Counter> {
 public:
  static constexpr StepCode kCount = 0, kSave = 1;
  Counter(std::uint32_t count_max, Times count, Times save)
      : count_max_(count_max), count_(count), save_(save) {}
  auto members() const { return std::tie(value_, saved_, stopped_); }

  void offers(std::vector<Offer>& out) const override {
    if (value_ < count_max_ && !stopped_) {
      out.push_back({.code = kCount, .delay_min = count_.min, .delay_max = count_.max});
    }
    if (saved_ != value_) {
      out.push_back({.code = kSave, .delay_min = save_.min, .delay_max = save_.max});
    }
  }
  void take(StepCode code, Effects&) override {
    if (code == kCount) ++value_;
    if (code == kSave) saved_ = value_;
  }
  void crash(CrashKind) override { value_ = saved_; }
  void restart(Effects& effects) override {
    effects.note("reads back " + std::to_string(value_));
  }
  bool can_stop() const override { return !stopped_; }
  void stop() override { stopped_ = true; }
  std::uint32_t phase() const override { return value_; }
  std::string step_text(StepCode code) const override {
    return code == kCount ? "counts to " + std::to_string(value_ + 1)
                          : "saves " + std::to_string(value_);
  }
  std::uint32_t value() const { return value_; }

 private:
  std::uint32_t count_max_;
  Times count_, save_;
  std::uint32_t value_ = 0, saved_ = 0;
  bool stopped_ = false;
};

// Hearing from a peer restarts the countdown of the heartbeat to it if `hearing_rearms`.
class Beater : public Toy<Beater> {
 public:
  Beater(std::vector<ActorId> peers, Times delay, bool hearing_rearms = false)
      : peers_(std::move(peers)), delay_(delay), hearing_rearms_(hearing_rearms) {}
  auto members() const { return std::tie(heard_); }

  void offers(std::vector<Offer>& out) const override {
    for (const ActorId peer : peers_) {
      out.push_back({.code = static_cast<StepCode>(peer), .need = Need::room, .peer = peer,
                     .delay_min = delay_.min, .delay_max = delay_.max});
    }
  }
  void take(StepCode code, Effects& effects) override { effects.send(id(code), 0, number(0)); }
  void receive(ActorId from, std::uint8_t, const Message&, Effects& effects) override {
    heard_.insert(from);
    if (hearing_rearms_) effects.rearm(static_cast<StepCode>(from));
  }
  void crash(CrashKind) override { heard_.clear(); }
  std::string step_text(StepCode code) const override {
    return "sends its heartbeat " + std::to_string(code);
  }
  std::string message_text(const Message&) const override { return "heartbeat"; }
  std::size_t heard() const { return heard_.size(); }

 private:
  std::vector<ActorId> peers_;
  Times delay_;
  bool hearing_rearms_;
  std::set<ActorId> heard_;
};

// Leaves after a long while, or after a short one once it was told to hurry.
class Guest : public Toy<Guest> {
 public:
  Guest(Duration long_while, Duration short_while, std::uint8_t budget = kNoBudget)
      : long_(long_while), short_(short_while), budget_(budget) {}
  auto members() const { return std::tie(hurried_, left_); }

  void offers(std::vector<Offer>& out) const override {
    if (left_) return;
    const Duration delay = hurried_ ? short_ : long_;
    out.push_back({.code = 0, .budget = budget_, .delay_min = delay, .delay_max = delay});
  }
  void take(StepCode, Effects&) override { left_ = true; }
  void receive(ActorId, std::uint8_t, const Message&, Effects&) override { hurried_ = true; }
  std::string step_text(StepCode) const override { return "leaves"; }

 private:
  Duration long_, short_;
  std::uint8_t budget_;
  bool hurried_ = false, left_ = false;
};

class Caller : public Toy<Caller> {
 public:
  Caller(ActorId server, std::uint32_t wanted, Times delay)
      : server_(server), wanted_(wanted), delay_(delay) {}
  auto members() const { return std::tie(answers_, failures_); }

  void offers(std::vector<Offer>& out) const override {
    if (answers_ == wanted_) return;
    out.push_back({.code = 0, .need = Need::reachable, .peer = server_, .delay_min = delay_.min,
                   .delay_max = delay_.max});
  }
  void take(StepCode, Effects& effects) override { effects.call(server_, number(0)); }
  void receive(ActorId, std::uint8_t, const Message&, Effects&) override { ++answers_; }
  void no_answer(ActorId, const Message&, Effects& effects) override {
    ++failures_;
    effects.note("no answer");
  }
  std::string step_text(StepCode) const override { return "asks"; }
  std::string message_text(const Message& message) const override {
    return "answer " + std::to_string(number_in(message));
  }
  std::uint32_t answers() const { return answers_; }
  std::uint32_t failures() const { return failures_; }

 private:
  ActorId server_;
  std::uint32_t wanted_;
  Times delay_;
  std::uint32_t answers_ = 0, failures_ = 0;
};

class Server : public Toy<Server> {
 public:
  auto members() const { return std::tie(served_); }
  void receive(ActorId from, std::uint8_t, const Message&, Effects& effects) override {
    effects.reply(from, number(++served_));
  }
  std::uint32_t served() const { return served_; }

 private:
  std::uint32_t served_ = 0;
};

inline std::vector<std::string> letters(std::size_t n) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) names.push_back(std::string(1, static_cast<char>('A' + i)));
  return names;
}

struct PingPongOptions {
  std::uint32_t serves = 3;
  Times delay = {milliseconds(1), milliseconds(1)};
  std::vector<FaultRule> faults = {};
};
inline SystemSpec ping_pong_spec(const PingPongOptions& options = {}) {
  SystemSpec spec;
  spec.names = letters(2);
  spec.actors = {std::make_shared<Player>(id(1), options.serves, options.delay),
                 std::make_shared<Player>(id(0), 0, options.delay)};
  spec.links = {{.from = id(0), .to = id(1)}, {.from = id(1), .to = id(0)}};
  spec.faults = options.faults;
  return spec;
}

struct RingOptions {
  std::size_t actors = 3;
  std::uint32_t rounds = 2;
  Times delay = {milliseconds(1), milliseconds(1)};
  std::vector<FaultRule> faults = {};
};
inline SystemSpec ring_spec(const RingOptions& options = {}) {
  SystemSpec spec;
  spec.names = letters(options.actors);
  for (std::size_t i = 0; i < options.actors; ++i) {
    const ActorId next = id((i + 1) % options.actors);
    spec.actors.push_back(
        std::make_shared<RingMember>(next, i == 0, options.rounds, options.delay));
    spec.links.push_back({.from = id(i), .to = next});
  }
  spec.faults = options.faults;
  return spec;
}

struct CounterOptions {
  std::uint32_t count_max = 3;
  Times count = {milliseconds(10), milliseconds(10)};
  Times save = {milliseconds(25), milliseconds(25)};
  std::vector<FaultRule> faults = {};
};
inline SystemSpec counter_spec(const CounterOptions& options = {}) {
  SystemSpec spec;
  spec.names = letters(1);
  spec.actors = {std::make_shared<Counter>(options.count_max, options.count, options.save)};
  spec.faults = options.faults;
  return spec;
}

struct BeatersOptions {
  std::size_t actors = 3;
  Times delay = {milliseconds(100), milliseconds(100)};
  bool hearing_rearms = false;
  std::uint16_t room = 1;
  std::vector<FaultRule> faults = {};
};
inline SystemSpec beaters_spec(const BeatersOptions& options = {}) {
  SystemSpec spec;
  for (std::size_t i = 0; i < options.actors; ++i) {
    spec.names.push_back("n" + std::to_string(i));
    std::vector<ActorId> peers;
    for (std::size_t j = 0; j < options.actors; ++j) {
      if (i == j) continue;
      peers.push_back(id(j));
      spec.links.push_back({.from = id(i), .to = id(j), .room = options.room});
    }
    spec.actors.push_back(std::make_shared<Beater>(peers, options.delay, options.hearing_rearms));
  }
  spec.faults = options.faults;
  return spec;
}

struct CallerOptions {
  std::uint32_t wanted = 2;
  Times delay = {milliseconds(5), milliseconds(5)};
  std::vector<FaultRule> faults = {};
};
inline SystemSpec caller_spec(const CallerOptions& options = {}) {
  SystemSpec spec;
  spec.names = {"client", "server"};
  spec.actors = {std::make_shared<Caller>(id(1), options.wanted, options.delay),
                 std::make_shared<Server>()};
  spec.faults = options.faults;
  return spec;
}

inline std::shared_ptr<const System> make_system(SystemSpec spec) {
  return std::make_shared<const System>(std::move(spec));
}

// The living actor, as what it is.
template <class Kind>
const Kind& as(const SystemView& view, std::size_t actor) {
  return dynamic_cast<const Kind&>(view.actor(id(actor)));
}

}  // namespace slotlab::sim::toys
