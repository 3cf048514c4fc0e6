// The law that ties the drivers together: every run of every driver is a path of the graph that the
// exhaustive driver explores. Each event of a run must be an edge of that graph, out of the state
// that the world was in and into the state that it is in afterwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "sim/check/tuple_space.h"
#include "sim/drive/random.h"
#include "sim/drive/timed.h"
#include "tests/sim/toy_actors.h"

namespace slotlab::sim {
namespace {

using namespace toys;

// Follows a run event by event on the graph.
class PathChecker {
 public:
  explicit PathChecker(std::shared_ptr<const System> system)
      : space_(system, {}), state_(space_.state_of(World(system))) {
    const auto initial = space_.initial();
    EXPECT_NE(std::find(initial.begin(), initial.end(), state_), initial.end());
  }

  void check(const World& world, const RunStep& step) {
    successors_.clear();
    space_.expand(state_, space_.fingerprint(state_), successors_);
    const auto edge = std::find_if(
        successors_.entries.begin(), successors_.entries.end(),
        [&](const Successors::Entry& entry) { return entry.action == step.event.action; });
    ASSERT_NE(edge, successors_.entries.end()) << step.event.text;
    EXPECT_EQ(space_.describe(state_, step.event.action), step.event.text);
    for (std::uint32_t c = 0; c < edge->change_count; ++c) {
      const Change& change = successors_.changes[edge->first_change + c];
      state_[change.component] = change.value;
    }
    ASSERT_EQ(state_, space_.state_of(world)) << step.event.text;
    EXPECT_EQ(edge->fingerprint, space_.fingerprint(state_)) << step.event.text;
    ++checked_;
  }

  Watch watch() {
    return [this](const World& world, const RunStep& step) { check(world, step); };
  }
  std::size_t checked() const { return checked_; }

 private:
  TupleSpace space_;
  std::vector<std::uint32_t> state_;
  Successors successors_;
  std::size_t checked_ = 0;
};

std::vector<FaultRule> all_faults(std::size_t actors) {
  std::vector<ActorId> everybody;
  for (std::size_t i = 0; i < actors; ++i) everybody.push_back(id(i));
  std::vector<FaultRule> rules;
  for (const FaultKind kind : {FaultKind::crash, FaultKind::pause, FaultKind::lose_reply}) {
    FaultRule rule;
    rule.kind = kind;
    rule.name = "fault";
    rule.actors = everybody;
    rule.at_most = 2;
    rules.push_back(rule);
  }
  if (actors > 1) {
    FaultRule cut;
    cut.kind = FaultKind::cut;
    cut.name = "cut";
    cut.pairs = {{id(0), id(1)}};
    rules.push_back(cut);
  }
  return rules;
}

std::vector<SystemSpec> systems() {
  FaultRule stop;
  stop.kind = FaultKind::stop;
  stop.name = "stop";
  stop.actors = {id(0)};
  SystemSpec counter = counter_spec({.faults = all_faults(1)});
  counter.faults.push_back(stop);
  return {ping_pong_spec({.faults = all_faults(2)}), ring_spec({.faults = all_faults(3)}), counter,
          beaters_spec({.room = 2, .faults = all_faults(3)}),
          caller_spec({.wanted = 5, .faults = all_faults(2)})};
}

TEST(Law, EveryTimedRunIsAPathOfTheGraph) {
  for (const SystemSpec& spec : systems()) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto system = make_system(spec);
      PathChecker path(system);
      World world(system);
      TimedOptions options{.seed = seed, .horizon = seconds(5), .draw_faults = true};
      options.record.watch = path.watch();
      const RunResult result = run_timed(world, options);
      ASSERT_FALSE(HasFatalFailure());
      EXPECT_EQ(path.checked(), result.events);
      EXPECT_GT(result.events, 0u);
    }
  }
}

TEST(Law, EveryRandomRunIsAPathOfTheGraph) {
  for (const SystemSpec& spec : systems()) {
    for (const Choice choice : {Choice::by_kind, Choice::uniform, Choice::pct}) {
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto system = make_system(spec);
        PathChecker path(system);
        World world(system);
        RandomOptions options{.seed = seed, .steps_max = 300, .choice = choice};
        options.record.watch = path.watch();
        const RunResult result = run_random(world, options);
        ASSERT_FALSE(HasFatalFailure());
        EXPECT_EQ(path.checked(), result.events);
        EXPECT_GT(result.events, 0u);
      }
    }
  }
}

}  // namespace
}  // namespace slotlab::sim
