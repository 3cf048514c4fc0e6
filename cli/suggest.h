// "Did you mean": what to say of a word that is none of a few names. Used wherever a user names
// something on the command line: verbs, flags, dialects, models.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slotlab::cli {

// "; did you mean 'x'?" or, if nothing is near, "; there are: a, b, c".
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace slotlab::cli
