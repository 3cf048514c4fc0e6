// What a scenario file says, as plain structs: who starts where, who does what, which faults are
// allowed, what must hold and what is expected of it. Every reference between parts was checked by
// the loader, so the builder has nothing left to refuse. docs/scenario-format.md is the reference
// of the file format; the members here follow it key by key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/client/program.h"
#include "models/operator/procedure.h"
#include "models/operator/tool.h"
#include "models/protocol/dialect.h"
#include "models/protocol/words.h"
#include "models/scenario/error.h"
#include "sim/property/property.h"
#include "sim/system/fault.h"

namespace slotlab::scenario {

// A value and where the file says it.
template <class T>
struct Sourced {
  T value{};
  Position at;
  // Two files say the same if they say it in different places.
  bool operator==(const Sourced& other) const { return value == other.value; }
};

struct RuleSetting {
  Sourced<protocol::Rule> rule;
  bool on = true;
  bool operator==(const RuleSetting&) const = default;
};

// Some keys that a node holds at the start, all in one slot.
struct KeysInSlot {
  Sourced<protocol::Slot> slot;
  std::vector<Sourced<std::string>> names;
  bool operator==(const KeysInSlot&) const = default;
};

struct NodeSpec {
  Sourced<std::string> name;
  std::optional<Sourced<std::string>> id;           // 40 hexadecimal digits
  std::optional<Sourced<std::string>> replica_of;   // none: a master
  std::optional<Sourced<protocol::Epoch>> epoch;    // masters; none: its number among the masters
  std::vector<Sourced<protocol::SlotRange>> slots;  // masters
  bool home = false;                                // a private slot that nobody moves
  std::vector<KeysInSlot> keys;
  bool operator==(const NodeSpec&) const = default;
};

// What a node believes where it differs from what 'cluster' says. Nodes are named; "" is nobody.
struct ViewSpec {
  struct OfSlots {
    Sourced<protocol::SlotRange> slots;
    std::string node;
    bool operator==(const OfSlots&) const = default;
  };
  Sourced<std::string> node;                        // whose view
  std::optional<protocol::Epoch> current_epoch, last_vote_epoch;
  std::vector<std::pair<std::string, protocol::Epoch>> epochs;
  std::vector<OfSlots> owners, migrating, importing;
  std::vector<std::pair<std::string, std::string>> replicas;  // and whose; "": unknown
  std::vector<std::string> masters, suspects, failed, unknown;
  bool operator==(const ViewSpec&) const = default;
};

struct MoveSpec {
  Sourced<protocol::Slot> slot;
  Sourced<std::string> from, to;  // names of nodes
  bool replace = false;
  bool operator==(const MoveSpec&) const = default;
};

// A command as typed, taken apart. A word that stands for a node is replaced by the node's id (or
// address) when the system is built.
struct CommandWord {
  enum class Kind : std::uint8_t { plain, node_id, node_address };
  Kind kind = Kind::plain;
  std::string text;  // the word, or the node's name
  bool operator==(const CommandWord&) const = default;
};

struct CommandSpec {
  Sourced<std::string> typed;
  std::vector<CommandWord> words;
  std::vector<protocol::SlotRange> slots;  // that the command names
  bool operator==(const CommandSpec&) const = default;
};

// What became of an earlier step of the same operator.
struct IfSpec {
  Sourced<std::string> step;  // its label
  oper::Condition condition;
  bool operator==(const IfSpec&) const = default;
};

struct StepSpec {
  Sourced<std::string> label;
  Sourced<std::string> to;          // a node; for moves the source
  std::optional<CommandSpec> send;  // exactly one of send and move
  std::optional<MoveSpec> move;
  oper::Reaction reaction;
  std::optional<IfSpec> only_if;
  std::optional<oper::Condition> until;  // send only
  bool operator==(const StepSpec&) const = default;
};

// A tool that plans its own steps.
struct ToolSpec {
  oper::ToolKind kind = oper::ToolKind::fix;
  oper::Flavour flavour = oper::Flavour::redis_cli_7_0;
  Sourced<protocol::Slot> slot;
  Sourced<std::string> from, to;  // reshard, controller; else empty
  bool replace = false;
  bool unreachable_masters = false;  // fix goes on though a master cannot be reached
  // Tools that choose slots themselves.
  std::uint16_t count = 0;  // reshard: how many; 0: the one slot
  std::vector<Sourced<std::string>> sources;  // reshard of a number; never empty then
  std::vector<std::pair<std::string, std::uint16_t>> weights;  // rebalance, by node
  std::uint8_t threshold = 2;                                  // rebalance, per cent, 0..100
  bool use_empty = false;                                      // rebalance

