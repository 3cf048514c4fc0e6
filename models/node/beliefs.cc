// The facts of a NodeState in words.
#include "models/node/beliefs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace slotlab::node {
namespace {

// Collects lines; knows the names.
struct Writer {
  const NodeState& state;
  const NodeSettings& settings;
  std::vector<std::string> lines = {};

  std::string name(NodeId id) const {
    return id == kNoNode ? "nobody" : settings.directory[id].name;
  }
  std::string slot(std::size_t c) const {
    SlotSet one;
    one.add(static_cast<SlotClass>(c));
    return protocol::slots_text(settings.slots, one);
  }
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    lines.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
};

void write_myself(Writer& out) {
  const Durable& config = out.state.config;
  const NodeRecord& mine = config.nodes.at(config.me);
  if (mine.replica) {
    out.line("role: replica of {}", out.name(mine.master));
  } else {
    out.line("role: master");
  }
  out.line("config epoch {}", mine.config_epoch);
  out.line("current epoch {}", config.current_epoch);
  if (config.last_vote_epoch != 0) out.line("voted in epoch {}", config.last_vote_epoch);
  out.line("cluster state {}", out.state.memory.state_ok ? "ok" : "fail");
}

void write_slots(Writer& out) {
  const Durable& config = out.state.config;
  for (std::size_t i = 0; i < config.owner.size(); ++i) {
    out.line("owner of {}: {}", out.slot(i), out.name(config.owner[i]));
    if (out.state.memory.not_claiming.has(static_cast<SlotClass>(i))) {
      out.line("owner of {} no longer claims it", out.slot(i));
    }
    if (config.migrating_to[i] != kNoNode) {
      out.line("migrating {} to {}", out.slot(i), out.name(config.migrating_to[i]));
    }
    if (config.importing_from[i] != kNoNode) {
      out.line("importing {} from {}", out.slot(i), out.name(config.importing_from[i]));
    }
  }
}

void write_peer(Writer& out, NodeId id, const NodeRecord& record) {
  const std::string& name = out.settings.directory[id].name;
  if (record.handshake) {
    out.line("{} in handshake", name);
    return;
  }
  if (record.replica) out.line("{} is a replica of {}", name, out.name(record.master));
  out.line("config epoch of {}: {}", name, record.config_epoch);
  if (record.fail) {
    out.line("{} fail", name);
  } else if (record.pfail) {
    out.line("{} fail?", name);
  }
  if (record.no_addr) out.line("{} has no address", name);
  if (record.no_failover) out.line("{} takes part in no failover", name);
}

void write_peers(Writer& out) {
  const NodeState& state = out.state;
  for (const auto& [id, record] : state.config.nodes) {
    if (id != state.config.me) write_peer(out, id, record);
    const auto memory = state.memory.peers.find(id);
    if (memory == state.memory.peers.end()) continue;
    std::vector<std::string> reporters;
    for (const NodeId reporter : memory->second.fail_reports) {
      reporters.push_back(out.name(reporter));
    }
    if (!reporters.empty()) {
      out.line("{} reported failed by {}", out.name(id), fmt::join(reporters, " "));
    }
    if (memory->second.fail_is_old) out.line("{} failed long ago", out.name(id));
    if (memory->second.voted_recently) out.line("voted lately for the slots of {}", out.name(id));
  }
  for (const NodeId id : state.memory.blacklist) out.line("{} forgotten", out.name(id));
}

void write_failover(Writer& out) {
  const Election& election = out.state.memory.election;
  if (election.sent) {
    out.line("election: epoch {}, {} votes", election.epoch, election.votes);
  } else if (election.scheduled) {
    out.line("election: {}", election.due ? "due" : "scheduled");
  }
  const ManualFailover& manual = out.state.memory.manual;
  if (!manual.running) return;
  if (manual.replica != kNoNode) {
    out.line("manual failover: paused for {}", out.name(manual.replica));
  } else {
    out.line("manual failover: {}", manual.can_start      ? "may start"
                                    : manual.offset_known ? "catching up"
                                                          : "waits for the master");
  }
}

void write_data(Writer& out) {
  const NodeState& state = out.state;
  const NodeRecord& mine = state.config.nodes.at(state.config.me);
  if (mine.replica && mine.master != kNoNode) {
    out.line("data set: {}", state.memory.replicating_from == mine.master
                                 ? "follows " + out.name(mine.master)
                                 : "not yet copied from " + out.name(mine.master));
  }
  for (std::size_t i = 0; i < state.keys.size(); ++i) {
    if (state.keys[i].empty()) continue;
    std::vector<std::string> names;
    for (const auto& [key, value] : state.keys[i]) names.push_back(key);
    out.line("keys of {}: {}", out.slot(i), fmt::join(names, " "));
  }
  if (state.memory.migration) {
    const Migration& migration = *state.memory.migration;
    out.line("busy with MIGRATE to {}: {} key(s) unanswered", migration.address,
             migration.keys.size());
  }
  for (const auto& [key, expiry] : state.expires) {
    out.line("key {} {}", key, expiry.passed ? "has expired" : "will expire");
  }
  for (const PendingSetslot& pending : state.memory.pending) {
    out.line("waits for the replicas: {}", fmt::join(pending.words, " "));
  }
}

}  // namespace

std::vector<std::string> belief_lines(const NodeState& state, const NodeSettings& settings) {
  Writer out{state, settings};
  write_myself(out);
  write_slots(out);
  write_peers(out);
  write_failover(out);
  write_data(out);
  return std::move(out.lines);
}

}  // namespace slotlab::node
