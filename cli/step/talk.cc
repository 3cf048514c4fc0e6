// See talk.h.
#include "cli/step/talk.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "cli/input_error.h"
#include "cli/quantities.h"
#include "cli/save_trace.h"
#include "cli/step/why_not.h"
#include "cli/suggest.h"

namespace slotlab::cli {
namespace {

constexpr std::size_t kShownMax = 24;     // possible events listed unasked
constexpr std::uint64_t kPlayMax = 100'000;

const std::vector<std::string> kCommands = {
    "take", "list", "back", "goto", "play", "believe", "show", "changed", "story", "check", "why",
    "save", "mark", "go",   "marks", "help",   "quit"};

constexpr const char* kHelp =
    "  NUMBER                       take the event with this number\n"
    "  take WORDS                   take the one possible event that has these words\n"
    "  list                         all events possible now\n"
    "  back [N]                     take back the last event, or the last N\n"
    "  goto N                       go to where N events have happened; what lay ahead is kept\n"
    "                               until another event is taken\n"
    "  play timed|random N [SEED]   let a driver take N events\n"
    "  believe [NODE]               what every node believes, or one (also: show)\n"
    "  changed                      what the last event changed\n"
    "  story                        the run so far\n"
    "  check                        what each property says of this state\n"
    "  why WORDS                    why an event with these words is not possible now\n"
    "  mark NAME, go NAME, marks    name this point, return to it, list the names\n"
    "  save FILE                    save the run so far, for slotlab replay and report\n"
    "  help, quit\n";

Heard said(std::string text) { return {.text = std::move(text)}; }

Heard wrong(const std::string& why) { return {.text = "error: " + why + "\n", .wrong = true}; }

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream each(line);
  for (std::string word; each >> word;) words.push_back(word);
  return words;
}

// A whole number in [0, 2^64-1], or nothing.
std::optional<std::uint64_t> number_of(const std::string& word) {
  if (word.empty() || word.size() > 19 ||
      word.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  return std::stoull(word);
}

std::string rest_of(const std::string& line, const std::string& first) {
  const std::size_t begin = line.find(first) + first.size();
  const std::size_t at = line.find_first_not_of(" \t", begin);
  return at == std::string::npos ? "" : line.substr(at, line.find_last_not_of(" \t\r") + 1 - at);
}

// ": slot 7 has no owner", or nothing where there is nothing to add.
std::string why_false(const sim::Property& property, const sim::World& world) {
  const std::string why = property.explain ? property.explain(world) : "";
  return why.empty() ? "" : ": " + why;
}

std::string actor_of(const std::string& belief) { return belief.substr(0, belief.find(": ")); }

}  // namespace

Talk::Talk(Session& session) : session_(session), words_(session.subject()) {}

std::string Talk::event_words(sim::Action action) const {
  const std::string sentence = session_.world().describe(action);
  const std::string clause = words_.clause(sentence, action.kind());
  // Of a step of the procedure its number, the manual's own name for it.
  if (!clause.starts_with("step ")) return sentence;
  return fmt::format("{}   (step {})", sentence, clause.substr(5, clause.find(' ', 5) - 5));
}

std::string Talk::choices(bool all) const {
  const std::vector<sim::Action> possible = session_.world().possible();
  if (possible.empty()) return "nothing is possible any more\n";
  std::string text = "possible now:\n";
  const std::size_t shown = all ? possible.size() : std::min(possible.size(), kShownMax);
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("{:>4}  {}\n", i + 1, event_words(possible[i]));
  }
  if (shown < possible.size()) {
    text += fmt::format("      and {} more: list\n", possible.size() - shown);
  }
  return text;
}

std::string Talk::here() const {
  if (session_.at() == 0) return "at the start\n";
  const StoryEvent& event = session_.story().events[session_.at() - 1];
  std::string text = fmt::format("event {}: {}\n", session_.at(), event.text);
  for (const std::string& line : change_lines(event)) text += "    " + line + "\n";
  for (const std::string& line : replies_worth_telling(event)) text += "    " + line + "\n";
  for (const std::string& line : event.notes) text += "    (" + line + ")\n";
  if (session_.known() > session_.at()) {
    text += fmt::format("    ({} known ahead: goto {})\n",
                        counted(session_.known() - session_.at(), "event"), session_.known());
  }
  return text;
}

std::string Talk::changed_properties(const std::vector<bool>& before) const {
  const std::vector<bool> now = session_.truths();
  std::string text;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] == before[i]) continue;
    const sim::Property& property = session_.subject().properties[i];
    const std::string why = now[i] ? "" : why_false(property, session_.world());
    text += fmt::format("    {} is {} now{}\n", property.name, now[i] ? "true" : "false", why);
  }
  return text;
}

