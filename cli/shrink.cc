// `slotlab shrink`: the same violation with fewer faults, fewer events, fewer changes of actor.
// First what leaving out and moving events gives; then, where all runs can be searched, the
// smallest there is.
#include <fmt/format.h>

#include "cli/full_run.h"
#include "cli/input_error.h"
#include "cli/interrupt.h"
#include "cli/json_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/save_trace.h"
#include "cli/trace_run.h"
#include "cli/verbs.h"
#include "sim/check/tuple_space.h"
#include "sim/explain/explain.h"
#include "sim/explain/shrink.h"

namespace slotlab::cli {
namespace {

constexpr std::uint64_t kSearchStatesMax = 50'000;  // of the search for the smallest run

struct Shrunk {
  sim::Run run;
  sim::RunCost before, after;
  bool smallest = false;  // no run that violates the property has fewer faults, or as few and fewer
                          // events
  std::string property;
};

const sim::System* system_of(const sim::Space& space) {
  const auto* tuple = dynamic_cast<const sim::TupleSpace*>(&space);
  return tuple == nullptr ? nullptr : &tuple->system();
}

// A run to a violation with the fewest faults, then the fewest events, in the reduced space;
// none if that is too large to be searched.
std::optional<sim::Run> smallest_reduced(sim::Space& reduced, std::size_t property,
                                         const std::atomic<bool>* interrupt) {
  if (reduced.property_mood(property) != sim::Mood::always) return std::nullopt;
  sim::ExploreOptions search;
  search.states_max = kSearchStatesMax;

  search.skip_long_run = true;
  search.interrupt = interrupt;
  if (!sim::explore(reduced, search).complete) return std::nullopt;
  sim::EventGraph graph;
  const bool has_faults = system_of(reduced) != nullptr;
  if (!sim::build_event_graph(reduced, {.has_faults = has_faults, .interrupt = interrupt}, graph)
           .empty()) {
    return std::nullopt;
  }
  const sim::Allowed all = sim::allow_all(graph);
  const sim::Outcome outcome = sim::outcome_of(graph, property, sim::Question::at_any_moment, all);
  const auto edges = sim::cheapest_run(graph, outcome, all, {0}, outcome.bad);
  if (!edges) return std::nullopt;
  sim::Run run;
  for (const std::uint32_t edge : *edges) run.actions.push_back(graph.action[edge]);
  return run;
}

Shrunk shrink_trace(const sim::Trace& trace, const std::string& path) {
  const Interrupt interrupt;
  ProgressLine line(true);
  const Subject subject = subject_of(trace, "none");
  const sim::Space& space = *subject.space;
  const sim::Run given = run_of(space, trace, path);
  const std::size_t property = property_of(space, given, trace, path);

  sim::ShrinkOptions options{
      .property = property, .system = system_of(space), .interrupt = &interrupt.flag()};
  options.progress = [&](const sim::RunCost& cost) {
    line.show_text(
        fmt::format("{}, {}", counted(cost.faults, "fault"), counted(cost.events, "event")));
  };
  Shrunk shrunk;
  shrunk.property = space.property_name(property);
  shrunk.before = sim::cost_of(given, options.system);
  shrunk.run = sim::shrink(space, *sim::violating_part(space, given, property), options);
  shrunk.after = sim::cost_of(shrunk.run, options.system);
  if (interrupt.flag()) return shrunk;

  const Subject reduced = subject_of(trace, "inert");
  if (const auto best = smallest_reduced(*reduced.space, property, &interrupt.flag())) {
    const sim::RunCost least = sim::cost_of(*best, options.system);
    const sim::Run full = full_run(*reduced.space, space, *best);
    const sim::Run other = sim::shrink(space, *sim::violating_part(space, full, property), options);
    const sim::RunCost cost = sim::cost_of(other, options.system);
    if (cost < shrunk.after) {
      shrunk.run = other;
      shrunk.after = cost;
    }
    shrunk.smallest = shrunk.after.faults == least.faults && shrunk.after.events == least.events;
  }
  return shrunk;
}

sim::Trace smaller_trace(const sim::Trace& from, const Subject& subject, const Shrunk& shrunk,
                         const Story& story) {
  sim::Trace trace = empty_trace(subject, "replay");
  trace.scenario_path = from.scenario_path;
  trace.property = shrunk.property;
  trace.settings.emplace_back(
      "shrunk-from", from.seed ? fmt::format("{}, seed {}", from.driver, *from.seed) : from.driver);
  for (const StoryEvent& event : story.events) {
    trace.events.push_back({.at = {}, .sentence = event.text});
  }
  trace.cycle_start = story.cycle_start;
  return trace;
}

std::string cost_line(const char* label, const sim::RunCost& cost) {
  return fmt::format("{:<10}{}, {}, {}\n", label, counted(cost.faults, "fault"),
                     counted(cost.events, "event"), counted(cost.switches, "change") + " of actor");
}

std::string text_of(const Subject& subject, const Shrunk& shrunk, const Story& story,
                    const ShrinkOptions& options) {
  std::string text =
      fmt::format("{}{}\n{} violated\n\n", subject.title,
                  subject.dialect.empty() ? "" : ", " + subject.dialect, shrunk.property);
  text += cost_line("given", shrunk.before) + cost_line("now", shrunk.after);
  text += shrunk.smallest ? "          no run that violates it has fewer faults, or as few and "
                            "fewer events\n"
                          : "          the smallest that leaving out and moving events leads to\n";
  text += "\n" + story_text(story);
  if (options.out) text += fmt::format("\nreplay    slotlab replay {}\n", shell_word(*options.out));
  return text;
}

Json cost_json(const sim::RunCost& cost) {
  return {{"faults", cost.faults}, {"events", cost.events}, {"switches", cost.switches}};
}

Json json_of(const Subject& subject, const Shrunk& shrunk, const Story& story) {
  Json json;
  json["format"] = "slotlab-shrink/1";
  json["subject"] = subject.name;
  json["title"] = subject.title;
  json["dialect"] = subject.dialect.empty() ? Json() : Json(subject.dialect);
  json["property"] = shrunk.property;
  json["before"] = cost_json(shrunk.before);
  json["after"] = cost_json(shrunk.after);
  json["smallest"] = shrunk.smallest;
  json["cycle_start"] = story.cycle_start ? Json(*story.cycle_start) : Json();
  json["events"] = story_json(story);
  return json;
}

}  // namespace

ExitStatus shrink(const ShrinkOptions& options) {
  if (options.out) require_writable("--out", *options.out);
  const sim::Trace trace = read_trace_file(options.trace);
  const Shrunk shrunk = shrink_trace(trace, options.trace);
  const Subject subject = subject_of(trace, "none");
  const Story story =
      subject.system ? tell(subject.system, shrunk.run) : tell(*subject.space, shrunk.run);
  if (options.out) save_trace(smaller_trace(trace, subject, shrunk, story), *options.out);
  write_out(options.json ? json_text(json_of(subject, shrunk, story))
                         : text_of(subject, shrunk, story, options));
  return ExitStatus::as_expected;
}

}  // namespace slotlab::cli
