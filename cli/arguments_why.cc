// The command lines of the verbs that look for runs, make them smaller and say why.
#include <fmt/format.h>

#include "cli/argument_parts.h"
#include "cli/crash_table/repair.h"
#include "cli/input_error.h"
#include "cli/quantities.h"

namespace slotlab::cli {

const std::vector<std::string> kHuntDrivers = {"random", "pct", "both"};
const std::vector<std::string> kGraphFormats = {"dot", "graphml"};
const std::vector<std::string> kExportFormats = {"itf", "shiviz", "mermaid", "perfetto"};

namespace {

void add_out(CLI::App& verb, Typed& typed, const char* what) {
  verb.add_option("-o,--out", typed.out, what)->type_name("FILE");
}

void add_shrink(CLI::App& app, Typed& typed) {
  CLI::App& verb = *app.add_subcommand("shrink", "a violating run made smaller");
  verb.add_option("TRACE", typed.subject, "a saved run that violates something")->required();
  add_out(verb, typed, "save the smaller run to FILE");
  add_json(verb, typed);
}

void add_explain(CLI::App& app, Typed& typed) {
  CLI::App& verb = *app.add_subcommand("explain", "why a property is violated");
  verb.add_option("SUBJECT", typed.subject, "a trace, a scenario file, or textbook:SPEC")
      ->required();
  verb.add_option("--property", typed.property,
                  "what to explain (default: what the trace violates, or the first violated)")
      ->type_name("NAME");
  add_search(verb, typed);
  add_dialect(verb, typed);
  add_json(verb, typed);
}

void add_hunt(CLI::App& app, Typed& typed) {
  CLI::App& verb = *app.add_subcommand("hunt", "many seeds, until a run violates something");
  verb.add_option("FILE", typed.subject, "a scenario file")->required();
  verb.add_option("--seeds", typed.seeds, "seeds to try at most (default: 10000)")
      ->type_name("N");
  verb.add_option("--first-seed", typed.first_seed, "where to begin (default: 1)")
      ->type_name("N");
  verb.add_option("--steps", typed.steps, "events of a run at most (default: 300)")
      ->type_name("N");
  verb.add_option("--time", typed.time, "give up after this long: 60s, 5m, 2h")->type_name("TIME");
  verb.add_option("--driver", typed.driver,
                  "who picks the next event: random, pct, both in turn (default: both)")
      ->type_name("NAME");
  verb.add_option("--threads", typed.threads,
                  "threads that hunt, 1 to 64 (default: one per processor); no result depends on "
                  "it")
      ->type_name("N");
  verb.add_option("--property", typed.property, "look for violations of this one only")
      ->type_name("NAME");
  add_dialect(verb, typed);
  add_trace(verb, typed);
  add_json(verb, typed);
}

void add_reach(CLI::App& app, Typed& typed) {
  CLI::App& verb = *app.add_subcommand("reach", "a shortest run to a described state, or none");
  verb.add_option("FILE", typed.subject, "a scenario file")->required();
  verb.add_option("--goal", typed.goal, "what to look for: 'A.owner(7) = B and B.state = gone'")
      ->type_name("GOAL")
      ->required();
  add_search(verb, typed);
  add_dialect(verb, typed);
  add_trace(verb, typed);
  add_json(verb, typed);
}

void add_orders(CLI::App& app, Typed& typed) {
  CLI::App& verb = *app.add_subcommand("orders", "all orders of the operator's commands");
  verb.add_option("FILE", typed.subject, "a scenario file")->required();
  verb.add_option("--keep", typed.keep, "only orders that keep this: '1<2<4,3<5'")
      ->type_name("STEPS");
  add_search(verb, typed);
  add_dialect(verb, typed);
  add_json(verb, typed);
}

void add_crash_table(CLI::App& app, Typed& typed) {
  CLI::App& verb =
      *app.add_subcommand("crash-table", "every death at every step, before and after a repair");
  verb.add_option("FILE", typed.subject, "a scenario file with a procedure")->required();
  verb.add_option("--repair", typed.repair,
                  "what is done once all is at rest: none, fix, fix-replace, fix-unreachable, "
                  "takeover, manual (default: fix)")
      ->type_name("NAME");
  verb.add_option("--process", typed.process, "only the deaths of this node or operator")
      ->type_name("NAME");
  verb.add_option("--threads", typed.threads,
                  "threads that search, 1 to 64 (default: one per processor); no result depends "
                  "on it")
      ->type_name("N");
  verb.add_option("--max-states", typed.max_states, "give one search up at this many states")
      ->type_name("N");
  add_dialect(verb, typed);
  add_json(verb, typed);
}

void add_graph(CLI::App& app, Typed& typed) {
  CLI::App& verb = *app.add_subcommand("graph", "the state graph, by what the nodes believe");
  verb.add_option("SUBJECT", typed.subject,
                  "a scenario file, textbook:SPEC, or a trace for the part around its run")
      ->required();
  verb.add_option("--format", typed.format, "dot, graphml (default: dot)")->type_name("NAME");
  add_out(verb, typed, "write to FILE instead of standard output");
  add_search(verb, typed);
  add_dialect(verb, typed);
  add_json(verb, typed);
}

void add_export(CLI::App& app, Typed& typed) {
  CLI::App& verb = *app.add_subcommand("export", "a saved run for other people's viewers");
  verb.add_option("TRACE", typed.subject, "a saved run")->required();
  verb.add_option("--format", typed.format, "itf, shiviz, mermaid, perfetto")
      ->type_name("NAME")
      ->required();
  add_out(verb, typed, "write to FILE instead of standard output");
}

unsigned threads_of(const CLI::App& verb, const Typed& typed) {
  if (verb.get_option("--threads")->count() == 0) return default_threads();
  return static_cast<unsigned>(parse_count("--threads", typed.threads, 1, 64));
}

HuntOptions hunt_options(const CLI::App& verb, const Typed& typed) {
  HuntOptions hunt{.file = typed.subject,
                   .seconds = std::nullopt,
                   .driver = chosen("--driver", typed.driver, "both", kHuntDrivers),
                   .threads = threads_of(verb, typed),
                   .property = if_given(verb, "--property", typed.property),
                   .dialect = if_given(verb, "--dialect", typed.dialect),
                   .trace = if_given(verb, "--trace", typed.trace),
                   .json = typed.json};
  const auto given = [&](const char* flag) { return verb.get_option(flag)->count() > 0; };
  if (given("--seeds")) {
    hunt.seeds = parse_count("--seeds", typed.seeds, 1, 1'000'000'000'000);
  }
  if (given("--first-seed")) {
    hunt.first_seed = parse_count("--first-seed", typed.first_seed, 0, UINT64_MAX - hunt.seeds);
  }
  if (given("--steps")) hunt.steps = parse_count("--steps", typed.steps, 1, 1'000'000);
  if (given("--time")) hunt.seconds = parse_seconds("--time", typed.time);
  return hunt;
}

CrashTableOptions crash_table_options(const CLI::App& verb, const Typed& typed) {
  CrashTableOptions table{.file = typed.subject,
                          .repair = chosen("--repair", typed.repair, "fix", kRepairs),
                          .process = if_given(verb, "--process", typed.process),
                          .search = {},
                          .dialect = if_given(verb, "--dialect", typed.dialect),
                          .json = typed.json};
  table.search.threads = threads_of(verb, typed);
  if (verb.get_option("--max-states")->count() > 0) {
    table.search.max_states = parse_count("--max-states", typed.max_states, 1, 1'000'000'000'000);
  }
  return table;
}

}  // namespace

void add_why_verbs(CLI::App& app, Typed& typed) {
  add_hunt(app, typed);
  add_shrink(app, typed);
  add_explain(app, typed);
  add_reach(app, typed);
  add_orders(app, typed);
  add_crash_table(app, typed);
  add_graph(app, typed);
  add_export(app, typed);
}

Arguments why_arguments(const CLI::App& verb, const Typed& typed) {
  const std::string& name = verb.get_name();
  if (name == "shrink") {
    return ShrinkOptions{.trace = typed.subject,
                         .out = if_given(verb, "--out", typed.out),
                         .json = typed.json};
  }
  if (name == "hunt") return hunt_options(verb, typed);
  if (name == "reach") {
    return ReachOptions{.file = typed.subject,
                        .goal = typed.goal,
                        .search = search_options(verb, typed),
                        .dialect = if_given(verb, "--dialect", typed.dialect),
                        .trace = if_given(verb, "--trace", typed.trace),
                        .json = typed.json};
  }
  if (name == "orders") {
    return OrdersOptions{.file = typed.subject,
                         .keep = typed.keep,
                         .search = search_options(verb, typed),
                         .dialect = if_given(verb, "--dialect", typed.dialect),
                         .json = typed.json};
  }
  if (name == "crash-table") return crash_table_options(verb, typed);
  if (name == "graph") {
    return GraphOptions{.subject = typed.subject,
                        .format = chosen("--format", typed.format, "dot", kGraphFormats),
                        .out = if_given(verb, "--out", typed.out),
                        .dialect = if_given(verb, "--dialect", typed.dialect),
                        .search = search_options(verb, typed),
                        .json = typed.json};
  }
  if (name == "export") {
    return ExportOptions{.trace = typed.subject,
                         .format = chosen("--format", typed.format, "", kExportFormats),
                         .out = if_given(verb, "--out", typed.out)};
  }
  return ExplainOptions{.subject = typed.subject,
                        .property = if_given(verb, "--property", typed.property),
                        .dialect = if_given(verb, "--dialect", typed.dialect),
                        .search = search_options(verb, typed),
                        .json = typed.json};
}

}  // namespace slotlab::cli
