// `slotlab hunt`: many runs from many seeds, until one violates something or the budget is spent.
// Seeds are tried in blocks on all processors; the lowest violating seed of a block is the result,
// so that neither the number of threads nor their speed is seen in it.
#include <fmt/format.h>

#include <algorithm>

#include "cli/input_error.h"
#include "cli/interrupt.h"
#include "cli/json_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/save_trace.h"
#include "cli/trace_run.h"
#include "cli/verbs.h"
#include "sim/check/stopwatch.h"
#include "sim/check/worker_pool.h"
#include "sim/drive/hunt.h"
#include "sim/explain/shrink.h"

namespace slotlab::cli {
namespace {

constexpr std::uint64_t kBlock = 64;  // seeds between two looks at results and budgets

struct FaultCount {
  std::uint64_t planned = 0;
  std::uint64_t fired = 0;
};

struct Found {
  std::uint64_t seed = 0;
  sim::Run run;
  std::size_t property = 0;
};

struct Hunt {
  std::uint64_t seeds = 0;  // tried, the violating one included
  std::uint64_t events = 0;
  std::vector<FaultCount> faults;  // by rule
  std::optional<Found> found;
  std::string stopped_by;  // "found", "seeds", "time", "interrupt"
};

struct Attempt {
  sim::HuntRun run;
  std::optional<std::size_t> property;
};

sim::Choice choice_of(const HuntOptions& options, std::uint64_t seed) {
  if (options.driver == "pct") return sim::Choice::pct;
  if (options.driver == "random") return sim::Choice::uniform;
  return seed % 2 == 1 ? sim::Choice::pct : sim::Choice::uniform;
}

class Hunter {
 public:
  Hunter(const Subject& subject, const HuntOptions& options)
      : subject_(subject),
        options_(options),
        start_(subject.system),
        space_(subject.full_space()) {
    for (std::size_t i = 0; i < subject.properties.size(); ++i) {
      const sim::Property& property = subject.properties[i];
      if (options.property && property.name != *options.property) continue;
      if (property.mood == sim::Mood::always) always_.push_back(i);
      if (property.mood == sim::Mood::eventually_always || property.mood == sim::Mood::leads_to) {
        settled_.push_back(i);
      }
    }
    if (always_.empty() && settled_.empty()) {
      throw InputError(
          fmt::format("hunt: '{}' checks nothing 'always', 'eventually always' or 'leads to', "
                      "expected one that a run can violate",
                      subject.name));
    }
  }

  Hunt hunt(const std::atomic<bool>& interrupt, ProgressLine& line) {
    const sim::Stopwatch watch;
    sim::WorkerPool pool(options_.threads);
    Hunt hunt;
    hunt.faults.resize(subject_.system->spec().faults.size());
    while (!hunt.found) {
      if (hunt.seeds == options_.seeds) hunt.stopped_by = "seeds";
      if (options_.seconds && watch.seconds() > *options_.seconds) hunt.stopped_by = "time";
      if (interrupt) hunt.stopped_by = "interrupt";
      if (!hunt.stopped_by.empty()) return hunt;
      const std::uint64_t count = std::min(kBlock, options_.seeds - hunt.seeds);
      const std::uint64_t first = options_.first_seed + hunt.seeds;
      std::vector<Attempt> attempts(count);
      const auto cancelled = [&] {
        return interrupt || (options_.seconds && watch.seconds() > *options_.seconds);
      };
      pool.run(count, [&](std::size_t i) { attempts[i] = attempt(first + i, cancelled); });
      for (std::size_t i = 0; i < count && !hunt.found && !attempts[i].run.cancelled; ++i) {
        add(attempts[i], first + i, hunt);
      }
      line.show_text(
          fmt::format("{} tried, {}", counted(hunt.seeds, "seed"), counted(hunt.events, "event")));
    }
    hunt.stopped_by = "found";
    return hunt;
  }

