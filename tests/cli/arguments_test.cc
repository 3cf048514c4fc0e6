// From words to options. What the options do is for the tests of the verbs.
#include "cli/arguments.h"

#include <gtest/gtest.h>

#include "cli/input_error.h"

namespace slotlab::cli {
namespace {

template <class Options>
Options parsed(const std::vector<std::string>& words) {
  return std::get<Options>(parse_arguments(words));
}

std::string refusal(const std::vector<std::string>& words) {
  try {
    parse_arguments(words);
  } catch (const InputError& error) {
    return error.what();
  }
  return "(not refused)";
}

TEST(ParseArguments, CheckHasDefaults) {
  const auto check = parsed<CheckOptions>({"check", "a.yaml"});
  EXPECT_EQ(check.subject, "a.yaml");
  EXPECT_GE(check.search.threads, 1u);
  EXPECT_EQ(check.search.reductions, "default");
  EXPECT_FALSE(check.search.max_depth || check.search.max_states || check.search.memory_bytes ||
               check.search.seconds || check.dialect || check.trace);
  EXPECT_FALSE(check.json || check.quiet);
}

TEST(ParseArguments, ReductionsAreJoinedInAnyOrder) {
  const auto reductions = [](const char* typed) {
    return parsed<CheckOptions>({"check", "a.yaml", "--reductions", typed}).search.reductions;
  };
  EXPECT_EQ(reductions("symmetry+inert"), "inert+symmetry");
  EXPECT_EQ(reductions("por+inert"), "inert+por");
  EXPECT_EQ(reductions("none"), "none");
  EXPECT_EQ(reductions("default"), "default");
}

TEST(ParseArguments, CheckTakesEveryFlagInAnyPlace) {
  const auto check = parsed<CheckOptions>(
      {"check", "--json", "--threads", "2", "a.yaml", "--reductions=inert", "--max-depth", "9",
       "--max-states", "10K", "--memory", "1G", "--time", "2m", "--dialect", "valkey-8.0",
       "--trace", "a.trace", "--quiet"});
  EXPECT_EQ(check.subject, "a.yaml");
  EXPECT_EQ(check.search.threads, 2u);
  EXPECT_EQ(check.search.reductions, "inert");
  EXPECT_EQ(check.search.max_depth, 9u);
  EXPECT_EQ(check.search.max_states, 10'000u);
  EXPECT_EQ(check.search.memory_bytes, 1ull << 30);
  EXPECT_EQ(check.search.seconds, 120.0);
  EXPECT_EQ(check.dialect, "valkey-8.0");
  EXPECT_EQ(check.trace, "a.trace");
  EXPECT_TRUE(check.json && check.quiet);
}

TEST(ParseArguments, RunTakesASeed) {
  const auto run = parsed<RunOptions>({"run", "a.yaml", "--seed", "7", "--driver", "random"});
  EXPECT_EQ(run.seed, 7u);
  EXPECT_EQ(run.driver, "random");
  EXPECT_EQ(run.steps, 200u);
}

TEST(ParseArguments, TestWithoutPathsTestsAllScenarios) {
  EXPECT_EQ(parsed<TestOptions>({"test"}).paths, std::vector<std::string>{"scenarios"});
  EXPECT_EQ(parsed<TestOptions>({"test", "a", "b"}).paths, (std::vector<std::string>{"a", "b"}));
}

TEST(ParseArguments, ListTakesOneTopicOrNone) {
  EXPECT_EQ(parsed<ListOptions>({"list"}).topic, "");
  EXPECT_EQ(parsed<ListOptions>({"list", "--dialects"}).topic, "dialects");
  EXPECT_EQ(refusal({"list", "--dialects", "--faults"}),
            "list: --faults and --dialects at once, expected one topic or none");
}

TEST(ParseArguments, SaysWhatMightHaveBeenMeant) {
  EXPECT_EQ(refusal({"chekc", "a.yaml"}), "there is no verb 'chekc'; did you mean 'check'?");
  EXPECT_EQ(refusal({"check", "a.yaml", "--jsno"}),
            "check: there is no flag '--jsno'; did you mean '--json'?");
  EXPECT_EQ(refusal({"check", "a.yaml", "b.yaml"}), "check: 'b.yaml' is one argument too many");
}

TEST(ParseArguments, HelpAnswersByItself) {
  EXPECT_NE(parsed<Answer>({"--help"}).text.find("Exit status"), std::string::npos);
  EXPECT_NE(parsed<Answer>({"check", "--help"}).text.find("--threads"), std::string::npos);
}

TEST(ShellWord, QuotesOnlyWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_word("scenarios/manual/a-b_1.yaml"), "scenarios/manual/a-b_1.yaml");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace slotlab::cli
