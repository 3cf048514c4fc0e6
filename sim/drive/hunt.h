// One run of a hunt: a scheduler and a plan of faults, both drawn from one seed. The plan says how
// often each fault rule is used and from which event on; a use that is due happens as soon as it is
// possible, so that narrow windows are met, and the run says of each use whether it fired. What no
// fair run needs to do (Offer::fair), an actor may cease to do at a drawn event.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "sim/drive/random.h"
#include "sim/drive/run.h"

namespace slotlab::sim {

struct PlannedFault {
  std::size_t rule = 0;    // in SystemSpec::faults
  std::uint64_t due = 0;   // after so many events, or as soon afterwards as it is possible
  bool fired = false;
  bool operator==(const PlannedFault&) const = default;
};

struct HuntOptions {
  std::uint64_t seed = 1;
  std::uint64_t events_max = 300;  // 1 or more
  Choice choice = Choice::uniform; // uniform or pct; parameters of pct are drawn
  // Ends the run; asked after each event.
  Until violated = {};
  // Ends the run before its time, which then says nothing; asked before each event.
  std::function<bool()> cancelled = {};
  // After the events, lets everybody take turns without further faults until a state comes again:
  // for properties of the long run.
  bool settle = false;
};

struct HuntRun {
  std::vector<Action> actions;
  std::vector<PlannedFault> plan;
  bool violated = false;           // `violated` ended it
  bool cancelled = false;          // `cancelled` ended it
  std::size_t cycle_start = SIZE_MAX;  // settled: the actions from here on lead back to where they
                                       // began
};

HuntRun hunt_once(World world, const HuntOptions& options);

}  // namespace slotlab::sim
