// A virtual operator: a person or a tool that works through a Procedure, one command at a time, and
// may stop for ever between any two. It knows the nodes by their answers alone. A command and its
// answer are one event; what other clients and the cluster bus do happens between two commands.
//
// The local states are few on purpose (the exhaustive driver keeps each once): how many steps are
// finished, how it ended, and, while keys are being moved, which keys were listed.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "models/operator/procedure.h"
#include "models/operator/tool.h"
#include "models/protocol/command.h"
#include "sim/system/actor.h"

namespace slotlab::oper {

enum class Progress : std::uint8_t {
  working,
  done,     // every step is finished
  stopped,  // walked away, or would not wait for an answer
  refused,  // a node answered with an error
};

struct OperatorState {
  std::uint16_t finished = 0;  // steps finished or skipped
  Progress progress = Progress::working;
  bool waiting = false;           // a command is out and unanswered
  std::uint8_t tries = 0;         // of the present step, that failed
  std::uint8_t connection = 0;    // a new one when an answer was lost, which may still be under way
  std::set<std::uint16_t> wanted;  // later steps with a condition that is met
  std::vector<std::string> keys;  // listed by GETKEYSINSLOT, about to be moved
  std::string error;              // the answer that ended it, as sent ("ERR ..."); refused only
  std::vector<Seen> seen;         // tools: what the nodes said; the plan follows from it
  bool planned = false;           // tools: the steps are now those of the plan

  auto members() const {
    return std::tie(finished, progress, waiting, tries, connection, wanted, keys, error, seen,
                    planned);
  }
  bool operator==(const OperatorState&) const = default;
};

class Operator final : public sim::Actor {
 public:
  static constexpr sim::StepCode kNextCommand = 0;
  static constexpr sim::StepCode kGiveUpWaiting = 1;

  // ERRORS: throws std::invalid_argument if a label occurs twice, a step has neither words nor keys
  // to move, or a number is outside its range. A procedure without steps is done at once.
  explicit Operator(ProcedurePtr procedure);

  const Procedure& procedure() const { return *procedure_; }
  const OperatorState& state() const { return state_; }
  // The same operator in another state, which must be one that it could be in.
  std::unique_ptr<Operator> with_state(OperatorState state) const;
  bool working() const { return state_.progress == Progress::working; }
  bool done() const { return state_.progress == Progress::done; }
  bool stopped() const { return state_.progress == Progress::stopped; }
  bool refused() const { return state_.progress == Progress::refused; }
  // The error with node names instead of ids; empty unless refused().
  std::string error_text() const;

  std::unique_ptr<sim::Actor> clone() const override;
  void encode(sim::Encoder& out) const override;
  void offers(std::vector<sim::Offer>& out) const override;
  void take(sim::StepCode code, sim::Effects& effects) override;
  void receive(sim::ActorId from, std::uint8_t stream, const sim::Message& message,
               sim::Effects& effects) override;
  void no_answer(sim::ActorId to, const sim::Message& request, sim::Effects& effects) override;
  // REQUIRES: can_stop(), that is, a step is left.
  void stop() override;
  bool can_stop() const override { return working(); }
  // Steps finished: 0 before the first, procedure().steps.size() after the last. Skipped steps
  // count; an operator that ended early stays where it was.
  std::uint32_t phase() const override { return state_.finished; }
  std::string step_text(sim::StepCode code) const override;
  std::string message_text(const sim::Message& message) const override;
  std::vector<std::string> beliefs() const override;

 private:
  const Step& present() const { return procedure_->steps[state_.finished]; }
  void send(sim::Effects& effects);
  void unanswered(sim::Effects& effects);
  bool may_try_again();  // and counts it
  void note_outcome(const Answered& answered);
  void finish_step(const Answered& answered);
  void plan();
  bool look_again();
  void end(Progress how);
  void on_reply_error(const std::string& error, sim::Effects& effects);
  void on_keys_reply(const sim::Message& message);
  void on_command_reply(const protocol::Reply& reply, sim::Effects& effects);
  void try_again_or_stop(const std::string& why, sim::Effects& effects);
  std::string with_names(std::string_view text) const;

  ProcedurePtr procedure_;
  ProcedurePtr looks_;  // tools: the questions, to begin again with; else null
  OperatorState state_;
};

}  // namespace slotlab::oper
