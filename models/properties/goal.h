// A described state: what `slotlab reach` looks for. A goal says of nodes and operators what they
// hold, in few words:
//
//   A.owner(7) = B and B.owner(7) = A          whom a node takes for the owner of a slot
//   B.importing(7) = A, A.migrating(7) = nobody
//   B.epoch > 3, C.epoch(B) = 2, A.current >= 5    config epochs, its record of another's, current
//   B.state = gone                             up, paused, down (may restart), gone (for good)
//   B.role = replica, B.master = A, A.cluster = fail, C.failed(B)
//   B.key(user:1)                              holds the key
//   operator.state = stopped, operator.finished >= 4
//   unowned, not agreed                        any property or situation of the registry
//
// `and` and the comma bind tighter than `or`; parentheses group. docs/verbs.md has the grammar.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/properties/registry.h"

namespace slotlab::properties {

struct GoalError {
  std::size_t column = 1;  // from 1, in bytes
  std::string message;     // with what was expected
};

// `names`: of the actors, as printed.
std::variant<sim::Predicate, GoalError> parse_goal(std::string_view text, const CastPtr& cast,
                                                   const std::vector<std::string>& names);

}  // namespace slotlab::properties
