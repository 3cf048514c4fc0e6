// The node's own verdict on the cluster: OK or FAIL. It decides whether commands with keys are
// answered at all, and its count of masters is the base of every quorum.
#pragma once

#include "models/node/context.h"

namespace slotlab::node {

// What an evaluation finds, before the delays that keep a master in FAIL.
struct ClusterVerdict {
  bool covered = true;         // no slot lacks a working owner, or full coverage is not asked for
  bool majority = true;        // most masters with slots can be reached
  std::uint8_t size = 0;       // masters that own slots, failing ones included
  bool ok() const { return covered && majority; }
};

// Pure. A slot that nobody claims any more but that is still bound counts as covered, as in the
// servers; slots that the scenario does not cover do not count at all.
ClusterVerdict judge_cluster(const NodeState& state, const NodeSettings& settings);

// Evaluates the state (node.md 5). With timed guards a master that is in FAIL stays there until the
// step `may be ok` has come. The two delays of the servers (after the start, after a minority) are
// one here, and `size` is refreshed in both; the servers leave it alone in the first.
// SOURCE: Redis 7.0.15, clusterUpdateState in src/cluster.c.
void update_state(Context& context);

// Votes or reports needed: more than half of the masters with slots, as of the last evaluation.
std::size_t quorum(const NodeState& state);

// The node is suspected or failed in this node's eyes. Stands for "no outbound link" as well, since
// links are not part of the state.
inline bool failing(const NodeRecord& record) { return record.pfail || record.fail; }

// A master with at least one slot: who votes and who counts.
bool is_voter(const NodeState& state, NodeId node);

}  // namespace slotlab::node
