// How sessions send: what they offer, and which requests go out in one event. See client.h;
// answers.cc has what they make of answers.
#include "models/client/client.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "models/protocol/key_slot.h"
#include "sim/base/assert.h"

namespace slotlab::client {

namespace {

using protocol::Slot;

// Steps: the session in the upper bits, what it does in the lower eight.
constexpr sim::StepCode kNext = 0;      // sends what comes next
constexpr sim::StepCode kNoReach = 1;   // finds that it cannot reach whom it wants, or waits for

sim::StepCode code_of(std::size_t session, sim::StepCode what) {
  return static_cast<sim::StepCode>(session << 8) | what;
}

Slot slot_of(const Item& item, const Todo& todo) {
  return protocol::key_slot(keys_of(item.commands[todo.command]).front());
}

Op op_of(const Words& command, std::size_t key) {
  if (command[0] == "SET") return {.kind = OpKind::write, .value = command[2]};
  if (command[0] == "MSET") return {.kind = OpKind::write, .value = command[2 + 2 * key]};
  return {.kind = command[0] == "DEL" ? OpKind::remove : OpKind::read, .value = {}};
}

}  // namespace

Clients::Clients(ClientsSpecPtr spec) : spec_(std::move(spec)) {
  if (spec_ == nullptr || spec_->sessions.empty() || spec_->sessions.size() > 16) {
    throw std::invalid_argument("clients need 1 to 16 sessions");
  }
  for (const SessionSpec& session : spec_->sessions) {
    Session& start = state_.sessions.emplace_back();
    start.map = session.map;
    if (!session.policy.follows_unknown) {
      for (const auto& [slot, node] : session.map) start.known.insert(node);
    }
    for (const Item& item : session.program) {
      for (const Words& command : item.commands) {
        const std::string wrong = complaint(command);
        if (!wrong.empty()) throw std::invalid_argument(wrong);
        for (const std::string& key : keys_of(command)) state_.registers.try_emplace(key);
      }
    }
  }
  for (const std::string& key : spec_->keys_at_start) {
    state_.registers.insert_or_assign(key, Register(kFirstValue));
  }
}

bool Clients::ended(std::size_t session) const {
  return state_.sessions[session].item == spec_->sessions[session].program.size();
}

const Item& Clients::item(std::size_t session) const {
  return spec_->sessions[session].program[state_.sessions[session].item];
}

std::unique_ptr<sim::Actor> Clients::clone() const { return std::make_unique<Clients>(*this); }

std::unique_ptr<Clients> Clients::with_state(ClientsState state) const {
  auto other = std::make_unique<Clients>(*this);
  other->state_ = std::move(state);
  return other;
}

void Clients::encode(sim::Encoder& out) const { sim::encode(out, state_); }

// What is left of the present item, or all of it if it is not begun.
std::vector<Todo> Clients::todo_of(std::size_t session) const {
  if (!state_.sessions[session].todo.empty()) return state_.sessions[session].todo;
  std::vector<Todo> todo(1);
  if (item(session).kind == Item::Kind::transaction) return todo;
  for (std::size_t i = 1; i < item(session).commands.size(); ++i) {
    todo.push_back({.command = static_cast<std::uint8_t>(i), .ops = {}});
  }
  return todo;
}

// Where a command would go now; kNowhere if the session does not know.
std::uint8_t Clients::target(std::size_t session, const Todo& todo) const {
  if (todo.node != kNowhere) return todo.node;
  const Session& now = state_.sessions[session];
  if (now.at != kNowhere) return now.at;
  const auto mapped = now.map.find(slot_of(item(session), todo));
  return mapped == now.map.end() ? kNowhere : mapped->second;
}

const Request* Clients::waits_for(std::size_t session) const {
  const auto at =
      std::find_if(state_.unanswered.begin(), state_.unanswered.end(),
                   [&](const Request& request) { return request.session == session; });
  return at == state_.unanswered.end() ? nullptr : &*at;
}

// Sixteen sessions at most, and a new number when one has broken.
std::uint8_t Clients::connection_of(std::size_t session, std::uint8_t node) const {
  const auto first = static_cast<std::uint8_t>(spec_->shared_connection ? 0 : session);
  const auto at = state_.broken.find({first, node});
  const unsigned times = at == state_.broken.end() ? 0u : at->second;
  return static_cast<std::uint8_t>(first + 16u * times);
}

void Clients::break_connection(std::size_t session, std::uint8_t node, sim::Effects& effects) {
  const auto is_on_it = [&](const Request& request) {
    return request.node == node && (spec_->shared_connection || request.session == session);
  };
  const auto first = static_cast<std::uint8_t>(spec_->shared_connection ? 0 : session);
  std::uint8_t& times = state_.broken[{first, node}];
  times = static_cast<std::uint8_t>((times + 1) % 16);
  for (auto at = std::find_if(state_.unanswered.begin(), state_.unanswered.end(), is_on_it);
       at != state_.unanswered.end();
       at = std::find_if(state_.unanswered.begin(), state_.unanswered.end(), is_on_it)) {
    const Request lost = *at;
    state_.unanswered.erase(at);
    on_lost(lost, effects);
  }
}

void Clients::offers(std::vector<sim::Offer>& out) const {
  for (std::size_t i = 0; i < state_.sessions.size(); ++i) {
    if (ended(i)) continue;
    sim::Offer offer{.need = sim::Need::reachable};
    offer.delay_min = sim::milliseconds(1);
    offer.delay_max = sim::milliseconds(50);
    const Request* request = waits_for(i);
    const std::uint8_t node = request ? request->node : target(i, todo_of(i).front());
    if (node != kNowhere) {
      offer.peer = spec_->nodes[node].actor;
      offer.code = code_of(i, kNext);
      if (!request) out.push_back(offer);
      sim::Offer in_vain = offer;
      in_vain.code = code_of(i, kNoReach);
      in_vain.need = sim::Need::unreachable;
      out.push_back(in_vain);
    }
    const bool asks = !request && (node == kNowhere || state_.sessions[i].refresh_due);
    if (!asks) continue;
    for (const std::uint8_t each : spec_->sessions[i].asks) {
      offer.code = code_of(i, kRefresh + each);
      offer.peer = spec_->nodes[each].actor;
      out.push_back(offer);
    }
  }
}

void Clients::take(sim::StepCode code, sim::Effects& effects) {
  const std::size_t session = code >> 8;
  const sim::StepCode what = code & 0xff;
  SIM_ASSERT(session < state_.sessions.size() && !ended(session));
  if (what >= kRefresh) {
    state_.sessions[session].refresh_due = false;
    send(session, static_cast<std::uint8_t>(what - kRefresh), 0, Request::What::slots,
         {"CLUSTER", "SLOTS"}, effects);
  } else if (what == kNoReach) {
    cannot_reach(session, effects);
  } else {
    send_commands(session, effects);
  }
}

void Clients::begin_item(std::size_t session) {
  std::vector<Todo> todo = todo_of(session);
  for (Todo& each : todo) begin_ops(session, each);
  state_.sessions[session].todo = std::move(todo);
}

// Enters into the history what a command, or all of a transaction, is about to do.
void Clients::begin_ops(std::size_t session, Todo& todo) {
  todo.ops.clear();
  const Item& now = item(session);
  const bool all = now.kind == Item::Kind::transaction;
  for (std::size_t i = 0; i < now.commands.size(); ++i) {
    if (!all && i != todo.command) continue;
    const std::vector<std::string> keys = keys_of(now.commands[i]);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      todo.ops.emplace_back(keys[k],
                            state_.registers.at(keys[k]).begin(op_of(now.commands[i], k)));
    }
  }
}