 private:
  Attempt attempt(std::uint64_t seed, const std::function<bool()>& cancelled) const {
    sim::HuntOptions how{.seed = seed,
                         .events_max = options_.steps,
                         .choice = choice_of(options_, seed),
                         .cancelled = cancelled,
                         .settle = !settled_.empty()};
    how.violated = [&](const sim::World& world) {
      return std::any_of(always_.begin(), always_.end(),
                         [&](std::size_t p) { return !subject_.properties[p].holds(world); });
    };
    Attempt attempt{.run = sim::hunt_once(start_, how), .property = {}};
    if (attempt.run.cancelled) return attempt;
    if (attempt.run.violated || attempt.run.cycle_start != SIZE_MAX) judge(attempt);
    return attempt;
  }

  // Which property the run violates, said by the same rules that `check` goes by.
  void judge(Attempt& attempt) const {
    const sim::Run run{.actions = attempt.run.actions, .cycle_start = attempt.run.cycle_start};
    const auto& which = attempt.run.violated ? always_ : settled_;
    for (const std::size_t property : which) {
      if (sim::violating_part(*space_, run, property)) {
        attempt.property = property;
        return;
      }
    }
  }

  static void add(const Attempt& attempt, std::uint64_t seed, Hunt& hunt) {
    ++hunt.seeds;
    hunt.events += attempt.run.actions.size();
    for (const sim::PlannedFault& planned : attempt.run.plan) {
      ++hunt.faults[planned.rule].planned;
      if (planned.fired) ++hunt.faults[planned.rule].fired;
    }
    if (!attempt.property) return;
    hunt.found = {.seed = seed,
                  .run = {.actions = attempt.run.actions, .cycle_start = attempt.run.cycle_start},
                  .property = *attempt.property};
  }

