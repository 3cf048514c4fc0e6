// What a node remembers on behalf of its clients: the flags and the transaction of each connection,
// the MIGRATE that it is busy with, and the commands that wait meanwhile. All of it is gone after a
// crash. Empty as long as nobody sends commands with keys, so scenarios without keys pay nothing.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "models/protocol/command.h"
#include "models/protocol/words.h"

namespace slotlab::node {

using Words = std::vector<std::string>;  // a whole command, its name first
using protocol::Reply;

// Whose command it is, and how it is answered.
struct Caller {
  sim::ActorId actor = sim::kNoActor;
  std::uint8_t connection = 0;
  bool node = false;  // another node in a MIGRATE: answered on a link, not within the event
  auto members() const { return std::tie(actor, connection, node); }
  auto operator<=>(const Caller&) const = default;
};

// A connection that is not as it was when it was opened. SOURCE: Redis 7.0.15, client flags and
// multiState in src/server.h.
struct Connection {
  bool asking = false;
  bool readonly = false;
  bool in_multi = false;
  bool dirty_exec = false;  // a command was refused while queueing
  bool dirty_cas = false;   // a watched key was changed
  std::vector<Words> queue;
  std::set<std::string> watched;
  auto members() const {
    return std::tie(asking, readonly, in_multi, dirty_exec, dirty_cas, queue, watched);
  }
  bool operator==(const Connection&) const = default;
};

struct Stored {
  std::string value;
  std::uint64_t ttl_ms = 0;  // 0: no expiry
  auto members() const { return std::tie(value, ttl_ms); }
  bool operator==(const Stored&) const = default;
};

// A MIGRATE under way. The node is busy with it and does nothing else.
struct Migration {
  enum class Phase : std::uint8_t {
    connecting,  // nothing sent yet
    reading,     // all is sent; answers are read one by one
  };
  Caller caller;
  Phase phase = Phase::connecting;
  std::string address;                  // as typed, for the trace
  sim::ActorId target = sim::kNoActor;  // kNoActor: nobody lives at that address
  protocol::SlotClass slot = 0;
  std::vector<std::string> keys;        // not yet answered, in order; may repeat
  std::vector<Words> greeting;          // AUTH and SELECT, sent before the keys
  std::uint8_t greeted = 0;             // how many of these are answered
  bool keyed = false;                   // in the form with KEYS
  bool copy = false;
  bool replace = false;
  bool retried = false;                 // the connection broke once, and all was sent again
  bool line_read = false;               // an answer about a key was read
  bool greeting_failed = false;
  std::uint64_t timeout_ms = 0;
  std::string error;                    // the first that the target answered
  std::map<std::string, Stored> gone;   // acknowledged and deleted, but not yet in the replication
                                        // stream or the file
  // A transaction that it is part of.
  bool in_exec = false;
  std::vector<Words> rest;              // to be run afterwards
  std::vector<Reply> replies;           // of what was run before
  auto members() const {
    return std::tie(caller, phase, address, target, slot, keys, greeting, greeted, keyed, copy,
                    replace, retried, line_read, greeting_failed, timeout_ms, error, gone, in_exec,
                    rest, replies);
  }
  bool operator==(const Migration&) const = default;
};

struct WaitingCommand {
  Caller caller;
  Words words;
  auto members() const { return std::tie(caller, words); }
  bool operator==(const WaitingCommand&) const = default;
};

// The expiry of a key. Durations are not counted down: a timer marks the key as expired, at its
// time in the timed driver and at any moment in the exhaustive one.
struct Expiry {
  std::uint64_t ttl_ms = 0;
  bool passed = false;  // logically expired, not yet deleted
  auto members() const { return std::tie(ttl_ms, passed); }
  bool operator==(const Expiry&) const = default;
};

}  // namespace slotlab::node
