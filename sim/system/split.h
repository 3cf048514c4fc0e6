// One system for each process that may crash. A run in which a fault happens at most once hits one
// target, so that the runs of a system are those of its parts together; each part has fewer things
// that may happen, and a search of it can leave out more.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/system/system.h"

namespace slotlab::sim {

struct Part {
  std::string name;  // which process may crash: "crash of B"
  std::shared_ptr<const System> system;
};

// The rule that is the only one for cuts and may be used once; none if there is no such rule.
std::optional<std::size_t> one_cut_rule(const System& system);
// The system with this target of the rule alone, or FaultRule::kNoTarget.
std::shared_ptr<const System> with_only(const System& system, std::size_t rule,
                                        std::uint32_t target);

// By each combination of targets of the crash rules that may be used once and have several; one
// part without a name if there is no such rule. Actions mean the same in a part as in the whole.
std::vector<Part> split_by_crash(const std::shared_ptr<const System>& system);

}  // namespace slotlab::sim
