// Scenario files drawn at random: three masters, one migrating slot, some of the manual's steps in
// some order, some faults. What the loader accepts is what is tested, so they are drawn as text.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

namespace slotlab::laws {

inline std::string one_of(std::vector<std::string> choices) {
  return choices[*rc::gen::inRange<std::size_t>(0, choices.size())];
}

inline std::string drawn_scenario() {
  std::vector<std::string> steps = {
      "{step: 1, to: B, send: CLUSTER SETSLOT 7 IMPORTING A}",
      "{step: 2, to: A, send: CLUSTER SETSLOT 7 MIGRATING B}",
      "{step: 4, to: B, send: CLUSTER SETSLOT 7 NODE B}",
      "{step: 5, to: A, send: CLUSTER SETSLOT 7 NODE B}",
      "{step: 6, to: C, send: CLUSTER SETSLOT 7 NODE B}",
      "{step: 7, to: B, send: CLUSTER SETSLOT 7 STABLE}",
  };
  for (std::size_t i = steps.size(); i > 1; --i) {
    std::swap(steps[i - 1], steps[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  steps.resize(*rc::gen::inRange<std::size_t>(1, steps.size() + 1));
  const std::vector<std::string> epochs = {"1", "2", "3"};
  std::string text = "title: drawn\nteaches: nothing\ndialect: " +
                     one_of({"redis-3.0", "redis-7.0", "redis-7.2", "valkey-8.0"}) +
                     "\ncluster:\n  A: {epoch: " + one_of(epochs) +
                     ", slots: [7, home]}\n  B: {epoch: " + one_of(epochs) +
                     ", slots: [home]}\n  C: {epoch: " + one_of(epochs) +
                     ", slots: [home]}\noperator:\n  may stop: " + one_of({"on", "off"}) +
                     "\n  steps:\n";
  for (const std::string& step : steps) text += "    - " + step + "\n";
  const std::vector<std::string> faults = {
      "{crash: any, at most: 1, restart: any time}", "{crash: B, at most: 1, restart: never}",
      "{crash: A, power loss: on, at most: 1, restart: any time}", "{cut: [A, B], at most: 1}",
      "{pause: C, at most: 1}", "{lose reply: operator, at most: 1}"};
  std::string chosen;
  for (const std::string& fault : faults) {
    if (*rc::gen::inRange(0, 4) == 0) chosen += "  - " + fault + "\n";
  }
  if (!chosen.empty()) text += "faults:\n" + chosen;
  if (*rc::gen::inRange(0, 3) == 0) text += "network: {streams: 2}\n";
  return text + "check:\n  always: [owned]\nexpect: {owned: holds}\n";
}

}  // namespace slotlab::laws
