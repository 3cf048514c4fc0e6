// `slotlab report`: one run as one page that opens from disk without a network: a space-time
// diagram, what every node believes at each step, the truth of each property, the explanation where
// the search can give one, and the other events that were possible.
#include <fmt/format.h>

#include "cli/explained.h"
#include "cli/full_run.h"
#include "cli/input_error.h"
#include "cli/interrupt.h"
#include "cli/observed.h"
#include "cli/output.h"
#include "cli/quantities.h"
#include "cli/report_page/page_data.h"
#include "cli/trace_run.h"
#include "cli/verbs.h"
#include "sim/drive/timed.h"

namespace slotlab::cli {
namespace {

struct Shown {
  std::vector<sim::Action> run;
  PageOptions page;
  std::string gave_up;  // why there is no run; empty: there is
};

// The run of the trace on the system itself.
std::vector<sim::Action> actions_of(const Subject& subject, const sim::Trace& trace,
                                    const std::string& path) {
  return run_of(*subject.full_space(), trace, path).actions;
}

// How many of the events of the whole run are needed for `events` events of the reduced one: what
// the reduction left out are deliveries that changed nothing.
std::size_t in_whole_run(const sim::Space& reduced, const sim::Trace& trace, std::size_t events) {
  std::size_t low = 0, high = trace.events.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    sim::Trace begin = trace;
    begin.events.resize(middle);
    begin.cycle_start.reset();
    if (reduced_run_of(reduced, begin).actions.size() < events) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::vector<PageExplanation::Ordering> orderings_of(const Json& explained) {
  std::vector<PageExplanation::Ordering> orderings;
  for (const Json& one : explained.at("deciding_orderings")) {
    for (const Json& each : one.at("orderings")) {
      // One event alone may decide; then there is none after it.
      const Json& after = each.at("after");
      orderings.push_back({each.at("before").get<std::string>(),
                           after.is_null() ? std::string() : after.get<std::string>(),
                           each.at("text").get<std::string>()});
    }
  }
  return orderings;
}

PageExplanation explanation_of(const Subject& reduced, const Explained& explained) {
  PageExplanation page;
  page.property = reduced.space->property_name(*explained.property);
  page.violation = explained.what;
  page.why = why_text(explained, EventWords(reduced));
  page.orderings = orderings_of(explained_json(reduced, explained));
  return page;
}

// The events of `run` as a trace, so that they can be found in another space.
sim::Trace as_trace(const Subject& subject, const std::vector<sim::Action>& run) {
  sim::Trace trace;
  for (const std::string& text : sentences(tell(subject.system, sim::Run{.actions = run}))) {
    trace.events.push_back({.at = {}, .sentence = text});
  }
  return trace;
}

ExplainOptions explain_options(const ReportOptions& options) {
  return {.subject = options.subject,
          .property = options.property,
          .dialect = options.dialect,
          .search = options.search};
}

// A run of something that was to be reached, or of the timed driver, for scenarios that hold.
std::vector<sim::Action> peaceful_run(const Subject& reduced, const sim::ExploreResult& found,
                                      std::string& origin) {
  const std::unique_ptr<sim::Space> full = reduced.full_space();
  for (std::size_t i = found.properties.size(); i-- > 0;) {
    const sim::PropertyResult& property = found.properties[i];
    if (property.mood != sim::Mood::sometimes || !property.run) continue;
    origin = fmt::format("nothing is violated; a shortest run in which '{}' is reached",
                         property.name);
    return full_run(*reduced.space, *full, *property.run).actions;
  }
  origin = "nothing is violated; a timed run, seed 1";
  sim::World world(reduced.system);
  sim::TimedOptions how;
  how.events_max = 200;
  how.draw_faults = true;
  how.quiet_for = sim::seconds(5);
  std::vector<sim::Action> run;
  for (const sim::RunStep& step : sim::run_timed(world, how).steps) {
    run.push_back(step.event.action);
  }
  return run;
}

Shown of_scenario(const Subject& reduced, const ReportOptions& options) {
  Shown shown;
  const Interrupt interrupt;
  ProgressLine line(true);
  const Explained explained =
      explain_subject(reduced, nullptr, explain_options(options), interrupt.flag(), line);
  if (!explained.gave_up.empty()) {
    shown.gave_up = explained.gave_up;
    return shown;
  }
  if (!explained.why) {
    shown.run = peaceful_run(reduced, explained.search, shown.page.origin);
    return shown;
  }
  const std::unique_ptr<sim::Space> full = reduced.full_space();
  shown.run = full_run(*reduced.space, *full, run_explained(explained)).actions;
  shown.page.explanation = explanation_of(reduced, explained);
  shown.page.explanation->no_return =
      in_whole_run(*reduced.space, as_trace(reduced, shown.run), explained.why->no_return);
  shown.page.origin = fmt::format("a run with the fewest faults in which '{}' is violated",
                                  shown.page.explanation->property);
  return shown;
}

// The first property that the run breaks by itself, or the one that was asked for or named.
std::optional<std::string> broken_by(const Subject& subject, const sim::Trace& trace,
                                     const std::vector<sim::Action>& run,
                                     const ReportOptions& options) {
  if (options.property) return options.property;
  if (!trace.property.empty()) return trace.property;
  sim::Run whole{.actions = run};
  if (trace.cycle_start) whole.cycle_start = *trace.cycle_start;
  for (const Observed& each : observe(*subject.full_space(), whole)) {
    if (each.violated) return each.name;
  }
  return std::nullopt;
}

Shown of_trace(const Subject& reduced, const sim::Trace& trace, const ReportOptions& options) {
  Shown shown;
  shown.run = actions_of(reduced, trace, options.subject);
  // A run that somebody saved from `slotlab step` was chosen, not found.
  shown.page.origin = trace.driver == "replay"
                          ? std::string("a saved run")
                          : fmt::format("a saved run, found by the {} driver", trace.driver);
  const auto broken = broken_by(reduced, trace, shown.run, options);
  if (!broken) return shown;
  ExplainOptions how = explain_options(options);
  how.property = broken;
  const Interrupt interrupt;
  ProgressLine line(true);
  const Explained explained =
      explain_subject(reduced, &trace, how, interrupt.flag(), line);
  if (!explained.gave_up.empty() || !explained.why) return shown;
  shown.page.explanation = explanation_of(reduced, explained);
  if (explained.why->no_return <= explained.why->given) {
    shown.page.explanation->no_return =
        in_whole_run(*reduced.space, trace, explained.why->no_return);
  }
  return shown;
}

}  // namespace

ExitStatus report_page(const ReportOptions& options) {
  require_writable("--out", options.out);
  const std::string reductions =
      options.search.reductions == "default" ? "inert" : options.search.reductions;
  require_names(reductions, "report");
  std::optional<sim::Trace> trace;
  if (is_trace_file(options.subject)) {
    if (options.dialect) {
      throw InputError("--dialect: a trace has its own dialect; expected a scenario file");
    }
    trace = read_trace_file(options.subject);
  }
  if (is_textbook(trace ? trace->scenario_path : options.subject)) {
    throw InputError(fmt::format("report: '{}' is of a textbook model, which has no nodes to show; "
                                 "expected a scenario or a trace of one",
                                 options.subject));
  }
  const Subject subject = trace ? subject_of(*trace, reductions)
                                : load_subject(options.subject, options.dialect, reductions);
  const Shown shown =
      trace ? of_trace(subject, *trace, options) : of_scenario(subject, options);
  if (!shown.gave_up.empty()) {
    write_err(fmt::format("slotlab: report: {}: {}; a higher --max-states, or a trace, may help\n",
                          options.subject, shown.gave_up));
    return ExitStatus::inconclusive;
  }
  write_file("--out", options.out, page_text(page_data(subject, shown.run, shown.page)));
  write_out(fmt::format("{}: {}, {}; open it in a browser\n", options.out,
                        counted(shown.run.size(), "event"), shown.page.origin));
  return ExitStatus::as_expected;
}

}  // namespace slotlab::cli