void Clients::send(std::size_t session, std::uint8_t node, std::uint8_t command,
                   Request::What what, Words words, sim::Effects& effects) {
  auto message = std::make_shared<protocol::Command>();
  message->words = std::move(words);
  message->connection = connection_of(session, node);
  state_.unanswered.push_back(
      {.session = static_cast<std::uint8_t>(session), .node = node, .command = command,
       .what = what});
  effects.call(spec_->nodes[node].actor, std::move(message));
}

// What goes out next for a command: ASKING, the command, or the next part of a transaction.
std::vector<Words> Clients::next_words(std::size_t session, const Todo& todo) const {
  const Policy& policy = spec_->sessions[session].policy;
  const Item& now = item(session);
  std::vector<Words> words;
  const bool asks = todo.ask && policy.asking && !todo.asking_sent && todo.stage == 0;
  if (asks) words.push_back({"ASKING"});
  if (asks && !policy.asking_together) return words;
  if (now.kind == Item::Kind::commands) {
    words.push_back(now.commands[todo.command]);
  } else if (todo.stage == 0) {
    words.push_back({"MULTI"});
  } else if (todo.stage <= now.commands.size()) {
    words.push_back(now.commands[todo.stage - 1u]);
  } else {
    words.push_back({"EXEC"});
  }
  return words;
}

void Clients::send_todo(std::size_t session, Todo todo, sim::Effects& effects) {
  const std::uint8_t node = target(session, todo);
  const Item& now = item(session);
  const bool exec = todo.stage == now.commands.size() + 1;
  const bool whole = now.kind == Item::Kind::commands || exec;
  for (Words& words : next_words(session, todo)) {
    const bool asking = words[0] == "ASKING";
    const auto what = asking  ? Request::What::ignored
                      : whole ? Request::What::command
                              : Request::What::part;
    send(session, node, todo.command, what, std::move(words), effects);
  }
}

