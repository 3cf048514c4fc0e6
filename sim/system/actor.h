// What a participant of a simulated system is: a value with pure handlers. A cluster node, an
// operator and a client are actors. An actor never sees a clock, a random number or another actor's
// state; it is told what happened (a message, a step of its own, a crash) and answers by changing
// itself and by appending to `Effects`. The drivers differ only in which of the possible events
// they choose next.
//
// The timed driver calls handlers on one living instance. The exhaustive driver keeps one frozen
// instance per distinct local state and calls handlers on clones, once per (local state, input).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/encoder.h"
#include "sim/time/instant.h"

namespace slotlab::sim {

// Index of an actor in its system, 0..253.
enum class ActorId : std::uint8_t {};
inline constexpr ActorId kNoActor{255};
constexpr std::size_t index(ActorId id) { return static_cast<std::size_t>(id); }

// A message is an immutable value of the model's own; equal messages of one type have equal bytes.
class Message {
 public:
  virtual ~Message() = default;
  virtual void encode(Encoder& out) const = 0;
  // Whether it counts when an offered step asks for room on its link. False for messages that a
  // handler must send whatever is queued, so that they never hold back the free ones.
  virtual bool takes_room() const { return true; }
};
// The bytes of a message with its type's name in front, so that messages of different types that
// happen to have the same bytes stay apart.
std::string canonical_message(const Message& message);
using MessagePtr = std::shared_ptr<const Message>;

// A step of its own that an actor may take, as it numbers them: 0..2^20-1.
using StepCode = std::uint32_t;
inline constexpr StepCode kStepCodeMax = (1u << 20) - 1;

// What the world must grant for an offered step to be possible.
enum class Need : std::uint8_t {
  nothing,      // always possible while the actor is up and not paused
  room,         // the link to `peer` on `stream` is connected and below its in-flight limit
  reachable,    // `peer` is up, not paused, and no direction between the two is cut
  unreachable,  // the opposite of `reachable`
  disconnected,  // nothing can be queued for `peer`: one of the two is down, or the way is cut
};

inline constexpr std::uint8_t kNoBudget = 255;

// One own step that an actor could take in its present state (an armed timer, the next command).
struct Offer {
  StepCode code = 0;
  Need need = Need::nothing;
  ActorId peer = kNoActor;
  ActorId also_reachable = kNoActor;  // a second actor that must be reachable as well
  std::uint8_t stream = 0;
  bool fair = true;  // a fair run takes it in the end if it stays possible (weak fairness)
  std::uint8_t budget =
      kNoBudget;  // index of the step budget it costs; see SystemSpec::step_budgets
  // How long after it became possible the timed driver lets it happen, drawn uniformly.
  Duration delay_min{};
  Duration delay_max{};
  bool operator==(const Offer&) const = default;
};

// What a handler did besides changing the actor itself.
struct Output {
  enum class Kind : std::uint8_t {
    send,   // queued on the link to `to` on `stream`
    call,   // delivered to `to` within the same event; if `to` cannot be reached, no_answer()
    reply,  // answer to the call being handled, delivered to the caller within the same event
  };
  Kind kind = Kind::send;
  ActorId to = kNoActor;
  std::uint8_t stream = 0;
  MessagePtr message;
};

class Effects {
 public:
  void send(ActorId to, std::uint8_t stream, MessagePtr message) {
    outputs.push_back({Output::Kind::send, to, stream, std::move(message)});
  }
  void call(ActorId to, MessagePtr message) {
    outputs.push_back({Output::Kind::call, to, 0, std::move(message)});
  }
  void reply(ActorId to, MessagePtr message) {
    outputs.push_back({Output::Kind::reply, to, 0, std::move(message)});
  }
  // Restarts the countdown of an own step (timed driver only; the others ignore it).
  void rearm(StepCode code) { rearmed.push_back(code); }
  // The name of what was decided, for the trace: why a message changed nothing, which rule fired.
  void note(std::string_view reason) { notes.emplace_back(reason); }

  std::vector<Output> outputs;
  std::vector<StepCode> rearmed;
  std::vector<std::string> notes;
};

enum class CrashKind : std::uint8_t {
  process_kill,  // what was written survives, synced or not
  power_loss,    // what was written after the last sync is lost
};

class Actor {
 public:
  virtual ~Actor() = default;
  virtual std::unique_ptr<Actor> clone() const = 0;
  // Canonical: equal local states give equal bytes, unequal ones unequal bytes.
  virtual void encode(Encoder& out) const = 0;

  // Appends the own steps possible in this state, in a fixed order, without duplicates of code.
  virtual void offers(std::vector<Offer>& out) const = 0;
  // Takes an offered step. REQUIRES: `code` is among offers().
  virtual void take(StepCode code, Effects& effects) = 0;

  virtual void receive(ActorId from, std::uint8_t stream, const Message& message,
                       Effects& effects) = 0;
  // Whether the actor stands still until what it waits for has come. Meanwhile it is delivered only
  // what it hears_while_busy(); all else waits on its link. Calls reach it all the same.
  virtual bool busy() const { return false; }
  virtual bool hears_while_busy(ActorId from, std::uint8_t stream) const;
  // The call `request` to `to` was not answered: `to` could not be reached, or its answer was lost.
  virtual void no_answer(ActorId to, const Message& request, Effects& effects);

  // The process ends without warning. What is left is what a restart would read back.
  virtual void crash(CrashKind kind);
  // The process starts again from what crash() left.
  virtual void restart(Effects& effects);
  // Gives up for ever (an operator who walks away). REQUIRES: can_stop().
  virtual void stop();
  virtual bool can_stop() const;

  // How far the actor has come, for faults that are allowed only between two named points.
  virtual std::uint32_t phase() const;

  // The text of a step of its own, without the actor's name: "CLUSTER SETSLOT 7 MIGRATING B".
  // Distinct offers of one state have distinct texts.
  virtual std::string step_text(StepCode code) const = 0;
  // The text of a message that this actor receives: "PING currentEpoch 4 configEpoch 3 slots {7}".
  virtual std::string message_text(const Message& message) const;
  // What the actor believes, one short line per fact, in a fixed order. A fact is "subject: value";
  // the trace printer shows the lines that an event added or took away.
  virtual std::vector<std::string> beliefs() const;
};

}  // namespace slotlab::sim
