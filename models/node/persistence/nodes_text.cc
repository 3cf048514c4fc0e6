// Writing the text; reading is in nodes_text_read.cc.
#include "models/node/persistence/nodes_text.h"

#include <fmt/format.h>

namespace slotlab::node {

namespace {

using protocol::Rule;
using protocol::SlotRange;
using protocol::Wording;

enum class Form : std::uint8_t { reply, file };

bool has_shard_ids(const NodeSettings& settings) {
  return settings.dialect.has(Rule::shard_ids);
}

std::string address(const NodeSettings& settings, NodeId node, const NodeRecord& record,
                    Form form) {
  const protocol::Identity& identity = settings.directory[node];
  const std::string ip = record.no_addr ? "" : identity.ip;
  const unsigned port = record.no_addr ? 0 : identity.port;
  std::string text = fmt::format("{}:{}", ip, port);
  if (settings.dialect.wording == Wording::redis_3_0) return text;
  text += fmt::format("@{}", record.no_addr ? 0 : port + 10000);
  if (form == Form::file && has_shard_ids(settings)) {
    const NodeId shard = record.shard == kNoNode ? node : record.shard;
    text += fmt::format(",,tls-port=0,shard-id={}", settings.directory[shard].id);
  }
  return text;
}

std::string flags(const NodeRecord& record, bool myself) {
  std::string text;
  const auto add = [&](bool set, std::string_view name) {
    if (!set) return;
    if (!text.empty()) text += ',';
    text += name;
  };
  add(myself, "myself");
  add(!record.replica && !record.handshake, "master");
  add(record.replica && !record.handshake, "slave");
  add(record.pfail, "fail?");
  add(record.fail, "fail");
  add(record.handshake, "handshake");
  add(record.no_addr, "noaddr");
  add(record.no_failover, "nofailover");
  return text.empty() ? "noflags" : text;
}

Epoch shown_epoch(const Durable& config, const NodeSettings& settings, const NodeRecord& record) {
  if (!record.replica || !settings.dialect.has(Rule::replica_epoch_is_masters)) {
    return record.config_epoch;
  }
  const auto master = config.nodes.find(record.master);
  return master == config.nodes.end() ? record.config_epoch : master->second.config_epoch;
}

// " 0-5 9": the slots of `node`, adjacent classes joined.
std::string slots(const Durable& config, const NodeSettings& settings, NodeId node) {
  std::string text;
  std::optional<SlotRange> run;
  const auto flush = [&] {
    if (!run) return;
    text += run->first == run->last ? fmt::format(" {}", run->first)
                                    : fmt::format(" {}-{}", run->first, run->last);
    run.reset();
  };
  for (std::size_t c = 0; c < config.owner.size(); ++c) {
    if (config.owner[c] != node) continue;
    const SlotRange range = settings.slots.range(static_cast<SlotClass>(c));
    if (run && run->last + 1 == range.first) {
      run->last = range.last;
    } else {
      flush();
      run = range;
    }
  }
  flush();
  return text;
}

// Each slot is either migrating or importing in the text: the first hides the second.
std::string open_slots(const Durable& config, const NodeSettings& settings) {
  std::string text;
  for (std::size_t c = 0; c < config.owner.size(); ++c) {
    const bool migrating = config.migrating_to[c] != kNoNode;
    const NodeId other = migrating ? config.migrating_to[c] : config.importing_from[c];
    if (other == kNoNode) continue;
    const SlotRange range = settings.slots.range(static_cast<SlotClass>(c));
    for (unsigned slot = range.first; slot <= range.last; ++slot) {
      text += fmt::format(" [{}{}{}]", slot, migrating ? "->-" : "-<-",
                          settings.directory[other].id);
    }
  }
  return text;
}

std::string line(const Durable& config, const NodeSettings& settings, NodeId node, Form form) {
  const NodeRecord& record = config.nodes.at(node);
  const bool myself = node == config.me;
  const bool linked = myself || !(record.pfail || record.fail || record.no_addr);
  return fmt::format("{} {} {} {} 0 0 {} {}{}{}", settings.directory[node].id,
                     address(settings, node, record, form), flags(record, myself),
                     record.master == kNoNode ? "-" : settings.directory[record.master].id,
                     shown_epoch(config, settings, record), linked ? "connected" : "disconnected",
                     slots(config, settings, node), myself ? open_slots(config, settings) : "");
}

}  // namespace

std::string node_line(const Durable& config, const NodeSettings& settings, NodeId node) {
  return line(config, settings, node, Form::reply);
}

std::string nodes_text(const Durable& config, const NodeSettings& settings) {
  std::string text;
  for (const auto& [node, record] : config.nodes) {
    text += node_line(config, settings, node) + "\n";
  }
  return text;
}

std::string nodes_conf_text(const Durable& config, const NodeSettings& settings) {
  std::string text;
  for (const auto& [node, record] : config.nodes) {
    if (record.handshake) continue;
    text += line(config, settings, node, Form::file) + "\n";
  }
  return text + fmt::format("vars currentEpoch {} lastVoteEpoch {}\n", config.current_epoch,
                            config.last_vote_epoch);
}

}  // namespace slotlab::node