std::string Talk::properties() const {
  const std::vector<bool> now = session_.truths();
  std::string text;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const sim::Property& property = session_.subject().properties[i];
    const std::string why = now[i] ? "" : why_false(property, session_.world());
    text += fmt::format("  {:<16} {}{}\n", property.name, now[i] ? "true" : "false", why);
  }
  return text;
}

std::string Talk::greeting() const {
  return fmt::format("{}, {}\n{}{}", session_.subject().title, session_.subject().dialect, here(),
                     choices(false));
}

Heard Talk::take_number(const std::string& number) {
  const std::vector<sim::Action> possible = session_.world().possible();
  const auto n = number_of(number);
  if (!n || *n < 1 || *n > possible.size()) {
    return wrong(possible.empty()
                     ? "nothing is possible any more; back takes an event back"
                     : fmt::format("there is no event {}, expected 1 to {}", number,
                                   possible.size()));
  }
  return take(possible[*n - 1]);
}

Heard Talk::take(sim::Action action) {
  const std::vector<bool> before = session_.truths();
  session_.take(action);
  return said(here() + changed_properties(before) + choices(false));
}

// Numbers change with what else is possible; words do not, so that scripts read well and last. Of
// several events with the words, the one that has them side by side is meant.
Heard Talk::take_words(const std::string& words) {
  if (words.empty()) return wrong("expected take and words of a possible event: take B crashes");
  std::vector<sim::Action> meant, closer;
  for (const sim::Action action : session_.world().possible()) {
    std::string text = event_words(action);
    std::replace(text.begin(), text.end(), '(', ' ');
    std::replace(text.begin(), text.end(), ')', ' ');
    if (!has_words(text, words)) continue;
    meant.push_back(action);
    if (text.find(words) != std::string::npos) closer.push_back(action);
  }
  if (closer.size() == 1) return take(closer.front());
  if (meant.size() == 1) return take(meant.front());
  if (meant.empty()) {
    return wrong(fmt::format("no possible event has the words '{0}'; 'why {0}' says why", words));
  }
  std::string list;
  for (const sim::Action action : meant) list += "\n    " + event_words(action);
  return wrong(fmt::format("{} have the words '{}', expected one:{}",
                           counted(meant.size(), "possible event"), words, list));
}

Heard Talk::back(const Words& words) {
  const auto n = words.size() == 1 ? std::optional<std::uint64_t>(1) : number_of(words[1]);
  if (words.size() > 2 || !n) return wrong("expected back, or back N");
  if (*n > session_.at()) {
    return wrong(fmt::format("only {} can be taken back", counted(session_.at(), "event")));
  }
  session_.go_to(session_.at() - static_cast<std::size_t>(*n));
  return said(here() + choices(false));
}

Heard Talk::go_to(const Words& words) {
  const auto n = words.size() == 2 ? number_of(words[1]) : std::nullopt;
  if (!n) return wrong("expected goto N");
  if (*n > session_.known()) {
    return wrong(fmt::format("the run has {}, expected 0 to {}",
                             counted(session_.known(), "event"), session_.known()));
  }
  session_.go_to(static_cast<std::size_t>(*n));
  return said(here() + choices(false));
}

Heard Talk::play(const Words& words) {
  const bool named = words.size() >= 2 && (words[1] == "timed" || words[1] == "random");
  const std::uint64_t events = words.size() >= 3 ? number_of(words[2]).value_or(0) : 0;
  const auto seed = words.size() == 4 ? number_of(words[3]) : std::optional<std::uint64_t>(1);
  if (!named || events < 1 || events > kPlayMax || !seed || words.size() > 4) {
    return wrong(fmt::format("expected play timed N or play random N, with N from 1 to {} and "
                             "perhaps a seed",
                             kPlayMax));
  }
  const std::vector<bool> before = session_.truths();
  const std::size_t begin = session_.at();
  const std::size_t taken = session_.play(
      words[1] == "timed" ? Session::Player::timed : Session::Player::random, events,
      *seed);
  std::string text;
  for (std::size_t i = begin; i < session_.at(); ++i) {
    const StoryEvent& event = session_.story().events[i];
    const std::vector<std::string> changes = change_lines(event);
    if (changes.empty()) continue;
    text += fmt::format("{:>4}  {}\n", i + 1, event.text);
    for (const std::string& line : changes) text += fmt::format("        {}\n", line);
  }
  text += fmt::format("played {}; those that changed nothing are not shown\n",
                      counted(taken, "event"));
  return said(text + changed_properties(before) + choices(false));
}

// The beliefs of all; of who is down only that, since a process that is not there believes nothing.
std::vector<std::string> Talk::beliefs() const {
  std::vector<std::string> lines;
  std::string down;
  for (const std::string& line : sim::beliefs_of(session_.world())) {
    if (line.ends_with(": down") || line.ends_with(": down for good")) {
      down = actor_of(line);
    } else if (actor_of(line) == down) {
      continue;
    }
    lines.push_back(line);
  }
  return lines;
}

