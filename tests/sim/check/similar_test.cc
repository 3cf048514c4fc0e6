// Tries to refute the merging of similar local states and messages: over random systems whatever
// properties can see in some state of the system they must see in some state of the merged one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

#include "sim/check/run_path.h"
#include "sim/check/similar_space.h"
#include "tests/sim/check/random_system.h"
#include "tests/sim/check/seen_property.h"

namespace slotlab::sim {
namespace {

struct Seen {
  std::set<PropertyBits> bits;
  std::size_t states = 0;
  bool too_large = false;
  bool capacity_hit = false;
};

Seen see_all(Space& space, std::size_t states_max) {
  Seen result;
  do {
    result.bits.clear();
    std::set<std::vector<std::uint32_t>> seen;
    std::deque<std::vector<std::uint32_t>> waiting;
    for (auto& state : space.initial()) {
      if (seen.insert(state).second) waiting.push_back(state);
    }
    while (!waiting.empty()) {
      if (seen.size() > states_max) {
        result.too_large = true;
        return result;
      }
      const auto state = std::move(waiting.front());
      waiting.pop_front();
      result.bits.insert(space.check(state));
      Successors out;
      space.expand(state, space.fingerprint(state), out);
      for (const auto& entry : out.entries) {
        auto next = successor_state(state, out, entry);
        if (seen.insert(next).second) waiting.push_back(std::move(next));
      }
    }
    result.states = seen.size();
  } while (space.needs_another_round());
  const std::vector<Bound> bounds = space.bounds();
  result.capacity_hit = !bounds.empty() && bounds.back().hit;
  return result;
}

// One property for each actor: whether it is in one of some states, drawn at random, or down; some
// also tell whether it has stopped. Twins look alike.
std::vector<Property> drawn_properties(const System& system) {
  std::vector<Property> properties;
  for (std::uint8_t a = 0; a < system.actor_count(); ++a) {
    const auto marked = *rc::gen::resize(100, rc::gen::inRange(0u, 16u));
    const bool tells_stops = *rc::gen::resize(100, rc::gen::inRange(0, 4)) == 0;
    const auto is_marked = [marked, tells_stops](const Actor& actor) {
      const auto& table_actor = dynamic_cast<const testing::TableActor&>(actor);
      if (tells_stops && table_actor.stopped()) return true;
      return (marked >> table_actor.state() % (table_actor.table().states / 2) & 1u) != 0;
    };
    Property property;
    property.name = "marked";
    property.mood = Mood::sometimes;
    property.holds = [a, is_marked](const SystemView& view) {
      return is_marked(view.actor(ActorId{a})) ||
             view.environment().status[a] != Status::up;
    };
    property.sees = [a, is_marked](ActorId id, const Actor& actor, Encoder& out) {
      if (id == ActorId{a}) encode(out, is_marked(actor));
    };
    property.sees_cuts = false;
    properties.push_back(property);
  }
  return properties;
}

// Also when it has looked at next to nothing beforehand, so that the search itself must find out.
RC_GTEST_PROP(SimilarStates, LookLikeAllThatCanHappen, ()) {
  const std::shared_ptr<const System> system = testing::random_system(true);
  const std::vector<Property> properties = drawn_properties(*system);
  TupleSpace plain(system, properties);
  const Seen full = see_all(plain, 100'000);
  RC_PRE(!full.too_large && !full.capacity_hit);
  TupleSpace lasting(system, properties, {.drop_inert = true, .lasting = true});
  const Seen unmerged = see_all(lasting, 200'000);
  const bool early = *rc::gen::resize(100, rc::gen::inRange(0, 2)) == 0;
  const Looks looks = early ? Looks{.first = 3, .last = 5} : Looks{};
  SimilarSpace similar(system, properties, nullptr, looks);
  const Seen merged = see_all(similar, 200'000);
  RC_PRE(!unmerged.too_large && !merged.too_large && !unmerged.capacity_hit);
  RC_ASSERT(std::ranges::includes(merged.bits, full.bits));
  RC_ASSERT(merged.bits == unmerged.bits);
  RC_CLASSIFY(merged.states < unmerged.states, "smaller");
  RC_CLASSIFY(full.bits.size() > 2, "something is seen");
}

// C in states 0 and 1 is told apart by a message of B only, who says it after six steps of its own:
// a search that looked at next to nothing beforehand takes the two for one, and must notice.
TEST(SimilarStates, WhatWasMergedWronglyIsNoticed) {
  const auto stays = [](int states) {
    std::vector<testing::Move> moves;
    for (int s = 0; s < states; ++s) {
      for (int message = 0; message < 2; ++message) {
        moves.push_back({.next = static_cast<std::uint8_t>(s)});
      }
    }
    return moves;
  };
  const auto made = [](std::vector<testing::Move> on_message, std::vector<testing::Move> on_step) {
    auto table = std::make_shared<testing::Table>();
    table->states = static_cast<std::uint8_t>(on_step.size());
    table->on_message = std::move(on_message);
    table->on_step = std::move(on_step);
    table->after_crash.resize(table->states);
    return std::make_shared<testing::TableActor>(table);
  };
  std::vector<testing::Move> walks;
  for (std::uint8_t s = 0; s < 6; ++s) {
    walks.push_back({.next = static_cast<std::uint8_t>(s + 1)});
  }
  walks.push_back({.next = 6, .send_to = 2, .message = 1});
  SystemSpec spec;
  spec.names = {"A", "B", "C"};
  spec.actors = {
      made(stays(1), {{.next = 0, .send_to = 2, .message = 0}}), made(stays(7), walks),
      made({{.next = 1}, {.next = 0}, {.next = 1}, {.next = 2}, {.next = 2}, {.next = 2}},
           {{.next = 0}, {.next = 1}, {.next = 2}})};
  spec.links = {{.from = ActorId{0}, .to = ActorId{2}, .lasts = true},
                {.from = ActorId{1}, .to = ActorId{2}, .lasts = true}};
  const auto at_2 = [](const Actor& actor) {
    return dynamic_cast<const testing::TableActor&>(actor).state() == 2;
  };
  const Property reached = testing::sometimes_seen("C is at 2", ActorId{2}, at_2);
  SimilarSpace space(std::make_shared<const System>(spec), {reached}, nullptr,
                     {.first = 2, .last = 2});
  EXPECT_EQ(see_all(space, 10'000).bits, (std::set<PropertyBits>{0, 1}));
}

// A in states 0 and 1 differs only in what it answers C where order matters; C minds.
TEST(SimilarStates, WhatGoesOutInOrderTellsThemApart) {
  const auto table = [](std::vector<testing::Move> on_message, std::vector<testing::Move> on_step) {
    auto made = std::make_shared<testing::Table>();
    made->on_message = std::move(on_message);  // by state, then message
    made->on_step = std::move(on_step);
    made->after_crash = {0, 1};
    return std::make_shared<testing::TableActor>(made);
  };
  const testing::Move stay{.next = 0}, stay_1{.next = 1};
  const auto answer = [](std::uint8_t state) {
    return testing::Move{.next = state, .send_to = 2, .message = state};
  };
  SystemSpec spec;
  spec.names = {"A", "B", "C"};
  spec.actors = {
      table({answer(0), answer(0), answer(1), answer(1)}, {{.next = 1}, {.next = 0}}),
      table({stay, stay, stay_1, stay_1}, {{.next = 0, .send_to = 0}, stay_1}),
      table({stay, {.next = 1}, stay_1, stay_1}, {stay, stay_1})};
  spec.links = {{.from = ActorId{0}, .to = ActorId{2}, .lasts = false},
                {.from = ActorId{1}, .to = ActorId{0}}};
  const auto at_1 = [](const Actor& actor) {
    return dynamic_cast<const testing::TableActor&>(actor).state() == 1;
  };
  const Property reached = testing::sometimes_seen("C has heard 1", ActorId{2}, at_1);
  SimilarSpace space(std::make_shared<const System>(spec), {reached});
  EXPECT_EQ(see_all(space, 10'000).bits, (std::set<PropertyBits>{0, 1}));
}

}  // namespace
}  // namespace slotlab::sim
