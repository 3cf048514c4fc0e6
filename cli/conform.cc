// `slotlab conform`: virtual nodes held to what real servers did, or do now. The comparison is in
// cli/conform/; here it is shown as it goes, and ends with a status that a script can use.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "cli/conform/conform.h"
#include "cli/input_error.h"
#include "cli/interrupt.h"
#include "cli/json_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/verbs.h"

namespace slotlab::cli {
namespace {

conform::ConformOptions options_of(const ConformOptions& typed, const Interrupt& interrupt) {
  conform::ConformOptions options{.paths = typed.paths,
                                  .random = {},
                                  .dialect = typed.dialect,
                                  .live = typed.live,
                                  .seed = typed.seed,
                                  .jobs = typed.jobs,
                                  .interrupt = &interrupt.flag()};
  if (typed.random > 0) {
    options.random = conform::RandomScripts{
        .first_seed = typed.seed, .count = typed.random, .steps = typed.steps};
    options.seed = 1;
  }
  return options;
}

// The servers' answers to a drawn transcript that virtual nodes answer differently: a transcript
// that shows the difference for as long as it is there, and keeps it from coming back afterwards.
void save(const ConformOptions& options, const conform::Outcome& outcome) {
  if (!options.save || outcome.verdict != conform::Verdict::differs) return;
  if (outcome.recorded.empty() || !outcome.name.starts_with("random-")) return;
  const std::filesystem::path path =
      std::filesystem::path(*options.save) / (outcome.name + ".json");
  write_file("--save", path.string(), outcome.recorded);
  write_err(fmt::format("slotlab: saved {}\n", path.string()));
}

void require_folder(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    throw InputError(fmt::format("--save: there is no folder '{}'", path));
  }
}

}  // namespace

ExitStatus conform(const ConformOptions& typed) {
  if (typed.save) require_folder(*typed.save);
  const Interrupt interrupt;
  std::optional<ProgressLine> line(!typed.json);
  std::size_t run = 0;
  const conform::ConformReport report =
      conform::conform(options_of(typed, interrupt), [&](const conform::Outcome& outcome) {
        ++run;
        save(typed, outcome);
        if (typed.json) return;
        line->show_text(fmt::format("{}: {}", counted(run, "transcript"), outcome.file));
        if (outcome.verdict != conform::Verdict::passed) write_out(conform::outcome_text(outcome));
      });
  line.reset();
  write_out(typed.json ? json_text(conform::report_json(report))
                       : conform::totals_text(report));
  if (report.count(conform::Verdict::differs) > 0) return ExitStatus::violated;
  const bool all = !report.interrupted && report.count(conform::Verdict::not_run) == 0;
  return all ? ExitStatus::as_expected : ExitStatus::inconclusive;
}

}  // namespace slotlab::cli
