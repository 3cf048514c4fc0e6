// That a difference is found, and told where it is: a check that never fails checks nothing.
#include <algorithm>

#include <gtest/gtest.h>

#include "cli/conform/conform.h"
#include "cli/conform/replies.h"
#include "tests/cli/conform/small_transcript.h"

namespace slotlab::conform {
namespace {

Outcome outcome_of(const std::string& text) {
  return conform_one(parse_transcript(text, "small.json"), ConformOptions{});
}

TEST(Conform, PassesWhatIsRight) {
  const Outcome outcome = outcome_of(small_transcript());
  EXPECT_EQ(outcome.verdict, Verdict::passed) << outcome_text(outcome);
  EXPECT_EQ(outcome.dialect, "redis-7.0");
  EXPECT_EQ(outcome.compared, 5u);  // two replies, one view, two final views
}

TEST(Conform, FindsAWrongReply) {
  const Outcome outcome = outcome_of(small_with("\"value\": \"OK\"", "\"value\": \"KO\""));
  EXPECT_EQ(outcome.verdict, Verdict::differs);
  EXPECT_EQ(outcome_text(outcome),
            "differs          small.json  (redis-7.0)\n"
            "  step 1 (line 12)  {\"at\": \"B\", \"cmd\": [\"CLUSTER\", \"SETSLOT\", \"100\", "
            "\"IMPORTING\", \"@A\"]}\n"
            "    reply\n"
            "      expected  {\"type\": \"status\", \"value\": \"KO\"}\n"
            "      got       {\"type\": \"status\", \"value\": \"OK\"}\n");
}

TEST(Conform, FindsAWrongViewFieldByField) {
  const Outcome outcome = outcome_of(small_with("\"currentEpoch\": 2", "\"currentEpoch\": 3"));
  ASSERT_EQ(outcome.differences.size(), 1u);
  EXPECT_EQ(outcome.differences[0].step, 3u);
  EXPECT_EQ(outcome.differences[0].where, "B.currentEpoch");
  EXPECT_EQ(outcome.differences[0].expected, 3);
  EXPECT_EQ(outcome.differences[0].got, 2);
}

TEST(Conform, FindsAFieldThatIsMissingOrTooMany) {
  const Outcome missing = outcome_of(small_with("\"state\": \"ok\", ", ""));
  ASSERT_EQ(missing.differences.size(), 1u);
  EXPECT_TRUE(missing.differences[0].expected.is_null());
  const Outcome too_many = outcome_of(small_with("\"keys\"", "\"unassigned\": \"7\", \"keys\""));
  ASSERT_EQ(too_many.differences.size(), 1u);
  EXPECT_TRUE(too_many.differences[0].got.is_null());
}

TEST(Conform, FindsAWrongFinalView) {
  std::string text = small_transcript();
  text.replace(text.rfind("{\"100\": \"A\"}"), 12, "{}");
  const Outcome outcome = outcome_of(text);
  ASSERT_EQ(outcome.differences.size(), 1u);
  EXPECT_EQ(outcome.differences[0].step, 0u);
  EXPECT_EQ(outcome.differences[0].where, "B.importing");
  EXPECT_EQ(report_json({{outcome}})["transcripts"][0]["differences"][0]["step"], "final");
}

TEST(Conform, FindsAWaitThatDoesNotEnd) {
  const Outcome outcome = outcome_of(
      small_with("{\"wait\": \"converged\"}", "{\"wait\": \"A is down\", \"timeout_s\": 5}"));
  ASSERT_EQ(outcome.differences.size(), 1u);
  EXPECT_EQ(outcome.differences[0].step, 4u);
  EXPECT_EQ(outcome.differences[0].where, "wait");
  EXPECT_EQ(outcome.differences[0].got, "waited 5 s of virtual time in vain");
}

TEST(Conform, RunsInTheDialectAskedFor) {
  ConformOptions options;
  options.dialect = "redis-3.0";
  const Transcript transcript = parse_transcript(
      small_with("[\"CLUSTER\", \"SETSLOT\", \"100\", \"IMPORTING\", \"@A\"]",
                 "[\"CLUSTER\", \"ADDSLOTSRANGE\", \"0\"]"),
      "small.json");
  const Outcome outcome = conform_one(transcript, options);
  ASSERT_FALSE(outcome.differences.empty());
  EXPECT_EQ(outcome.differences[0].got["value"],
            "ERR Wrong CLUSTER subcommand or number of arguments");
  options.dialect = "redis-9.9";
  EXPECT_THROW(conform_one(transcript, options), cli::InputError);
}

TEST(Conform, NamesCommandsThatNodesDoNotKnow) {
  const std::string known_to_the_server =
      small_with("[\"CLUSTER\", \"MYID\"], \"reply\": {\"type\": \"bulk\", \"value\": \"@A\"}",
                 "[\"FROBNICATE\", \"k\"], \"reply\": {\"type\": \"status\", \"value\": \"OK\"}");
  const Outcome outcome = outcome_of(known_to_the_server);
  EXPECT_EQ(outcome.verdict, Verdict::not_run);
  EXPECT_EQ(outcome.unknown_commands, std::vector<std::string>{"FROBNICATE"});
  EXPECT_EQ(report_json({{outcome}})["not_run"], 1);
  // What the server did not know either is compared like any reply.
  const std::string unknown_to_the_server = small_with(
      "[\"CLUSTER\", \"MYID\"], \"reply\": {\"type\": \"bulk\", \"value\": \"@A\"}",
      "[\"FROBNICATE\"], \"reply\": {\"type\": \"error\", \"value\": \"ERR unknown command\"}");
  EXPECT_NE(outcome_of(unknown_to_the_server).verdict, Verdict::not_run);
}

TEST(Recorded, ReducesAReplyToWhatCounts) {
  const auto bulk = [](const char* text) { return protocol::Reply::bulk(text); };
  const Json reply = reply_json(protocol::Reply::array({bulk("b"), bulk("a")}));
  EXPECT_EQ(recorded(reply, Record::all), reply);
  EXPECT_EQ(recorded(reply, Record::length).dump(), R"({"type":"array","length":2})");
  EXPECT_EQ(recorded(reply, Record::type).dump(), R"({"type":"array"})");
  EXPECT_EQ(recorded(reply, Record::sorted),
            reply_json(protocol::Reply::array({bulk("a"), bulk("b")})));
  const Json error = reply_json(protocol::Reply::error("ERR no"));
  EXPECT_EQ(recorded(error, Record::sorted), error);
  EXPECT_EQ(recorded(error, Record::length), error);
  const Json length = recorded(reply, Record::length);
  EXPECT_EQ(recorded(length, Record::length), length);
}

}  // namespace
}  // namespace slotlab::conform
