// Reads a trace file. Strict: what is not in docs/trace-format.md is an error that names its place
// and what was expected there, since a trace that is half understood replays something else.
#include <fmt/format.h>

#include <charconv>
#include <set>

#include "sim/time/time_text.h"
#include "sim/trace/escape.h"
#include "sim/trace/fingerprint.h"
#include "sim/trace/trace.h"
#include "sim/trace/trace_words.h"
#include "sim/trace/utf8.h"

namespace slotlab::sim {
namespace {

std::optional<std::uint64_t> parse_number(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || stop != digits.data() + digits.size()) return std::nullopt;
  return value;
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  std::variant<Trace, TraceError> parse() {
    try {
      check_whole();
      read_first_line();
      read_headers();
      read_events();
      trace_.scenario_text = std::string(rest_);
      verify();
      return std::move(trace_);
    } catch (TraceError& error) {
      return std::move(error);
    }
  }

 private:
  struct Seal {  // a hash that the file states and the line that states it
    std::uint64_t value = 0;
    std::size_t line = 0;
    std::size_t column = 0;
  };

  [[noreturn]] void fail(std::size_t column, std::string message) const {
    throw TraceError{file_, line_, column, std::move(message)};
  }
  // Column of a part of the present line.
  std::size_t column_of(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - current_.data()) + 1;
  }

