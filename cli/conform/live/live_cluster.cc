#include "cli/conform/live/live_cluster.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "cli/conform/words.h"
#include "cli/input_error.h"

namespace slotlab::conform {
namespace {

namespace fs = std::filesystem;

constexpr Milliseconds kStable = 2200, kStableThoughOdd = 8000, kPoll = 120, kPollWait = 50;

std::string slots_words(const NodeSpec& node) {
  std::string out;
  for (const protocol::SlotRange& range : node.slots) {
    out += range.first == range.last ? fmt::format(" {}", range.first)
                                     : fmt::format(" {}-{}", range.first, range.last);
  }
  return out;
}

std::string field(const std::map<std::string, std::string>& lines, const char* key) {
  const auto at = lines.find(key);
  return at == lines.end() ? "" : at->second;
}

}  // namespace

LiveCluster::TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "slotlab-conform-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw cli::InputError("no temporary folder: " + pattern);
  path = pattern;
}

LiveCluster::TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

LiveCluster::LiveCluster(const Transcript& transcript, const std::string& binary,
                         const std::atomic<bool>* interrupt)
    : transcript_(transcript), binary_(binary), interrupt_(interrupt) {
  const ServerVersion version = version_of(binary);
  const std::vector<std::uint16_t> ports = free_ports(transcript.nodes.size());
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const NodeSpec& node = transcript.nodes[i];
    names_.add(node.name, node.id, ports[i]);
    fs::create_directory(folder_.path / node.name);
    servers_[node.name] = std::make_unique<Server>(binary, folder_.path / node.name, ports[i]);
  }
  start_all(version);
}

// Masters first: a replica that finds its master at once need not wait a second to try again.
void LiveCluster::start_all(const ServerVersion& version) {
  for (const bool replicas : {false, true}) {
    for (const NodeSpec& node : transcript_.nodes) {
      if (node.of.has_value() != replicas) continue;
      write_files(node, version);
      server(node.name).start();
    }
  }
  if (!settle(40000)) throw ServersStalled("the servers do not settle within 40 s");
}

void LiveCluster::write_files(const NodeSpec& node, const ServerVersion& version) const {
  std::ofstream(folder_.path / node.name / "nodes.conf") << nodes_text(node, version);
  std::ofstream(folder_.path / node.name / "server.conf") << config_text(node, version);
}

std::string LiveCluster::config_text(const NodeSpec& node, const ServerVersion& version) const {
  const bool old_words = version.major < 5 && !version.valkey;
  std::map<std::string, std::string> config = {
      {"cluster-enabled", "yes"},
      {"cluster-config-file", "nodes.conf"},
      {"cluster-node-timeout", "1000"},
      {old_words ? "cluster-slave-validity-factor" : "cluster-replica-validity-factor", "0"},
      {"cluster-require-full-coverage", "yes"},
      {"repl-diskless-sync-delay", "0"},
      {old_words ? "repl-ping-slave-period" : "repl-ping-replica-period", "1"},
      {"appendonly", transcript_.persistent ? "yes" : "no"},
      {"appendfsync", "always"},
      {"auto-aof-rewrite-percentage", "0"},
      {"save", "\"\""},
      {"daemonize", "no"},
      {"bind", "127.0.0.1"},
      {"port", std::to_string(servers_.at(node.name)->port())},
      {"dir", (folder_.path / node.name).string()},
      {"logfile", "log"}};
  if (version.major >= 4) config["protected-mode"] = "no";
  if (version.major >= 7) config["cluster-allow-replica-migration"] = "yes";
  for (const ServerConfig* more : {&transcript_.config, &node.config}) {
    for (const auto& [key, value] : more->words) config[key] = value;
  }
  std::string text;
  for (const auto& [key, value] : config) text += fmt::format("{} {}\n", key, value);
  return text;
}

std::string LiveCluster::nodes_text(const NodeSpec& me, const ServerVersion& version) const {
  std::string text;
  protocol::Epoch current = 0;
  for (const NodeSpec& node : transcript_.nodes) {
    if (me.alone ? node.name != me.name : node.alone) continue;
    const NodeSpec& top = node.of ? *transcript_.node(*node.of) : node;
    const std::uint16_t port = servers_.at(node.name)->port();
    text += fmt::format("{} 127.0.0.1:{}@{}{} {}{} {} 0 0 {} connected{}\n", node.id, port,
                        port + 10000, version.valkey ? ",,shard-id=" + top.id : "",
                        node.name == me.name ? "myself," : "", node.of ? "slave" : "master",
                        node.of ? top.id : "-", node.epoch, slots_words(node));
    current = std::max(current, node.epoch);
  }
  return text + fmt::format("vars currentEpoch {} lastVoteEpoch 0\n", current);
}

Json LiveCluster::command(const CommandStep& step) {
  std::vector<std::string> words;
  for (const std::string& word : step.words) words.push_back(names_.plain(word));
  Json reply = {{"type", "none"}};
  try {
    reply = server(step.at).call(step.connection, words);
    const Json tidied = names_.tidy(reply);
    if (is_hard_reset(words) && reply["type"] == "status") {
      names_.renamed(step.at, server(step.at).ask({"CLUSTER", "MYID"})["value"]);
    }
    reply = recorded(tidied, step.record);
  } catch (const ConnectionError&) {
    // The server is down, paused, or has ended itself: no answer, as a virtual node gives none.
    reply = {{"type", "none"}};
  }
  return reply;
}