Heard Talk::believe(const Words& words) const {
  std::vector<std::string> lines = beliefs();
  if (words.size() > 2) return wrong("expected believe, or believe NODE");
  if (words.size() == 2) {
    const auto& names = session_.subject().system->spec().names;
    if (std::find(names.begin(), names.end(), words[1]) == names.end()) {
      return wrong(fmt::format("there is no '{}'{}", words[1], suggestion(words[1], names)));
    }
    std::erase_if(lines, [&](const std::string& line) { return actor_of(line) != words[1]; });
  }
  std::string text, last;
  for (const std::string& line : lines) {
    const std::string actor = actor_of(line);
    if (actor != last) text += actor + "\n";
    last = actor;
    text += "    " + line.substr(std::min(line.size(), actor.size() + 2)) + "\n";
  }
  return said(text.empty() ? "nothing\n" : text);
}

Heard Talk::why(const std::string& words) const {
  if (split(words).empty()) {
    return wrong("expected why and words of an event: why B crashes; why NODE B");
  }
  std::string text;
  for (const std::string& line : why_not(session_, words)) text += "  " + line + "\n";
  return said(text);
}

Heard Talk::save(const Words& words) const {
  if (words.size() != 2) return wrong("expected save FILE");
  sim::Trace trace = empty_trace(session_.subject(), "replay");
  for (std::size_t i = 0; i < session_.at(); ++i) {
    trace.events.push_back({.at = {}, .sentence = session_.story().events[i].text});
  }
  const std::vector<bool> now = session_.truths();
  for (std::size_t i = 0; i < now.size() && trace.property.empty(); ++i) {
    const sim::Property& property = session_.subject().properties[i];
    if (property.mood == sim::Mood::always && !now[i]) trace.property = property.name;
  }
  if (const auto error = sim::write_trace(trace, words[1])) return wrong(error->text());
  return said(fmt::format("saved {}: slotlab replay {}\n",
                          counted(trace.events.size(), "event"), shell_word(words[1])));
}

Heard Talk::mark(const Words& words) {
  if (words.size() != 2) return wrong("expected mark NAME");
  session_.mark(words[1]);
  return said(fmt::format("'{}' is here, after {}\n", words[1], counted(session_.at(), "event")));
}

Heard Talk::go_to_mark(const Words& words) {
  if (words.size() != 2) return wrong("expected go NAME");
  if (!session_.go_to_mark(words[1])) {
    std::vector<std::string> names;
    for (const auto& [name, at] : session_.marks()) names.push_back(name);
    return wrong(names.empty() ? fmt::format("nothing is marked '{}'; mark NAME does", words[1])
                               : fmt::format("nothing is marked '{}'{}", words[1],
                                             suggestion(words[1], names)));
  }
  return said(here() + choices(false));
}

Heard Talk::hear(const std::string& line) {
  const Words words = split(line);
  if (words.empty()) return said(here() + choices(false));
  const std::string& verb = words[0];
  if (verb.find_first_not_of("0123456789") == std::string::npos) {
    return words.size() == 1 ? take_number(verb) : wrong("expected one number");
  }
  if (verb == "take") return take_words(rest_of(line, verb));
  if (verb == "back") return back(words);
  if (verb == "goto") return go_to(words);
  if (verb == "play") return play(words);
  if (verb == "believe" || verb == "show") return believe(words);
  if (verb == "why") return why(rest_of(line, verb));
  if (verb == "save") return save(words);
  if (verb == "mark") return mark(words);
  if (verb == "go") return go_to_mark(words);
  if (std::find(kCommands.begin(), kCommands.end(), verb) != kCommands.end() && words.size() > 1) {
    return wrong(fmt::format("{} takes no words", verb));
  }
  if (verb == "list") return said(choices(true));
  if (verb == "changed") return said(here());
  if (verb == "check") return said(properties());
  if (verb == "help") return said(kHelp);
  if (verb == "quit") return {.text = "", .wrong = false, .quit = true};
  if (verb == "story") {
    Story past = session_.story();
    past.events.resize(session_.at());
    return said(past.events.empty() ? "nothing has happened\n" : story_text(past));
  }
  if (verb == "marks") {
    std::string text;
    for (const auto& [name, at] : session_.marks()) {
      text += fmt::format("  {}   after {}\n", name, counted(at, "event"));
    }
    return said(text.empty() ? "nothing is marked\n" : text);
  }
  return wrong(fmt::format("there is no command '{}'{}", verb, suggestion(verb, kCommands)));
}

}  // namespace slotlab::cli
