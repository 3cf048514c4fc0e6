// What a search found, judged: one verdict over all properties, whether it is what was expected,
// and the exit status that follows. The human report and the JSON object are both made from this.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_status.h"
#include "cli/story.h"
#include "cli/subject.h"
#include "sim/check/explorer.h"

namespace slotlab::cli {

struct Judgement {
  sim::ExploreResult result;               // its bounds include those of the command line
  // The ordinary search for real runs, after one with lasting messages.
  std::optional<sim::ExploreResult> real;
  sim::Verdict verdict = sim::Verdict::inconclusive;
  // None if the subject expects nothing (textbook models, a dialect that the scenario does not
  // name).
  std::optional<bool> as_expected;
  ExitStatus status = ExitStatus::inconclusive;
  std::vector<std::optional<Story>> stories;  // by property: the run of its result, told
  std::size_t initial_states = 1;
  std::optional<std::size_t> asked;  // the property whose run the user wants to see
};

// The property, of those violated, whose run is shown first: the shortest, then the first in order.
// None if none is violated with a run. If the user asked for a property, that one, violated or
// reached; none if it has no run.
std::optional<std::size_t> first_violated(const Judgement& judgement);

// Searches and judges. `interrupt` may be null, `progress` empty.
Judgement judge(Subject& subject, const SearchOptions& options,
                const std::atomic<bool>* interrupt,
                std::function<void(const sim::Progress&)> progress);

// "holds", "violated", "inconclusive".
const char* verdict_word(sim::Verdict verdict);
// "always", "eventually always", "leads to", "sometimes".
const char* mood_word(sim::Mood mood);
// The verdict as a reader of the report expects it: "holds", "VIOLATED", "reached", "NOT REACHED",
// "inconclusive".
const char* verdict_shown(sim::Mood mood, sim::Verdict verdict);

}  // namespace slotlab::cli