Json LiveCluster::view(const std::string& name) {
  if (!server(name).running()) return {{"down", true}};
  if (server(name).paused()) return {{"paused", true}};
  try {
    return live_view(server(name), names_, transcript_.watch);
  } catch (const ConnectionError& error) {
    return {{"unreachable", error.what()}};
  }
}

LiveCluster::Snapshot LiveCluster::snapshot() {
  Snapshot now{.signature = {}, .calm = true};
  std::map<std::string, std::set<bool>> failed;  // what is gone: FAIL, or only suspected
  for (const NodeSpec& node : transcript_.nodes) {
    if (!server(node.name).live()) continue;
    const Table table = table_of(server(node.name), names_);
    now.signature += fmt::format("{} {} {}\n", node.name, field(table.info, "cluster_state"),
                                 field(table.info, "cluster_current_epoch"));
    for (const auto& [name, row] : table.rows) {
      const auto peer = servers_.find(name);
      const bool gone = peer != servers_.end() && !peer->second->live();
      now.signature += fmt::format("{} {} {} {} {}", name, row.epoch, gone || row.connected, row.of,
                                   ranges_text(row.slots));
      for (const std::string& flag : row.flags) now.signature += " " + flag;
      for (const auto& [slot, to] : row.migrating) now.signature += fmt::format(" {}>{}", slot, to);
      for (const auto& [slot, to] : row.importing) now.signature += fmt::format(" {}<{}", slot, to);
      now.signature += "\n";
      if (row.has("myself")) continue;
      if (gone) {
        now.calm = now.calm && row.failing();
        failed[name].insert(row.has("fail"));
      } else {
        now.calm = now.calm && !row.failing() && row.connected && !row.has("handshake") &&
                   !row.has("noaddr");
      }
    }
    const std::string& of = table.me().of;
    const auto master = servers_.find(of);
    if (master != servers_.end() && master->second->live()) {
      now.calm = now.calm && in_sync(node.name, of);
    }
  }
  now.calm = now.calm && std::all_of(failed.begin(), failed.end(),
                                     [](const auto& seen) { return seen.second.size() == 1; });
  return now;
}

bool LiveCluster::in_sync(const std::string& replica, const std::string& master) {
  const auto replication = [&](const std::string& name) {
    return lines_of(server(name).ask({"INFO", "replication"}));
  };
  const auto before = replication(replica);
  if (field(before, "master_link_status") != "up") return false;
  if (field(before, "master_sync_in_progress") != "0") return false;
  const auto of = replication(master);
  if (field(of, "role") != "master") return false;
  // The replica is asked again, after its master, so that it can only be ahead.
  const std::string offset = field(replication(replica), "slave_repl_offset");
  const std::string wanted = field(of, "master_repl_offset");
  return !offset.empty() && !wanted.empty() && std::stoll(offset) >= std::stoll(wanted);
}

bool LiveCluster::settle(Milliseconds limit) {
  const Milliseconds end = real_now() + limit;
  std::string last;
  Milliseconds since = real_now();
  while (true) {
    Snapshot now;
    try {
      now = snapshot();
    } catch (const ConnectionError&) {
      now = {};
    }
    const Milliseconds time = real_now();
    if (now.signature != last || now.signature.empty()) {
      last = now.signature;
      since = time;
    }
    const bool answered = !now.signature.empty();
    if (answered && time - since >= (now.calm ? kStable : kStableThoughOdd)) return true;
    if (time > end) return false;
    sleep_unless(interrupt_, kPoll);
  }
}

bool LiveCluster::holds(const Condition& condition) {
  using Kind = Condition::Kind;
  const Table table = table_of(server(condition.node), names_);
  const TableRow& me = table.me();
  const auto other = table.rows.find(condition.other);
  const bool known = other != table.rows.end();
  switch (condition.kind) {
    case Kind::converged: return false;
    case Kind::is_master: return me.has("master");
    case Kind::is_replica_of: return me.of == condition.other;
    case Kind::sees_fail: return known && other->second.has("fail");
    case Kind::sees_ok: return known && !other->second.failing();
    case Kind::sees_slot_at: return known && other->second.slots[condition.slot];
    case Kind::is_ok: return field(table.info, "cluster_state") == "ok";
    case Kind::is_down: return field(table.info, "cluster_state") == "fail";
    case Kind::in_sync: return servers_.contains(me.of) && in_sync(condition.node, me.of);
  }
  return false;
}

std::optional<std::string> LiveCluster::wait(const WaitStep& step) {
  if (step.condition.kind == Condition::Kind::converged) {
    if (settle(Milliseconds{step.timeout_s} * 1000)) return std::nullopt;
    return fmt::format("not settled after {} s", step.timeout_s);
  }
  const Milliseconds end = real_now() + Milliseconds{step.timeout_s} * 1000;
  while (real_now() < end) {
    try {
      if (holds(step.condition)) return std::nullopt;
    } catch (const ConnectionError&) {
      // It does not answer at the moment; it may again.
    }
    sleep_unless(interrupt_, kPollWait);
  }
  return fmt::format("waited {} s in vain", step.timeout_s);
}

void LiveCluster::fault(const FaultStep& step) {
  switch (step.kind) {
    case FaultStep::Kind::kill: return server(step.node).kill();
    case FaultStep::Kind::restart: return server(step.node).start();
    case FaultStep::Kind::pause: return server(step.node).pause();
    case FaultStep::Kind::resume: return server(step.node).resume();
  }
}

}  // namespace slotlab::conform
