// The rows of the table of crashes: a procedure with one death in it, once for every process that
// may die and every way to die, and for every point of the procedure where that may be.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/crash_table/repair.h"
#include "models/scenario/scenario.h"

namespace slotlab::cli {

// What is tabulated.
struct CrashSubject {
  scenario::Scenario scenario;  // without faults, clients and checks of its own
  std::string dialect;
  std::size_t procedure = 0;    // which operator's; it has steps
  std::string repair;           // one of kRepairs

  const std::vector<scenario::StepSpec>& steps() const {
    return scenario.operators[procedure].steps;
  }
};

struct Death {
  std::string process;
  std::string role;          // "operator", "source", "destination", "bystander", "replica of A"
  bool comes_back = false;
};

enum class When : std::uint8_t {
  before,  // the step before is done, and nothing of this one was sent
  within,  // something of it was sent, and it is not done
  after,   // of the last step only: the procedure is over
};

struct Point {
  std::size_t step = 0;
  When when = When::before;
  auto operator<=>(const Point&) const = default;
};

// One way in which it may end, and what the repair makes of it, in as many ways.
struct CrashEnd {
  properties::Picture picture;              // without operators
  std::set<std::string> operators;          // how far they are, in as many ways
  std::vector<std::string> broken;
  std::set<Repaired> repaired;  // empty: repair "none"
  bool operator==(const CrashEnd&) const = default;
};

// By point; points where the process cannot die are absent.
using CrashRows = std::map<Point, std::vector<CrashEnd>>;

struct DeathRows {
  Death death;
  CrashRows rows;
  bool complete = false;  // else the search was cut short, and there are no rows
};

// Every process that may die: operator, nodes for good, nodes that come back.
std::vector<Death> deaths_of(const CrashSubject& subject);
DeathRows rows_of(const CrashSubject& subject, const Death& death, std::uint64_t states_max,
                  const std::atomic<bool>& interrupt);

// What is lost at an end: "slot 7", "key k1".
std::vector<std::string> lost(const properties::Picture& picture);

}  // namespace slotlab::cli
