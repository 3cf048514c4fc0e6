// The transcript parser: what it understands, and that everything else is refused with its place.
#include "cli/conform/transcript.h"

#include <gtest/gtest.h>

#include "tests/cli/conform/small_transcript.h"

namespace slotlab::conform {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_transcript(text, "t.json");
  } catch (const cli::InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string error_with(std::string_view from, std::string_view to) {
  return error_of(small_with(from, to));
}

TEST(TranscriptParser, ReadsEveryPart) {
  const Transcript t = parse_transcript(small_transcript(), "t.json");
  EXPECT_EQ(t.name, "small");
  EXPECT_EQ(t.server, "redis 7.0.15");
  EXPECT_FALSE(t.persistent);
  EXPECT_EQ(t.watch, std::vector<protocol::Slot>{100});
  ASSERT_EQ(t.nodes.size(), 2u);
  EXPECT_EQ(t.nodes[1].epoch, 2u);
  EXPECT_EQ(t.nodes[1].slots, (std::vector<protocol::SlotRange>{{8192, 16383}}));
  ASSERT_EQ(t.steps.size(), 4u);
  const auto& command = std::get<CommandStep>(t.steps[0].what);
  EXPECT_EQ(command.at, "B");
  EXPECT_EQ(command.words.back(), "@A");
  EXPECT_EQ(command.reply["value"], "OK");
  EXPECT_EQ(t.steps[0].line, 12u);
  EXPECT_EQ(t.steps[0].script.dump(),
            R"({"at":"B","cmd":["CLUSTER","SETSLOT","100","IMPORTING","@A"]})");
  EXPECT_EQ(std::get<LookStep>(t.steps[2].what).nodes, std::vector<std::string>{"B"});
  EXPECT_EQ(std::get<WaitStep>(t.steps[3].what).timeout_s, 40u);
  EXPECT_EQ(t.final_views["A"]["configEpoch"], 1);
}

TEST(TranscriptParser, ReadsEveryWait) {
  using Kind = Condition::Kind;
  const auto wait = [](const std::string& text) {
    const Transcript t =
        parse_transcript(small_with("\"wait\": \"converged\"", "\"wait\": \"" + text + "\""), "t");
    return std::get<WaitStep>(t.steps[3].what).condition;
  };
  EXPECT_EQ(wait("converged").kind, Kind::converged);
  EXPECT_EQ(wait("A is master").kind, Kind::is_master);
  EXPECT_EQ(wait("A is ok").kind, Kind::is_ok);
  EXPECT_EQ(wait("A is down").kind, Kind::is_down);
  EXPECT_EQ(wait("A in sync").kind, Kind::in_sync);
  EXPECT_EQ(wait("A is replica of B").other, "B");
  EXPECT_EQ(wait("A sees B fail").kind, Kind::sees_fail);
  EXPECT_EQ(wait("A sees B ok").kind, Kind::sees_ok);
  EXPECT_EQ(wait("A sees 16383 at B").slot, 16383);
}

TEST(TranscriptParser, RefusesWhatIsNotJson) {
  EXPECT_EQ(error_of("{\n  \"name\": \"a\",\n  oops\n}").substr(0, 20), "t.json:3: not JSON: ");
  EXPECT_EQ(error_of("").substr(0, 20), "t.json:1: not JSON: ");
  EXPECT_EQ(error_of("{\"name\": 1.5}"), "t.json:1: expected a whole number, found 1.5");
  EXPECT_EQ(error_of("{\n\"name\": \"a\",\n\"name\": \"b\"}"),
            "t.json:3: the key 'name' occurs twice");
  EXPECT_EQ(error_of(std::string(100, '[')), "t.json:1: nested too deeply");
  EXPECT_EQ(error_of("[]"), "t.json:1: 'the file': expected an object, found a list");
}

TEST(TranscriptParser, RefusesUnknownKeysWithTheirLine) {
  EXPECT_EQ(error_with("\"watch\"", "\"wach\"").substr(0, 43),
            "t.json:6: the key 'wach' is unknown here; t");
  EXPECT_EQ(error_with("\"epoch\": 1}", "\"epoch\": 1, \"port\": 2}").substr(0, 34),
            "t.json:8: the key 'port' is unknow");
  EXPECT_EQ(error_with("\"cmd\": [\"CLUSTER\", \"MYID\"]", "\"cmd\": [\"PING\"], \"x\": 1")
                .substr(0, 31),
            "t.json:13: the key 'x' is unkno");
  EXPECT_EQ(error_with("\"failed\": {}", "\"broken\": {}").substr(0, 36),
            "t.json:15: the key 'broken' is unkno");
}

TEST(TranscriptParser, RefusesNodesThatCannotBe) {
  EXPECT_EQ(error_with("\"name\": \"A\"", "\"name\": \"a\""),
            "t.json:8: 'name': expected a capital letter and digits, as A or B1, found \"a\"");
  EXPECT_EQ(error_with("\"name\": \"B\"", "\"name\": \"A\""), "t.json:9: two nodes are named A");
  EXPECT_EQ(error_with("aaaa\"", "aaax\"").substr(0, 57),
            "t.json:8: 'id': expected 40 lower-case hexadecimal digits");
  EXPECT_EQ(error_with("\"slots\": \"8192-16383\"", "\"slots\": \"8191-16383\""),
            "t.json:9: slot 8191 belongs to A as well");
  EXPECT_EQ(error_with("\"slots\": \"0-8191\"", "\"slots\": \"0-16384\""),
            "t.json:8: 'slots': expected slots from 0 to 16383, as \"0-99,101\", "
            "found \"0-16384\"");
  EXPECT_EQ(error_with("\"role\": \"master\", \"slots\": \"0-8191\", \"epoch\": 1",
                       "\"role\": \"replica\", \"of\": \"C\""),
            "t.json:8: 'of': C is no master that A can know");
  EXPECT_EQ(error_with("\"epoch\": 1}", "\"epoch\": -1}"),
            "t.json:8: 'epoch': expected a whole number from 0 on, found -1");
}

TEST(TranscriptParser, RefusesStepsThatCannotBe) {
  EXPECT_EQ(error_with("\"at\": \"B\"", "\"at\": \"C\""), "t.json:12: there is no node 'C'");
  EXPECT_EQ(error_with("{\"wait\": \"converged\"}", "{\"kill\": \"C\"}"),
            "t.json:16: there is no node 'C'");
  EXPECT_EQ(error_with("{\"wait\": \"converged\"}", "{\"restart\": \"A\"}"),
            "t.json:16: A is not down");
  EXPECT_EQ(error_with("{\"wait\": \"converged\"}", "{\"kill\": \"A\"}, {\"pause\": \"A\"}"),
            "t.json:16: A is down");
  EXPECT_EQ(error_with("{\"wait\": \"converged\"}", "{\"sleep\": 3}"),
            "t.json:16: a step has one of: cmd, wait, look, kill, restart, pause, resume");
  EXPECT_EQ(error_with("\"wait\": \"converged\"", "\"wait\": \"A sees 16384 at B\"").substr(0, 30),
            "t.json:16: 'wait': expected \"c");
  EXPECT_EQ(error_with("\"look\": [\"B\"]", "\"look\": [\"A\", \"B\"]"),
            "t.json:14: the view of A is missing");
  EXPECT_EQ(error_with(", \"reply\": {\"type\": \"bulk\", \"value\": \"@A\"}", ""),
            "t.json:13: the key 'reply' is missing");
  EXPECT_EQ(error_with("\"type\": \"bulk\"", "\"type\": \"map\"").substr(0, 40),
            "t.json:13: 'type': expected one of \"stat");
  EXPECT_EQ(error_with("\"value\": \"@A\"", "\"value\": 7"),
            "t.json:13: 'value': expected a text, found 7");
}

TEST(TranscriptParser, RefusesUnknownSettingsAndMissingViews) {
  EXPECT_EQ(error_with("\"watch\"", "\"config\": {\"maxmemory\": \"1\"},\n  \"watch\"")
                .substr(0, 45),
            "t.json:6: the setting 'maxmemory' is unknown;");
  EXPECT_EQ(error_with("\"watch\": [100]", "\"watch\": [16384]"),
            "t.json:6: 'item of watch': expected a whole number from 0 to 16383, found 16384");
  std::string text = small_transcript();
  const std::size_t last = text.rfind("    \"B\": {\"role\"");
  text.erase(last, text.find('\n', last) - last);
  text.erase(text.rfind(','), 1);
  EXPECT_EQ(error_of(text), "t.json:18: the view of B is missing");
}

TEST(TranscriptParser, ReadsSlotLists) {
  EXPECT_EQ(parse_slot_list("")->size(), 0u);
  EXPECT_EQ(*parse_slot_list("0-99,101"), (std::vector<protocol::SlotRange>{{0, 99}, {101, 101}}));
  for (const char* wrong : {",", "1,", "2-1", "16384", "-1", "1-", "a"}) {
    EXPECT_FALSE(parse_slot_list(wrong)) << wrong;
  }
}

TEST(TranscriptParser, NamesTheDialectOfAServer) {
  EXPECT_EQ(dialect_of_server("redis 7.0.15"), "redis-7.0");
  EXPECT_EQ(dialect_of_server("redis 3.0.7"), "redis-3.0");
  EXPECT_EQ(dialect_of_server("valkey 8.0.1"), "valkey-8.0");
}

TEST(TranscriptParser, RefusesAFileThatCannotBeRead) {
  EXPECT_THROW(load_transcript("no/such/file.json"), cli::InputError);
}

}  // namespace
}  // namespace slotlab::conform
