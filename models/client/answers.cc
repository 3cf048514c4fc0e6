// What sessions make of answers: results, redirections, errors and silence. See client.h.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "models/client/client.h"
#include "models/protocol/key_slot.h"
#include "sim/base/assert.h"

namespace slotlab::client {

namespace {

using protocol::Reply;
using What = Request::What;

bool begins(const std::string& text, std::string_view with) { return text.rfind(with, 0) == 0; }

// "MOVED 7 127.0.0.1:7001" and the same with ASK: the number of the node; kNowhere if none is
// meant.
std::uint8_t node_in(const std::vector<NodeAddress>& nodes, const std::string& error) {
  const std::size_t blank = error.rfind(' ');
  for (std::size_t i = 0; blank != std::string::npos && i < nodes.size(); ++i) {
    if (error.compare(blank + 1, std::string::npos,
                      fmt::format("{}:{}", nodes[i].ip, nodes[i].port)) == 0) {
      return static_cast<std::uint8_t>(i);
    }
  }
  return kNowhere;
}

protocol::Slot slot_in(const std::string& error) {
  const std::size_t blank = error.find(' ');
  protocol::Slot slot = 0;
  if (blank != std::string::npos) {
    std::from_chars(error.data() + blank + 1, error.data() + error.size(), slot);
  }
  return slot;
}

Held held_of(const Reply& reply) {
  if (reply.type == Reply::Type::nil) return std::nullopt;
  if (reply.type == Reply::Type::integer) {
    return reply.number > 0 ? Held("1") : std::nullopt;
  }
  return reply.text;
}

std::uint8_t at_most(std::uint8_t number, unsigned most) {
  return static_cast<std::uint8_t>(std::min<unsigned>(number, std::min(most, 255u)));
}

}  // namespace

void Clients::receive(sim::ActorId from, std::uint8_t, const sim::Message& message,
                      sim::Effects& effects) {
  const auto* answer = dynamic_cast<const protocol::ReplyMessage*>(&message);
  const auto is_it = [&](const Request& request) {
    if (spec_->nodes[request.node].actor != from) return false;
    return answer == nullptr ||
           connection_of(request.session, request.node) == answer->connection;
  };
  if (answer == nullptr) {  // the node closed all its connections
    for (auto at = std::find_if(state_.unanswered.begin(), state_.unanswered.end(), is_it);
         at != state_.unanswered.end();
         at = std::find_if(state_.unanswered.begin(), state_.unanswered.end(), is_it)) {
      const Request request = *at;
      state_.unanswered.erase(at);
      on_lost(request, effects);
    }
    return;
  }
  const auto at = std::find_if(state_.unanswered.begin(), state_.unanswered.end(), is_it);
  if (at == state_.unanswered.end()) {
    effects.note("an answer that nobody waits for");
    return;
  }
  const Request request = *at;
  state_.unanswered.erase(at);
  on_answer(request, answer->reply, effects);
}

void Clients::no_answer(sim::ActorId to, const sim::Message& message, sim::Effects& effects) {
  const auto& command = static_cast<const protocol::Command&>(message);
  const auto is_it = [&](const Request& request) {
    return spec_->nodes[request.node].actor == to &&
           connection_of(request.session, request.node) == command.connection;
  };
  const auto at = std::find_if(state_.unanswered.begin(), state_.unanswered.end(), is_it);
  if (at != state_.unanswered.end()) break_connection(at->session, at->node, effects);
}

Todo* Clients::find_todo(std::size_t session, std::uint8_t command) {
  std::vector<Todo>& todo = state_.sessions[session].todo;
  const auto at = std::find_if(todo.begin(), todo.end(),
                               [&](const Todo& each) { return each.command == command; });
  return at == todo.end() ? nullptr : &*at;
}

void Clients::on_answer(const Request& request, const Reply& reply, sim::Effects& effects) {
  switch (request.what) {
    case What::ignored:
      return;
    case What::slots:
      on_slots(request.session, reply);
      return;
    case What::part:
      on_part_answer(request, reply, effects);
      return;
    case What::command:
      on_command_answer(request, reply, effects);
      return;
  }
}

// A part of a transaction before its EXEC. An error poisons it: it is thrown away.
void Clients::on_part_answer(const Request& request, const Reply& reply, sim::Effects& effects) {
  Todo* todo = find_todo(request.session, request.command);
  if (todo == nullptr) return;
  if (!reply.is_error()) {
    ++todo->stage;
    return;
  }
  send(request.session, request.node, request.command, What::ignored, {"DISCARD"}, effects);
  on_error(request, *todo, reply.text, effects);
}

void Clients::on_command_answer(const Request& request, const Reply& reply,
                                sim::Effects& effects) {
  Todo* todo = find_todo(request.session, request.command);
  if (todo == nullptr) return;
  if (reply.is_error()) {
    on_error(request, *todo, reply.text, effects);
    return;
  }
  judge(request.session, *todo, reply);
  finish(request.session, request.command);
}

void Clients::count_redirect(std::size_t session, Todo& todo, bool moved) {
  Session& now = state_.sessions[session];
  // Beyond the bound they are all alike, so that a client that never gives up runs in circles.
  todo.redirects =
      at_most(static_cast<std::uint8_t>(todo.redirects + 1), spec_->redirects_max + 1u);
  now.most_redirects = std::max(now.most_redirects, todo.redirects);
  if (moved && spec_->moved_max < 255) {
    now.moved = at_most(static_cast<std::uint8_t>(now.moved + 1), spec_->moved_max + 1u);
  }
}

// Sends the command, or the transaction from its beginning, to where the map says.
void Clients::try_later(std::size_t session, Todo& todo) {
  todo.node = kNowhere;
  todo.ask = todo.asking_sent = false;
  todo.stage = 0;
  (void)session;
}

// False: the redirection leads nowhere that this client would go.
bool Clients::follow(std::size_t session, Todo& todo, std::uint8_t, const std::string& error) {
  Session& now = state_.sessions[session];
  const Policy& policy = spec_->sessions[session].policy;
  const bool moved = begins(error, "MOVED");
  const std::uint8_t node = node_in(spec_->nodes, error);
  count_redirect(session, todo, moved);
  if (node == kNowhere) return false;
  if (!policy.follows_unknown && !now.known.contains(node)) {
    try_later(session, todo);
    return true;
  }
  const protocol::Slot slot = slot_in(error);
  if ((moved && policy.map_on_moved) || (!moved && policy.map_on_ask)) {
    now.map.insert_or_assign(slot, node);
  }
  if (moved && policy.refresh_on_moved) now.refresh_due = true;
  try_later(session, todo);
  todo.node = node;
  todo.ask = !moved;
  return true;
}

void Clients::on_error(const Request& request, Todo& todo, const std::string& error,
                       sim::Effects& effects) {
  const std::size_t session = request.session;
  const bool redirected = begins(error, "MOVED ") || begins(error, "ASK ");
  bool again = false;
  if (redirected) {
    again = follow(session, todo, request.node, error);
  } else if (begins(error, "TRYAGAIN") || begins(error, "CLUSTERDOWN") ||
             begins(error, "LOADING") || begins(error, "MASTERDOWN")) {
    try_later(session, todo);
    again = true;
  }
  if (!again || is_last(spec_->sessions[session].policy, todo.sends)) {
    give_up(session, todo, again ? "too many attempts" : error, effects);
  }
}

// The answer is lost, and with it whether the command was executed.
void Clients::on_lost(const Request& request, sim::Effects& effects) {
  const std::size_t session = request.session;
  Session& now = state_.sessions[session];
  now.at = kNowhere;
  if (request.what == What::ignored || request.what == What::slots) return;
  Todo* todo = find_todo(session, request.command);
  if (todo == nullptr) return;
  const Policy& policy = spec_->sessions[session].policy;
  const bool executed = request.what == What::command;  // perhaps
  if ((!executed || policy.resends_unknown) && !is_last(policy, todo->sends)) {
    if (executed) begin_ops(session, *todo);  // the first attempt stays open for ever
    try_later(session, *todo);
    effects.note("no answer; will send it again");
    return;
  }
  if (executed) {
    effects.note("no answer; the outcome is unknown");
    now.errors = at_most(static_cast<std::uint8_t>(now.errors + 1), 254);
    finish(session, request.command);
  } else {
    give_up(session, *todo, "no answer", effects);
  }
}

void Clients::give_up(std::size_t session, Todo& todo, const std::string& why,
                      sim::Effects& effects) {
  effects.note("gives the command up: " + with_names(why));
  Session& now = state_.sessions[session];
  now.errors = at_most(static_cast<std::uint8_t>(now.errors + 1), 254);
  for (const auto& [key, id] : todo.ops) state_.registers.at(key).refused(id);
  finish(session, todo.command);
}

void Clients::finish(std::size_t session, std::uint8_t command) {
  Session& now = state_.sessions[session];
  std::vector<Todo>& todo = now.todo;
  todo.erase(std::remove_if(todo.begin(), todo.end(),
                            [&](const Todo& each) { return each.command == command; }),
             todo.end());
  if (!todo.empty()) return;
  ++now.item;
  if (!ended(session)) return;
  // All ways to the end look alike.
  now.map.clear();
  now.known.clear();
  now.at = kNowhere;
  now.refresh_due = false;
}

// The results of a command, or of a transaction, against the history.
void Clients::judge(std::size_t session, Todo& todo, const Reply& reply) {
  const Item& now = item(session);
  std::size_t op = 0;
  const bool exec = now.kind == Item::Kind::transaction;
  if (exec && reply.items.size() != now.commands.size()) {  // nil: nothing was executed
    for (const auto& [key, id] : todo.ops) state_.registers.at(key).refused(id);
    return;
  }
  for (std::size_t i = 0; i < now.commands.size(); ++i) {
    if (!exec && i != todo.command) continue;
    const Reply& result = exec ? reply.items[i] : reply;
    const std::size_t keys = keys_of(now.commands[i]).size();
    for (std::size_t k = 0; k < keys; ++k, ++op) {
      const auto& [key, id] = todo.ops[op];
      if (result.is_error()) {
        state_.registers.at(key).refused(id);
        continue;
      }
      const bool listed = now.commands[i][0] == "MGET" && k < result.items.size();
      const Held seen = held_of(listed ? result.items[k] : result);
      judge_one(session, key, id, seen, now.commands[i][0]);
    }
  }
}

void Clients::judge_one(std::size_t session, const std::string& key, OpId id, const Held& seen,
                        const std::string& told) {
  Register& reg = state_.registers.at(key);
  if (reg.broken() || reg.answered(id, seen) || !state_.first_break.empty()) return;
  state_.first_break = fmt::format("{} of {} told {} {}, though it holds {}", told, key,
                                   spec_->sessions[session].name, held_text(seen),
                                   held_text(reg.last_acceptable()));
}

// CLUSTER SLOTS: ranges with their nodes, the master first.
void Clients::on_slots(std::size_t session, const Reply& reply) {
  Session& now = state_.sessions[session];
  const bool restricted = !spec_->sessions[session].policy.follows_unknown;
  for (const Reply& range : reply.items) {
    if (range.items.size() < 3 || range.items[2].items.size() < 2) continue;
    const Reply& master = range.items[2];
    const std::string address =
        fmt::format("SLOT {}:{}", master.items[0].text, master.items[1].number);
    const std::uint8_t node = node_in(spec_->nodes, address);
    if (node == kNowhere) continue;
    if (restricted) now.known.insert(node);
    // Only the slots of the program's keys are worth remembering.
    for (const auto& [key, reg] : state_.registers) {
      const protocol::Slot slot = protocol::key_slot(key);
      if (range.items[0].number <= slot && slot <= range.items[1].number) {
        now.map.insert_or_assign(slot, node);
      }
    }
  }
}

}  // namespace slotlab::client
