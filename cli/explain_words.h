// The events of an explanation in the words of the manual: "step 5 reaches A", "B crashes", "C
// hears from B". The full sentences stand in the run that is printed beside.
#pragma once

#include <map>
#include <string>

#include "cli/subject.h"
#include "sim/explain/event_graph.h"

namespace slotlab::cli {

class EventWords {
 public:
  explicit EventWords(const Subject& subject);

  // As a clause: "step 5 reaches A", "B hears from A: heartbeat ...", "B crashes".
  std::string clause(const std::string& sentence, sim::ActionKind kind) const;
  // The same with the command that a step sends: "step 5 reaches A (CLUSTER SETSLOT 7 NODE B)".
  std::string with_command(const std::string& sentence, sim::ActionKind kind) const;

 private:
  struct Step {
    std::string label;   // empty: several steps say the same
    std::string target;
    std::string typed;
  };
  const Step* step_of(const std::string& sentence) const;

  std::map<std::string, Step> steps_;  // by sentence; of a move, by the beginning of its sentences
};

}  // namespace slotlab::cli
