// NODES, SLOTS, SHARDS, INFO, REPLICAS, MYID, MYSHARDID. SOURCE: Redis 7.0.15, clusterCommand,
// clusterReplyMultiBulkSlots, addNodeDetailsToShardReply and genClusterInfoString in src/cluster.c;
// node.md 2.16 to 2.19, 2.21 and 2.22.
//
// Packets are not counted here, so INFO says 0 for them. A server also leaves a replica out of
// SLOTS until it has heard an offset from it; here offsets are not always told, so it never does.
#include "models/node/commands/info_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/node/failover/peer_memory.h"
#include "models/node/ownership/slot_table.h"
#include "models/node/persistence/nodes_text.h"
#include "models/node/replication.h"

namespace slotlab::node {

namespace {

using protocol::Rule;
using protocol::SlotRange;
using protocol::Wording;

struct Run {
  SlotRange range;
  NodeId owner = kNoNode;
};

// Maximal ranges of slots with one owner, ascending; unassigned slots are left out.
std::vector<Run> runs(const Context& context) {
  std::vector<Run> out;
  const Durable& config = context.state.config;
  for (std::size_t c = 0; c < config.owner.size(); ++c) {
    if (config.owner[c] == kNoNode) continue;
    const SlotRange range = context.settings.slots.range(static_cast<SlotClass>(c));
    if (!out.empty() && out.back().owner == config.owner[c] &&
        out.back().range.last + 1 == range.first) {
      out.back().range.last = range.last;
    } else {
      out.push_back({range, config.owner[c]});
    }
  }
  return out;
}

std::vector<NodeId> replicas(const Context& context, NodeId master) {
  std::vector<NodeId> out;
  for (const auto& [node, record] : context.state.config.nodes) {
    if (record.replica && record.master == master) out.push_back(node);
  }
  return out;
}

Reply slots_node_entry(const Context& context, NodeId node) {
  const protocol::Identity& identity = context.settings.directory[node];
  std::vector<Reply> entry = {Reply::bulk(identity.ip), Reply::integer(identity.port)};
  if (!worded_as(context, Wording::redis_3_0)) {
    entry.push_back(Reply::bulk(identity.id));
    entry.push_back(Reply::array({}));  // metadata: there is none
  }
  return Reply::array(std::move(entry));
}

Reply slots_run_entry(const Context& context, const Run& run) {
  std::vector<Reply> entry = {Reply::integer(run.range.first), Reply::integer(run.range.last),
                              slots_node_entry(context, run.owner)};
  for (const NodeId replica : replicas(context, run.owner)) {
    if (context.state.config.nodes.at(replica).fail) continue;
    entry.push_back(slots_node_entry(context, replica));
  }
  return Reply::array(std::move(entry));
}

std::int64_t shown_offset(const Context& context, NodeId node) {
  const bool mine = node == context.state.config.me;
  return static_cast<std::int64_t>(mine ? context.state.memory.offset
                                        : peer_memory(context.state, node).offset);
}

std::string_view health(const Context& context, NodeId node, const NodeRecord& record) {
  if (record.fail) return "fail";
  const bool copying = node == context.state.config.me && wants_copy(context.state);
  return copying ? "loading" : "online";
}

Reply shard_node(const Context& context, NodeId node) {
  const protocol::Identity& identity = context.settings.directory[node];
  const NodeRecord& record = context.state.config.nodes.at(node);
  std::vector<Reply> out;
  const auto add = [&](std::string_view name, Reply value) {
    out.push_back(Reply::bulk(std::string(name)));
    out.push_back(std::move(value));
  };
  add("id", Reply::bulk(identity.id));
  add("port", Reply::integer(identity.port));
  add("ip", Reply::bulk(identity.ip));
  add("endpoint", Reply::bulk(identity.ip));
  add("role", Reply::bulk(record.replica ? "replica" : "master"));
  add("replication-offset", Reply::integer(shown_offset(context, node)));
  add("health", Reply::bulk(std::string(health(context, node, record))));
  return Reply::array(std::move(out));
}

Reply shard_entry(const Context& context, const std::vector<NodeId>& members) {
  std::vector<Reply> slots;
  for (const Run& run : runs(context)) {
    if (run.owner != members.front()) continue;
    slots.push_back(Reply::integer(run.range.first));
    slots.push_back(Reply::integer(run.range.last));
  }
  std::vector<Reply> nodes;
  for (const NodeId node : members) nodes.push_back(shard_node(context, node));
  return Reply::array({Reply::bulk("slots"), Reply::array(std::move(slots)), Reply::bulk("nodes"),
                       Reply::array(std::move(nodes))});
}

// The nodes of each shard, its master first: by master before 7.2, by shard id since.
std::vector<std::vector<NodeId>> shards(const Context& context) {
  const auto& nodes = context.state.config.nodes;
  std::vector<std::vector<NodeId>> out;
  if (!context.rule(Rule::shard_ids)) {
    for (const auto& [node, record] : nodes) {
      if (record.replica || record.handshake) continue;
      out.push_back({node});
      for (const NodeId replica : replicas(context, node)) out.back().push_back(replica);
    }
    return out;
  }
  std::map<NodeId, std::vector<NodeId>> by_shard;
  for (const auto& [node, record] : nodes) {
    if (record.handshake) continue;
    auto& members = by_shard[record.shard];
    members.insert(record.replica ? members.end() : members.begin(), node);
  }
  for (auto& [shard, members] : by_shard) out.push_back(std::move(members));
  return out;
}

struct SlotCounts {
  std::uint32_t assigned = 0, ok = 0, pfail = 0, fail = 0;
};

SlotCounts count_slots(const Context& context) {
  SlotCounts counts;
  for (const Run& run : runs(context)) {
    const std::uint32_t size = 1u + run.range.last - run.range.first;
    const NodeRecord& owner = context.state.config.nodes.at(run.owner);
    counts.assigned += size;
    (owner.fail ? counts.fail : owner.pfail ? counts.pfail : counts.ok) += size;
  }
  return counts;
}

Epoch my_epoch(const Context& context) {
  const auto& nodes = context.state.config.nodes;
  const NodeRecord& me = nodes.at(context.state.config.me);
  const auto master = nodes.find(me.master);
  return me.replica && master != nodes.end() ? master->second.config_epoch : me.config_epoch;
}

}  // namespace

Reply cluster_nodes(Context& context) {
  return Reply::bulk(nodes_text(context.config(), context.settings));
}

Reply cluster_slots(Context& context) {
  std::vector<Run> all = runs(context);
  if (worded_as(context, Wording::redis_3_0)) {
    // Grouped by node, and only nodes flagged as masters.
    std::erase_if(all, [&](const Run& run) {
      return context.state.config.nodes.at(run.owner).replica;
    });
    std::stable_sort(all.begin(), all.end(),
                     [](const Run& a, const Run& b) { return a.owner < b.owner; });
  }
  std::vector<Reply> entries;
  for (const Run& run : all) entries.push_back(slots_run_entry(context, run));
  return Reply::array(std::move(entries));
}

Reply cluster_shards(Context& context) {
  std::vector<Reply> entries;
  for (const auto& members : shards(context)) entries.push_back(shard_entry(context, members));
  return Reply::array(std::move(entries));
}

Reply cluster_info(Context& context) {
  const SlotCounts slots = count_slots(context);
  std::string text = fmt::format(
      "cluster_state:{}\r\ncluster_slots_assigned:{}\r\ncluster_slots_ok:{}\r\n"
      "cluster_slots_pfail:{}\r\ncluster_slots_fail:{}\r\ncluster_known_nodes:{}\r\n"
      "cluster_size:{}\r\ncluster_current_epoch:{}\r\ncluster_my_epoch:{}\r\n"
      "cluster_stats_messages_sent:0\r\ncluster_stats_messages_received:0\r\n",
      context.memory().state_ok ? "ok" : "fail", slots.assigned, slots.ok, slots.pfail, slots.fail,
      context.config().nodes.size(), context.memory().size, context.config().current_epoch,
      my_epoch(context));
  if (!worded_as(context, Wording::redis_3_0)) {
    text += "total_cluster_links_buffer_limit_exceeded:0\r\n";
  }
  return Reply::bulk(std::move(text));
}

Reply replicas_of(Context& context, const Words& words) {
  const NodeId node = known_node(context.state, context.settings, words[2]);
  if (node == kNoNode) return unknown_node(words[2]);
  if (context.find(node)->replica) return err("The specified node is not a master");
  std::vector<Reply> lines;
  for (const NodeId replica : replicas(context, node)) {
    lines.push_back(Reply::bulk(node_line(context.config(), context.settings, replica)));
  }
  return Reply::array(std::move(lines));
}

Reply my_id(Context& context) {
  return Reply::bulk(context.settings.directory[context.me()].id);
}

Reply my_shard_id(Context& context) {
  const NodeId shard = context.my_record().shard;
  return Reply::bulk(context.settings.directory[shard == kNoNode ? context.me() : shard].id);
}

}  // namespace slotlab::node
