// The standard repairs, each as an operator that is let loose on a cluster at rest and works to its
// end. A repair sees what a person would see then: nodes that answer or do not.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/crash_table/at_rest.h"
#include "models/scenario/scenario.h"

namespace slotlab::cli {

// "none", "fix", "fix-replace", "fix-unreachable", "takeover", "manual"
extern const std::vector<std::string> kRepairs;

// How a cluster looks after the repair.
struct Repaired {
  std::string said;             // how the repair ended: "done", "refused: ..."; of the last slot
  properties::Picture picture;  // without operators
  std::vector<std::string> broken;
  auto operator<=>(const Repaired&) const = default;
};

class Repair {
 public:
  // `base` without faults and clients; `operators` says how many of its operators are in the states
  // to be repaired. REQUIRES: `kind` is one of kRepairs and not "none".
  Repair(scenario::Scenario base, std::string dialect, const std::string& kind,
         std::vector<protocol::Slot> slots);
  // All ends of the repair of `end`; the same answer for the same state. Empty: cut short.
  const std::set<Repaired>& of(const AtRest& end, std::uint64_t states_max,
                               const std::atomic<bool>& interrupt);

 private:
  std::vector<scenario::OperatorSpec> repairs_of(const AtRest& end) const;
  std::string key_of(const AtRest& end) const;
  std::vector<AtRest> run(const AtRest& end, const scenario::OperatorSpec& repair,
                          std::uint64_t states_max, const std::atomic<bool>& interrupt) const;

  scenario::Scenario base_;
  std::string dialect_;
  std::string kind_;
  std::string name_;                             // of the repair among the operators
  std::vector<scenario::OperatorSpec> repairs_;  // one after the other, after any takeover
  std::map<std::string, std::set<Repaired>> known_;
};

}  // namespace slotlab::cli
