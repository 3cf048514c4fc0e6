// What clients do, as data: a program of commands for each session, and the policy by which a
// session finds the node to send them to. Clients differ in these alone; there is one client.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/protocol/words.h"
#include "sim/system/actor.h"
#include "sim/time/instant.h"

namespace slotlab::client {

using Words = std::vector<std::string>;  // a whole command, its name first

// How a session reacts. Each member is a way in which real clients differ.
struct Policy {
  std::string name = "careful";
  bool asking = true;             // sends ASKING to where an ASK points
  bool asking_together = true;    // ASKING and the command in one go, nothing in between
  bool map_on_ask = false;        // takes an ASK for a MOVED and changes its map
  bool map_on_moved = true;       // changes its map by a MOVED at once
  bool refresh_on_moved = false;  // a MOVED makes it ask a node for the whole map
  bool sticky = false;            // stays with the node that it last spoke to
  bool follows_unknown = true;    // follows to nodes that no map has named yet
  bool resends_unknown = false;   // sends a command again whose answer was lost
  std::uint8_t sends_max = 5;     // of one command, then the caller gets an error; 1..100, or 0:
                                  // it never gives up, and attempts are not counted
  bool operator==(const Policy&) const = default;
};

// The command may be sent no more. `sends` is 0 where attempts are not counted.
inline bool is_last(const Policy& policy, std::uint8_t sends) {
  return policy.sends_max > 0 && sends >= policy.sends_max;
}
inline void count_send(const Policy& policy, std::uint8_t& sends) {
  if (policy.sends_max > 0) ++sends;
}

// "careful", "redis-cli", "redisc" and others. None if unknown.
std::optional<Policy> policy_named(std::string_view name);
std::vector<std::string> policy_names();

struct Item {
  enum class Kind : std::uint8_t {
    commands,     // one, or several sent in one go before the first answer: a pipeline
    transaction,  // MULTI, the commands, EXEC; each a request of its own
  };
  Kind kind = Kind::commands;
  std::vector<Words> commands;  // 1..100
  bool operator==(const Item&) const = default;
};

struct SessionSpec {
  std::string name;
  Policy policy;
  std::vector<Item> program;
  std::map<protocol::Slot, std::uint8_t> map;  // at the start, by number of the node; may be empty
  std::vector<std::uint8_t> asks;              // nodes that it asks for the map, any of them
};

struct NodeAddress {
  std::string name;
  sim::ActorId actor = sim::kNoActor;
  std::string ip;
  std::uint16_t port = 0;
};

struct ClientsSpec {
  std::vector<NodeAddress> nodes;
  std::vector<SessionSpec> sessions;           // 1..16
  std::vector<std::string> keys_at_start;      // that exist, with the value of kFirstValue
  bool shared_connection = false;              // all sessions speak over one connection per node
  std::uint8_t redirects_max = 2;              // what bounded-redirects allows one command
  std::uint8_t moved_max = 255;                // and one session in all; 255: any number
};
using ClientsSpecPtr = std::shared_ptr<const ClientsSpec>;

// What every key holds at the start.
inline constexpr const char* kFirstValue = "v0";

// The keys of a command, in order. REQUIRES: the command is one of GET, SET, DEL, MGET, MSET with
// the right number of words, as complaint() says.
std::vector<std::string> keys_of(const Words& command);
// Why clients cannot send this; empty: they can.
std::string complaint(const Words& command);

}  // namespace slotlab::client
