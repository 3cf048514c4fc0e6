// Scripts drawn from a seed: a small cluster and commands, kills and pauses in an order that no
// person would write. They are transcripts without answers; real servers supply those, and virtual
// nodes are compared with them. What is a matter of chance on real servers is not drawn: see the
// list in random_script.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cli/conform/json_tree.h"

namespace slotlab::conform {

struct ScriptOptions {
  std::uint64_t seed = 1;
  std::size_t steps = 30;   // commands and faults, 1 to 10000; waits come on top
};

// The script as the JSON object of a transcript, replies and views left empty ("nil", down).
Json random_script(const ScriptOptions& options);

// As transcripts are written: one node, step or view a line.
std::string script_text(const Json& script);

}  // namespace slotlab::conform
