// `slotlab reach`: can this state come about, and by which shortest run? The goal is searched
// for as a situation; that it is never met is a proof within the bounds, or, if the search was
// cut short, no answer.
#include <fmt/format.h>

#include "cli/full_run.h"
#include "cli/input_error.h"
#include "cli/interrupt.h"
#include "cli/json_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/save_trace.h"
#include "cli/verbs.h"
#include "models/properties/goal.h"
#include "sim/check/tuple_space.h"

namespace slotlab::cli {
namespace {

struct Reached {
  sim::ExploreResult result;
  std::optional<Story> story;
};

sim::Property goal_property(const Subject& subject, const std::string& goal) {
  auto parsed = properties::parse_goal(goal, subject.cast, subject.system->spec().names);
  if (const auto* error = std::get_if<properties::GoalError>(&parsed)) {
    throw InputError(fmt::format("--goal: column {}: {}", error->column, error->message));
  }
  return {.name = "goal",
          .mood = sim::Mood::sometimes,
          .holds = std::get<sim::Predicate>(std::move(parsed)),
          .then = nullptr,
          .explain = nullptr};
}

Reached search(const Subject& subject, const ReachOptions& options) {
  const sim::Property goal = goal_property(subject, options.goal);
  const bool inert = subject.reductions == "inert";
  sim::TupleSpace space(subject.system, {goal}, {.drop_inert = inert});
  const Interrupt interrupt;
  ProgressLine line(true);
  sim::ExploreOptions how;
  how.threads = options.search.threads;
  how.stop_when_decided = true;
  if (options.search.max_states) how.states_max = *options.search.max_states;
  if (options.search.max_depth) how.depth_max = *options.search.max_depth;
  if (options.search.memory_bytes) how.memory_max_bytes = *options.search.memory_bytes;
  if (options.search.seconds) how.seconds_max = *options.search.seconds;
  how.interrupt = &interrupt.flag();
  how.progress = [&](const sim::Progress& progress) { line.show(progress); };
  Reached reached{.result = sim::explore(space, how), .story = {}};
  const sim::PropertyResult& found = reached.result.properties.front();
  if (found.verdict == sim::Verdict::holds && found.run) {
    const sim::TupleSpace full(subject.system, {goal});
    const sim::Run run = inert ? full_run(space, full, *found.run) : *found.run;
    reached.story = tell(subject.system, run);
  }
  return reached;
}

const char* word(const Reached& reached) {
  switch (reached.result.properties.front().verdict) {
    case sim::Verdict::holds: return "reachable";
    case sim::Verdict::violated: return "not reachable";
    case sim::Verdict::inconclusive: return "inconclusive";
  }
  return "";
}

std::string bounds_list(const sim::ExploreResult& result) {
  std::string text;
  for (const sim::Bound& bound : result.bounds) {
    text += (text.empty() ? "" : ", ") + bound.name + (bound.hit ? "*" : "");
  }
  return text;
}

std::string text_of(const Subject& subject, const ReachOptions& options, const Reached& reached) {
  std::string text = fmt::format("{}, {}\ngoal: {}\n\n", subject.title, subject.dialect,
                                 options.goal);
  const sim::ExploreResult& result = reached.result;
  const std::string size = fmt::format("{}, {}", counted(result.states, "state"),
                                       counted(result.transitions, "transition"));
  if (reached.story) {
    const std::size_t events = reached.story->events.size();
    text += events == 0 ? "REACHED at the start\n"
                        : fmt::format("REACHED after {}, by a shortest run:\n\n{}",
                                      counted(events, "event"), story_text(*reached.story));
    if (options.trace) {
      text += fmt::format("\nreplay  slotlab replay {}\n", shell_word(*options.trace));
    }
  } else if (result.properties.front().verdict == sim::Verdict::violated) {
    text += fmt::format("NOT REACHABLE: in none of {}\nwithin {}\n", size, bounds_list(result));
  } else {
    text += fmt::format("INCONCLUSIVE: not met in {}, where the search was ended by {}\n", size,
                        result.stopped_by == "interrupt" ? "Ctrl-C" : result.stopped_by);
  }
  return text;
}

Json json_of(const Subject& subject, const ReachOptions& options, const Reached& reached) {
  Json json;
  json["format"] = "slotlab-reach/1";
  json["subject"] = subject.name;
  json["title"] = subject.title;
  json["dialect"] = subject.dialect;
  json["goal"] = options.goal;
  json["answer"] = word(reached);
  json["states"] = reached.result.states;
  json["transitions"] = reached.result.transitions;
  json["complete"] = reached.result.complete;
  json["stopped_by"] =
      reached.result.stopped_by.empty() ? Json() : Json(reached.result.stopped_by);
  json["bounds"] = Json::array();
  for (const sim::Bound& bound : reached.result.bounds) {
    json["bounds"].push_back({{"name", bound.name}, {"hit", bound.hit}});
  }
  json["events"] = reached.story ? story_json(*reached.story) : Json();
  return json;
}

}  // namespace

ExitStatus reach(const ReachOptions& options) {
  if (options.trace) require_writable("--trace", *options.trace);
  if (is_textbook(options.file)) {
    throw InputError(fmt::format("reach: '{}' is a textbook model, expected a scenario file",
                                 options.file));
  }
  require_names(options.search.reductions, "reach");
  const Subject subject = load_subject(options.file, options.dialect, options.search.reductions);
  const Reached reached = search(subject, options);
  if (options.trace && reached.story) {
    sim::Trace trace = empty_trace(subject, "exhaustive");
    trace.settings.emplace_back("goal", options.goal);
    for (const StoryEvent& event : reached.story->events) {
      trace.events.push_back({.at = {}, .sentence = event.text});
    }
    save_trace(trace, *options.trace);
  } else if (options.trace) {
    write_err(fmt::format("slotlab: the goal was not met, so no run was saved to '{}'\n",
                          *options.trace));
  }
  write_out(options.json ? json_text(json_of(subject, options, reached))
                         : text_of(subject, options, reached));
  const bool open = reached.result.properties.front().verdict == sim::Verdict::inconclusive;
  return open ? ExitStatus::inconclusive : ExitStatus::as_expected;
}

}  // namespace slotlab::cli
