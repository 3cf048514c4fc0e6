// `slotlab crash-table`: for every step of a procedure and every process that may die there, how it
// ends, before and after a standard repair.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/crash_table/rows.h"
#include "cli/input_error.h"
#include "cli/interrupt.h"
#include "cli/json_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/subject.h"
#include "cli/suggest.h"
#include "cli/verbs.h"
#include "models/scenario/load.h"
#include "sim/check/worker_pool.h"

namespace slotlab::cli {
namespace {

constexpr std::uint64_t kStatesMax = 1'000'000;  // of one search, unless told otherwise
constexpr std::size_t kWidth = 100;
constexpr std::size_t kShownMax = 12;  // ends of one row that the page shows

CrashSubject load(const CrashTableOptions& options) {
  if (is_textbook(options.file)) {
    throw InputError(fmt::format("crash-table: '{}' is a textbook model, expected a scenario file",
                                 options.file));
  }
  const Subject judged = load_subject(options.file, options.dialect, "inert");  // the dialect
  CrashSubject subject{.scenario = scenario::load_file(options.file),
                       .dialect = judged.dialect,
                       .procedure = 0,
                       .repair = options.repair};
  scenario::Scenario& file = subject.scenario;
  while (subject.procedure < file.operators.size() &&
         file.operators[subject.procedure].steps.empty()) {
    ++subject.procedure;
  }
  if (subject.procedure == file.operators.size()) {
    throw InputError(fmt::format("crash-table: '{}' has no operator with steps, expected a "
                                 "procedure in which something can die",
                                 options.file));
  }
  if (subject.repair == "takeover" && file.servers.slow_targets_max > 0) {
    throw InputError("--repair: takeover needs a scenario without 'slow targets'");
  }
  file.clients = {};
  file.faults.clear();
  file.checks.clear();
  file.expects.clear();
  for (scenario::OperatorSpec& op : file.operators) op.may_stop = false;
  return subject;
}

std::string step_words(const scenario::StepSpec& step) {
  if (step.send) return fmt::format("to {}: {}", step.to.value, step.send->typed.value);
  return fmt::format("keys of slot {} from {} to {}", step.move->slot.value,
                     step.move->from.value, step.move->to.value);
}

std::string point_text(const CrashSubject& subject, const Point& point) {
  static constexpr const char* kWhen[] = {"before", "within", "after"};
  return fmt::format("{} {}", kWhen[static_cast<std::size_t>(point.when)],
                     subject.steps()[point.step].label.value);
}

std::string death_text(const Death& death) {
  if (death.role == "operator") return fmt::format("{} dies", death.process);
  return fmt::format("{}, the {}, dies {}", death.process, death.role,
                     death.comes_back ? "and comes back" : "for good");
}

// `text` below `head`, broken at blanks.
std::string wrapped(const std::string& head, const std::string& text) {
  const std::string indent(head.size(), ' ');
  std::string out, line = head;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (line.size() > head.size() && line.size() + 1 + word.size() > kWidth) {
      out += line + "\n";
      line = indent;
    }
    line += (line.size() > head.size() ? " " : "") + word;
    begin = end + 1;
  }
  return out + line + "\n";
}

std::string state_text(const properties::Picture& picture, const std::vector<std::string>& broken) {
  std::string text = properties::picture_text(picture);
  if (broken.empty()) return text;
  const std::vector<std::string> gone = lost(picture);
  if (!gone.empty()) text = fmt::format("LOST {}. {}", fmt::join(gone, ", "), text);
  return text + fmt::format(". Broken: {}", fmt::join(broken, ", "));
}

std::string end_text(const CrashEnd& end) {
  std::string out =
      wrapped("    at rest   ", fmt::format("{}. {}", state_text(end.picture, end.broken),
                                            fmt::join(end.operators, "; or ")));
  std::size_t shown = 0;
  for (const Repaired& repaired : end.repaired) {
    if (shown++ == kShownMax) {
      out += fmt::format("              and {} more\n", end.repaired.size() - kShownMax);
      break;
    }
    const bool same = repaired.picture == end.picture && repaired.broken == end.broken;
    std::string after =
        same ? std::string("as it was") : state_text(repaired.picture, repaired.broken);
    if (repaired.said != "done") after += ". repair: " + repaired.said;
    out += wrapped("    repaired  ", after);
  }
  return out;
}

std::string row_text(const std::vector<CrashEnd>& ends) {
  std::string out;
  for (std::size_t i = 0; i < ends.size() && i < kShownMax; ++i) {
    out += end_text(ends[i]);
  }
  if (ends.size() > kShownMax) {
    out += fmt::format("    and {} other ends\n", ends.size() - kShownMax);
  }
  return out;
}

std::string text_of(const CrashSubject& subject, const std::vector<DeathRows>& all,
                    bool interrupted) {
  std::string text = fmt::format("{}, {}\n\n", subject.scenario.title, subject.dialect);
  for (const scenario::StepSpec& step : subject.steps()) {
    text += fmt::format("  {:<3} {}\n", step.label.value, step_words(step));
  }
  text += fmt::format("\nrepair    {}\n", subject.repair);
  for (const DeathRows& death : all) {
    text += fmt::format("\n{}\n", death_text(death.death));
    if (!death.complete) {
      text += fmt::format("  inconclusive: {}\n",
                          interrupted ? "ended by Ctrl-C" : "there was too much to search");
    }
    for (auto at = death.rows.begin(); at != death.rows.end();) {
      std::vector<std::string> points;
      const std::vector<CrashEnd>& ends = at->second;
      for (; at != death.rows.end() && at->second == ends; ++at) {
        points.push_back(point_text(subject, at->first));
      }
      text += wrapped("  ", fmt::format("{}", fmt::join(points, ", ")));
      text += row_text(ends);
    }
  }
  return text;
}

Json state_json(const properties::Picture& picture, const std::vector<std::string>& broken) {
  Json json;
  json["text"] = properties::picture_text(picture);
  json["owners"] = Json::array();
  for (const auto& slot : picture.slots) {
    Json says = Json::object();
    for (const auto& [who, owner] : slot.says) says[who] = owner;
    json["owners"].push_back(
        {{"slot", slot.slot}, {"owner", owner_text(slot)}, {"owned", slot.owned}, {"says", says}});
  }
  json["marks"] = Json::array();
  for (const auto& mark : picture.marks) {
    json["marks"].push_back({{"node", mark.node},
                             {"slot", mark.slot},
                             {"mark", mark.migrating ? "migrating" : "importing"},
                             {"peer", mark.peer}});
  }
  json["keys"] = Json::array();
  for (const auto& key : picture.keys) {
    json["keys"].push_back({{"key", key.key}, {"slot", key.slot}, {"at", key.at}});
  }
  json["gone"] = picture.gone;
  json["properties"] = Json::object();
  for (const std::string& name : kRowProperties) {
    json["properties"][name] = std::find(broken.begin(), broken.end(), name) == broken.end();
  }
  json["lost"] = lost(picture);
  return json;
}

Json end_json(const CrashEnd& end) {
  Json json;
  json["before"] = state_json(end.picture, end.broken);
  json["before"]["operators"] = end.operators;
  json["after"] = Json::array();
  for (const Repaired& repaired : end.repaired) {
    Json after = {{"repair", repaired.said}};
    after.update(state_json(repaired.picture, repaired.broken));
    json["after"].push_back(after);
  }
  return json;
}

Json row_json(const CrashSubject& subject, const Death& death, const Point& point,
              const std::vector<CrashEnd>& ends) {
  static constexpr const char* kWhen[] = {"before", "within", "after"};
  const scenario::StepSpec& step = subject.steps()[point.step];
  Json json;
  json["step"] = step.label.value;
  json["words"] = step_words(step);
  json["when"] = kWhen[static_cast<std::size_t>(point.when)];
  json["process"] = death.process;
  json["role"] = death.role;
  json["death"] = death.comes_back ? "comes back" : "for good";
  const auto loses = [](const auto& state) { return !lost(state.picture).empty(); };
  json["lost"] = std::any_of(ends.begin(), ends.end(), loses);
  json["lost_after_repair"] = std::any_of(ends.begin(), ends.end(), [&](const CrashEnd& end) {
    return std::any_of(end.repaired.begin(), end.repaired.end(), loses);
  });
  json["ends"] = Json::array();
  for (const CrashEnd& end : ends) json["ends"].push_back(end_json(end));
  return json;
}

Json json_of(const CrashSubject& subject, const std::vector<DeathRows>& all) {
  Json json;
  json["format"] = "slotlab-crash-table/1";
  json["subject"] = subject.scenario.file;
  json["title"] = subject.scenario.title;
  json["dialect"] = subject.dialect;
  json["repair"] = subject.repair;
  json["complete"] = std::all_of(all.begin(), all.end(), [](const auto& d) { return d.complete; });
  json["rows"] = Json::array();
  for (const DeathRows& death : all) {
    for (const auto& [point, ends] : death.rows) {
      json["rows"].push_back(row_json(subject, death.death, point, ends));
    }
  }
  return json;
}

std::vector<Death> wanted_deaths(const CrashSubject& subject, const CrashTableOptions& options) {
  std::vector<Death> deaths = deaths_of(subject);
  if (!options.process) return deaths;
  std::vector<std::string> names;
  for (const Death& death : deaths) {
    if (names.empty() || names.back() != death.process) names.push_back(death.process);
  }
  if (std::find(names.begin(), names.end(), *options.process) == names.end()) {
    throw InputError(fmt::format("--process: there is no '{}'{}", *options.process,
                                 suggestion(*options.process, names)));
  }
  std::erase_if(deaths, [&](const Death& death) { return death.process != *options.process; });
  return deaths;
}

}  // namespace

ExitStatus crash_table(const CrashTableOptions& options) {
  const CrashSubject subject = load(options);
  const std::vector<Death> deaths = wanted_deaths(subject, options);
  std::vector<DeathRows> all(deaths.size());
  const Interrupt interrupt;
  {
    ProgressLine line(true);
    line.show_text(fmt::format("{} to search", counted(deaths.size(), "death")));
    sim::WorkerPool pool(options.search.threads);
    pool.run(deaths.size(), [&](std::size_t i) {
      all[i] = rows_of(subject, deaths[i], options.search.max_states.value_or(kStatesMax),
                       interrupt.flag());
    });
  }
  write_out(options.json ? json_text(json_of(subject, all))
                         : text_of(subject, all, interrupt.flag()));
  const bool complete = std::all_of(all.begin(), all.end(), [](const auto& d) {
    return d.complete;
  });
  return complete ? ExitStatus::as_expected : ExitStatus::inconclusive;
}

}  // namespace slotlab::cli
