// A virtual cluster node: the actor that ties the rooms of this folder together. It holds a
// NodeState and what is fixed for the run, hands each event to the room that knows it, and ends
// each event with the work that the servers do before they sleep.
//
// Its own steps are timers. In the timed driver each has its real delay; elsewhere an armed timer
// may fire at any moment, which covers all delays.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/node/config.h"
#include "models/node/context.h"
#include "models/node/state.h"
#include "models/protocol/command.h"
#include "models/protocol/packet.h"
#include "models/protocol/replication.h"
#include "sim/system/actor.h"

namespace slotlab::node {

class Node final : public sim::Actor {
 public:
  // REQUIRES: `state` fits `settings`, as initial_state() makes it.
  Node(Settings settings, NodeState state);

  const NodeState& state() const { return state_; }
  const NodeSettings& settings() const { return *settings_; }
  NodeId me() const { return state_.config.me; }

  std::unique_ptr<sim::Actor> clone() const override;
  void encode(sim::Encoder& out) const override;
  void offers(std::vector<sim::Offer>& out) const override;
  void take(sim::StepCode code, sim::Effects& effects) override;
  // REQUIRES: `message` is a Packet, a Command or one of replication.h.
  bool busy() const override { return state_.memory.migration.has_value(); }
  bool hears_while_busy(sim::ActorId from, std::uint8_t stream) const override;
  void receive(sim::ActorId from, std::uint8_t stream, const sim::Message& message,
               sim::Effects& effects) override;
  void no_answer(sim::ActorId to, const sim::Message& request, sim::Effects& effects) override;
  void crash(sim::CrashKind kind) override;
  void restart(sim::Effects& effects) override;
  std::string step_text(sim::StepCode code) const override;
  std::string message_text(const sim::Message& message) const override;
  std::vector<std::string> beliefs() const override;

 private:
  Context context(sim::Effects& effects) { return {state_, *settings_, effects}; }
  void offer_heartbeats(std::vector<sim::Offer>& out) const;
  void offer_replication(std::vector<sim::Offer>& out) const;
  void run(Context& context, const Caller& caller, const Words& words);
  void take_data_step(Context& context, sim::StepCode code);
  void migration_ended(Context& context, std::optional<Reply> result);
  std::string data_step_text(sim::StepCode code) const;
  void replicate(Context& context, const protocol::Replicated& command);
  void acknowledged(Context& context, const protocol::Acknowledged& ack);
  void time_out_setslot(Context& context, std::size_t which);

  Settings settings_;
  NodeState state_;
};

}  // namespace slotlab::node
