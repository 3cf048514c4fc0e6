// Faults as data: which kind, on whom, how often at most, between which two points of an actor's
// work, and whether what broke mends again. Each use of a fault is an action like any other;
// mending (restart, heal, resume) is free and possible at any later moment unless the rule forbids
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/system/actor.h"

namespace slotlab::sim {

enum class FaultKind : std::uint8_t {
  crash,       // an actor's process ends; messages to and from it are lost
  cut,         // a direction (or both) between two actors carries nothing; what was in it is lost
  pause,       // an actor stands still for a while; messages to it wait
  stop,        // an actor gives up its own work for ever, but keeps its state
  lose_reply,  // a call is executed but its answer is lost
};

// The rule holds only while `actor` is at a phase in [first, last]; see Actor::phase().
struct Window {
  ActorId actor = kNoActor;
  std::uint32_t first = 0;
  std::uint32_t last = UINT32_MAX;
};

struct FaultRule {
  FaultKind kind = FaultKind::crash;
  std::string name;             // as printed with the bounds: "crash of B"
  std::vector<ActorId> actors;  // targets of crash, pause, stop; callers of lose_reply
  std::vector<std::pair<ActorId, ActorId>> pairs;  // targets of cut
  bool both_ways = true;                           // cut only
  bool mends = true;                               // restart, heal or resume is possible
  CrashKind crash = CrashKind::process_kill;
  std::uint8_t at_most = 1;  // 0..254 uses over all targets
  std::optional<Window> window;
  // The one target that is left, by its place in `actors` or `pairs`, or kNoTarget; none: all of
  // them. See split.h.
  std::optional<std::uint32_t> only = std::nullopt;
  static constexpr std::uint32_t kNoTarget = UINT32_MAX;
};

}  // namespace slotlab::sim
