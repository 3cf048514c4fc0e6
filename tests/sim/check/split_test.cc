// A system split by who may crash: its parts together do what the whole does.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/system/split.h"
#include "tests/sim/check/random_system.h"
#include "tests/sim/check/reached.h"

namespace slotlab::sim {
namespace {

using testing::explore_all;

RC_GTEST_PROP(SplitByCrash, ThePartsTogetherReachWhatTheWholeReaches, ()) {
  const std::shared_ptr<const System> system = testing::random_system();
  const auto whole = explore_all(system, {.drop_inert = true}).combinations;
  std::set<std::vector<std::string>> together;
  const std::vector<Part> parts = split_by_crash(system);
  for (const Part& part : parts) {
    together.merge(explore_all(part.system, {.drop_inert = true}).combinations);
  }
  RC_ASSERT(together == whole);
  RC_CLASSIFY(parts.size() > 1, "split");
}

TEST(SplitByCrash, NamesItsPartsAndLeavesAloneWhatHappensTwice) {
  SystemSpec spec = [] {
    SystemSpec s;
    s.names = {"A", "B", "C"};
    for (int i = 0; i < 3; ++i) {
      auto table = std::make_shared<testing::Table>();
      table->on_message.resize(4);
      table->on_step.resize(2);
      table->after_crash.resize(2);
      s.actors.push_back(std::make_shared<testing::TableActor>(table));
    }
    return s;
  }();
  FaultRule once;
  once.name = "crash of any node";
  once.actors = {ActorId{0}, ActorId{2}};
  FaultRule twice = once;
  twice.at_most = 2;
  spec.faults = {once, twice, once};
  const auto parts = split_by_crash(std::make_shared<const System>(spec));
  std::vector<std::string> names;
  for (const Part& part : parts) names.push_back(part.name);
  EXPECT_EQ(names, (std::vector<std::string>{"crash of A, crash of A", "crash of A, crash of C",
                                             "crash of C, crash of A", "crash of C, crash of C"}));
  // The action that crashes C by the first rule means the same in the part as in the whole.
  const System& part = *parts[2].system;
  std::vector<Action> possible;
  part.faults_possible(part.initial_environment(), [](ActorId) { return 0u; },
                       [](ActorId) { return false; }, possible);
  EXPECT_EQ(possible, (std::vector<Action>{Action::make(ActionKind::crash, 0, 1),
                                           Action::make(ActionKind::crash, 1, 0),
                                           Action::make(ActionKind::crash, 1, 1),
                                           Action::make(ActionKind::crash, 2, 0)}));
}

}  // namespace
}  // namespace slotlab::sim
