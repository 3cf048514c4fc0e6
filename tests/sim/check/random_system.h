// Small systems drawn at random: actors whose handlers are tables of numbers. They know no protocol
// and no decency, which is what makes them good opponents for a reduction.
#pragma once

#include <rapidcheck.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/system/system.h"

namespace slotlab::sim::testing {

// What an actor does on one input in one state.
struct Move {
  std::uint8_t next = 0;       // the state after
  std::int8_t send_to = -1;    // -1: no output
  std::uint8_t message = 0;
};

struct Table {
  std::uint8_t states = 2;
  std::uint8_t messages = 2;
  std::vector<Move> on_message;  // by state * messages + message
  std::vector<Move> on_step;     // by state; a free message to each peer if send_to >= 0
  std::vector<std::uint8_t> after_crash;  // by state
};

struct Number final : Message {
  std::uint8_t value = 0;
  void encode(Encoder& out) const override { out.number(value); }
};

class TableActor final : public Actor {
 public:
  TableActor(std::shared_ptr<const Table> table) : table_(std::move(table)) {}
  std::unique_ptr<Actor> clone() const override { return std::make_unique<TableActor>(*this); }
  void encode(Encoder& out) const override { sim::encode(out, std::pair(state_, stopped_)); }
  void offers(std::vector<Offer>& out) const override {
    if (stopped_) return;
    const Move& move = table_->on_step[state_];
    if (move.send_to < 0) {
      if (move.next != state_) out.push_back({.code = 99, .need = Need::nothing});
      return;
    }
    out.push_back({.code = static_cast<StepCode>(move.send_to),
                   .need = Need::room,
                   .peer = ActorId{static_cast<std::uint8_t>(move.send_to)}});
  }
  void take(StepCode, Effects& effects) override { make(table_->on_step[state_], effects); }
  void receive(ActorId, std::uint8_t, const Message& message, Effects& effects) override {
    const auto& number = dynamic_cast<const Number&>(message);
    make(table_->on_message[std::size_t{state_} * table_->messages + number.value], effects);
  }
  void crash(CrashKind) override { state_ = table_->after_crash[state_]; }
  bool can_stop() const override { return !stopped_; }
  void stop() override { stopped_ = true; }
  std::string step_text(StepCode code) const override { return "step " + std::to_string(code); }
  std::vector<std::string> beliefs() const override {
    return {"state " + std::to_string(state_) + (stopped_ ? ", stopped" : "")};
  }
  std::uint8_t state() const { return state_; }
  bool stopped() const { return stopped_; }
  const Table& table() const { return *table_; }

