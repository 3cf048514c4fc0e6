#include "cli/conform/client.h"

#include "cli/conform/words.h"
#include "sim/base/assert.h"

namespace slotlab::conform {
namespace {

constexpr sim::Duration kNever = sim::seconds(1'000'000);

}  // namespace

void Client::encode(sim::Encoder& out) const {
  sim::encode(out, sent_);
  sim::encode(out, waiting_);
  sim::encode(out, reply_);
}

void Client::offers(std::vector<sim::Offer>& out) const {
  if (waiting_ || sent_ >= script_->commands.size()) return;
  sim::Offer offer;
  offer.code = static_cast<sim::StepCode>(sent_);
  offer.delay_min = offer.delay_max = kNever;
  out.push_back(offer);
}

void Client::take(sim::StepCode code, sim::Effects& effects) {
  SIM_ASSERT(code == sent_ && !waiting_);
  const ClientCommand& command = script_->commands[sent_];
  auto message = std::make_shared<protocol::Command>();
  for (const std::string& word : command.words) message->words.push_back(names_.plain(word));
  message->connection = command.connection;
  const protocol::NodeId node = script_->directory.by_name(command.at);
  ++sent_;
  waiting_ = true;
  reply_.reset();
  effects.call(script_->directory[node].actor, std::move(message));
}

void Client::receive(sim::ActorId from, std::uint8_t, const sim::Message& message,
                     sim::Effects& effects) {
  if (dynamic_cast<const protocol::Disconnected*>(&message) != nullptr) {
    if (waiting_) no_answer(from, message, effects);
    return;
  }
  const auto* answer = dynamic_cast<const protocol::ReplyMessage*>(&message);
  SIM_ASSERT(answer != nullptr && waiting_);
  waiting_ = false;
  reply_ = answer->reply;
  if (is_hard_reset(last().words) && !reply_->is_error()) learn_new_id();
}

// A node takes its ids in the order of the directory.
void Client::learn_new_id() {
  const protocol::Directory& directory = script_->directory;
  const protocol::NodeId before = directory.by_id(names_.id_of(last().at));
  const protocol::NodeId after = directory.after_reset[protocol::index(before)];
  SIM_ASSERT(after != protocol::kNoNode, "more hard resets than ids");
  names_.renamed(last().at, directory[after].id);
}

void Client::no_answer(sim::ActorId, const sim::Message&, sim::Effects& effects) {
  effects.note("no answer");
  waiting_ = false;
}

std::string Client::step_text(sim::StepCode code) const {
  std::string text = "-> " + script_->commands[code].at + ":";
  for (const std::string& word : script_->commands[code].words) text += " " + word;
  return text;
}

std::string Client::message_text(const sim::Message& message) const {
  const auto* answer = dynamic_cast<const protocol::ReplyMessage*>(&message);
  return answer == nullptr ? "a message" : names_.tidy(protocol::text(answer->reply));
}

}  // namespace slotlab::conform
