// The replay driver: takes the events that a list of sentences names, one by one, and refuses the
// first that is not possible, saying what was. The same list on the same system always gives the
// same run, so a trace is a regression test the minute it is written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/drive/recorder.h"
#include "sim/drive/run.h"

namespace slotlab::sim {

struct ReplayError {
  std::size_t step = 0;               // 0-based index of the sentence that was not possible
  std::string sentence;
  std::vector<std::string> possible;  // what was, in the fixed order, 10 at most
  std::size_t possible_count = 0;     // how many were
  std::string text() const;           // several lines, for people
};

struct ReplayResult {
  RunResult run;  // as far as it went; its stop is list_end, until or not_possible
  std::optional<ReplayError> error;
};

// The possible action whose sentence is `sentence`; nothing if there is none. If there are several,
// the first in the fixed order: System and Actor give distinct sentences to actions whose effects
// differ.
std::optional<Action> find_action(const World& world, const std::string& sentence);

ReplayResult replay(World& world, const std::vector<std::string>& sentences,
                    const RecordOptions& record = {});

// The sentences of a trace. Its times, if any, are not replayed: order is all that counts.
std::vector<std::string> sentences_of(const Trace& trace);

}  // namespace slotlab::sim
