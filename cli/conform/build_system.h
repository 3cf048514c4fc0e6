// From a transcript to a system of virtual nodes: who knows whom at the start, which slots must be
// told apart, which ids a hard reset may take, who can be killed and paused, and the client.
#pragma once

#include <cstdint>
#include <memory>

#include "cli/conform/settle.h"
#include "cli/conform/transcript.h"
#include "models/protocol/dialect.h"
#include "models/protocol/words.h"
#include "sim/system/system.h"

namespace slotlab::conform {

// Fault rules of the system; the target's number in both is the node's number in the transcript.
inline constexpr std::uint32_t kCrashRule = 0;
inline constexpr std::uint32_t kPauseRule = 1;

struct BuiltSystem {
  std::shared_ptr<const sim::System> system;
  NodeActors nodes;                      // in the order of the transcript; actor 0 is the first
  sim::ActorId client = sim::kNoActor;
};

// ERRORS: throws cli::InputError if the transcript has more nodes, resets or faults than a system
// can.
BuiltSystem build_system(const Transcript& transcript, const protocol::Dialect& dialect);

// The slots that the transcript tells apart: those of nodes, commands, keys and waits, watched
// ones.
protocol::SlotClasses slot_classes_of(const Transcript& transcript);

}  // namespace slotlab::conform
