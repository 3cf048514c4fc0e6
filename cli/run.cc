// `slotlab run`: one run from a seed, as a readable timeline. The seed is the first line, the
// command that brings the run back the last.
#include <fmt/format.h>

#include "cli/input_error.h"
#include "cli/json_report.h"
#include "cli/observed.h"
#include "cli/output.h"
#include "cli/quantities.h"
#include "cli/save_trace.h"
#include "cli/verbs.h"
#include "sim/drive/random.h"
#include "sim/drive/timed.h"
#include "sim/time/time_text.h"

namespace slotlab::cli {
namespace {

struct Driven {
  sim::RunResult run;
  Story story;
  std::vector<Observed> observed;
};

Driven drive(const Subject& subject, const RunOptions& options) {
  Driven driven;
  sim::World world(subject.system);
  Observer observer(subject.properties);
  observer.see(subject.properties, world, 0);
  const bool timed = options.driver == "timed";
  sim::RecordOptions record;
  record.record_beliefs = true;
  record.watch = [&](const sim::World& now, const sim::RunStep& step) {
    driven.story.events.push_back(tell(*subject.system, step.event));
    if (timed) driven.story.events.back().at = step.at;
    observer.see(subject.properties, now, driven.story.events.size());
  };
  if (timed) {
    sim::TimedOptions how;
    how.seed = options.seed;
    how.events_max = options.steps;
    how.draw_faults = true;
    how.quiet_for = sim::seconds(5);
    how.record = record;
    driven.run = sim::run_timed(world, how);
  } else {
    sim::RandomOptions how;
    how.seed = options.seed;
    how.steps_max = options.steps;
    how.record = record;
    driven.run = sim::run_random(world, how);
  }
  driven.observed = observer.finish();
  return driven;
}

std::string again(const RunOptions& options) {
  std::string text = fmt::format("slotlab run {} --seed {} --steps {} --driver {}",
                                 shell_word(options.file), options.seed, options.steps,
                                 options.driver);
  if (options.dialect) text += " --dialect " + shell_word(*options.dialect);
  return text;
}

// The timeline. Stretches of events that changed nothing are counted, not shown.
std::string timeline(const Story& story) {
  std::string text;
  std::size_t silent = 0;
  const auto flush = [&] {
    if (silent > 0) {
      text += fmt::format("         ({} that changed nothing)\n", counted(silent, "event"));
    }
    silent = 0;
  };
  for (std::size_t i = 0; i < story.events.size(); ++i) {
    const StoryEvent& event = story.events[i];
    const std::vector<std::string> changes = change_lines(event);
    const std::vector<std::string> replies = replies_worth_telling(event);
    if (changes.empty() && event.replies.empty()) {
      ++silent;
      continue;
    }
    flush();
    text += fmt::format("{:>6}  {}{}\n", i + 1,
                        event.at ? fmt::format("{:>14}  ", sim::to_text(*event.at)) : "",
                        event.text);
    for (const std::string& line : changes) text += fmt::format("{:24}{}\n", "", line);
    for (const std::string& line : replies) text += fmt::format("{:24}{}\n", "", line);
  }
  flush();
  return text;
}

std::string text_of(const Subject& subject, const RunOptions& options, const Driven& driven) {
  std::string text = fmt::format("seed {}, driver {}, at most {}, {}\n{}\n\n", options.seed,
                                 options.driver, counted(options.steps, "event"), subject.dialect,
                                 subject.title);
  text += timeline(driven.story);
  text += fmt::format("\nended after {}: {}\n\n", counted(driven.run.events, "event"),
                      sim::to_text(driven.run.stopped));
  text += observed_text(driven.observed);
  text += fmt::format("\nfingerprint  {}\n", sim::to_hex(driven.run.fingerprint));
  if (options.trace) {
    text += fmt::format("replay       slotlab replay {}\n", shell_word(*options.trace));
  }
  return text + fmt::format("again        {}\n", again(options));
}

Json json_of(const Subject& subject, const RunOptions& options, const Driven& driven) {
  Json json;
  json["format"] = "slotlab-run/1";
  json["subject"] = subject.name;
  json["title"] = subject.title;
  json["dialect"] = subject.dialect;
  json["driver"] = options.driver;
  json["seed"] = options.seed;
  json["steps"] = options.steps;
  json["ended"] = sim::to_text(driven.run.stopped);
  json["fingerprint"] = sim::to_hex(driven.run.fingerprint);
  json["verdict"] = any_violated(driven.observed) ? "violated" : "inconclusive";
  json["properties"] = observed_json(driven.observed);
  json["events"] = story_json(driven.story);
  json["again"] = again(options);
  return json;
}

}  // namespace

ExitStatus run(const RunOptions& options) {
  if (options.trace) require_writable("--trace", *options.trace);
  if (is_textbook(options.file)) {
    throw InputError(fmt::format("run: '{}' is a textbook model, expected a scenario file; "
                                 "slotlab check takes both",
                                 options.file));
  }
  const Subject subject = load_subject(options.file, options.dialect, "none");
  const Driven driven = drive(subject, options);
  if (options.trace) {
    sim::Trace trace = empty_trace(subject, options.driver);
    trace.seed = options.seed;
    trace.events = sim::trace_events(driven.run, options.driver == "timed"
                                                     ? sim::Clock::virtual_time
                                                     : sim::Clock::none);
    for (const Observed& each : driven.observed) {
      if (each.violated && trace.property.empty()) trace.property = each.name;
    }
    save_trace(trace, *options.trace);
  }
  write_out(options.json ? json_text(json_of(subject, options, driven))
                         : text_of(subject, options, driven));
  return any_violated(driven.observed) ? ExitStatus::violated : ExitStatus::as_expected;
}

}  // namespace slotlab::cli
