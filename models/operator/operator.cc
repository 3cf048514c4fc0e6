// How an operator works through its procedure. See operator.h.
#include "models/operator/operator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "models/protocol/command.h"

namespace slotlab::oper {

namespace {

using protocol::Command;
using protocol::Reply;
using protocol::ReplyMessage;

void check_step(const Step& step) {
  const bool sends = !step.words.empty();
  if (sends == step.move.has_value()) {
    throw std::invalid_argument("step " + step.label + " must either send words or move keys");
  }
  if (step.target == sim::kNoActor)
    throw std::invalid_argument("step " + step.label + ": no target");
  if (step.reaction.retries_max > 254) {
    throw std::invalid_argument("step " + step.label + ": retries must be 0..254");
  }
  if (step.until && step.move) {
    throw std::invalid_argument("step " + step.label + ": moving keys has no one answer");
  }
  if (step.move && (step.move->batch < 1 || step.move->batch > 1000)) {
    throw std::invalid_argument("step " + step.label + ": keys per MIGRATE must be 1..1000");
  }
}

std::vector<std::string> list_words(const MoveKeys& move) {
  return {"CLUSTER", "GETKEYSINSLOT", std::to_string(move.slot), std::to_string(move.batch)};
}

// The answer as conditions see it.
std::string plain_text(const Reply& reply) {
  switch (reply.type) {
    case Reply::Type::integer: return std::to_string(reply.number);
    case Reply::Type::nil: return "nil";
    case Reply::Type::array: {
      std::string out;
      for (const Reply& item : reply.items) out += (out.empty() ? "" : " ") + plain_text(item);
      return out;
    }
    case Reply::Type::status:
    case Reply::Type::error:
    case Reply::Type::bulk: return reply.text;
  }
  return {};
}

const Answered kNoAnswer;
const Answered kDone{.how = Answered::How::well, .text = {}};

// MIGRATE with the destination as `address`, which is host and port on the wire and a name in
// print.
std::vector<std::string> migrate_words(const MoveKeys& move, std::vector<std::string> address,
                                       std::string no_key, const std::vector<std::string>& keys) {
  std::vector<std::string> words = {"MIGRATE"};
  words.insert(words.end(), address.begin(), address.end());
  words.insert(words.end(), {std::move(no_key), "0", std::to_string(move.timeout_ms)});
  if (move.replace) words.push_back("REPLACE");
  words.push_back("KEYS");
  words.insert(words.end(), keys.begin(), keys.end());
  return words;
}

}  // namespace

Operator::Operator(ProcedurePtr procedure) : procedure_(std::move(procedure)) {
  if (procedure_ == nullptr) throw std::invalid_argument("an operator needs a procedure");
  if (procedure_->steps.size() > 20000) throw std::invalid_argument("more than 20000 steps");
  std::set<std::string> labels;
  for (const Step& step : procedure_->steps) {
    check_step(step);
    if (step.only_if && step.only_if->step >= procedure_->steps.size()) {
      throw std::invalid_argument("step " + step.label + " depends on a step that does not exist");
    }
    if (!labels.insert(step.label).second) {
      throw std::invalid_argument("two steps are called " + step.label);
    }
  }
  if (procedure_->tool) looks_ = procedure_;
  while (state_.finished < procedure_->steps.size() && present().only_if) ++state_.finished;
  if (state_.finished == procedure_->steps.size()) state_.progress = Progress::done;
}

std::unique_ptr<sim::Actor> Operator::clone() const { return std::make_unique<Operator>(*this); }

std::unique_ptr<Operator> Operator::with_state(OperatorState state) const {
  auto other = std::make_unique<Operator>(*this);
  other->state_ = std::move(state);
  return other;
}

void Operator::encode(sim::Encoder& out) const { sim::encode(out, state_); }

void Operator::offers(std::vector<sim::Offer>& out) const {
  if (!working()) return;
  const Step& step = present();
  sim::Offer next{.code = kNextCommand, .need = sim::Need::reachable, .peer = step.target};
  next.fair = procedure_->fair;
  next.delay_min = procedure_->pause_min;
  next.delay_max = procedure_->pause_max;
  if (!state_.waiting) out.push_back(next);
  const bool patient = step.reaction.on_no_answer == OnNoAnswer::wait;
  if (patient && !state_.waiting) return;
  sim::Offer give_up = next;
  give_up.code = kGiveUpWaiting;
  // Whoever waits for an answer with patience sends the command again only if it was lost for sure.
  give_up.need = patient ? sim::Need::dead : sim::Need::unreachable;
  out.push_back(give_up);
}

void Operator::take(sim::StepCode code, sim::Effects& effects) {
  SIM_ASSERT(working());
  if (code == kNextCommand) {
    SIM_ASSERT(!state_.waiting);
    send(effects);
  } else {
    SIM_ASSERT(code == kGiveUpWaiting);
    const bool patient = present().reaction.on_no_answer == OnNoAnswer::wait;
    if (state_.waiting && !patient) ++state_.connection;  // the answer may still come
    unanswered(effects);
  }
}

void Operator::send(sim::Effects& effects) {
  const Step& step = present();
  auto command = std::make_shared<Command>();
  if (!step.move) {
    command->words = step.words;
  } else if (state_.keys.empty()) {
    command->words = list_words(*step.move);
  } else {
    command->words = migrate_words(*step.move, {step.move->host, std::to_string(step.move->port)},
                                   "", state_.keys);
  }
  command->connection = state_.connection;
  state_.waiting = true;
  effects.call(step.target, std::move(command));
}

void Operator::receive(sim::ActorId from, std::uint8_t, const sim::Message& message,
                       sim::Effects& effects) {
  const bool expected = working() && state_.waiting && from == present().target;
  if (expected && dynamic_cast<const protocol::Disconnected*>(&message) != nullptr) {
    unanswered(effects);
    return;
  }
  const auto* answer = dynamic_cast<const ReplyMessage*>(&message);
  if (answer == nullptr || !working() || !state_.waiting || from != present().target ||
      answer->connection != state_.connection) {
    effects.note("an answer that nobody waits for");
    return;
  }
  state_.waiting = false;
  if (answer->reply.is_error()) {
    on_reply_error(answer->reply.text, effects);
  } else if (present().move) {
    on_keys_reply(message);
  } else {
    if (looks_ && !state_.planned) {
      read_answer(*looks_->tool, state_.finished, answer->reply.text, answer->reply.number,
                  state_.seen);
    }
    on_command_reply(answer->reply, effects);
  }
}

void Operator::on_command_reply(const Reply& reply, sim::Effects& effects) {
  const Answered answered{.how = Answered::How::well, .text = with_names(plain_text(reply))};
  if (present().until && !meets(answered, *present().until)) {
    try_again_or_stop("not " + condition_text(*present().until), effects);
  } else {
    finish_step(answered);
  }
}

// The looks are done: what follows is computed from them.
void Operator::plan() {
  const std::shared_ptr<const Tool>& tool = looks_->tool;
  ToolPlan plan = plan_of(*tool, state_.seen);
  state_.finished = 0;
  state_.planned = true;
  if (!plan.complaint.empty()) {
    state_.error = plan.complaint;
    end(Progress::refused);
    return;
  }
  Procedure procedure = *looks_;
  procedure.steps = std::move(plan.steps);
  procedure_ = std::make_shared<const Procedure>(std::move(procedure));
  if (procedure_->steps.empty()) end(Progress::done);
}

// Controllers do not end while something is to be done: whatever happens, they look afresh.
bool Operator::look_again() {
  if (!looks_ || looks_->tool->kind != ToolKind::controller || !state_.planned) return false;
  procedure_ = looks_;
  state_ = OperatorState{};
  return true;
}

// The answer to GETKEYSINSLOT says whether there is more to move; the one to MIGRATE, status OK or
// NOKEY, only that it is time to list again.
void Operator::on_keys_reply(const sim::Message& message) {
  const Reply& reply = static_cast<const ReplyMessage&>(message).reply;
  const bool listed = state_.keys.empty();
  state_.keys.clear();
  if (!listed) return;
  for (const Reply& item : reply.items) state_.keys.push_back(item.text);
  if (state_.keys.empty()) finish_step(kDone);
}

void Operator::on_reply_error(const std::string& error, sim::Effects& effects) {
  state_.keys.clear();
  for (const std::string& prefix : present().ignores) {
    if (error.rfind(prefix, 0) != 0) continue;
    effects.note("an error that this tool does not mind");
    finish_step(kDone);
    return;
  }
  switch (present().reaction.on_error) {
    case OnError::stop:
      break;
    case OnError::carry_on:
      effects.note("carries on after an error");
      finish_step({.how = Answered::How::error, .text = with_names(error)});
      return;
    case OnError::retry:
      if (may_try_again()) {
        effects.note("will try again");
        return;
      }
      break;
  }
  if (look_again()) {
    effects.note("looks afresh");
    return;
  }
  state_.error = error;
  end(Progress::refused);
}

void Operator::no_answer(sim::ActorId, const sim::Message&, sim::Effects& effects) {
  ++state_.connection;
  unanswered(effects);
}

void Operator::unanswered(sim::Effects& effects) {
  SIM_ASSERT(working());
  state_.waiting = false;
  state_.keys.clear();
  switch (present().reaction.on_no_answer) {
    case OnNoAnswer::wait:
      effects.note("no answer; will send the command again");
      return;
    case OnNoAnswer::stop:
      if (look_again()) {
        effects.note("no answer; looks afresh");
        return;
      }
      effects.note("no answer; stops");
      end(Progress::stopped);
      return;
    case OnNoAnswer::skip:
      effects.note("no answer; goes on with the next step");
      finish_step(kNoAnswer);
      return;
    case OnNoAnswer::retry:
      try_again_or_stop("no answer", effects);
      return;
  }
}

void Operator::try_again_or_stop(const std::string& why, sim::Effects& effects) {
  if (may_try_again()) {
    effects.note(why + "; will try again");
  } else {
    effects.note(why + " too often; stops");
    end(Progress::stopped);
  }
}

bool Operator::may_try_again() {
  const std::uint8_t most = present().reaction.retries_max;
  if (most == 0) return true;
  if (state_.tries >= most) return false;
  ++state_.tries;
  return true;
}

// Later steps that wait for the outcome of the present one.
void Operator::note_outcome(const Answered& answered) {
  for (std::size_t later = state_.finished + 1u; later < procedure_->steps.size(); ++later) {
    const std::optional<OnlyIf>& only_if = procedure_->steps[later].only_if;
    if (only_if && only_if->step == state_.finished && meets(answered, only_if->condition)) {
      state_.wanted.insert(static_cast<std::uint16_t>(later));
    }
  }
}

void Operator::finish_step(const Answered& answered) {
  note_outcome(answered);
  state_.wanted.erase(state_.finished);
  ++state_.finished;
  while (state_.finished < procedure_->steps.size() && present().only_if &&
         !state_.wanted.contains(state_.finished)) {
    note_outcome(kNoAnswer);
    ++state_.finished;
  }
  state_.tries = 0;
  state_.keys.clear();
  if (state_.finished < procedure_->steps.size()) return;
  if (looks_ && !state_.planned) {
    plan();
  } else if (!look_again()) {
    end(Progress::done);
  }
}

// Nothing of the work in hand is kept, so that all ways to end at one step are one state.
void Operator::end(Progress how) {
  state_.progress = how;
  state_.waiting = false;
  state_.tries = state_.connection = 0;
  state_.keys.clear();
  state_.wanted.clear();
  if (how == Progress::done) state_.seen.clear();
}

void Operator::stop() {
  SIM_ASSERT(can_stop());
  end(Progress::stopped);
}

std::string Operator::step_text(sim::StepCode code) const {
  const Step& step = present();
  if (code == kGiveUpWaiting) return fmt::format("gives up waiting for {}", step.target_name);
  std::string typed = step.typed;
  if (step.move && state_.keys.empty()) {
    typed = fmt::format("{}", fmt::join(list_words(*step.move), " "));
  } else if (step.move) {
    const std::vector<std::string> words =
        migrate_words(*step.move, {step.move->to_name}, "\"\"", state_.keys);
    typed = fmt::format("{}", fmt::join(words, " "));
  }
  return fmt::format("-> {}: {}", step.target_name, typed);
}

std::string Operator::message_text(const sim::Message& message) const {
  if (dynamic_cast<const protocol::Disconnected*>(&message) != nullptr) return "nothing any more";
  const auto* answer = dynamic_cast<const ReplyMessage*>(&message);
  return answer == nullptr ? Actor::message_text(message)
                           : with_names(protocol::text(answer->reply));
}

std::string Operator::error_text() const { return with_names(state_.error); }

std::string Operator::with_names(std::string_view text) const {
  std::string out(text);
  for (const auto& [id, name] : procedure_->names) {
    for (std::size_t at = out.find(id); at != std::string::npos; at = out.find(id, at)) {
      out.replace(at, id.size(), name);
      at += name.size();
    }
  }
  return out;
}

std::vector<std::string> Operator::beliefs() const {
  switch (state_.progress) {
    case Progress::done:
      return {"done"};
    case Progress::stopped: {
      if (state_.finished == 0) return {"stopped before the first step"};
      return {fmt::format("stopped after step {}", procedure_->steps[state_.finished - 1u].label)};
    }
    case Progress::refused:
      if (looks_ == procedure_ && state_.planned) return {"will not: " + error_text()};
      return {fmt::format("step {} refused: {}", present().label, error_text())};
    case Progress::working:
      break;
  }
  std::vector<std::string> lines = {fmt::format("step {} next", present().label)};
  if (!state_.keys.empty()) {
    lines.push_back(fmt::format("keys to move: {}", fmt::join(state_.keys, " ")));
  }
  if (state_.waiting) lines.push_back(fmt::format("waits for {}", present().target_name));
  if (state_.tries > 0) lines.push_back(fmt::format("failed tries: {}", state_.tries));
  return lines;
}

}  // namespace slotlab::oper
