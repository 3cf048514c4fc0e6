// What a virtual node is: a plain value, no pointers, no clock. Three parts: the durable part that
// nodes.conf would hold, the volatile part that a crash loses, and the images of the durable part
// that are on disk (what was last written and what was last synced).
//
// Time is not in the state. Where a server compares clocks, the state has a flag that an armed
// timer clears or sets (see node.h): in the timed driver the timer fires after its real delay, in
// the exhaustive driver at any moment that the scenario allows.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "models/node/client_state.h"
#include "models/protocol/words.h"

namespace slotlab::node {

using protocol::Epoch;
using protocol::kNoNode;
using protocol::NodeId;
using protocol::SlotClass;
using protocol::SlotSet;

// The record that a node keeps of one node it knows, itself included, as far as nodes.conf keeps
// it. SOURCE: Redis 7.0.15, clusterNode in src/cluster.h.
struct NodeRecord {
  bool replica = false;  // role flag; false: master
  bool pfail = false;    // suspected by this node alone
  bool fail = false;     // agreed failed
  bool handshake = false;
  bool no_addr = false;
  bool no_failover = false;
  NodeId master = kNoNode;  // replicas: whose; may be unknown
  Epoch config_epoch = 0;
  NodeId shard = kNoNode;  // 7.2+: the shard, named by the identity that founded it
  auto members() const {
    return std::tie(replica, pfail, fail, handshake, no_addr, no_failover, master, config_epoch,
                    shard);
  }
  bool operator==(const NodeRecord&) const = default;
};

// What nodes.conf holds.
struct Durable {
  NodeId me = kNoNode;
  Epoch current_epoch = 0;
  Epoch last_vote_epoch = 0;
  std::map<NodeId, NodeRecord> nodes;  // `me` included
  std::vector<NodeId> owner;           // by slot class; kNoNode: unassigned
  std::vector<NodeId> migrating_to;    // by slot class; kNoNode: no mark
  std::vector<NodeId> importing_from;
  auto members() const {
    return std::tie(me, current_epoch, last_vote_epoch, nodes, owner, migrating_to, importing_from);
  }
  bool operator==(const Durable&) const = default;
};

// What a node remembers of another node beyond its record, until it crashes.
struct PeerMemory {
  std::set<NodeId> fail_reports;  // who says that this node failed
  bool fail_is_old = false;       // FAIL for longer than twice the node timeout
  bool voted_recently = false;    // for a master: I granted a vote for its slots lately
  bool migrate_target = false;    // may receive an orphan's replica (MIGRATE_TO)
  bool no_link = false;           // its process is a new one, and my connection to it dead
  std::uint64_t offset = 0;       // replication offset it last announced
  auto members() const {
    return std::tie(fail_reports, fail_is_old, voted_recently, migrate_target, no_link, offset);
  }
  bool operator==(const PeerMemory&) const = default;
};

// A replica's election. SOURCE: failover_auth_* in clusterState.
struct Election {
  bool scheduled = false;  // failover_auth_time is set and not yet expired
  bool due = false;        // its moment has come
  bool sent = false;       // AUTH_REQUEST is out
  Epoch epoch = 0;
  std::uint8_t votes = 0;
  std::uint8_t rank = 0;
  auto members() const { return std::tie(scheduled, due, sent, epoch, votes, rank); }
  bool operator==(const Election&) const = default;
};

struct ManualFailover {
  bool running = false;  // mf_end is set
  bool can_start = false;
  NodeId replica = kNoNode;   // at the master: who asked
  bool offset_known = false;  // at the replica
  std::uint64_t master_offset = 0;
  auto members() const {
    return std::tie(running, can_start, replica, offset_known, master_offset);
  }
  bool operator==(const ManualFailover&) const = default;
};

// A SETSLOT that waits until the replicas have executed it (Valkey 8.0). Its caller waits as well.
struct PendingSetslot {
  std::vector<std::string> words;
  sim::ActorId caller = sim::kNoActor;
  std::uint8_t connection = 0;
  bool times_out = true;     // false: TIMEOUT 0
  std::uint64_t offset = 0;  // acknowledged at this replication offset or later
  std::uint8_t needed = 0;   // acknowledgements
  std::set<NodeId> acknowledged;
  auto members() const {
    return std::tie(words, caller, connection, times_out, offset, needed, acknowledged);
  }
  bool operator==(const PendingSetslot&) const = default;
};

// Keys by name, with a value; enough for the protocol, which asks whether a slot holds any.
using Keys = std::map<std::string, std::string>;

struct Ghost {
  SlotClass slot = 0;
  Stored stored;
  auto members() const { return std::tie(slot, stored); }
  bool operator==(const Ghost&) const = default;
};

struct Volatile {
  std::map<NodeId, PeerMemory> peers;  // entries only where something differs from the default
  SlotSet not_claiming;                // the owner sent a header that lacks the slot
  std::set<NodeId> blacklist;          // forgotten nodes that gossip may not bring back
  bool state_ok = false;               // cluster state
  std::uint8_t size = 1;               // masters with slots, as of the last evaluation
  bool may_be_ok = true;               // the delays before a master leaves FAIL are over
  Election election;
  ManualFailover manual;
  NodeId replicating_from = kNoNode;    // link to the master is up and in sync
  std::set<NodeId> attached;            // replicas that copy from me
  std::uint64_t offset = 0;             // own replication offset, produced or processed
  std::vector<PendingSetslot> pending;  // in the order of arrival
  std::map<Caller, Connection> connections;  // only those that differ from a new one
  std::optional<Migration> migration;        // the node is busy with it
  std::vector<WaitingCommand> waiting;       // what came meanwhile, in the order of arrival
  std::uint8_t data_connection = 0;  // number of the present connection to targets of MIGRATE
  auto members() const {
    return std::tie(peers, not_claiming, blacklist, state_ok, size, may_be_ok, election, manual,
                    replicating_from, attached, offset, pending, connections, migration, waiting,
                    data_connection);
  }
  bool operator==(const Volatile&) const = default;
};

struct NodeState {
  Durable config;  // the living copy of what nodes.conf holds
  Volatile memory;
  std::vector<Keys> keys;                 // by slot class
  std::map<std::string, Expiry> expires;  // of the keys that have one
  // Keys deleted here but not in the append-only file: a restart brings them back.
  std::map<std::string, Ghost> ghosts;
  // Clients that a crash left without an answer; a restart tells them, as TCP would.
  std::set<sim::ActorId> unanswered;
  Durable written;         // nodes.conf as the operating system has it
  Durable synced;          // nodes.conf as of the last fsync; kept equal to
                           // `written` unless power loss is among the faults
  auto members() const {
    return std::tie(config, memory, keys, expires, ghosts, unanswered, written, synced);
  }
  bool operator==(const NodeState&) const = default;
};

static_assert(std::regular<NodeState>);

}  // namespace slotlab::node
