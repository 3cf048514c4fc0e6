// The timers of the failover room as own steps of the node. Time is never in the state: each timer
// is an offer with the least and the greatest delay for the timed driver, and a free choice for the
// others. A timer that could change nothing is not offered.
//
// Two steps are rationed, since without a bound a search would never end: to suspect a peer that
// can be reached, and (without timed guards) to begin one more election, which takes a new epoch.
// An election that a handler begins in its own event (a manual failover that has caught up) is
// free: it happens once for each command.
#pragma once

#include <string>
#include <vector>

#include "models/node/context.h"
#include "sim/system/actor.h"

namespace slotlab::node {

inline constexpr std::uint8_t kSuspicionBudget = 0;  // index into SystemSpec::step_budgets
inline constexpr std::uint8_t kElectionBudget = 1;   // likewise; used without timed guards only

// Appends the steps that are possible in `state`, in a fixed order.
void failover_offers(const NodeState& state, const NodeSettings& settings,
                     std::vector<sim::Offer>& out);

// The code is one of this room's.
bool is_failover_step(sim::StepCode code);

// Takes an offered step. REQUIRES: is_failover_step(code), and it was offered.
void take_failover_step(Context& context, sim::StepCode code);

// "suspects B", "election: the wait is over": distinct for distinct offers of one state.
std::string failover_step_text(const NodeState& state, const NodeSettings& settings,
                               sim::StepCode code);

}  // namespace slotlab::node
