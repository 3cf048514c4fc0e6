// The command lines of the verbs that look for runs, make them smaller and say why.
#include <fmt/format.h>

#include "cli/argument_parts.h"
#include "cli/input_error.h"
#include "cli/quantities.h"

namespace slotlab::cli {
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

}  // namespace

void add_why_verbs(CLI::App& app, Typed& typed) {
  add_shrink(app, typed);
  add_explain(app, typed);
}

Arguments why_arguments(const CLI::App& verb, const Typed& typed) {
  const std::string& name = verb.get_name();
  if (name == "shrink") {
    return ShrinkOptions{.trace = typed.subject,
                         .out = if_given(verb, "--out", typed.out),
                         .json = typed.json};
  }
  return ExplainOptions{.subject = typed.subject,
                        .property = if_given(verb, "--property", typed.property),
                        .dialect = if_given(verb, "--dialect", typed.dialect),
                        .search = search_options(verb, typed),
                        .json = typed.json};
}

}  // namespace slotlab::cli
