// The closed list of things that can happen next in a system, each packed into 32 bits so that
// frontiers and traces stay small. What an action means in words depends on the state it is taken
// in: see System::describe through World and TupleSpace.
#pragma once

#include <cstdint>

#include "sim/system/actor.h"

namespace slotlab::sim {

enum class ActionKind : std::uint8_t {
  deliver,     // a: link. The head of a link reaches its receiver.
  step,        // a: actor, b: step code. An actor takes an own step.
  crash,       // a: fault rule, b: target index within the rule
  restart,     // a: actor
  cut,         // a: fault rule, b: target index within the rule
  heal,        // a: fault rule, b: target index within the rule
  pause,       // a: fault rule, b: target index within the rule
  resume,      // a: actor
  stop,        // a: fault rule, b: target index within the rule
  lose_reply,  // a: actor, b: step code. As `step`, but the answer to its call is lost.
};

struct Action {
  std::uint32_t bits = 0;

  static constexpr std::uint32_t kFieldB = 20;  // width of b; a has 8 bits, or 28 for deliver
  static constexpr Action make(ActionKind kind, std::uint32_t a, std::uint32_t b = 0) {
    return kind == ActionKind::deliver
               ? Action{a}
               : Action{static_cast<std::uint32_t>(kind) << 28 | a << kFieldB | b};
  }
  constexpr ActionKind kind() const { return static_cast<ActionKind>(bits >> 28); }
  constexpr std::uint32_t a() const {
    return kind() == ActionKind::deliver ? bits & 0x0fffffff : bits >> kFieldB & 0xff;
  }
  constexpr std::uint32_t b() const { return bits & ((1u << kFieldB) - 1); }
  auto operator<=>(const Action&) const = default;
};

}  // namespace slotlab::sim
