// Why an event that a person has in mind cannot happen now: the receiver is down, the message is
// not on its way, the fault's window is closed, or it is another event's turn first. The answer
// comes from the rules of the system alone, so it knows nothing of Redis.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/step/session.h"

namespace slotlab::cli {

// Whether `sentence` holds every word of `words`, letters of either case.
bool has_words(const std::string& sentence, const std::string& words);

// Lines that say of each event with all these words whether it is possible, and if not, why, or how
// it can still come about. `look_ahead_states`: how far the search for a way to it goes.
std::vector<std::string> why_not(const Session& session, const std::string& words,
                                 std::size_t look_ahead_states = 3000);

}  // namespace slotlab::cli
