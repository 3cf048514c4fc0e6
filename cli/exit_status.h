// The exit statuses of the program: its shortest answer, for scripts. Every verb ends with one of
// these; docs/errors.md explains them to users.
#pragma once

namespace slotlab::cli {

enum class ExitStatus : int {
  as_expected = 0,   // everything holds, or came out as the scenario expects
  violated = 1,      // something is violated, or did not come out as expected
  bad_input = 2,     // a file, trace or flag that cannot be used; output that cannot be written
  inconclusive = 3,  // a bound ended the search before an answer was found
  internal = 70,     // a fault of ours
};

}  // namespace slotlab::cli
