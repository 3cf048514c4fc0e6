// Each rule that decides who owns a slot has a scenario that shows what it is good for: one file
// that is checked in some dialect and in the same dialect with that rule switched, and expects
// something else of the two. `slotlab test scenarios` holds the files to what they expect.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "models/protocol/dialect.h"
#include "models/scenario/load.h"

namespace slotlab::scenario {
namespace {

using protocol::Rule;

Rule rule_number(std::size_t i) { return static_cast<Rule>(i); }

std::string switched(const std::string& dialect, Rule rule) {
  const auto base = protocol::dialect_named(dialect);
  return base->with(rule, !base->has(rule)).name;
}

// The rules that tell two dialects of the scenario apart, with something else expected of each.
std::set<Rule> shown_by(const Scenario& scenario) {
  std::set<Rule> shown;
  const auto& own = scenario.dialects;
  for (const auto& dialect : own) {
    for (std::size_t i = 0; i < protocol::kRules; ++i) {
      const std::string other = switched(dialect.value, rule_number(i));
      if (std::none_of(own.begin(), own.end(), [&](const auto& d) { return d.value == other; })) {
        continue;
      }
      const bool differs =
          std::any_of(scenario.checks.begin(), scenario.checks.end(), [&](const CheckSpec& check) {
            return scenario.expected(check.name(), dialect.value) !=
                   scenario.expected(check.name(), other);
          });
      if (differs) shown.insert(rule_number(i));
    }
  }
  return shown;
}

TEST(Rules, ThatDecideOwnershipHaveAScenarioThatShowsWhatBreaks) {
  std::set<Rule> shown;
  const auto folder = std::filesystem::path(SLOTLAB_SOURCE_DIR) / "scenarios/rules";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::set<Rule> found = shown_by(load_file(file.path().string()));
    shown.insert(found.begin(), found.end());
  }
  for (std::size_t i = 0; i < protocol::kRules; ++i) {
    if (!protocol::rule_decides_ownership(rule_number(i))) continue;
    EXPECT_TRUE(shown.contains(rule_number(i))) << protocol::rule_name(rule_number(i));
  }
}

TEST(Rules, MostThatDifferBetweenVersionsDecideOwnership) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < protocol::kRules; ++i) {
    if (protocol::rule_decides_ownership(rule_number(i))) ++count;
  }
  EXPECT_GE(count, 20u);
}

}  // namespace
}  // namespace slotlab::scenario
