// See suggest.h. What is near is decided where scenario files decide it, so that both speak alike.
#include "cli/suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/scenario/error.h"

namespace slotlab::cli {

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  std::string near = scenario::did_you_mean(word, candidates);
  if (!near.empty()) return near;
  return fmt::format("; there are: {}", fmt::join(candidates, ", "));
}

}  // namespace slotlab::cli
