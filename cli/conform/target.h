// What a transcript can be run on: virtual nodes, or real servers. Both are told the same things in
// the transcript's words and answer in them, so that a run on the one can be compared with a run on
// the other as well as with what was recorded.
#pragma once

#include <optional>
#include <string>

#include "cli/conform/transcript.h"

namespace slotlab::conform {

class Target {
 public:
  virtual ~Target() = default;

  // The reply, with names put in and reduced to what the step records. Commands are given in the
  // order in which the transcript has them.
  virtual Json command(const CommandStep& step) = 0;
  // What a node sees at this moment.
  virtual Json view(const std::string& node) = 0;
  // Lets time pass until the condition holds. Returns what went wrong; nothing if it holds.
  virtual std::optional<std::string> wait(const WaitStep& step) = 0;
  virtual void fault(const FaultStep& step) = 0;
};

// The part of a reply that `record` says counts. A reply that has been reduced stays as it is.
Json recorded(Json reply, Record record);

}  // namespace slotlab::conform
