// Traces as text: what is printed parses to the same, what was damaged is refused at its place, and
// no bytes whatever break the parser. The example in docs/trace-format.md is read as well.
#include "sim/trace/trace.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <ostream>
#include <rapidcheck/gtest.h>
#include <sstream>
#include <stdexcept>
#include <string>

#include "sim/trace/fingerprint.h"
#include "sim/trace/utf8.h"

namespace slotlab::sim {

// For the messages of RapidCheck and GoogleTest.
void showValue(const Trace& trace, std::ostream& out) { out << print_trace(trace); }

namespace {

Trace small_trace() {
  Trace trace;
  trace.scenario_path = "scenarios/wrong-order.yaml";
  trace.driver = "exhaustive";
  trace.property = "owned";
  trace.events = {{std::nullopt, "operator -> B: CLUSTER SETSLOT 7 IMPORTING A"},
                  {std::nullopt, "A -> C: PING currentEpoch 4 configEpoch 3 slots {7}"}};
  trace.scenario_text = "title: The manual's wrong order\n";
  return trace;
}

Trace timed_trace() {
  Trace trace = small_trace();
  trace.driver = "timed";
  trace.seed = 42;
  trace.settings = {{"latency-min", "200us"}, {"latency-max", "2ms"}};
  trace.events[0].at = Instant{1204};
  trace.events[1].at = Instant{120'400};
  return trace;
}

TEST(PrintTrace, GivesTheExampleInTheDocuments) {
  std::ifstream file(SLOTLAB_SOURCE_DIR "/docs/trace-format.md");
  std::stringstream document;
  document << file.rdbuf();
  const std::string text = document.str();
  const std::size_t begin = text.find("slotlab-trace 1\n");
  const std::size_t end = text.find("```", begin);
  ASSERT_NE(end, std::string::npos);
  const std::string example = text.substr(begin, end - begin);
  const auto parsed = parse_trace(example, "docs/trace-format.md");
  ASSERT_TRUE(std::holds_alternative<Trace>(parsed)) << std::get<TraceError>(parsed).text();
  EXPECT_EQ(print_trace(std::get<Trace>(parsed)), example);
}

TEST(PrintTrace, HasHeadersThenEventsThenTheScenario) {
  EXPECT_EQ(print_trace(small_trace()),
            "slotlab-trace 1\n"
            "scenario: scenarios/wrong-order.yaml\n"
            "scenario-hash: " + to_hex(xxhash64("title: The manual's wrong order\n")) + "\n"
            "driver: exhaustive\n"
            "property: owned\n"
            "fingerprint: " + to_hex(small_trace().fingerprint()) + "\n"
            "\n"
            "  1  operator -> B: CLUSTER SETSLOT 7 IMPORTING A\n"
            "  2  A -> C: PING currentEpoch 4 configEpoch 3 slots {7}\n"
            "--- scenario\n"
            "title: The manual's wrong order\n");
}

TEST(PrintTrace, TimedTraceHasItsSeedSettingsAndTimes) {
  const std::string text = print_trace(timed_trace());
  EXPECT_NE(text.find("driver: timed\n"
                      "seed: 42\n"
                      "property: owned\n"
                      "clock: virtual\n"
                      "setting latency-min: 200us\n"
                      "setting latency-max: 2ms\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n"
                      "  1    +1.204ms  operator -> B: CLUSTER SETSLOT 7 IMPORTING A\n"
                      "  2  +120.400ms  A -> C: PING"), std::string::npos) << text;
}

TEST(PrintTrace, LassoHasItsMark) {
  Trace trace = small_trace();
  trace.cycle_start = 1;
  EXPECT_NE(print_trace(trace).find("IMPORTING A\n-- from here for ever --\n  2  A -> C"),
            std::string::npos);
}

TEST(PrintTrace, WhatIsNoPlainLineIsEscaped) {
  Trace trace = small_trace();
  trace.events[0].sentence = "client 1 -> A: GET a\nb\\c\xff";
  EXPECT_NE(print_trace(trace).find("  1  client 1 -> A: GET a\\x0ab\\\\c\\xff\n"),
            std::string::npos);
}

TEST(PrintTrace, MistakesOfTheCallerAreRefused) {
  const auto refuses = [](const std::function<void(Trace&)>& spoil) {
    Trace trace = timed_trace();
    spoil(trace);
    EXPECT_THROW(print_trace(trace), std::invalid_argument);
  };
  refuses([](Trace& t) { t.events[0].sentence.clear(); });
  refuses([](Trace& t) { t.events[1].at.reset(); });
  refuses([](Trace& t) { t.events[1].at = Instant{1}; });
  refuses([](Trace& t) { t.cycle_start = 2; });
  refuses([](Trace& t) { t.settings.push_back({"latency-min", "again"}); });
  refuses([](Trace& t) { t.settings.push_back({"Latency", "2ms"}); });
  refuses([](Trace& t) { t.settings.push_back({"", "2ms"}); });
}

// Any bytes, with the letters that could break a line or an escape made likely.
rc::Gen<std::string> any_line() {
  return rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::inRange(' ', '~'),
                     rc::gen::element('\\', '\n', ' ', ':', 'x', '\xc3', '\xa9', '-')));
}

rc::Gen<std::string> any_setting_name() {
  return rc::gen::map(rc::gen::container<std::string>(rc::gen::element('a', 'z', '0', '9', '-')),
                      [](const std::string& tail) { return "s" + tail; });
}

Trace draw_trace() {
  Trace trace;
  trace.scenario_path = *any_line();
  trace.driver = *any_line();
  trace.property = *any_line();
  if (*rc::gen::arbitrary<bool>()) trace.seed = *rc::gen::arbitrary<std::uint64_t>();
  for (const auto& [name, value] : *rc::gen::container<std::map<std::string, std::string>>(
           any_setting_name(), any_line())) {
    trace.settings.emplace_back(name, value);
  }
  const bool timed = *rc::gen::arbitrary<bool>();
  Instant at;
  for (const std::string& line : *rc::gen::container<std::vector<std::string>>(any_line())) {
    at = at + Duration{*rc::gen::inRange<std::uint64_t>(0, 5'000'000)};
    trace.events.push_back({timed ? std::optional(at) : std::nullopt, line + "."});
  }
  if (!trace.events.empty() && *rc::gen::arbitrary<bool>()) {
    trace.cycle_start = *rc::gen::inRange<std::size_t>(0, trace.events.size());
  }
  const std::string text = *any_line();
  trace.scenario_text = "#" + text.substr(0, first_invalid_utf8(text));
  return trace;
}

RC_GTEST_PROP(Trace, PrintsAndParsesToTheSame, ()) {
  const Trace trace = draw_trace();
  const auto parsed = parse_trace(print_trace(trace), "drawn.trace");
  if (const TraceError* error = std::get_if<TraceError>(&parsed)) RC_FAIL(error->text());
  RC_ASSERT(std::get<Trace>(parsed) == trace);
}

RC_GTEST_PROP(Trace, WithOneByteChangedIsRefusedOrReadDifferentlyButNeverBreaksTheParser, ()) {
  std::string text = print_trace(draw_trace());
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text[at] = *rc::gen::arbitrary<char>();
  const auto parsed = parse_trace(text, "drawn.trace");
  if (const Trace* trace = std::get_if<Trace>(&parsed)) print_trace(*trace);
}

RC_GTEST_PROP(Trace, CutShortIsRefused, ()) {
  const std::string text = print_trace(draw_trace());
  const auto length = *rc::gen::inRange<std::size_t>(0, text.size());
  RC_ASSERT(std::holds_alternative<TraceError>(parse_trace(text.substr(0, length), "drawn.trace")));
}

RC_GTEST_PROP(ParseTrace, TakesAnyBytesWithoutBreaking, (const std::string& junk)) {
  RC_ASSERT(std::holds_alternative<TraceError>(parse_trace(junk, "junk")));
  parse_trace("slotlab-trace 1\n" + junk, "junk");
  parse_trace("slotlab-trace 1\n\n" + junk, "junk");
}

std::string error_of(const std::string& text) {
  const auto parsed = parse_trace(text, "t");
  const TraceError* error = std::get_if<TraceError>(&parsed);
  return error == nullptr ? "no error" : error->text();
}

// A trace without seals, into which the parts under test are put.
std::string trace_with(const std::string& headers, const std::string& events) {
  return "slotlab-trace 1\n" + headers + "\n" + events + "--- scenario\ntitle: T\n";
}

TEST(ParseTrace, SealsMayBeLeftOutOfATraceWrittenByHand) {
  EXPECT_EQ(error_of(trace_with("", "1  A crashes\n")), "no error");
  EXPECT_EQ(error_of(trace_with("property:\n", "")), "no error");
}

TEST(ParseTrace, ErrorsNameThePlaceAndWhatWasExpected) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "t:1:1: expected `slotlab-trace 1`; this is not a trace"},
      {std::string("\x7f" "ELF\0\1", 6), "t:1:1: expected `slotlab-trace 1`; this is not a trace"},
      {"slotlab-trace 2\n", "t:1:15: version `2`; expected version 1"},
      {"slotlab-trace 1", "t:2:1: the file ends; expected a header or an empty line"},
      {"slotlab-trace 1\nseed 4\n", "t:2:1: expected a header, `key: value`"},
      {"slotlab-trace 1\nseed:4\n", "t:2:6: expected a space after the colon"},
      {"slotlab-trace 1\nsede: 4\n",
       "t:2:1: unknown key `sede`; expected scenario, scenario-hash, driver, seed, property, "
       "clock, setting NAME or fingerprint"},
      {"slotlab-trace 1\nseed: 4\nseed: 4\n", "t:3:1: `seed` occurs twice; expected it once"},
      {"slotlab-trace 1\nseed: -4\n", "t:2:7: expected a whole number, 0 to 2^64-1"},
      {"slotlab-trace 1\nseed: 18446744073709551616\n",
       "t:2:7: expected a whole number, 0 to 2^64-1"},
      {"slotlab-trace 1\nclock: wall\n", "t:2:8: expected `virtual`"},
      {"slotlab-trace 1\nfingerprint: 12AB\n",
       "t:2:14: expected sixteen lower-case hexadecimal digits"},
      {"slotlab-trace 1\nsetting Big: 1\n",
       "t:2:9: `Big` is no name of a setting; expected lower-case letters, digits and hyphens"},
      {"slotlab-trace 1\ndriver: a\\q\n",
       "t:2:10: expected `\\\\` or `\\x` and two hexadecimal digits"},
      {"slotlab-trace 1\r\n",
       "t:1:16: control character 0x0d; expected plain text, lines ended by a line feed alone"},
      {"slotlab-trace 1\ndriver: \xc3\x28\n", "t:2:9: byte 0xc3 is not text; expected UTF-8"},
      {"slotlab-trace 1\n\n  1  A crashes\n",
       "t:4:1: the file ends; expected event 2 or `--- scenario`"},
      {trace_with("", "  2  A crashes\n"),
       "t:3:3: expected event number 1, the mark of a cycle or `--- scenario`"},
      {trace_with("", "  1  A crashes\n  1  A restarts\n"),
       "t:4:3: expected event number 2, the mark of a cycle or `--- scenario`"},
      {trace_with("", "A crashes\n"),
       "t:3:1: expected event number 1, the mark of a cycle or `--- scenario`"},
      {trace_with("", "  1 A crashes\n"), "t:3:4: expected two spaces after the number"},
      {trace_with("", "  1  \n"), "t:3:6: expected a sentence"},
      {trace_with("", "  1  A \\x4\n"),
       "t:3:8: expected `\\\\` or `\\x` and two hexadecimal digits"},
      {trace_with("clock: virtual\n", "  1  A crashes\n"),
       "t:4:6: expected a time such as `+1.204ms`, since the clock is virtual"},
      {trace_with("clock: virtual\n", "  1  +2.000ms  A crashes\n  2  +1.999ms  A restarts\n"),
       "t:5:6: expected +2.000ms or later; time never goes back"},
      {trace_with("clock: virtual\n", "  1  +2.000ms A crashes\n"),
       "t:4:14: expected two spaces after the time"},
      {trace_with("", "  1  A crashes\n-- from here for ever --\n"),
       "t:5:1: expected at least one event after the mark of the cycle"},
      {trace_with("", "-- from here for ever --\n  1  A\n-- from here for ever --\n"),
       "t:5:1: a second cycle; expected at most one"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(error_of(text), error) << text;
}

