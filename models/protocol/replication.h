// What a master and its replicas tell each other about data: the copy with which a replica begins,
// the commands that follow, and the acknowledgements that Valkey's SETSLOT waits for. The
// connection is apart from the cluster bus, so nothing orders the two.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "models/protocol/words.h"

namespace slotlab::protocol {

// A replica asks for a copy of the data set. Sent as a call; answered by SyncData, or by nothing if
// the receiver is not a master that knows the replica.
struct SyncRequest final : sim::Message {
  NodeId replica = kNoNode;
  NodeId master = kNoNode;
  auto members() const { return std::tie(replica, master); }
  void encode(sim::Encoder& out) const override { sim::encode(out, members()); }
};

struct SyncData final : sim::Message {
  NodeId master = kNoNode;
  std::uint64_t offset = 0;
  std::vector<std::map<std::string, std::string>> keys;  // by slot class
  std::map<std::string, std::uint64_t> ttl_ms;           // of the keys that have one
  std::vector<NodeId> migrating_to;  // Valkey 8.0: the master's open slots travel with the copy
  std::vector<NodeId> importing_from;
  auto members() const {
    return std::tie(master, offset, keys, ttl_ms, migrating_to, importing_from);
  }
  void encode(sim::Encoder& out) const override { sim::encode(out, members()); }
};

// One command in the replication stream, whole.
struct Replicated final : sim::Message {
  enum class Kind : std::uint8_t { set, remove, setslot };
  Kind kind = Kind::set;
  NodeId master = kNoNode;
  std::uint64_t offset = 0;        // after this command
  SlotClass slot = 0;              // set, remove
  std::string key, value;          // set, remove
  std::uint64_t ttl_ms = 0;        // set; 0: no expiry
  std::vector<std::string> words;  // setslot
  auto members() const {
    return std::tie(kind, master, offset, slot, key, value, ttl_ms, words);
  }
  void encode(sim::Encoder& out) const override { sim::encode(out, members()); }
};

// A replica has processed the stream up to `offset`.
struct Acknowledged final : sim::Message {
  NodeId replica = kNoNode;
  std::uint64_t offset = 0;
  auto members() const { return std::tie(replica, offset); }
  void encode(sim::Encoder& out) const override { sim::encode(out, members()); }
};

// The replica closes the connection: it follows another master, or none.
struct Detached final : sim::Message {
  NodeId replica = kNoNode;
  auto members() const { return std::tie(replica); }
  void encode(sim::Encoder& out) const override { sim::encode(out, members()); }
};

// One line for a message of this file; "a message" for any other.
std::string replication_text(const sim::Message& message, const Directory& directory);

}  // namespace slotlab::protocol
