// The command lines of the verbs by which a run is looked at: step by step, or as a page.
#include "cli/argument_parts.h"

namespace slotlab::cli {
namespace {

void add_step(CLI::App& app, Typed& typed) {
  CLI::App& verb =
      *app.add_subcommand("step", "choose each event, go back, see what nodes believe");
  verb.add_option("SUBJECT", typed.subject, "a scenario file, or a trace to walk through")
      ->required();
  verb.add_option("--do", typed.commands,
                  "commands instead of standard input, parted by ';' (try --do help)")
      ->type_name("COMMANDS");
  add_dialect(verb, typed);
}

void add_report(CLI::App& app, Typed& typed) {
  CLI::App& verb = *app.add_subcommand("report", "a run as one self-contained page for a browser");
  verb.add_option("SUBJECT", typed.subject,
                  "a trace, or a scenario file, whose shortest violating run is shown")
      ->required();
  verb.add_option("-o,--out", typed.out, "the page to write")->type_name("FILE")->required();
  verb.add_option("--property", typed.property,
                  "what to explain (default: what the trace violates, or the first violated)")
      ->type_name("NAME");
  add_search(verb, typed);
  add_dialect(verb, typed);
}

}  // namespace

void add_teach_verbs(CLI::App& app, Typed& typed) {
  add_step(app, typed);
  add_report(app, typed);
}

std::optional<Arguments> teach_arguments(const CLI::App& verb, const Typed& typed) {
  if (verb.get_name() == "step") {
    return StepOptions{.subject = typed.subject,
                       .commands = if_given(verb, "--do", typed.commands),
                       .dialect = if_given(verb, "--dialect", typed.dialect)};
  }
  if (verb.get_name() == "report") {
    return ReportOptions{.subject = typed.subject,
                         .out = typed.out,
                         .property = if_given(verb, "--property", typed.property),
                         .dialect = if_given(verb, "--dialect", typed.dialect),
                         .search = search_options(verb, typed)};
  }
  return std::nullopt;
}

}  // namespace slotlab::cli