  void check_whole() const {
    if (rest_.size() > kTraceBytesMax) {
      throw TraceError{file_, 0, 0, fmt::format("the file is larger than {} MiB; expected a trace",
                                                kTraceBytesMax >> 20)};
    }
    if (!rest_.starts_with(kTraceMagic)) {
      throw TraceError{file_, 1, 1, fmt::format("expected `{}`; this is not a trace",
                                                kTraceFirstLine)};
    }
    const std::size_t invalid = first_invalid_utf8(rest_);
    if (invalid == rest_.size()) return;
    const std::string_view before = rest_.substr(0, invalid);
    std::size_t line = 1, start = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i] == '\n') {
        ++line;
        start = i + 1;
      }
    }
    throw TraceError{file_, line, invalid - start + 1,
                     fmt::format("byte 0x{:02x} is not text; expected UTF-8",
                                 static_cast<unsigned char>(rest_[invalid]))};
  }

  // Moves on to the next line. False at the end of the file.
  bool next_line() {
    ++line_;
    if (rest_.empty()) {
      current_ = rest_;
      return false;
    }
    const std::size_t end = rest_.find('\n');
    current_ = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    for (const char& letter : current_) {
      const auto byte = static_cast<unsigned char>(letter);
      if (byte < 0x20 || byte == 0x7f) {
        fail(static_cast<std::size_t>(&letter - current_.data()) + 1,
             fmt::format("control character 0x{:02x}; expected plain text, lines ended by a line "
                         "feed alone", byte));
      }
    }
    return true;
  }

  void read_first_line() {
    next_line();
    if (current_ != kTraceFirstLine) {
      const std::string_view version = current_.substr(kTraceMagic.size());
      fail(column_of(version), fmt::format("version `{}`; expected version 1", version));
    }
  }

  void read_headers() {
    while (true) {
      if (!next_line()) fail(1, "the file ends; expected a header or an empty line");
      if (current_.empty()) return;
      const std::size_t colon = current_.find(':');
      if (colon == std::string_view::npos) fail(1, "expected a header, `key: value`");
      const std::string_view key = current_.substr(0, colon);
      std::string_view value = current_.substr(colon + 1);
      if (!value.empty()) {
        if (value[0] != ' ') fail(column_of(value), "expected a space after the colon");
        value.remove_prefix(1);
      }
      if (!seen_.insert(std::string(key)).second) {
        fail(1, fmt::format("`{}` occurs twice; expected it once", key));
      }
      read_header(key, value);
    }
  }

  void read_header(std::string_view key, std::string_view value) {
    if (key == kScenarioKey) {
      trace_.scenario_path = unescaped(value);
    } else if (key == kScenarioHashKey) {
      scenario_seal_ = read_seal(value);
    } else if (key == kDriverKey) {
      trace_.driver = unescaped(value);
    } else if (key == kSeedKey) {
      trace_.seed = parse_number(value);
      if (!trace_.seed) fail(column_of(value), "expected a whole number, 0 to 2^64-1");
    } else if (key == kPropertyKey) {
      trace_.property = unescaped(value);
    } else if (key == kClockKey) {
      if (value != kVirtualClock) fail(column_of(value), "expected `virtual`");
      timed_ = true;
    } else if (key == kFingerprintKey) {
      run_seal_ = read_seal(value);
    } else if (key.starts_with(kSettingPrefix)) {
      const std::string_view name = key.substr(kSettingPrefix.size());
      if (!is_setting_name(name)) {
        fail(column_of(name), fmt::format("`{}` is no name of a setting; expected lower-case "
                                          "letters, digits and hyphens", name));
      }
      trace_.settings.emplace_back(std::string(name), unescaped(value));
    } else {
      fail(1, fmt::format("unknown key `{}`; expected scenario, scenario-hash, driver, seed, "
                          "property, clock, setting NAME or fingerprint", key));
    }
  }

  Seal read_seal(std::string_view value) const {
    const auto parsed = parse_hex(value);
    if (!parsed) fail(column_of(value), "expected sixteen lower-case hexadecimal digits");
    return {*parsed, line_, column_of(value)};
  }

  std::string unescaped(std::string_view part) const {
    auto text = unescape_line(part);
    if (const std::size_t* offset = std::get_if<std::size_t>(&text)) {
      fail(column_of(part) + *offset, "expected `\\\\` or `\\x` and two hexadecimal digits");
    }
    return std::get<std::string>(std::move(text));
  }

  void read_events() {
    while (true) {
      if (!next_line()) {
        fail(1, fmt::format("the file ends; expected event {} or `{}`", trace_.events.size() + 1,
                            kScenarioLine));
      }
      if (current_ == kScenarioLine) break;
      if (current_ == kCycleLine) {
        if (trace_.cycle_start) fail(1, "a second cycle; expected at most one");
        trace_.cycle_start = trace_.events.size();
      } else {
        read_event();
      }
    }
    if (trace_.cycle_start == trace_.events.size()) {
      fail(1, "expected at least one event after the mark of the cycle");
    }
  }

  void read_event() {
    std::string_view part = skip_spaces(current_);
    const std::string_view digits = part.substr(0, part.find_first_not_of("0123456789"));
    const std::size_t expected = trace_.events.size() + 1;
    if (parse_number(digits) != expected) {
      fail(column_of(part), fmt::format("expected event number {}, the mark of a cycle or `{}`",
                                        expected, kScenarioLine));
    }
    part = after_gap(part.substr(digits.size()), "the number");
    TraceEvent event;
    if (timed_) {
      part = skip_spaces(part);
      const std::string_view time = part.substr(0, part.find(' '));
      event.at = parse_instant(time);
      if (!event.at) {
        fail(column_of(part), "expected a time such as `+1.204ms`, since the clock is virtual");
      }
      if (!trace_.events.empty() && event.at < trace_.events.back().at) {
        fail(column_of(part), fmt::format("expected {} or later; time never goes back",
                                          to_text(*trace_.events.back().at)));
      }
      part = after_gap(part.substr(time.size()), "the time");
    }
    event.sentence = unescaped(part);
    if (event.sentence.empty()) fail(column_of(part), "expected a sentence");
    trace_.events.push_back(std::move(event));
  }

  std::string_view skip_spaces(std::string_view part) const {
    return part.substr(std::min(part.find_first_not_of(' '), part.size()));
  }

  std::string_view after_gap(std::string_view part, const char* what) const {
    if (!part.starts_with("  ")) {
      fail(column_of(part), fmt::format("expected two spaces after {}", what));
    }
    return part.substr(2);
  }

  void verify() const {
    if (scenario_seal_ && scenario_seal_->value != trace_.scenario_hash()) {
      throw TraceError{file_, scenario_seal_->line, scenario_seal_->column,
                       fmt::format("the scenario below was changed: expected {} here; take this "
                                   "line out to use the scenario as it is",
                                   to_hex(trace_.scenario_hash()))};
    }
    if (run_seal_ && run_seal_->value != trace_.fingerprint()) {
      throw TraceError{file_, run_seal_->line, run_seal_->column,
                       fmt::format("the events below were changed: expected {} here; take this "
                                   "line out to use the events as they are",
                                   to_hex(trace_.fingerprint()))};
    }
  }

  std::string_view rest_;
  std::string_view current_;
  std::string file_;
  std::size_t line_ = 0;
  std::set<std::string> seen_;
  bool timed_ = false;
  std::optional<Seal> scenario_seal_;
  std::optional<Seal> run_seal_;
  Trace trace_;
};

}  // namespace

std::variant<Trace, TraceError> parse_trace(std::string_view text, const std::string& file) {
  return Parser(text, file).parse();
}

}  // namespace slotlab::sim
