// `slotlab replay`: a saved run again, event by event. The trace carries its scenario, so nothing
// else is needed, and a trace that no longer fits its scenario is refused with what was possible
// instead.
#include <fmt/format.h>

#include "cli/input_error.h"
#include "cli/json_report.h"
#include "cli/observed.h"
#include "cli/output.h"
#include "cli/quantities.h"
#include "cli/trace_run.h"
#include "cli/verbs.h"
#include "sim/drive/replay.h"
#include "sim/trace/trace.h"

namespace slotlab::cli {
namespace {

struct Replayed {
  Story story;
  std::vector<Observed> observed;
};

Replayed replay_world(const Subject& subject, const sim::Trace& trace, const std::string& path) {
  Replayed replayed;
  sim::World world(subject.system);
  Observer observer(subject.properties);
  observer.see(subject.properties, world, 0);
  sim::RecordOptions record;
  record.record_beliefs = true;
  record.watch = [&](const sim::World& now, const sim::RunStep& step) {
    const std::size_t at = replayed.story.events.size();
    replayed.story.events.push_back(tell(*subject.system, step.event));
    replayed.story.events.back().at = trace.events[at].at;
    observer.see(subject.properties, now, at + 1);
  };
  const sim::ReplayResult result = sim::replay(world, sim::sentences_of(trace), record);
  if (result.error) {
    throw InputError(
        fmt::format("{}: {}", place_of(path, result.error->step), result.error->text()));
  }
  replayed.story.cycle_start = trace.cycle_start;
  replayed.observed = observer.finish(trace.cycle_start);
  return replayed;
}

Replayed replay_space(const Subject& subject, const sim::Trace& trace, const std::string& path) {
  const sim::Run run = run_of(*subject.space, trace, path);
  Replayed replayed{.story = tell(*subject.space, run), .observed = {}};
  replayed.observed = observe(*subject.space, run);
  return replayed;
}

std::string text_of(const Subject& subject, const sim::Trace& trace, const Replayed& replayed) {
  std::string text = fmt::format("{}{}\n{}, found by the {} driver{}\n\n", subject.title,
                                 subject.dialect.empty() ? "" : ", " + subject.dialect,
                                 counted(trace.events.size(), "event"), trace.driver,
                                 trace.seed ? fmt::format(", seed {}", *trace.seed) : "");
  return text + story_text(replayed.story) + "\n" + observed_text(replayed.observed);
}

Json json_of(const Subject& subject, const sim::Trace& trace, const Replayed& replayed) {
  Json json;
  json["format"] = "slotlab-replay/1";
  json["subject"] = subject.name;
  json["title"] = subject.title;
  json["dialect"] = subject.dialect.empty() ? Json() : Json(subject.dialect);
  json["driver"] = trace.driver;
  json["seed"] = trace.seed ? Json(*trace.seed) : Json();
  json["fingerprint"] = sim::to_hex(trace.fingerprint());
  json["verdict"] = any_violated(replayed.observed) ? "violated" : "inconclusive";
  json["properties"] = observed_json(replayed.observed);
  json["cycle_start"] = trace.cycle_start ? Json(*trace.cycle_start) : Json();
  json["events"] = story_json(replayed.story);
  return json;
}

}  // namespace

ExitStatus replay(const ReplayOptions& options) {
  const sim::Trace trace = read_trace_file(options.trace);
  const Subject subject = subject_of(trace, "none");
  const Replayed replayed = subject.system ? replay_world(subject, trace, options.trace)
                                           : replay_space(subject, trace, options.trace);
  write_out(options.json ? json_text(json_of(subject, trace, replayed))
                         : text_of(subject, trace, replayed));
  return any_violated(replayed.observed) ? ExitStatus::violated : ExitStatus::as_expected;
}

}  // namespace slotlab::cli
