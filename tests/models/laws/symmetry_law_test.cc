// Tries to refute symmetry on scenarios: operators, slots, replicas, clients and keys that change
// places, with faults, in all dialects. What is folded must be the states of the system and no
// others, and verdicts must be the same.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "models/scenario/build.h"
#include "models/scenario/load.h"
#include "models/scenario/rename.h"
#include "sim/check/explorer.h"
#include "sim/check/real_path.h"
#include "tests/models/laws/drawn_scenarios.h"
#include "tests/sim/check/folded_graph.h"

namespace slotlab {
namespace {

std::string steps_for(const std::vector<std::string>& steps, const std::string& slot,
                      const std::string& prefix) {
  std::string text;
  for (const std::string& step : steps) {
    text += "      - {step: " + prefix + step.substr(0, 1) + ", to: " + step.substr(1, 1) +
            ", send: CLUSTER SETSLOT " + slot + step.substr(2) + "}\n";
  }
  return text;
}

// Two operators who do the same, to one slot or to one each.
std::string two_operators() {
  std::vector<std::string> steps = {"1B IMPORTING A", "2A MIGRATING B", "4B NODE B", "5A NODE B"};
  for (std::size_t i = steps.size(); i > 1; --i) {
    std::swap(steps[i - 1], steps[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  steps.resize(*rc::gen::inRange<std::size_t>(1, 4));
  const bool one_slot = *rc::gen::inRange(0, 2) == 0;
  return "title: drawn\nteaches: nothing\ndialect: " +
         laws::one_of({"redis-3.0", "redis-7.0", "redis-7.2", "valkey-8.0"}) +
         "\ncluster:\n  A: {epoch: " + laws::one_of({"1", "2"}) +
         (one_slot ? ", slots: [7, home]}\n" : ", slots: [7, 9, home]}\n") +
         "  B: {epoch: " + laws::one_of({"1", "2"}) +
         ", slots: [home]}\noperators:\n  one:\n    may stop: " + laws::one_of({"on", "off"}) +
         "\n    steps:\n" + steps_for(steps, "7", "x") + "  two:\n    may stop: " +
         laws::one_of({"on", "off"}) + "\n    steps:\n" +
         steps_for(steps, one_slot ? "7" : "9", "y") +
         (*rc::gen::inRange(0, 3) == 0 ? "faults:\n  - {cut: [A, B], at most: 1}\n" : "") +
         (*rc::gen::inRange(0, 3) == 0
              ? "check:\n  always: [owned, one-owner]\n  sometimes: [two-claim]\n"
                "expect: {owned: holds, one-owner: holds, two-claim: reached}\n"
              : "check:\n  always: [owned]\n  sometimes: [procedure-done]\n"
                "expect: {owned: holds, procedure-done: reached}\n");
}

// Two replicas of one master, or two clients with a key each.
std::string two_replicas() {
  return "title: drawn\nteaches: nothing\ndialect: " +
         laws::one_of({"redis-3.0", "redis-7.0", "redis-7.2", "valkey-8.0"}) +
         "\ncluster:\n  A: {epoch: 1, slots: [7, home]}\n  B: {epoch: 2, slots: [home]}\n"
         "  B1: {replica of: B}\n  B2: {replica of: B}\noperator:\n  steps:\n"
         "    - {step: 1, to: B, send: CLUSTER SETSLOT 7 IMPORTING A}\n"
         "    - {step: 4, to: B, send: CLUSTER SETSLOT 7 NODE B}\n"
         "network: {silent: [A, B1, B2]}\ncheck:\n  always: [owned]\n"
         "expect: {owned: holds}\n";
}

std::string two_clients() {
  const std::string command = laws::one_of({"GET {b}", "SET {b}", "DEL {b}"});
  const auto of = [&](const std::string& key) {
    return "\"" + command + key + (command[0] == 'S' ? " x\"" : "\"");
  };
  const bool one_key = *rc::gen::inRange(0, 2) == 0;
  const std::string policy = laws::one_of({"careful", "asking-apart", "redis-cli"});
  return "title: drawn\nteaches: nothing\ndialect: " + laws::one_of({"redis-7.0", "valkey-8.0"}) +
         "\ncluster:\n  S: {epoch: 1, slots: [3300, home], keys: {3300: [\"{b}1\", \"{b}2\"]}}\n"
         "  D: {epoch: 2, slots: [home]}\nviews:\n  S: {migrating: {3300: D}}\n"
         "  D: {importing: {3300: S}}\nclients:\n  shared connection: " +
         laws::one_of({"on", "off"}) + "\n  sessions:\n    c: {policy: " + policy +
         ", map: {3300: S}, program: [" + of("1") + "]}\n    d: {policy: " + policy +
         ", map: {3300: S}, program: [" + of(one_key ? "1" : "2") + "]}\noperator:\n  steps:\n" +
         "    - {step: 4, to: D, send: CLUSTER SETSLOT 3300 NODE D}\n" +
         "network: {silent: [S, D]}\ncheck:\n  always: [linearizable, keys-safe]\n"
         "expect: {linearizable: holds, keys-safe: holds}\n";
}

void holds_of(const std::string& text) {
  RC_LOG() << text;
  const scenario::Built built = scenario::build(scenario::load_text(text, "drawn"));
  sim::TupleSpace full(built.system, built.properties);
  const sim::ExploreResult wanted =
      sim::explore(full, {.states_max = sim::testing::kGraphStatesMax / 2});
  RC_PRE(wanted.complete);
  const auto group = scenario::find_renamings(built);
  RC_CLASSIFY(group == nullptr, "no likeness");
  if (group == nullptr) return;
  const std::size_t probe = *rc::gen::inRange(0, 2) == 0 ? 0 : 1000;
  sim::TupleSpace space(built.system, built.properties,
                        {.symmetry = group, .probe_states = probe});
  const auto folded = sim::testing::folded_graph(space);
  const auto all = sim::testing::unfolded_graph(space);
  RC_ASSERT(folded.states == sim::testing::each_folded(space, all.states));
  RC_ASSERT(folded.ends == sim::testing::each_folded(space, all.ends));
  RC_CLASSIFY(space.renamings() == 0, "told apart");
  RC_CLASSIFY(folded.states.size() * 10 <= all.states.size() * 6, "at most 60 percent");
  for (const bool inert : {false, true}) {
    sim::TupleSpace reduced(built.system, built.properties,
                            {.drop_inert = inert, .symmetry = group, .probe_states = probe});
    const sim::ExploreResult found = sim::explore(reduced, {.skip_long_run = true});
    for (std::size_t p = 0; p < found.properties.size(); ++p) {
      RC_ASSERT(found.properties[p].verdict == wanted.properties[p].verdict);
      if (!found.properties[p].run) continue;
      const auto path = sim::real_path(reduced, *found.properties[p].run);
      RC_ASSERT(path.has_value());
      const bool holds = (reduced.check(path->states.back()) >> p & 1) != 0;
      RC_ASSERT(holds == (found.properties[p].mood == sim::Mood::sometimes));
      if (!inert) RC_ASSERT(sim::states_along(full, path->run).size() == path->states.size());
    }
  }
}

RC_GTEST_PROP(SymmetryLaw, HoldsOfTwoOperators, ()) { holds_of(two_operators()); }
RC_GTEST_PROP(SymmetryLaw, HoldsOfTwoReplicas, ()) { holds_of(two_replicas()); }
RC_GTEST_PROP(SymmetryLaw, HoldsOfTwoClients, ()) { holds_of(two_clients()); }

}  // namespace
}  // namespace slotlab