  bool chooses() const { return kind == oper::ToolKind::rebalance || count > 0; }
  bool operator==(const ToolSpec&) const = default;
};

struct OperatorSpec {
  Sourced<std::string> name;
  bool may_stop = false;
  bool fair = false;
  std::vector<StepSpec> steps;   // empty exactly if there is a tool
  std::optional<ToolSpec> tool;
  bool operator==(const OperatorSpec&) const = default;
};

// One client session.
struct SessionSpec {
  Sourced<std::string> name;
  client::Policy policy;
  std::vector<client::Item> program;
  std::vector<std::pair<protocol::Slot, std::string>> map;  // at the start; nodes are named
  std::vector<std::string> asks;                            // for the map; empty: any node
  bool operator==(const SessionSpec&) const = default;
};

struct ClientsSpec {
  std::vector<SessionSpec> sessions;  // empty: there are no clients
  bool shared_connection = false;
  std::uint8_t redirects_max = 2;     // of one command; 0..100
  std::uint8_t moved_max = 255;       // of one session; 255: any number
  bool operator==(const ClientsSpec&) const = default;
};

// Where in an operator's work a fault may happen: after the first step is done and before the
// second is done. None: from the start, or to the end.
struct WindowSpec {
  std::string operator_name;
  std::optional<Sourced<std::string>> after;  // labels of steps
  std::optional<Sourced<std::string>> before;
  bool operator==(const WindowSpec&) const = default;
};

struct FaultSpec {
  sim::FaultKind kind = sim::FaultKind::crash;
  Position at;
  bool any = false;                          // any node, any link between nodes
  std::vector<Sourced<std::string>> actors;  // targets; of a cut exactly two
  bool both_ways = true;                     // cut: else only from the first to the second
  bool mends = true;                         // restart, heal
  bool power_loss = false;                   // crash
  std::uint8_t at_most = 1;                  // 1..254
  std::optional<WindowSpec> window;
  bool operator==(const FaultSpec& other) const;
};

// Who sends no free heartbeats to whom: a bound of the search, not a fault.
struct SilenceSpec {
  Sourced<std::string> from;
  std::optional<Sourced<std::string>> to;  // none: to nobody
  bool operator==(const SilenceSpec&) const = default;
};

struct NetworkSpec {
  bool merged_heartbeats = true;           // else PING and PONG as the servers send them
  std::uint8_t streams = 1;                // 1..2, per ordered pair of nodes
  std::uint16_t heartbeats_in_flight = 1;  // 1..16, per stream
  std::uint16_t messages_in_flight = 8;    // 1..64, per stream, of all kinds
  std::vector<SilenceSpec> silent;
  bool operator==(const NetworkSpec&) const = default;
};

struct ServerSpec {
  bool require_full_coverage = true;
  bool allow_replica_migration = true;
  bool persist_keys = true;
  bool reads_when_down = false;
  std::uint32_t node_timeout_ms = 15000;  // 1..86400000
  bool failure_detection = false;
  std::uint8_t suspicions_max = 0;  // of live, reachable peers; 0..254
  std::uint8_t elections_max = 1;   // begun in the whole run; 0..254
  std::uint8_t slow_targets_max = 0;  // of MIGRATE, that could be reached; 0..254
  bool operator==(const ServerSpec&) const = default;
};

struct CheckSpec {
  Sourced<std::string> property;  // P; a name in the registry
  std::string then;               // Q of leads_to, else empty
  sim::Mood mood = sim::Mood::always;
  std::string name() const;  // "owned", "crashed leads to agreed"
  bool operator==(const CheckSpec&) const = default;
};

enum class Expectation : std::uint8_t { holds, violated, reached, not_reached };
const char* expectation_text(Expectation expectation);  // "not reached"

struct ExpectSpec {
  Sourced<std::string> check;  // CheckSpec::name()
  std::string dialect;         // empty: every dialect without an own entry
  Expectation expectation = Expectation::holds;
  bool operator==(const ExpectSpec&) const = default;
};

struct Scenario {
  std::string file;
  std::string title;
  std::string teaches;
  std::vector<Sourced<std::string>> dialects;  // at least one, without duplicates
  std::vector<RuleSetting> rules;
  std::optional<Sourced<protocol::Epoch>> current_epoch;
  std::vector<NodeSpec> nodes;  // in the order of the file
  std::vector<ViewSpec> views;  // at most one for each node
  std::vector<OperatorSpec> operators;
  ClientsSpec clients;
  std::vector<FaultSpec> faults;
  NetworkSpec network;
  ServerSpec servers;
  std::vector<CheckSpec> checks;
  std::vector<ExpectSpec> expects;

  const NodeSpec* node(const std::string& name) const;  // nullptr if there is none
  std::vector<std::string> node_names() const;
  // What `dialect` is expected to do to the check. REQUIRES: both are of this scenario.
  Expectation expected(const std::string& check, const std::string& dialect) const;
  // Equal but for the file's name and for places.
  bool operator==(const Scenario& other) const;
};

}  // namespace slotlab::scenario
