// See verdict.h.
#include "cli/verdict.h"

#include <fmt/format.h>

#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "cli/full_run.h"
#include "cli/input_error.h"
#include "cli/parts.h"
#include "cli/quantities.h"

namespace slotlab::cli {
namespace {

sim::ExploreOptions explore_options(const SearchOptions& options) {
  sim::ExploreOptions explore;
  explore.threads = options.threads;
  if (options.memory_bytes) explore.memory_max_bytes = *options.memory_bytes;
  if (options.seconds) explore.seconds_max = *options.seconds;
  if (options.max_depth) explore.depth_max = *options.max_depth;
  if (options.max_states) explore.states_max = *options.max_states;
  explore.spill_folder = options.spill.value_or("");
  explore.checkpoint.file = options.checkpoint.value_or("");
  explore.checkpoint.seconds = options.checkpoint_seconds;
  explore.checkpoint.resume = options.resume.value_or("");
  return explore;
}

// What a checkpoint must agree with: the scenario as written and all that was assumed about it.
std::string identity(const Subject& subject) {
  std::string text = fmt::format("'{}'", subject.title);
  if (!subject.dialect.empty()) text += ", dialect " + subject.dialect;
  text += ", reductions " + subject.reductions;
  if (subject.scenario_text.empty()) return text;
  return text + fmt::format(", text {:016x}", XXH3_64bits(subject.scenario_text.data(),
                                                          subject.scenario_text.size()));
}

// The bounds of the command line stand beside those of the scenario: both limit what was seen.
void add_own_bounds(const SearchOptions& options, sim::ExploreResult& result) {
  const auto add = [&](const std::string& name, const char* reason) {
    result.bounds.push_back({.name = name, .hit = result.stopped_by == reason});
  };
  if (options.max_depth) add(fmt::format("depth {}", *options.max_depth), "depth");
  if (options.max_states) add(counted(*options.max_states, "state"), "states");
  if (options.memory_bytes) add(bytes_text(*options.memory_bytes) + " of memory", "memory");
  if (options.seconds) add(fmt::format("{:.0f} s of time", *options.seconds), "time");
}

sim::Verdict overall(const Subject& subject, const std::vector<sim::PropertyResult>& properties) {
  sim::Verdict verdict = sim::Verdict::holds;
  for (const sim::PropertyResult& property : properties) {
    if (!subject.must_reach && property.mood == sim::Mood::sometimes) continue;
    if (property.verdict == sim::Verdict::violated) return sim::Verdict::violated;
    if (property.verdict == sim::Verdict::inconclusive) verdict = sim::Verdict::inconclusive;
  }
  return verdict;
}

ExitStatus status_without_expectation(sim::Verdict verdict) {
  switch (verdict) {
    case sim::Verdict::holds:
      return ExitStatus::as_expected;
    case sim::Verdict::violated:
      return ExitStatus::violated;
    case sim::Verdict::inconclusive:
      return ExitStatus::inconclusive;
  }
  return ExitStatus::internal;
}

// A definite answer that is not the expected one weighs more than a missing answer.
ExitStatus status_with_expectation(const std::vector<sim::PropertyResult>& properties,
                                   const std::vector<sim::Verdict>& expected) {
  ExitStatus status = ExitStatus::as_expected;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    if (properties[i].verdict == expected[i]) continue;
    if (properties[i].verdict != sim::Verdict::inconclusive) return ExitStatus::violated;
    status = ExitStatus::inconclusive;
  }
  return status;
}

// The runs of a reduced search become runs of the system itself. False: one of them cannot, as the
// search ended before it found out that things are not interchangeable.
bool undo_reductions(const Subject& subject, sim::ExploreResult& result) {
  const std::unique_ptr<sim::Space> full = subject.full_space();
  for (std::size_t i = 0; i < result.properties.size(); ++i) {
    sim::PropertyResult& property = result.properties[i];
    if (!property.run) continue;
    const std::optional<sim::RealPath> path = sim::real_path(*subject.space, *property.run);
    if (!path) return false;
    property.run = full_run(*subject.space, *full, *path);
    if (subject.folds) property.explanation = subject.space->explain(i, path->states.back());
  }
  return true;
}

std::optional<Story> story_of(const Subject& subject, const sim::PropertyResult& property) {
  if (!property.run) return std::nullopt;
  if (subject.system) return tell(subject.system, *property.run);
  return tell(*subject.full_space(), *property.run);
}

}  // namespace

