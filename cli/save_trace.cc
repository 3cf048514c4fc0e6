// See save_trace.h.
#include "cli/save_trace.h"

#include <fmt/format.h>

#include "cli/input_error.h"
#include "cli/output.h"

namespace slotlab::cli {

sim::Trace empty_trace(const Subject& subject, const std::string& driver) {
  sim::Trace trace;
  trace.scenario_path = subject.name;
  trace.driver = driver;
  if (!subject.dialect.empty()) trace.settings.emplace_back("dialect", subject.dialect);
  trace.scenario_text = subject.scenario_text;
  return trace;
}

void save_trace(const sim::Trace& trace, const std::string& path) {
  if (const auto error = sim::write_trace(trace, path)) {
    throw InputError(fmt::format("--trace: {}", error->text()));
  }
}

void save_trace(const Subject& subject, const Judgement& judgement, const std::string& path) {
  const auto first = first_violated(judgement);
  if (!first) {
    write_err(fmt::format("slotlab: there is no violating run, so none was saved to '{}'\n", path));
    return;
  }
  const Story& story = *judgement.stories[*first];
  sim::Trace trace = empty_trace(subject, "exhaustive");
  const sim::PropertyResult& shown = judgement.result.properties[*first];
  if (shown.verdict == sim::Verdict::violated) trace.property = shown.name;
  for (const StoryEvent& event : story.events) {
    trace.events.push_back({.at = {}, .sentence = event.text});
  }
  trace.cycle_start = story.cycle_start;
  save_trace(trace, path);
}

}  // namespace slotlab::cli
