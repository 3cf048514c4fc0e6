// All clients of a system in one actor: independent sessions, each with its program, its map of
// slots and its connections, and one history of what they were told. They share an actor because
// the history needs the order of all answers; between two events of one session any other may act.
//
// A command and its answer are one event if the node answers at once. A node that is busy answers
// later, over the same connection and in the order of the commands.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/client/history.h"
#include "models/client/program.h"
#include "models/protocol/command.h"
#include "sim/system/actor.h"

namespace slotlab::client {

inline constexpr std::uint8_t kNowhere = 255;  // no node
// Step codes have the session in the upper bits and what it does in the lower eight: from this
// number on, it asks a node for the map, and the rest is the number of the node.
inline constexpr sim::StepCode kRefresh = 16;

// A command of the present item that is not yet finished. A transaction has one, for the whole.
struct Todo {
  std::uint8_t command = 0;        // which of the item's
  std::uint8_t node = kNowhere;    // where a redirection said to go; kNowhere: where the map says
  bool ask = false;                // it was an ASK
  bool asking_sent = false;        // ASKING went out in an event of its own
  std::uint8_t stage = 0;          // transactions: requests sent, MULTI the first
  std::uint8_t sends = 0;
  std::uint8_t redirects = 0;      // not above the bound + 1
  // Operations begun in the history, in the order of commands and their keys.
  std::vector<std::pair<std::string, OpId>> ops;
  auto members() const {
    return std::tie(command, node, ask, asking_sent, stage, sends, redirects, ops);
  }
  bool operator==(const Todo&) const = default;
};

struct Session {
  std::uint16_t item = 0;                      // finished ones
  std::vector<Todo> todo;                      // of the present item; empty: not begun
  std::map<protocol::Slot, std::uint8_t> map;  // by number of the node
  std::set<std::uint8_t> known;                // nodes that a map has named; unless follows_unknown
  std::uint8_t at = kNowhere;                  // sticky: whom it is connected to
  bool refresh_due = false;
  std::uint8_t most_redirects = 0;             // of one command so far; not above the bound + 1
  std::uint8_t moved = 0;                      // in all; not above the bound + 1
  std::uint8_t errors = 0;                     // commands that ended without a result; 0..254
  auto members() const {
    return std::tie(item, todo, map, known, at, refresh_due, most_redirects, moved, errors);
  }
  bool operator==(const Session&) const = default;
};

// A request that is not yet answered.
struct Request {
  enum class What : std::uint8_t { command, part, ignored, slots };
  std::uint8_t session = 0;
  std::uint8_t node = 0;
  std::uint8_t command = 0;  // of the item
  What what = What::command;
  auto members() const { return std::tie(session, node, command, what); }
  bool operator==(const Request&) const = default;
};

struct ClientsState {
  std::vector<Session> sessions;
  std::vector<Request> unanswered;            // in the order sent
  // How often a connection broke while an answer was due, which may still come: by its first
  // session and the number of its node.
  std::map<std::pair<std::uint8_t, std::uint8_t>, std::uint8_t> broken;
  std::map<std::string, Register> registers;  // the history, by key
  std::string first_break;                    // what broke the history first
  auto members() const { return std::tie(sessions, unanswered, broken, registers, first_break); }
  bool operator==(const ClientsState&) const = default;
};

class Clients final : public sim::Actor {
 public:
  // REQUIRES: `spec` is within the limits of program.h and its commands draw no complaint().
  explicit Clients(ClientsSpecPtr spec);

  const ClientsSpec& spec() const { return *spec_; }
  const ClientsState& state() const { return state_; }
  // The same sessions in another state, which must be one that they could be in.
  std::unique_ptr<Clients> with_state(ClientsState state) const;
  bool ended(std::size_t session) const;  // its program is finished

  std::unique_ptr<sim::Actor> clone() const override;
  void encode(sim::Encoder& out) const override;
  void offers(std::vector<sim::Offer>& out) const override;
  void take(sim::StepCode code, sim::Effects& effects) override;
  void receive(sim::ActorId from, std::uint8_t stream, const sim::Message& message,
               sim::Effects& effects) override;
  void no_answer(sim::ActorId to, const sim::Message& request, sim::Effects& effects) override;
  std::string step_text(sim::StepCode code) const override;
  std::string message_text(const sim::Message& message) const override;
  std::vector<std::string> beliefs() const override;

 private:
  const Item& item(std::size_t session) const;
  std::vector<Todo> todo_of(std::size_t session) const;
  std::uint8_t target(std::size_t session, const Todo& todo) const;
  const Request* waits_for(std::size_t session) const;
  std::uint8_t connection_of(std::size_t session, std::uint8_t node) const;
  // Its answers, if they still come, are nobody's. What is unanswered on it is lost.
  void break_connection(std::size_t session, std::uint8_t node, sim::Effects& effects);
  std::vector<Words> next_words(std::size_t session, const Todo& todo) const;

  void begin_item(std::size_t session);
  void begin_ops(std::size_t session, Todo& todo);
  void send(std::size_t session, std::uint8_t node, std::uint8_t command, Request::What what,
            Words words, sim::Effects& effects);
  void send_todo(std::size_t session, Todo todo, sim::Effects& effects);
  void send_commands(std::size_t session, sim::Effects& effects);
  void cannot_reach(std::size_t session, sim::Effects& effects);

  void on_answer(const Request& request, const protocol::Reply& reply, sim::Effects& effects);
  void on_command_answer(const Request& request, const protocol::Reply& reply,
                         sim::Effects& effects);
  void on_part_answer(const Request& request, const protocol::Reply& reply, sim::Effects& effects);
  void on_slots(std::size_t session, const protocol::Reply& reply);
  bool follow(std::size_t session, Todo& todo, std::uint8_t from, const std::string& error);
  void try_later(std::size_t session, Todo& todo);
  void on_error(const Request& request, Todo& todo, const std::string& error,
                sim::Effects& effects);
  void on_lost(const Request& request, sim::Effects& effects);
  void finish(std::size_t session, std::uint8_t command);
  void give_up(std::size_t session, Todo& todo, const std::string& why, sim::Effects& effects);
  void judge(std::size_t session, Todo& todo, const protocol::Reply& reply);
  void judge_one(std::size_t session, const std::string& key, OpId id, const Held& seen,
                 const std::string& told);
  Todo* find_todo(std::size_t session, std::uint8_t command);
  void count_redirect(std::size_t session, Todo& todo, bool moved);
  std::string with_names(std::string_view text) const;

  ClientsSpecPtr spec_;
  ClientsState state_;
};

}  // namespace slotlab::client