Judgement judge(Subject& subject, const SearchOptions& options,
                const std::atomic<bool>* interrupt,
                std::function<void(const sim::Progress&)> progress) {
  sim::ExploreOptions explore = explore_options(options);
  explore.interrupt = interrupt;
  explore.progress = std::move(progress);
  explore.checkpoint.subject = identity(subject);
  if (subject.reduces("por") && (options.checkpoint || options.resume)) {
    throw InputError("--reductions: por cannot be saved and taken up again; expected it without "
                     "--checkpoint and --resume");
  }
  // docs/reductions.md
  explore.skip_long_run = subject.reduces("por") || subject.folds;

  for (const char* each : {"lasting", "similar", "split"}) {
    if (!subject.reduces(each) || (!options.checkpoint && !options.resume)) continue;
    throw InputError(fmt::format("--reductions: {} cannot be saved and taken up again; expected "
                                 "it without --checkpoint and --resume", each));
  }
  Judgement judgement;
  if (!subject.parts.empty()) {
    PartsResult parts = explore_parts(subject, explore);
    judgement.result = std::move(parts.result);
    judgement.real = std::move(parts.real);
  } else {
    judgement.result = sim::explore(*subject.space, explore);
  }
  if (subject.parts.empty() && subject.reductions != "none" &&
      !undo_reductions(subject, judgement.result)) {
    subject.space = subject.unfolded_space();
    explore.checkpoint = {};
    judgement.result = sim::explore(*subject.space, explore);
    undo_reductions(subject, judgement.result);
  }
  add_own_bounds(options, judgement.result);
  judgement.initial_states = subject.space->initial().size();
  const auto& properties = judgement.result.properties;
  judgement.verdict = overall(subject, properties);
  judgement.status = subject.expects_something
                         ? status_with_expectation(properties, subject.expected)
                         : status_without_expectation(judgement.verdict);
  if (subject.expects_something) {
    judgement.as_expected = judgement.status == ExitStatus::as_expected;
  }
  for (const sim::PropertyResult& property : properties) {
    judgement.stories.push_back(story_of(subject, property));
  }
  return judgement;
}

std::optional<std::size_t> first_violated(const Judgement& judgement) {
  std::optional<std::size_t> first;
  const auto& properties = judgement.result.properties;
  if (judgement.asked) {
    if (properties[*judgement.asked].run) first = judgement.asked;
    return first;
  }
  for (std::size_t i = 0; i < properties.size(); ++i) {
    if (properties[i].verdict != sim::Verdict::violated || !properties[i].run) continue;
    if (!first || properties[i].run->actions.size() < properties[*first].run->actions.size()) {
      first = i;
    }
  }
  return first;
}

const char* verdict_word(sim::Verdict verdict) {
  switch (verdict) {
    case sim::Verdict::holds:
      return "holds";
    case sim::Verdict::violated:
      return "violated";
    case sim::Verdict::inconclusive:
      return "inconclusive";
  }
  return "";
}

const char* mood_word(sim::Mood mood) {
  switch (mood) {
    case sim::Mood::always:
      return "always";
    case sim::Mood::eventually_always:
      return "eventually always";
    case sim::Mood::leads_to:
      return "leads to";
    case sim::Mood::sometimes:
      return "sometimes";
  }
  return "";
}

const char* verdict_shown(sim::Mood mood, sim::Verdict verdict) {
  const bool sometimes = mood == sim::Mood::sometimes;
  switch (verdict) {
    case sim::Verdict::holds:
      return sometimes ? "reached" : "holds";
    case sim::Verdict::violated:
      return sometimes ? "NOT REACHED" : "VIOLATED";
    case sim::Verdict::inconclusive:
      return "inconclusive";
  }
  return "";
}

}  // namespace slotlab::cli
