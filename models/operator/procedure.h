// A procedure as data: the commands that an operator types, in order, and what the operator does
// when a node answers with an error or does not answer. There is no other way to say what an
// operator does: a manual's recipe and an automated tool differ in their Procedure only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/operator/condition.h"
#include "models/protocol/words.h"
#include "sim/system/actor.h"
#include "sim/time/instant.h"

namespace slotlab::oper {

enum class OnError : std::uint8_t {
  stop,      // give the procedure up and report the error
  carry_on,  // note the error and go on with the next step
  retry,     // send the same command again, at most `retries_max` times, then stop
};

enum class OnNoAnswer : std::uint8_t {
  wait,   // for as long as it takes; a command whose answer was lost is sent again
  stop,   // give the procedure up
  skip,   // go on with the next step
  retry,  // try again, at most `retries_max` times, then stop
};

struct Reaction {
  OnError on_error = OnError::stop;
  OnNoAnswer on_no_answer = OnNoAnswer::wait;
  std::uint8_t retries_max = 3;  // 1..254, of one step, errors, missing answers and answers that do
                                 // not suit together; 0: any number
  bool operator==(const Reaction&) const = default;
};

// What became of another step decides whether this one is done.
struct OnlyIf {
  std::uint16_t step = 0;  // its number; a step that comes later has not become anything
  Condition condition;
};

// The third step of the manual as the small program that tools make of it: CLUSTER GETKEYSINSLOT at
// the source; nothing listed: the step is done; else MIGRATE what was listed, and list again.
// SOURCE: Redis 7.0.15, clusterManagerMigrateKeysInSlot in src/redis-cli.c.
struct MoveKeys {
  protocol::Slot slot = 0;
  sim::ActorId to = sim::kNoActor;
  std::string to_name;
  std::string host;  // where MIGRATE is told to go
  std::uint16_t port = 0;
  bool replace = false;              // MIGRATE ... REPLACE
  std::uint16_t batch = 10;          // keys per MIGRATE, 1..1000
  std::uint32_t timeout_ms = 60000;  // MIGRATE's own
};

struct Step {
  std::string label;  // the manual's number, or a name; unique in its procedure
  sim::ActorId target = sim::kNoActor;
  std::string target_name;
  std::vector<std::string> words;  // what is sent; empty if `move` is set
  std::string typed;               // the same with node names instead of ids
  std::optional<MoveKeys> move;
  std::vector<std::string> ignores;  // errors that begin so are taken for success
  std::optional<OnlyIf> only_if;     // else it is left out
  std::optional<Condition> until;    // sent again until its answer is so; `send` only
  Reaction reaction;
};

struct Tool;  // tool.h

struct Procedure {
  std::vector<Step> steps;
  // In a fair run a possible command is sent in the end. False: the operator may walk away between
  // any two commands without saying so, which is what people do.
  bool fair = false;
  sim::Duration pause_min = sim::milliseconds(10);  // between two commands, timed driver only
  sim::Duration pause_max = sim::milliseconds(1000);
  // Node ids and the names they are printed as, for error texts that contain ids.
  std::vector<std::pair<std::string, std::string>> names;
  std::shared_ptr<const Tool> tool;  // the steps are what it asks; it plans the others itself
};
using ProcedurePtr = std::shared_ptr<const Procedure>;

}  // namespace slotlab::oper