TEST(ParseTrace, EditedEventsOrScenarioAreRefusedByTheirSeals) {
  std::string events = print_trace(small_trace());
  events.replace(events.find("IMPORTING A"), 11, "IMPORTING C");
  EXPECT_NE(error_of(events).find("t:6:14: the events below were changed: expected "),
            std::string::npos) << error_of(events);
  std::string scenario = print_trace(small_trace());
  scenario += "# one more line\n";
  EXPECT_NE(error_of(scenario).find("t:3:16: the scenario below was changed: expected "),
            std::string::npos) << error_of(scenario);
}

TEST(ParseTrace, FileBeyondTheLimitIsRefused) {
  const std::string text = "slotlab-trace 1\n" + std::string(kTraceBytesMax, 'x');
  EXPECT_EQ(error_of(text), "t: the file is larger than 64 MiB; expected a trace");
}

class TraceFile : public testing::Test {
 protected:
  ~TraceFile() override { std::remove(path_.c_str()); }
  std::string path_ = testing::TempDir() + "slotlab_trace_test.trace";
};

TEST_F(TraceFile, IsReadBackAsItWasWritten) {
  EXPECT_EQ(write_trace(timed_trace(), path_), std::nullopt);
  const auto read = read_trace(path_);
  ASSERT_TRUE(std::holds_alternative<Trace>(read)) << std::get<TraceError>(read).text();
  EXPECT_EQ(std::get<Trace>(read), timed_trace());
}

