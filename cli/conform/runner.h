// Runs a transcript's steps on a target and keeps what came of them; then tells where two runs, or
// a run and the transcript, differ. Replies and views are compared exactly, reduced to what the
// step records.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/conform/target.h"
#include "cli/conform/transcript.h"

namespace slotlab::conform {

// What came of a transcript's steps: the reply of a command, the views of a look; null for the
// rest.
struct Recording {
  std::vector<Json> steps;          // as many as were run
  Json final_views;                 // null if the run did not get there
  std::optional<std::string> stuck; // why the last step run, a wait, did not end
};

Recording run_steps(const Transcript& transcript, Target& target);
// What the transcript says should come of them.
Recording expected_of(const Transcript& transcript);

struct Difference {
  std::size_t step = 0;             // counted from 1; 0: in the final views
  std::size_t line = 0;             // of the step in the file; 0: final views
  std::string where;                // "reply", "B.currentEpoch", "wait"
  Json script;                      // the step as written, without reply or views
  Json expected, got;               // null: not there
};

// In the order of the steps.
std::vector<Difference> differences(const Transcript& transcript, const Recording& expected,
                                    const Recording& got);

}  // namespace slotlab::conform
