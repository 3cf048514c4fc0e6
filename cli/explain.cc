// `slotlab explain`: why a property is violated. All runs are searched, with messages left out that
// had nothing more to say, and the explanation is read off their graph (sim/explain).
#include <fmt/format.h>

#include "cli/explained.h"
#include "cli/input_error.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/trace_run.h"
#include "cli/verbs.h"
#include "cli/verdict.h"
#include "sim/check/run_path.h"
#include "sim/check/tuple_space.h"
#include "sim/explain/shrink.h"

namespace slotlab::cli {
namespace {

constexpr std::uint64_t kStatesMax = 200'000;  // unless the command line says otherwise

// The states of the run, by number in the graph; the run as edges.
std::vector<std::uint32_t> edges_of(const sim::EventGraph& graph, const sim::Run& run) {
  std::vector<std::uint32_t> edges;
  std::uint32_t state = 0;
  for (const sim::Action action : run.actions) {
    const std::uint32_t edge = graph.edge_of(state, action);
    SIM_ASSERT(edge != UINT32_MAX, std::string("a run leaves the graph"));
    edges.push_back(edge);
    state = graph.target[edge];
  }
  return edges;
}

sim::Run run_of_edges(const sim::EventGraph& graph, const std::vector<std::uint32_t>& edges) {
  sim::Run run;
  for (const std::uint32_t edge : edges) run.actions.push_back(graph.action[edge]);
  return run;
}

// The property to explain: named, or the first that the search found violated.
std::optional<std::size_t> choose_property(const Subject& subject, const ExplainOptions& options,
                                           const sim::ExploreResult& result) {
  const auto explicable = [&](std::size_t p) {
    const sim::Mood mood = subject.space->property_mood(p);
    return mood == sim::Mood::always || mood == sim::Mood::eventually_always;
  };
  if (options.property) {
    const std::size_t named = property_named(*subject.space, *options.property, "--property");
    if (!explicable(named)) {
      throw InputError(fmt::format("--property: '{}' is a '{}', expected an 'always' or an "
                                   "'eventually always'",
                                   *options.property,
                                   mood_word(subject.space->property_mood(named))));
    }
    return named;
  }
  for (std::size_t p = 0; p < result.properties.size(); ++p) {
    const bool violated = result.properties[p].verdict == sim::Verdict::violated;
    if (explicable(p) && violated) return p;
  }
  return std::nullopt;
}

// One sentence on what is wrong at the end of the run.
std::string what_is_wrong(const Subject& subject, const Explained& explained) {
  const std::size_t property = *explained.property;
  const auto states = sim::states_along(
      *subject.space, run_of_edges(explained.graph, explained.why->run));
  for (std::size_t i = states.size(); i-- > 0;) {
    if ((subject.space->check(states[i]) >> property & 1) != 0) continue;
    std::string text = subject.space->explain(property, states[i]);
    if (!text.empty()) return text;
  }
  return fmt::format("'{}' does not hold", subject.space->property_name(property));
}

sim::ExploreOptions search_of(const ExplainOptions& options, const std::atomic<bool>& interrupt,
                              ProgressLine& line) {
  sim::ExploreOptions search;
  search.threads = options.search.threads;
  search.states_max = options.search.max_states.value_or(kStatesMax);
  if (options.search.memory_bytes) search.memory_max_bytes = *options.search.memory_bytes;
  if (options.search.seconds) search.seconds_max = *options.search.seconds;
  if (options.search.max_depth) search.depth_max = *options.search.max_depth;
  search.interrupt = &interrupt;
  search.progress = [&line](const sim::Progress& progress) { line.show(progress); };
  return search;
}

void explain_graph(const Subject& subject, const sim::Trace* trace,
                   const std::atomic<bool>& interrupt, Explained& explained) {
  const bool has_faults = dynamic_cast<const sim::TupleSpace*>(subject.space.get()) != nullptr;
  explained.gave_up = sim::build_event_graph(
      *subject.space, {.has_faults = has_faults, .interrupt = &interrupt}, explained.graph);
  if (!explained.gave_up.empty()) return;
  sim::ExplainOptions how{.property = *explained.property, .interrupt = &interrupt};
  how.question = sim::question_of(explained.graph, how.property,
                                  subject.space->property_mood(how.property));
  if (trace != nullptr) {
    how.run = edges_of(explained.graph, reduced_run_of(*subject.space, *trace));
  }
  explained.why = sim::explain(explained.graph, how);
  if (!explained.why) return;
  explained.run = tell(*subject.space, run_of_edges(explained.graph, explained.why->run));
  if (explained.why->safe_run) {
    explained.safe_run =
        tell(*subject.space, run_of_edges(explained.graph, *explained.why->safe_run));
  }
  explained.what = what_is_wrong(subject, explained);
}

// The property that a trace shows violated, found on the system itself.
std::string shown_by(const sim::Trace& trace, const ExplainOptions& options) {
  if (options.property) return *options.property;
  const Subject full = subject_of(trace, "none");
  const sim::Run run = run_of(*full.space, trace, options.subject);
  return full.space->property_name(property_of(*full.space, run, trace, options.subject));
}

}  // namespace

sim::Run run_explained(const Explained& explained) {
  return run_of_edges(explained.graph, explained.why->run);
}

Explained explain_subject(const Subject& subject, const sim::Trace* trace,
                          const ExplainOptions& options, const std::atomic<bool>& interrupt,
                          ProgressLine& line) {
  Explained explained;
  explained.search = sim::explore(*subject.space, search_of(options, interrupt, line));
  explained.property = choose_property(subject, options, explained.search);
  if (!explained.search.complete) {
    explained.gave_up = fmt::format("the search was ended by {}", explained.search.stopped_by);
  } else if (explained.property) {
    line.show_text("reading the explanation off the graph");
    explain_graph(subject, trace, interrupt, explained);
  }
  return explained;
}

ExitStatus explain(const ExplainOptions& options) {
  std::optional<sim::Trace> trace;
  ExplainOptions chosen = options;
  if (is_trace_file(options.subject)) {
    if (options.dialect) {
      throw InputError("--dialect: a trace has its own dialect; expected a scenario file");
    }
    trace = read_trace_file(options.subject);
    chosen.property = shown_by(*trace, options);
  }
  const std::string reductions =
      options.search.reductions == "default" ? "inert" : options.search.reductions;
  require_names(reductions, "explain");
  const Subject subject = trace ? subject_of(*trace, reductions)
                                : load_subject(options.subject, options.dialect, reductions);
  Explained explained;
  {
    const Interrupt interrupt;
    ProgressLine line(true);
    explained = explain_subject(subject, trace ? &*trace : nullptr, chosen, interrupt.flag(), line);
  }
  write_out(options.json ? json_text(explained_json(subject, explained))
                         : explained_text(subject, explained));
  return explained.gave_up.empty() ? ExitStatus::as_expected : ExitStatus::inconclusive;
}

}  // namespace slotlab::cli
