// The client of a run: it sends the transcript's commands, in order, each when the runner lets it,
// and keeps the last answer. It is an actor like any other; that it takes its steps when told to
// and never by itself shows in its delays, which are longer than any run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/conform/names.h"
#include "models/protocol/command.h"
#include "models/protocol/words.h"
#include "sim/system/actor.h"

namespace slotlab::conform {

struct ClientCommand {
  std::string at;                    // the node
  std::vector<std::string> words;    // with names in them
  std::uint8_t connection = 0;
};

// What is fixed for the run.
struct ClientScript {
  std::vector<ClientCommand> commands;
  protocol::Directory directory;
};

class Client final : public sim::Actor {
 public:
  Client(std::shared_ptr<const ClientScript> script, Names names)
      : script_(std::move(script)), names_(std::move(names)) {}

  std::size_t sent() const { return sent_; }
  bool waiting() const { return waiting_; }
  // The answer to the last command; nothing if it was not answered (yet).
  const std::optional<protocol::Reply>& reply() const { return reply_; }
  const Names& names() const { return names_; }

  std::unique_ptr<sim::Actor> clone() const override { return std::make_unique<Client>(*this); }
  void encode(sim::Encoder& out) const override;
  void offers(std::vector<sim::Offer>& out) const override;
  void take(sim::StepCode code, sim::Effects& effects) override;
  void receive(sim::ActorId from, std::uint8_t stream, const sim::Message& message,
               sim::Effects& effects) override;
  void no_answer(sim::ActorId to, const sim::Message& request, sim::Effects& effects) override;
  std::string step_text(sim::StepCode code) const override;
  std::string message_text(const sim::Message& message) const override;

 private:
  const ClientCommand& last() const { return script_->commands[sent_ - 1]; }
  void learn_new_id();

  std::shared_ptr<const ClientScript> script_;
  Names names_;
  std::size_t sent_ = 0;
  bool waiting_ = false;
  std::optional<protocol::Reply> reply_;
};

}  // namespace slotlab::conform