  const Subject& subject_;
  const HuntOptions& options_;
  const sim::World start_;
  // Of all attempts, so that each local transition is computed once; what it answers does not
  // depend on who asked before.
  const std::unique_ptr<sim::Space> space_;
  std::vector<std::size_t> always_, settled_;  // properties looked at
};

std::string again(const HuntOptions& options, std::uint64_t seed) {
  std::string text = fmt::format("slotlab hunt {} --first-seed {} --seeds 1 --steps {} --driver {}",
                                 shell_word(options.file), seed, options.steps, options.driver);
  if (options.property) text += " --property " + shell_word(*options.property);
  if (options.dialect) text += " --dialect " + shell_word(*options.dialect);
  return text;
}

std::string faults_text(const Subject& subject, const Hunt& hunt) {
  std::string text;
  std::uint64_t planned = 0;
  std::uint64_t fired = 0;
  for (std::size_t rule = 0; rule < hunt.faults.size(); ++rule) {
    const FaultCount& count = hunt.faults[rule];
    text += fmt::format("  {}: planned {}, fired {}{}\n", subject.system->spec().faults[rule].name,
                        counted(count.planned, "time"), grouped(count.fired),
                        count.planned > 0 && count.fired == 0 ? "  NEVER FIRED" : "");
    planned += count.planned;
    fired += count.fired;
  }
  if (text.empty()) return "";
  if (planned > 0 && fired == 0) {
    text += "  none of the planned faults ever fired: this hunt says nothing about faults\n";
  }
  return "faults\n" + text;
}

std::string text_of(const Subject& subject, const HuntOptions& options, const Hunt& hunt,
                    const Story& story) {
  std::string text =
      fmt::format("{}, {}\n{} from {} on, driver {}, at most {} each\n\n", subject.title,
                  subject.dialect, counted(options.seeds, "seed"), options.first_seed,
                  options.driver, counted(options.steps, "event"));
  if (hunt.found) {
    text += fmt::format("{}  VIOLATED by seed {}, the {}. tried\n\n{}\n",
                        subject.properties[hunt.found->property].name, hunt.found->seed, hunt.seeds,
                        story_text(story));
  } else {
    text += fmt::format("nothing violated in {} ({})\n\n", counted(hunt.seeds, "run"),
                        hunt.stopped_by == "interrupt"
                            ? "ended by Ctrl-C"
                            : "the budget of " + hunt.stopped_by + " is spent");
  }
  text += faults_text(subject, hunt);
  text += fmt::format("tried  {}, {}\n", counted(hunt.seeds, "seed"),
                      counted(hunt.events, "event"));
  if (hunt.found) text += fmt::format("again  {}\n", again(options, hunt.found->seed));
  if (hunt.found && options.trace) {
    text += fmt::format("replay slotlab replay {0}; slotlab shrink {0}; slotlab explain {0}\n",
                        shell_word(*options.trace));
  }
  return text;
}

Json json_of(const Subject& subject, const HuntOptions& options, const Hunt& hunt,
             const Story& story) {
  Json json;
  json["format"] = "slotlab-hunt/1";
  json["subject"] = subject.name;
  json["title"] = subject.title;
  json["dialect"] = subject.dialect;
  json["driver"] = options.driver;
  json["first_seed"] = options.first_seed;
  json["steps"] = options.steps;
  json["verdict"] = hunt.found ? "violated" : "inconclusive";
  json["stopped_by"] = hunt.stopped_by;
  json["seeds"] = hunt.seeds;
  json["events_taken"] = hunt.events;
  json["seed"] = hunt.found ? Json(hunt.found->seed) : Json();
  json["property"] = hunt.found ? Json(subject.properties[hunt.found->property].name) : Json();
  json["faults"] = Json::array();
  for (std::size_t rule = 0; rule < hunt.faults.size(); ++rule) {
    json["faults"].push_back({{"name", subject.system->spec().faults[rule].name},
                              {"planned", hunt.faults[rule].planned},
                              {"fired", hunt.faults[rule].fired}});
  }
  json["again"] = hunt.found ? Json(again(options, hunt.found->seed)) : Json();
  json["cycle_start"] = story.cycle_start ? Json(*story.cycle_start) : Json();
  json["events"] = hunt.found ? story_json(story) : Json();
  return json;
}

void save(const Subject& subject, const HuntOptions& options, const Hunt& hunt,
          const Story& story) {
  if (!hunt.found) {
    write_err(
        fmt::format("slotlab: nothing is violated, so no run was saved to '{}'\n", *options.trace));
    return;
  }
  const bool pct = choice_of(options, hunt.found->seed) == sim::Choice::pct;
  sim::Trace trace = empty_trace(subject, pct ? "pct" : "random");
  trace.seed = hunt.found->seed;
  trace.property = subject.properties[hunt.found->property].name;
  trace.settings.emplace_back("steps", std::to_string(options.steps));
  for (const StoryEvent& event : story.events) {
    trace.events.push_back({.at = {}, .sentence = event.text});
  }
  trace.cycle_start = story.cycle_start;
  save_trace(trace, *options.trace);
}

}  // namespace

ExitStatus hunt(const HuntOptions& options) {
  if (options.trace) require_writable("--trace", *options.trace);
  if (is_textbook(options.file)) {
    throw InputError(
        fmt::format("hunt: '{}' is a textbook model, expected a scenario file", options.file));
  }
  const Subject subject = load_subject(options.file, options.dialect, "none");
  if (options.property) property_named(*subject.space, *options.property, "--property");
  Hunt hunt;
  {
    const Interrupt interrupt;
    ProgressLine line(true);
    hunt = Hunter(subject, options).hunt(interrupt.flag(), line);
  }
  const Story story = hunt.found ? tell(subject.system, hunt.found->run) : Story{};
  if (options.trace) save(subject, options, hunt, story);
  write_out(options.json ? json_text(json_of(subject, options, hunt, story))
                         : text_of(subject, options, hunt, story));
  return hunt.found ? ExitStatus::violated : ExitStatus::inconclusive;
}

}  // namespace slotlab::cli
