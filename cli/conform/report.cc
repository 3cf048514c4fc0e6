// What `slotlab conform` prints: for people, and as JSON.
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/conform/conform.h"

namespace slotlab::conform {
namespace {

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed: return "passed";
    case Verdict::differs: return "differs";
    case Verdict::not_run: return "not-run";
  }
  return "";
}

std::string line_of(const Json& json) { return json.is_null() ? "nothing" : spaced_text(json); }

std::string difference_text(const Difference& difference) {
  const std::string where =
      difference.step == 0 ? "final views"
                           : fmt::format("step {} (line {})  {}", difference.step, difference.line,
                                         line_of(difference.script));
  return fmt::format("  {}\n    {}\n      expected  {}\n      got       {}\n", where,
                     difference.where, line_of(difference.expected), line_of(difference.got));
}

Json difference_json(const Difference& difference) {
  Json out = Json::object();
  if (difference.step > 0) {
    out["step"] = difference.step;
    out["line"] = difference.line;
    out["script"] = difference.script;
  } else {
    out["step"] = "final";
  }
  out["where"] = difference.where;
  out["expected"] = difference.expected;
  out["got"] = difference.got;
  return out;
}

}  // namespace

std::string outcome_text(const Outcome& outcome) {
  const std::string head =
      fmt::format("{:<16} {}  ({})", verdict_name(outcome.verdict), outcome.file, outcome.dialect);
  const std::string takes =
      outcome.takes > 1 ? fmt::format("  {} takes", outcome.takes) : std::string();
  switch (outcome.verdict) {
    case Verdict::passed: return head + takes + "\n";
    case Verdict::not_run:
      return fmt::format("{}: uses {}\n", head, fmt::join(outcome.unknown_commands, ", "));
    case Verdict::differs: break;
  }
  std::string text = head + takes + "\n";
  for (const Difference& difference : outcome.differences) text += difference_text(difference);
  return text;
}

std::string totals_text(const ConformReport& report) {
  std::size_t compared = 0;
  for (const Outcome& outcome : report.outcomes) compared += outcome.compared;
  std::string text = fmt::format(
      "{} transcript{}: {} passed, {} differ{}", report.outcomes.size(),
      report.outcomes.size() == 1 ? "" : "s", report.count(Verdict::passed),
      report.count(Verdict::differs), report.count(Verdict::differs) == 1 ? "s" : "");
  if (const std::size_t not_run = report.count(Verdict::not_run)) {
    text += fmt::format(", {} not run (commands that virtual nodes do not know)", not_run);
  }
  return text + fmt::format("; {} replies and views compared{}\n", compared,
                            report.interrupted ? "; interrupted, the rest was not run" : "");
}

std::string report_text(const ConformReport& report) {
  std::string text;
  for (const Outcome& outcome : report.outcomes) {
    if (outcome.verdict == Verdict::passed && report.outcomes.size() > 10) continue;
    text += outcome_text(outcome);
  }
  return text + totals_text(report);
}

Json report_json(const ConformReport& report) {
  Json out = {{"format", "slotlab-conform/1"}};
  out["passed"] = report.count(Verdict::passed);
  out["differ"] = report.count(Verdict::differs);
  out["not_run"] = report.count(Verdict::not_run);
  out["interrupted"] = report.interrupted;
  Json& transcripts = out["transcripts"] = Json::array();
  for (const Outcome& outcome : report.outcomes) {
    Json one = {{"file", outcome.file},       {"name", outcome.name},
                {"server", outcome.server},   {"dialect", outcome.dialect},
                {"verdict", verdict_name(outcome.verdict)}};
    one["compared"] = outcome.compared;
    one["takes"] = outcome.takes;
    if (!outcome.unknown_commands.empty()) one["unknown_commands"] = outcome.unknown_commands;
    if (!outcome.differences.empty()) {
      for (const Difference& difference : outcome.differences) {
        one["differences"].push_back(difference_json(difference));
      }
    }
    transcripts.push_back(std::move(one));
  }
  return out;
}

}  // namespace slotlab::conform
