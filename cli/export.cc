// `slotlab export`: a saved run in the formats of viewers that people have.
#include <fmt/format.h>

#include "cli/input_error.h"
#include "cli/itf.h"
#include "cli/output.h"
#include "cli/trace_run.h"
#include "cli/verbs.h"
#include "sim/check/tuple_space.h"
#include "sim/export/told_run.h"

namespace slotlab::cli {
namespace {

std::string exported(const Subject& subject, const sim::Trace& trace, const std::string& format) {
  const sim::Told told = sim::tell_run(subject.system, trace);
  if (format == "itf") return json_text(itf_of(trace, told));
  if (format == "shiviz") return sim::to_shiviz(told);
  if (format == "mermaid") return sim::to_mermaid(told, subject.title);
  return sim::to_perfetto(told, subject.title);
}

}  // namespace

ExitStatus export_trace(const ExportOptions& options) {
  if (options.out) require_writable("--out", *options.out);
  const sim::Trace trace = read_trace_file(options.trace);
  const Subject subject = subject_of(trace, "none");
  if (!subject.system) {
    throw InputError(fmt::format("export: {} is a run of a textbook model, expected one of a "
                                 "scenario, which has nodes to show",
                                 options.trace));
  }
  run_of(*subject.space, trace, options.trace);  // refuses a trace that is no run
  const std::string text = exported(subject, trace, options.format);
  write_result(options.out, text);
  return ExitStatus::as_expected;
}

}  // namespace slotlab::cli
