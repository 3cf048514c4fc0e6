// The text in which a server shows and stores what it knows of the cluster: one line for each node.
// CLUSTER NODES answers with it, nodes.conf is the same plus a last line with the two epochs.
// Reading comes in two steps, so that a text of any cluster can be taken apart first (to import a
// field dump) and be matched with the identities of a scenario after.
//
//   bbbb... 127.0.0.1:7002@17002 myself,master - 0 0 2 connected 5461-10922 [7-<-aaaa...]
//   vars currentEpoch 3 lastVoteEpoch 0
//
// There is no clock here, so the two columns with times are 0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/node/config.h"
#include "models/node/state.h"

namespace slotlab::node {

// The reply of CLUSTER NODES: a line for each known node, ascending by NodeId.
// SOURCE: Redis 7.0.15, clusterGenNodesDescription in src/cluster.c.
std::string nodes_text(const Durable& config, const NodeSettings& settings);
// One line of it, without the line end, as CLUSTER REPLICAS lists them. REQUIRES: `node` is known.
std::string node_line(const Durable& config, const NodeSettings& settings, NodeId node);
// nodes.conf. SOURCE: Redis 7.0.15, clusterSaveConfig.
std::string nodes_conf_text(const Durable& config, const NodeSettings& settings);

// What is wrong with a text, in words: "line 3: expected a node id of 40 digits, found 'x'".
struct NodesTextError {
  std::size_t line = 0;  // from 1; 0: the text as a whole
  std::string message;
  std::string text() const;
};

struct OpenSlot {
  protocol::Slot slot = 0;
  std::string id;  // migrating to, importing from
  bool operator==(const OpenSlot&) const = default;
};

// One line, taken apart.
struct NodeLine {
  std::size_t line = 0;  // from 1
  std::string id;
  std::string ip;                       // empty: no address
  std::uint16_t port = 0;
  std::uint16_t bus_port = 0;
  std::string shard_id;                 // 7.2 and later, in nodes.conf
  bool myself = false, master = false, replica = false, pfail = false, fail = false;
  bool handshake = false, no_addr = false, no_failover = false;
  std::string master_id;                // empty: none
  std::uint64_t epoch = 0;
  bool connected = false;
  std::vector<protocol::SlotRange> slots;  // in the order of the text
  std::vector<OpenSlot> migrating, importing;
};

struct NodesText {
  std::vector<NodeLine> nodes;
  std::optional<std::uint64_t> current_epoch, last_vote_epoch;  // of the "vars" line
};

// Takes a text apart. Accepts every dialect's form, CLUSTER NODES and nodes.conf alike.
// ERRORS: with the line and what was expected.
std::variant<NodesText, NodesTextError> parse_nodes_text(std::string_view text);

// Reads nodes.conf as a starting server does: the first line that names a slot keeps it, a
// replica's epoch is forgotten (7.0 and later), the current epoch is at least every config epoch.
// SOURCE: Redis 7.0.15, clusterLoadConfig.
// ERRORS: what parse_nodes_text finds; an id that is not in the directory; slots that are only a
// part of a slot class; none or two lines with `myself`.
std::variant<Durable, NodesTextError> read_nodes_conf(std::string_view text,
                                                      const NodeSettings& settings);

}  // namespace slotlab::node
