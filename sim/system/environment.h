// Everything about a system that is neither an actor's own state nor a message on its way: who is
// up, who is cut off from whom, how much of each fault budget is spent. A plain value.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

namespace slotlab::sim {

enum class Status : std::uint8_t {
  up,
  paused,      // takes no step and receives nothing; messages to it wait
  down,        // crashed; may restart
  gone,        // crashed; never comes back
};

enum class Cut : std::uint8_t {
  open,
  cut,         // carries nothing; may heal
  severed,     // carries nothing, for ever
};

struct Environment {
  std::vector<Status> status;       // by actor
  std::vector<Cut> cut;             // by ordered pair of actors: from * actors + to
  std::vector<std::uint8_t> spent;  // by fault rule
  std::vector<std::uint8_t> steps_spent;  // by step budget

  auto members() const { return std::tie(status, cut, spent, steps_spent); }
  bool operator==(const Environment&) const = default;
};

}  // namespace slotlab::sim
