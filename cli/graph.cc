// `slotlab graph`: the state graph as a picture, or the part of it around a saved run.
#include <fmt/format.h>

#include "cli/input_error.h"
#include "cli/interrupt.h"
#include "cli/json_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/trace_run.h"
#include "cli/verbs.h"
#include "sim/check/tuple_space.h"
#include "sim/export/belief_graph.h"

namespace slotlab::cli {
namespace {

constexpr std::uint64_t kStatesMax = 50'000;  // unless the command line says otherwise

struct Drawn {
  sim::BeliefGraph graph;
  std::uint64_t states = 0;
  std::string gave_up;
};

Drawn draw(const Subject& subject, const sim::Trace* trace, const GraphOptions& options) {
  const Interrupt interrupt;
  ProgressLine line(true);
  sim::ExploreOptions how;
  how.threads = options.search.threads;
  how.states_max = options.search.max_states.value_or(kStatesMax);
  if (options.search.memory_bytes) how.memory_max_bytes = *options.search.memory_bytes;
  if (options.search.seconds) how.seconds_max = *options.search.seconds;
  how.skip_long_run = true;
  how.interrupt = &interrupt.flag();
  how.progress = [&](const sim::Progress& progress) { line.show(progress); };
  const sim::ExploreResult result = sim::explore(*subject.space, how);
  Drawn drawn;
  drawn.states = result.states;
  if (!result.complete) {
    drawn.gave_up = fmt::format("the search was ended by {} after {}", result.stopped_by,
                                counted(result.states, "state"));
    return drawn;
  }
  sim::EventGraph graph;
  const bool has_faults = dynamic_cast<const sim::TupleSpace*>(subject.space.get()) != nullptr;
  drawn.gave_up = sim::build_event_graph(
      *subject.space, {.has_faults = has_faults, .interrupt = &interrupt.flag()}, graph);
  if (!drawn.gave_up.empty()) return drawn;
  sim::BeliefGraphOptions collapse;
  if (trace != nullptr) {
    collapse.around_run = true;
    std::uint32_t state = 0;
    for (const sim::Action action : reduced_run_of(*subject.space, *trace).actions) {
      collapse.run.push_back(graph.edge_of(state, action));
      state = graph.target[collapse.run.back()];
    }
  }
  drawn.graph = sim::belief_graph(*subject.space, graph, collapse);
  return drawn;
}

Json json_of(const Subject& subject, const Drawn& drawn) {
  Json json;
  json["format"] = "slotlab-graph/1";
  json["subject"] = subject.name;
  json["title"] = subject.title;
  json["states"] = drawn.states;
  json["shared"] = drawn.graph.shared;
  json["nodes"] = Json::array();
  for (const sim::BeliefNode& node : drawn.graph.nodes) {
    json["nodes"].push_back({{"beliefs", node.beliefs},
                             {"states", node.states},
                             {"initial", node.initial},
                             {"on_run", node.on_run},
                             {"violated", node.violated}});
  }
  json["edges"] = Json::array();
  for (const sim::BeliefEdge& edge : drawn.graph.edges) {
    json["edges"].push_back({{"from", edge.from},
                             {"to", edge.to},
                             {"events", edge.sentences},
                             {"fault", edge.fault},
                             {"on_run", edge.on_run}});
  }
  return json;
}

}  // namespace

ExitStatus graph(const GraphOptions& options) {
  if (options.out) require_writable("--out", *options.out);
  std::optional<sim::Trace> trace;
  if (is_trace_file(options.subject)) {
    if (options.dialect) {
      throw InputError("--dialect: a trace has its own dialect; expected a scenario file");
    }
    trace = read_trace_file(options.subject);
  }
  const std::string reductions =
      options.search.reductions == "default" ? "inert" : options.search.reductions;
  require_names(reductions, "graph");
  const Subject subject = trace ? subject_of(*trace, reductions)
                                : load_subject(options.subject, options.dialect, reductions);
  if (trace) {
    const Subject full = subject_of(*trace, "none");
    run_of(*full.space, *trace, options.subject);  // refuses a trace that is no run
  }
  const Drawn drawn = draw(subject, trace ? &*trace : nullptr, options);
  if (!drawn.gave_up.empty()) {
    write_err(fmt::format("slotlab: no graph: {}; --max-states raises the bound\n",
                          drawn.gave_up));
    return ExitStatus::inconclusive;
  }
  std::string text = options.format == "dot" ? sim::to_dot(drawn.graph, subject.title)
                                             : sim::to_graphml(drawn.graph, subject.title);
  if (options.json) text = json_text(json_of(subject, drawn));
  write_result(options.out, text);
  return ExitStatus::as_expected;
}

}  // namespace slotlab::cli