TEST_F(TraceFile, ThatCannotBeWrittenLeavesWhatWasThere) {
  EXPECT_EQ(write_trace(timed_trace(), path_), std::nullopt);
  Trace bad = small_trace();
  bad.scenario_text = "title: \xff\n";
  const auto error = write_trace(bad, path_);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "the scenario is not UTF-8 text, so no trace can hold it");
  EXPECT_EQ(std::get<Trace>(read_trace(path_)), timed_trace());
  EXPECT_TRUE(write_trace(small_trace(), path_ + "/no/such/folder"));
}

TEST_F(TraceFile, ThatDoesNotExistOrIsAFolderIsAnError) {
  EXPECT_EQ(std::get<TraceError>(read_trace(path_ + "x")).text(),
            path_ + "x: cannot open: No such file or directory");
  EXPECT_TRUE(std::holds_alternative<TraceError>(read_trace(testing::TempDir())));
}

TEST(Xxhash64, GivesTheValuesOfTheReferenceImplementation) {
  EXPECT_EQ(to_hex(xxhash64("")), "ef46db3751d8e999");
  EXPECT_EQ(to_hex(xxhash64("abc")), "44bc2cf5ad770999");
}

TEST(Hex, IsExactlySixteenLowerCaseDigits) {
  EXPECT_EQ(parse_hex("00000000000000ff"), 255u);
  for (const char* text : {"", "ff", "00000000000000FF", "0x000000000000ff", "00000000000000fg",
                           "000000000000000ff", "-0000000000000ff"}) {
    EXPECT_EQ(parse_hex(text), std::nullopt) << text;
  }
}

