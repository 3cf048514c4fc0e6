// MigrateCore: the core of the migration of one hash slot in a cluster of N masters that gossip
// ownership with config epochs, as a system of N node actors and an admin. Small enough that other
// checkers count its states exactly, so it tests the engine, its reductions and its speed.
//
// The admin's six steps close either in the manual's order (destination told first, "right") or
// with the source told first ("wrong").
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "sim/check/tuple_space.h"

namespace slotlab::textbook {

enum class InitialEpochs : std::uint8_t { distinct, ab_equal, bc_equal, all_equal };

struct MigrateCore {
  std::uint8_t nodes = 3;              // 3..8 masters: A, B, C, ...
  bool right_order = true;
  std::uint8_t crashes_max = 0;        // 0..1
  std::uint8_t admin_stops_max = 0;    // 0..1
  InitialEpochs epochs = InitialEpochs::distinct;
  bool collision = true;               // equal config epochs are resolved
  bool importing_pins = true;          // an importing node is not rebound by heartbeats
  bool bump = true;                    // closing an import takes a new config epoch
  bool fair_admin = false;             // the admin goes on until it has finished or stopped
  bool safety_only = false;            // leave out agreement, which needs the whole graph
  bool drop_inert = false;
  bool deliver_early = false;
};

// Properties: owned (always), two-owners-one-epoch (sometimes: reachability is a finding, not an
// error), agreement (eventually always all agree on one owner).
std::unique_ptr<sim::TupleSpace> make_migrate_core(const MigrateCore& parameters);

// "3-right-1-1", "4-wrong-0-0-ab-equal-no-bump-inert": nodes, order, crashes, stops, then in any
// order ab-equal | bc-equal | all-equal, no-collision, no-importing-pins, no-bump, fair-admin,
// safety.
// ERRORS: throws std::invalid_argument naming the part that is wrong and what was expected.
MigrateCore parse_migrate_core(std::string_view text);

// As the registry of textbook models wants it; the rest as the caller's reductions say.
std::unique_ptr<sim::Space> make_migrate_core_space(std::string_view parameters,
                                                    bool drop_inert = false,
                                                    bool deliver_early = false);

}  // namespace slotlab::textbook
