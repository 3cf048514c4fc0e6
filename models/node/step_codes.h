// The numbering of a node's own steps: which timer or voluntary act a StepCode means. A code is a
// kind (4 bits) and two small arguments (8 bits each), so the same timer for another peer is
// another step. Heartbeats, replication and replicated SETSLOT belong to node.cc, the rest to
// failover/.
#pragma once

#include <cstdint>

#include "models/protocol/words.h"
#include "sim/system/actor.h"

namespace slotlab::node {

enum class StepKind : std::uint8_t {
  // node.cc
  heartbeat,          // a: peer, b: stream. A merged heartbeat
  ping,               // a: peer. The timer that sends the next PING
  replication,        // a: master, b: 0. A replica copies its master's data set
                      // a: replica, b: 1. Its connection is found broken
  setslot_times_out,  // b: which of the waiting ones. The replicas did not acknowledge in time
  // failover/
  suspect,         // a: peer. PFAIL
  fail_gets_old,   // a: peer. FAIL for longer than twice the node timeout
  report_expires,  // a: failing node, b: reporter
  vote_gets_old,   // a: master. voted_recently ends
  election_scheduled,
  election_due,
  election_expires,
  manual_ends,         // a manual failover that took too long is given up
  may_be_ok,           // the delay before a master leaves cluster state FAIL is over
  membership_expires,  // a: node, b: 0 it may be learned of again after FORGET, 1 its handshake
  migrate_replica,     // a: orphaned master
  // serving/
  data,  // b: a DataStep
};

inline constexpr std::uint32_t kCopies = 0;  // StepKind::replication
inline constexpr std::uint32_t kReplicaLost = 1;

// What may happen to a MIGRATE, and to keys with an expiry.
enum class DataStep : std::uint8_t {
  connect,      // the connection stands, all is sent
  refused,      // nobody answers at the address
  times_out,    // the target does not answer and cannot be reached
  is_slow,      // the target does not answer in time although it can be reached
  breaks,       // the connection broke
  key_expires,  // a: number of the key among those with an expiry
  key_deleted,  // a: likewise. The servers look for expired keys from time to time
};

constexpr sim::StepCode make_step(StepKind kind, std::uint32_t a = 0, std::uint32_t b = 0) {
  return static_cast<std::uint32_t>(kind) << 16 | (a & 0xff) << 8 | (b & 0xff);
}
constexpr sim::StepCode make_step(StepKind kind, protocol::NodeId peer, std::uint32_t b = 0) {
  return make_step(kind, static_cast<std::uint32_t>(peer), b);
}
constexpr StepKind step_kind(sim::StepCode code) { return static_cast<StepKind>(code >> 16 & 0xf); }
constexpr protocol::NodeId step_node(sim::StepCode code) {
  return protocol::NodeId{static_cast<std::uint8_t>(code >> 8 & 0xff)};
}
constexpr std::uint8_t step_b(sim::StepCode code) { return static_cast<std::uint8_t>(code & 0xff); }

}  // namespace slotlab::node