TEST(RunFingerprint, CoversNumberTimeAndSentenceOfEachEvent) {
  const auto of = [](std::vector<std::pair<std::optional<Instant>, std::string>> events) {
    RunFingerprint fingerprint;
    for (const auto& [at, sentence] : events) fingerprint.add(at, sentence);
    return fingerprint.value();
  };
  const std::uint64_t base = of({{std::nullopt, "a"}, {std::nullopt, "b"}});
  EXPECT_EQ(of({{std::nullopt, "a"}, {std::nullopt, "b"}}), base);
  EXPECT_NE(of({{std::nullopt, "b"}, {std::nullopt, "a"}}), base);
  EXPECT_NE(of({{std::nullopt, "a"}}), base);
  EXPECT_NE(of({{Instant{0}, "a"}, {Instant{0}, "b"}}), base);
  EXPECT_NE(of({{Instant{0}, "a"}}), of({{Instant{1}, "a"}}));
  EXPECT_EQ(of({}), 0u);
}

TEST(Utf8, AcceptsWellFormedTextAndFindsTheFirstByteThatIsNot) {
  const std::string good = "slot \xc3\xa9 \xe2\x82\xac \xf0\x9f\x8e\xb0";
  EXPECT_EQ(first_invalid_utf8(good), good.size());
  EXPECT_EQ(first_invalid_utf8(""), 0u);
  const std::string bad[] = {"\x80", "\xc0\xaf", "\xc1\xbf", "\xc3", "\xc3(", "\xe0\x9f\xbf",
                             "\xed\xa0\x80", "\xe2\x82", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
                             "\xf5\x80\x80\x80", "\xff", "\xf0\x9f\x8e"};
  for (const std::string& text : bad) {
    EXPECT_EQ(first_invalid_utf8("ok " + text), 3u) << testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace slotlab::sim
