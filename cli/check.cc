// `slotlab check`: every ordering within the bounds, and the verdict.
#include <fmt/format.h>

#include "cli/input_error.h"
#include "cli/interrupt.h"
#include "cli/json_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/save_trace.h"
#include "cli/trace_run.h"
#include "cli/verbs.h"

namespace slotlab::cli {

ExitStatus check(const CheckOptions& options) {
  if (options.trace) require_writable("--trace", *options.trace);
  Subject subject = load_subject(options.subject, options.dialect, options.search.reductions);

  if (options.search.checkpoint && options.search.checkpoint != options.search.resume) {
    require_writable("--checkpoint", *options.search.checkpoint);
  }
  const auto asked = options.show
                         ? std::optional(property_named(*subject.space, *options.show, "--show"))
                         : std::nullopt;

  Judgement judgement;
  {
    const Interrupt interrupt;
    ProgressLine line(!options.quiet);
    judgement = judge(subject, options.search, &interrupt.flag(),
                      [&](const sim::Progress& progress) { line.show(progress); });
  }
  judgement.asked = asked;
  if (asked && !judgement.result.properties[*asked].run) {
    write_err(fmt::format("slotlab: --show: there is no run of '{}' to show\n", *options.show));
  }
  if (options.trace) save_trace(subject, judgement, *options.trace);
  if (options.json) {
    write_out(json_text(check_json(subject, judgement)));
  } else if (options.quiet) {
    write_out(verdicts_text(subject, judgement));
  } else {
    write_out(report_text(subject, judgement, options));
  }
  return judgement.status;
}

}  // namespace slotlab::cli
