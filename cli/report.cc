// See report.h.
#include "cli/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/quantities.h"

namespace slotlab::cli {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kIndent = 12;

// Breaks ", "-separated parts into lines of at most kColumns, the later ones indented.
std::string wrapped(const std::string& label, const std::vector<std::string>& parts) {
  std::string text;
  std::string line = fmt::format("{:<{}}", label, kIndent);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part = parts[i] + (i + 1 < parts.size() ? ", " : "");
    if (line.size() > kIndent && line.size() + part.size() > kColumns) {
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      line = std::string(kIndent, ' ');
    }
    line += part;
  }
  return text + line + "\n";
}

std::string events_text(std::uint64_t events) {
  return events == 0 ? "at the start" : "after " + counted(events, "event");
}

// What a property's verdict means, in half a sentence.
std::string meaning(const sim::PropertyResult& property, const sim::ExploreResult& result) {
  const bool sometimes = property.mood == sim::Mood::sometimes;
  const bool explains = !property.explanation.empty();
  const std::string explained = explains ? property.explanation + " " : "";
  switch (property.verdict) {
    case sim::Verdict::holds:
      if (sometimes) return explained + events_text(property.depth.value_or(0));
      return fmt::format("in all {}", counted(result.states, "state"));
    case sim::Verdict::violated:
      if (sometimes) return fmt::format("in none of {}", counted(result.states, "state"));
      if (property.mood == sim::Mood::always) {
        return explained + events_text(property.depth.value_or(0));
      }
      return (explains ? property.explanation + "; " : "") + "a run can stay so for ever";
    case sim::Verdict::inconclusive:
      if (explains) return property.explanation;
      return sometimes ? "not reached in what was searched" : "not violated in what was searched";
  }
  return "";
}

std::string expectation(const Subject& subject, const sim::PropertyResult& property,
                        std::size_t index) {
  if (!subject.expects_something) return "";
  if (property.verdict == subject.expected[index]) return "as expected";
  std::string word = verdict_shown(property.mood, subject.expected[index]);
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return "EXPECTED: " + word;
}

// What can honestly be said of the work that is left.
std::string left_text(const sim::ExploreResult& result) {
  if (!result.states_left) return "how many more there are cannot be told: levels still grow";
  return fmt::format("levels shrink: at most about {} more if they go on so",
                     counted(*result.states_left, "state"));
}

std::string searched_text(const sim::ExploreResult& result) {
  std::vector<std::string> parts = {counted(result.states, "state"),
                                    counted(result.transitions, "transition"),
                                    fmt::format("depth {}", result.depth)};
  if (result.rounds > 1) parts.push_back(counted(result.rounds, "round"));
  if (!result.complete) {
    parts.push_back(fmt::format("NOT COMPLETE: ended by {}",
                                result.stopped_by == "interrupt" ? "Ctrl-C" : result.stopped_by));
    parts.push_back(fmt::format("{} waiting to be expanded", counted(result.waiting, "state")));
    parts.push_back(left_text(result));
  } else if (result.bounds.empty()) {
    parts.push_back("complete");
  }
  return wrapped("searched", parts);
}

std::string bounds_text(const sim::ExploreResult& result) {
  if (result.bounds.empty()) return "";
  std::vector<std::string> parts;
  bool any_hit = false;
  for (const sim::Bound& bound : result.bounds) {
    parts.push_back(bound.name + (bound.hit ? "*" : ""));
    any_hit = any_hit || bound.hit;
  }
  if (result.complete) parts.front().insert(0, "within: ");
  std::string text = wrapped(result.complete ? "complete" : "bounds", parts);
  if (any_hit) text += fmt::format("{:{}}(* hit: more could happen beyond it)\n", "", kIndent);
  return text;
}

std::string real_text(const Judgement& judgement) {
  if (!judgement.real) return "";
  return wrapped("real runs", {"an ordinary search for what was found possible",
                               counted(judgement.real->states, "state"),
                               fmt::format("depth {}", judgement.real->depth)});
}

std::string cost_text(const sim::ExploreResult& result) {
  const double rate =
      result.seconds > 0 ? static_cast<double>(result.transitions) / result.seconds : 0;
  return fmt::format("{:<{}}{}, {} transitions/s, peak memory {}\n", "took", kIndent,
                     seconds_text(result.seconds), grouped(static_cast<std::uint64_t>(rate)),
                     bytes_text(result.peak_memory_bytes));
}

std::string settings_text(const Subject& subject) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : subject.settings) {
    parts.push_back(value.empty() ? name : name + " " + value);
  }
  return parts.empty() ? "" : wrapped("settings", parts);
}

// The commands that bring this back.
std::string again_text(const Judgement& judgement, const CheckOptions& options) {
  if (!first_violated(judgement)) return "";
  if (options.trace) {
    return fmt::format("{:<{}}slotlab replay {}\n", "replay", kIndent, shell_word(*options.trace));
  }
  const std::string dialect =
      options.dialect ? " --dialect " + shell_word(*options.dialect) : std::string();
  const std::string show = options.show ? " --show " + shell_word(*options.show) : std::string();
  return fmt::format("{:<{}}slotlab check {}{}{} --trace run.trace; slotlab replay run.trace\n",
                     "replay", kIndent, shell_word(options.subject), dialect, show);
}

}  // namespace

std::string verdicts_text(const Subject& subject, const Judgement& judgement) {
  const auto& properties = judgement.result.properties;
  std::size_t name_columns = 0;
  std::size_t verdict_columns = 0;
  for (const sim::PropertyResult& property : properties) {
    name_columns = std::max(name_columns, property.name.size());
    verdict_columns = std::max(
        verdict_columns, std::string(verdict_shown(property.mood, property.verdict)).size());
  }
  std::string text;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    const sim::PropertyResult& property = properties[i];
    const std::string expected = expectation(subject, property, i);
    text += fmt::format("{:<{}}  {:<{}}  {}{}\n", property.name, name_columns,
                        verdict_shown(property.mood, property.verdict), verdict_columns,
                        meaning(property, judgement.result),
                        expected.empty() ? "" : " (" + expected + ")");
  }
  return text;
}

std::string violation_text(const Judgement& judgement) {
  const auto first = first_violated(judgement);
  if (!first) return "";
  const sim::PropertyResult& property = judgement.result.properties[*first];
  const Story& story = *judgement.stories[*first];
  const char* what = property.verdict == sim::Verdict::violated ? "violated" : "reached";
  if (story.events.empty()) return fmt::format("{} is {} at the start\n", property.name, what);
  return fmt::format("a shortest run in which '{}' is {}:\n{}", property.name, what,
                     story_text(story));
}

std::string report_text(const Subject& subject, const Judgement& judgement,
                        const CheckOptions& options) {
  const sim::ExploreResult& result = judgement.result;
  std::string text = subject.title + "\n\n" + verdicts_text(subject, judgement) + "\n";
  const std::string violation = violation_text(judgement);
  if (!violation.empty()) text += violation + "\n";
  text += searched_text(result) + real_text(judgement) + bounds_text(result) +
          settings_text(subject) + cost_text(result) + again_text(judgement, options);
  return text;
}

}  // namespace slotlab::cli