 private:
  void make(const Move& move, Effects& effects) {
    if (move.send_to >= 0) {
      auto number = std::make_shared<Number>();
      number->value = move.message;
      effects.send(ActorId{static_cast<std::uint8_t>(move.send_to)}, 0, std::move(number));
    }
    state_ = move.next;
  }
  std::shared_ptr<const Table> table_;
  std::uint8_t state_ = 0;
  bool stopped_ = false;
};

// Two or three actors, all linked, one in flight, with a crash and a cut allowed now and then. With
// `twins`, every state has one that does the same (state s and s + half), or almost, and the last
// actor may stop, mostly without ever being told anything.
inline std::shared_ptr<const System> random_system(bool twins = false) {
  // At full size from the first test on: small sizes would draw systems in which nothing happens.
  const auto below = [](int n) { return *rc::gen::resize(100, rc::gen::inRange(0, n)); };
  SystemSpec spec;
  const int actors = 2 + below(2);
  const bool stops = twins && below(2) == 0;
  const bool last_is_told = !stops || below(4) == 0;
  for (int a = 0; a < actors; ++a) {
    auto table = std::make_shared<Table>();
    table->states = static_cast<std::uint8_t>(2 + below(3));
    table->messages = 2;
    const auto move = [&](std::uint8_t state, int silent_percent) {
      Move m;
      // Most deliveries change nothing, as in a protocol that repeats itself.
      m.next = below(100) < silent_percent ? state
                                           : static_cast<std::uint8_t>(below(table->states));
      if (below(100) >= silent_percent) {
        m.send_to = static_cast<std::int8_t>((a + 1 + below(actors - 1)) % actors);
      }
      m.message = static_cast<std::uint8_t>(below(2));
      return m;
    };
    for (std::uint8_t s = 0; s < table->states; ++s) {
      for (int message = 0; message < 2; ++message) table->on_message.push_back(move(s, 70));
      table->on_step.push_back(move(s, 30));
      table->after_crash.push_back(static_cast<std::uint8_t>(below(table->states)));
    }
    if (twins) {
      const std::uint8_t half = table->states;
      table->states = static_cast<std::uint8_t>(2 * half);
      for (std::uint8_t s = 0; s < half; ++s) {
        for (int message = 0; message < 2; ++message) {
          table->on_message.push_back(table->on_message[std::size_t{s} * 2 +
                                                        static_cast<std::size_t>(message)]);
        }
        table->on_step.push_back(table->on_step[s]);
        table->after_crash.push_back(table->after_crash[s]);
      }
      const auto spread = [&](std::uint8_t state, std::uint8_t next) {
        const bool stays = next == state % half;
        if (stays) return state;
        return static_cast<std::uint8_t>(next + (below(2) == 0 ? half : 0));
      };
      for (std::uint8_t s = 0; s < table->states; ++s) {
        for (std::size_t message = 0; message < 2; ++message) {
          Move& m = table->on_message[std::size_t{s} * 2 + message];
          m.next = spread(s, m.next);
        }
        table->on_step[s].next = spread(s, table->on_step[s].next);
        if (below(2) == 0) table->after_crash[s] = static_cast<std::uint8_t>(
                               table->after_crash[s] + (table->after_crash[s] < half ? half : 0));
      }
      if (below(2) == 0) {  // one of a pair is another after all
        const auto odd = static_cast<std::uint8_t>(below(table->states));
        table->on_message[std::size_t{odd} * 2].message ^= 1;
        table->on_message[std::size_t{odd} * 2].next =
            static_cast<std::uint8_t>(below(table->states));
      }
    }
    spec.names.push_back(std::string(1, static_cast<char>('A' + a)));
    spec.actors.push_back(std::make_shared<TableActor>(table));
    for (int b = 0; b < actors; ++b) {
      if (a == b || (b == actors - 1 && !last_is_told)) continue;
      spec.links.push_back({.from = ActorId{static_cast<std::uint8_t>(a)},
                            .to = ActorId{static_cast<std::uint8_t>(b)},
                            .room = 1,
                            .capacity = 2,
                            .lasts = below(4) != 0});
    }
  }
  const auto actor = [](int a) { return ActorId{static_cast<std::uint8_t>(a)}; };
  FaultRule crash;
  crash.kind = FaultKind::crash;
  crash.name = "crash(es)";
  crash.actors = {actor(0), actor(1)};
  crash.at_most = static_cast<std::uint8_t>(below(2));
  crash.mends = below(2) == 0;
  FaultRule cut;
  cut.kind = FaultKind::cut;
  cut.name = "cut(s)";
  cut.pairs = {{actor(0), actor(1)}};
  cut.both_ways = below(2) == 0;
  cut.at_most = static_cast<std::uint8_t>(below(2));
  spec.faults = {crash, cut};
  if (stops) {
    FaultRule stop;
    stop.kind = FaultKind::stop;
    stop.name = "stop(s)";
    stop.actors = {actor(actors - 1)};
    stop.at_most = 1;
    spec.faults.push_back(stop);
  }
  return std::make_shared<const System>(std::move(spec));
}

// The system in words, for a test that fails.
inline std::string described(const System& system) {
  std::string text;
  const auto move = [&](const Move& m) {
    text += "->" + std::to_string(m.next);
    if (m.send_to >= 0) {
      text += " sends " + std::to_string(m.message) + " to " +
              system.name(ActorId{static_cast<std::uint8_t>(m.send_to)});
    }
    text += "; ";
  };
  for (std::size_t a = 0; a < system.actor_count(); ++a) {
    const Table& table = dynamic_cast<const TableActor&>(*system.spec().actors[a]).table();
    text += "\n" + system.spec().names[a] + ":";
    for (std::uint8_t s = 0; s < table.states; ++s) {
      text += "\n  state " + std::to_string(s) + " step ";
      move(table.on_step[s]);
      for (std::uint8_t m = 0; m < table.messages; ++m) {
        text += "on " + std::to_string(m) + " ";
        move(table.on_message[std::size_t{s} * table.messages + m]);
      }
      text += "after a crash " + std::to_string(table.after_crash[s]);
    }
  }
  for (const LinkSpec& link : system.spec().links) {
    text += "\n" + system.name(link.from) + "->" + system.name(link.to) +
            (link.lasts ? " lasts" : " in order");
  }
  for (const FaultRule& rule : system.spec().faults) {
    text += "\n" + std::to_string(rule.at_most) + " " + rule.name + (rule.mends ? " mends" : "") +
            (rule.both_ways ? " both ways" : "");
  }
  return text;
}

}  // namespace slotlab::sim::testing
