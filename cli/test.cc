// `slotlab test`: every scenario against what it expects, in every dialect that it names. A folder
// of scenarios is a regression suite; for those that do not come out as expected the run is shown.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/input_error.h"
#include "cli/interrupt.h"
#include "cli/json_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/report.h"
#include "cli/test_reports.h"
#include "cli/verbs.h"
#include "models/scenario/error.h"

namespace slotlab::cli {
namespace {

// What became of one scenario in one dialect.
struct Case {
  std::string file;
  std::string dialect;
  ExitStatus status = ExitStatus::as_expected;
  std::string error;             // bad_input: what was wrong with the file
  Json json;                     // the check object, or null
  std::string page;              // what to show if it is not as expected
  sim::ExploreResult result;
};

bool is_scenario_file(const std::filesystem::path& path) {
  return path.extension() == ".yaml" || path.extension() == ".yml";
}

// The scenario files that `paths` name, folders in depth and in order.
std::vector<std::string> collect(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
      throw InputError(
          fmt::format("test: there is no '{}', expected a scenario file or a folder", path));
    }
    if (!std::filesystem::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    std::filesystem::recursive_directory_iterator it(path, error);
    for (; !error && it != std::filesystem::recursive_directory_iterator(); it.increment(error)) {
      // What takes hours is run when it is named, not with everything else.
      if (it->path().filename() == "large" && it->is_directory(error)) {
        it.disable_recursion_pending();
      }
      if (is_scenario_file(it->path())) found.push_back(it->path().lexically_normal().string());
    }
    if (error) throw InputError(fmt::format("test: '{}': {}", path, error.message()));
    if (found.empty()) {
      throw InputError(
          fmt::format("test: no scenario (*.yaml) in '{}', expected at least one", path));
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

Case run_case(const std::string& file, const std::string& dialect, const TestOptions& options,
              const std::atomic<bool>& interrupt) {
  Case done;
  done.file = file;
  done.dialect = dialect;
  Subject subject = load_subject(file, dialect, options.search.reductions);
  ProgressLine line(true);
  const Judgement judgement =
      judge(subject, options.search, &interrupt, [&](const sim::Progress& progress) {
        line.show_text(fmt::format("{}: {}", file, progress_text(progress)));
      });
  done.status = judgement.status;
  done.result = judgement.result;
  done.json = check_json(subject, judgement);
  if (judgement.status != ExitStatus::as_expected) {
    done.page = verdicts_text(subject, judgement) + violation_text(judgement);
  }
  return done;
}

const char* word(ExitStatus status) {
  switch (status) {
    case ExitStatus::as_expected:
      return "ok";
    case ExitStatus::violated:
      return "NOT AS EXPECTED";
    case ExitStatus::bad_input:
      return "BAD INPUT";
    case ExitStatus::inconclusive:
      return "INCONCLUSIVE";
    case ExitStatus::internal:
      break;
  }
  return "INTERNAL ERROR";
}

std::string indented(const std::string& text) {
  std::string out = "    ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return out.substr(0, out.find_last_not_of(' ') + 1);
}

std::string line_of(const Case& done, std::size_t file_columns) {
  if (done.status == ExitStatus::bad_input) {
    return fmt::format("{:<15}  {}\n", word(done.status), done.error);
  }
  std::string text =
      fmt::format("{:<15}  {:<{}}  {:<10}  {}, {}\n", word(done.status), done.file, file_columns,
                  done.dialect, counted(done.result.states, "state"),
                  seconds_text(done.result.seconds));
  if (!done.page.empty()) text += indented(done.page);
  return text;
}

std::size_t count(const std::vector<Case>& cases, ExitStatus status) {
  return static_cast<std::size_t>(std::count_if(
      cases.begin(), cases.end(), [&](const Case& done) { return done.status == status; }));
}

ExitStatus overall(const std::vector<Case>& cases) {
  for (const ExitStatus worst :
       {ExitStatus::bad_input, ExitStatus::violated, ExitStatus::inconclusive}) {
    if (count(cases, worst) > 0) return worst;
  }
  return ExitStatus::as_expected;
}

std::string totals(const std::vector<Case>& cases) {
  const std::string good = counted(count(cases, ExitStatus::as_expected), "case");
  std::string text =
      fmt::format("\n{} as expected, {} not", good, count(cases, ExitStatus::violated));
  if (const auto n = count(cases, ExitStatus::inconclusive)) {
    text += fmt::format(", {} inconclusive", n);
  }
  if (const auto n = count(cases, ExitStatus::bad_input)) text += fmt::format(", {} bad input", n);
  return text + "\n";
}

Json json_of(const std::vector<Case>& cases) {
  Json json;
  json["format"] = "slotlab-test/1";
  json["as_expected"] = overall(cases) == ExitStatus::as_expected;
  json["totals"] = {{"as_expected", count(cases, ExitStatus::as_expected)},
                    {"not_as_expected", count(cases, ExitStatus::violated)},
                    {"inconclusive", count(cases, ExitStatus::inconclusive)},
                    {"bad_input", count(cases, ExitStatus::bad_input)}};
  json["cases"] = Json::array();
  for (const Case& done : cases) {
    json["cases"].push_back({{"file", done.file},
                             {"dialect", done.dialect.empty() ? Json() : Json(done.dialect)},
                             {"status", word(done.status)},
                             {"error", done.error.empty() ? Json() : Json(done.error)},
                             {"check", done.json}});
  }
  return json;
}

std::vector<TestedCase> tested(const std::vector<Case>& cases) {
  std::vector<TestedCase> all;
  for (const Case& done : cases) {
    all.push_back({.file = done.file,
                   .dialect = done.dialect,
                   .status = done.status,
                   .text = done.error.empty() ? done.page : done.error});
  }
  return all;
}

}  // namespace

ExitStatus test(const TestOptions& options) {
  if (options.junit) require_writable("--junit", *options.junit);
  if (options.sarif) require_writable("--sarif", *options.sarif);
  const std::vector<std::string> files = collect(options.paths);
  std::size_t columns = 0;
  for (const std::string& file : files) columns = std::max(columns, file.size());

  std::vector<Case> cases;
  const Interrupt interrupt;
  const auto finish = [&](Case done) {
    if (!options.json) write_out(line_of(done, columns));
    cases.push_back(std::move(done));
  };
  for (const std::string& file : files) {
    try {
      for (const std::string& dialect : dialects_of(file)) {
        if (interrupt.flag()) break;
        finish(run_case(file, dialect, options, interrupt.flag()));
      }
    } catch (const scenario::InputError& error) {
      Case broken;
      broken.file = file;
      broken.status = ExitStatus::bad_input;
      broken.error = error.what();
      finish(std::move(broken));
    }
  }
  if (options.junit) write_file("--junit", *options.junit, junit_xml(tested(cases)));
  if (options.sarif) write_file("--sarif", *options.sarif, json_text(sarif_json(tested(cases))));
  write_out(options.json ? json_text(json_of(cases)) : totals(cases));
  if (interrupt.flag()) return ExitStatus::inconclusive;
  return overall(cases);
}

}  // namespace slotlab::cli