// A pipeline goes out whole to the node of its first command; whatever comes back unfinished goes
// out one by one, in order.
void Clients::send_commands(std::size_t session, sim::Effects& effects) {
  Session& now = state_.sessions[session];
  const bool fresh = now.todo.empty();
  const Policy& policy = spec_->sessions[session].policy;
  if (fresh) begin_item(session);
  const std::uint8_t node = target(session, now.todo.front());
  if (policy.sticky) now.at = node;
  const std::vector<Todo> going(now.todo.begin(), fresh ? now.todo.end() : now.todo.begin() + 1);
  for (Todo each : going) {
    Todo& kept = *find_todo(session, each.command);
    const bool only_asking = each.ask && policy.asking && !policy.asking_together &&
                             !each.asking_sent && each.stage == 0;
    kept.asking_sent = only_asking;
    if (!only_asking && kept.stage == 0) count_send(policy, kept.sends);
    if (fresh) each.node = node;
    send_todo(session, each, effects);
  }
}

// Nothing was written: the command is not executed, or waits for an answer that will not come.
void Clients::cannot_reach(std::size_t session, sim::Effects& effects) {
  Session& now = state_.sessions[session];
  if (waits_for(session) != nullptr) {
    while (const Request* lost = waits_for(session)) break_connection(session, lost->node, effects);
    return;
  }
  if (now.todo.empty()) begin_item(session);
  Todo& todo = now.todo.front();
  now.map.erase(slot_of(item(session), todo));
  const Policy& policy = spec_->sessions[session].policy;
  count_send(policy, todo.sends);
  try_later(session, todo);
  now.at = kNowhere;
  if (is_last(policy, todo.sends)) {
    give_up(session, todo, "cannot reach the node", effects);
  }
}

std::string Clients::step_text(sim::StepCode code) const {
  const std::size_t session = code >> 8;
  const sim::StepCode what = code & 0xff;
  const std::string& name = spec_->sessions[session].name;
  if (what >= kRefresh) {
    return fmt::format("{} -> {}: CLUSTER SLOTS", name, spec_->nodes[what - kRefresh].name);
  }
  const Request* request = waits_for(session);
  const std::vector<Todo> todo = todo_of(session);
  const std::uint8_t node = request ? request->node : target(session, todo.front());
  const std::string& peer = spec_->nodes[node].name;
  if (what == kNoReach) {
    return request ? fmt::format("{} waits for {} in vain", name, peer)
                   : fmt::format("{} cannot reach {}", name, peer);
  }
  std::vector<std::string> texts;
  const bool fresh = state_.sessions[session].todo.empty();
  for (std::size_t i = 0; i < (fresh ? todo.size() : 1); ++i) {
    for (const Words& words : next_words(session, todo[i])) {
      texts.push_back(fmt::format("{}", fmt::join(words, " ")));
    }
  }
  return fmt::format("{} -> {}: {}", name, peer, fmt::join(texts, "; "));
}

std::string Clients::with_names(std::string_view text) const {
  std::string out(text);
  for (const NodeAddress& node : spec_->nodes) {
    const std::string address = fmt::format("{}:{}", node.ip, node.port);
    for (std::size_t at = out.find(address); at != std::string::npos; at = out.find(address, at)) {
      out.replace(at, address.size(), node.name);
      at += node.name.size();
    }
  }
  return out;
}

std::string Clients::message_text(const sim::Message& message) const {
  const auto* answer = dynamic_cast<const protocol::ReplyMessage*>(&message);
  return answer == nullptr ? Actor::message_text(message)
                           : with_names(protocol::text(answer->reply));
}

std::vector<std::string> Clients::beliefs() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < state_.sessions.size(); ++i) {
    const Session& now = state_.sessions[i];
    const std::string& name = spec_->sessions[i].name;
    lines.push_back(ended(i) ? fmt::format("{}: done", name)
                             : fmt::format("{}: {} finished", name, now.item));
    for (const auto& [slot, node] : now.map) {
      lines.push_back(fmt::format("{}: slot {} at {}", name, slot, spec_->nodes[node].name));
    }
    if (now.errors > 0) lines.push_back(fmt::format("{}: errors {}", name, now.errors));
    if (waits_for(i) != nullptr) {
      lines.push_back(
          fmt::format("{}: waits for {}", name, spec_->nodes[waits_for(i)->node].name));
    }
  }
  for (const auto& [key, reg] : state_.registers) {
    lines.push_back(reg.broken() ? fmt::format("key {}: history broken", key)
                                 : fmt::format("key {}: {}", key, held_text(reg.acceptable())));
  }
  return lines;
}

}  // namespace slotlab::client
