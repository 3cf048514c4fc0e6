// See story.h.
#include "cli/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace slotlab::cli {
namespace {

constexpr std::size_t kSentenceColumnsMax = 52;  // longer sentences have their changes below them

// Lines that `after` has and `before` has not, in the order of `after`.
std::vector<std::string> added(const std::vector<std::string>& before,
                               const std::vector<std::string>& after) {
  const std::set<std::string> known(before.begin(), before.end());
  std::vector<std::string> lines;
  std::copy_if(after.begin(), after.end(), std::back_inserter(lines),
               [&](const std::string& line) { return !known.contains(line); });
  return lines;
}

// What the fact is about, without its value: "B: owner of 7: A" -> "B: owner of 7", "B: config
// epoch 4"
// -> "B: config epoch".
std::string_view subject_of(std::string_view line) {
  const std::size_t actor = line.find(": ");
  const std::size_t fact = actor == std::string_view::npos ? 0 : actor + 2;
  const std::size_t colon = line.find(": ", fact);
  if (colon != std::string_view::npos) return line.substr(0, colon);
  const std::size_t blank = line.rfind(' ');
  return blank == std::string_view::npos || blank < fact ? line : line.substr(0, blank);
}

// "B: 7: mine" -> "B: no longer 7: mine".
std::string no_longer(const std::string& line) {
  const std::size_t actor = line.find(": ");
  if (actor == std::string::npos) return "no longer " + line;
  return line.substr(0, actor + 2) + "no longer " + line.substr(actor + 2);
}

// A process that is down believes nothing; that it is down says it all.
bool of_a_crashed(const StoryEvent& event, const std::string& line) {
  const std::string down = line.substr(0, line.find(": ")) + ": down";
  return line != down &&
         std::find(event.gained.begin(), event.gained.end(), down) != event.gained.end();
}

// "operator: step 5 next": what follows step 4 is plain from the procedure.
bool is_next_step(const std::string& line) { return line.ends_with(" next"); }

// "operator -> B: CLUSTER ..." as two columns; sentences without a colon are one.
struct Sentence {
  std::string who;
  std::string what;
};

Sentence split(const std::string& text) {
  const std::size_t arrow = text.find(" -> ");
  const std::size_t colon = text.find(": ");
  if (arrow == std::string::npos || colon == std::string::npos || arrow > colon) return {"", text};
  return {text.substr(0, colon), text.substr(colon + 2)};
}

}  // namespace

std::vector<std::uint32_t> successor(const sim::Space& space,
                                     const std::vector<std::uint32_t>& state, sim::Action action) {
  sim::Successors all;
  space.expand(state, space.fingerprint(state), all);
  const auto found = std::find_if(all.entries.begin(), all.entries.end(),
                                  [&](const auto& entry) { return entry.action == action; });
  SIM_ASSERT(found != all.entries.end(), "the action is not possible in this state");
  std::vector<std::uint32_t> next = state;
  for (std::size_t i = 0; i < found->change_count; ++i) {
    const sim::Change& change = all.changes[found->first_change + i];
    next[change.component] = change.value;
  }
  return next;
}

Story tell(const sim::Space& space, const sim::Run& run) {
  Story story;
  std::vector<std::uint32_t> state = space.initial()[run.initial];
  std::vector<std::string> beliefs = space.beliefs(state);
  for (const sim::Action action : run.actions) {
    StoryEvent event;
    event.text = space.describe(state, action);
    state = successor(space, state, action);
    const std::vector<std::string> after = space.beliefs(state);
    event.gained = added(beliefs, after);
    event.lost = added(after, beliefs);
    beliefs = after;
    story.events.push_back(std::move(event));
  }
  if (run.cycle_start != SIZE_MAX) story.cycle_start = run.cycle_start;
  return story;
}

StoryEvent tell(const sim::System& system, const sim::World::Event& event) {
  StoryEvent told{.text = event.text,
                  .gained = event.gained,
                  .lost = event.lost,
                  .notes = event.notes,
                  .replies = {},
                  .at = {}};
  for (const auto& [caller, reply] : event.replies) {
    told.replies.push_back(fmt::format("{} is answered {}", system.name(caller), reply));
  }
  return told;
}

Story tell(const std::shared_ptr<const sim::System>& system, const sim::Run& run) {
  Story story;
  sim::World world(system);
  for (const sim::Action action : run.actions) {
    story.events.push_back(tell(*system, world.take(action, true)));
  }
  if (run.cycle_start != SIZE_MAX) story.cycle_start = run.cycle_start;
  return story;
}

std::vector<std::string> change_lines(const StoryEvent& event) {
  std::vector<std::string> lines;
  for (const std::string& line : event.gained) {
    if (!of_a_crashed(event, line) && !is_next_step(line)) lines.push_back(line);
  }
  for (const std::string& line : event.lost) {
    if (of_a_crashed(event, line) || is_next_step(line)) continue;
    const bool replaced = std::any_of(
        event.gained.begin(), event.gained.end(),
        [&](const std::string& gained) { return subject_of(gained) == subject_of(line); });
    if (!replaced) lines.push_back(no_longer(line));
  }
  return lines;
}

std::vector<std::string> replies_worth_telling(const StoryEvent& event) {
  std::vector<std::string> lines;
  for (const std::string& reply : event.replies) {
    if (!reply.ends_with(" +OK")) lines.push_back(reply);
  }
  return lines;
}

std::vector<std::string> sentences(const Story& story) {
  std::vector<std::string> lines;
  for (const StoryEvent& event : story.events) lines.push_back(event.text);
  return lines;
}

std::string story_text(const Story& story) {
  std::size_t who_columns = 0;
  for (const StoryEvent& event : story.events) {
    who_columns = std::max(who_columns, split(event.text).who.size());
  }
  std::vector<std::string> lefts;
  std::size_t left_columns = 0;
  for (std::size_t i = 0; i < story.events.size(); ++i) {
    const auto [who, what] = split(story.events[i].text);
    lefts.push_back(who.empty() ? fmt::format("{:>3}  {}", i + 1, what)
                                : fmt::format("{:>3}  {:<{}}  {}", i + 1, who, who_columns, what));
    if (lefts.back().size() <= kSentenceColumnsMax) {
      left_columns = std::max(left_columns, lefts.back().size());
    }
  }
  std::string text;
  for (std::size_t i = 0; i < story.events.size(); ++i) {
    if (story.cycle_start == i) text += "     from here on, for ever:\n";
    text += lefts[i];
    std::size_t used = lefts[i].size();
    std::vector<std::string> lines = change_lines(story.events[i]);
    for (const std::string& reply : replies_worth_telling(story.events[i])) lines.push_back(reply);
    if (lines.empty()) {
      for (const std::string& note : story.events[i].notes) lines.push_back("(" + note + ")");
    }
    for (const std::string& line : lines) {
      if (used > left_columns) {
        text += '\n';
        used = 0;
      }
      text += fmt::format("{:{}}   {}", "", left_columns - used, line);
      used = left_columns + 1;
    }
    text += '\n';
  }
  return text;
}

}  // namespace slotlab::cli
