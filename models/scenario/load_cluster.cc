// The sections that say what there is: dialects, rules, nodes, network, servers.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/protocol/key_slot.h"
#include "models/scenario/command_line.h"
#include "models/scenario/load_parts.h"

namespace slotlab::scenario {

namespace {

using protocol::Slot;
using protocol::SlotRange;

constexpr std::size_t kNodesMax = 100;

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < protocol::kRules; ++i) {
    names.emplace_back(protocol::rule_name(static_cast<protocol::Rule>(i)));
  }
  return names;
}

void read_slots(const Value& value, NodeSpec& node) {
  for (const Value& item : value.list("a slot")) {
    if (item.text("a slot") == "home") {
      if (node.home) item.fail("'home' is given twice");
      node.home = true;
    } else {
      const std::string word = item.text("a slot, a range such as 0-5460, or 'home'");
      node.slots.push_back({.value = read_range(item, word), .at = item.at()});
    }
  }
}

// A hash tag that puts a key into `slot`: the smallest number that does.
std::string tag_of(Slot slot) {
  for (unsigned i = 0;; ++i) {
    const std::string tag = std::to_string(i);
    if (protocol::key_slot(tag) == slot) return tag;
  }
}

void read_key_names(const Value& value, KeysInSlot& keys) {
  if (!value.is_list()) {
    const std::uint64_t count = value.number(0, 1000);
    const std::string tag = tag_of(keys.slot.value);
    for (std::uint64_t i = 1; i <= count; ++i) {
      keys.names.push_back({.value = fmt::format("k{}{{{}}}", i, tag), .at = value.at()});
    }
    return;
  }
  std::set<std::string> seen;
  for (const Value& item : value.list("a key")) {
    const std::string name = item.text("a key");
    const Slot slot = protocol::key_slot(name);
    if (slot != keys.slot.value) {
      item.fail(fmt::format("key {} hashes to slot {}, not to {}", in_quotes(name), slot,
                            keys.slot.value));
    }
    if (!seen.insert(name).second) item.fail("key " + in_quotes(name) + " is given twice");
    keys.names.push_back({.value = name, .at = item.at()});
  }
}

void read_keys(const Value& value, NodeSpec& node) {
  const MapReader map = value.open_map();
  for (std::size_t i = 0; i < map.size(); ++i) {
    KeysInSlot keys;
    const Value item = map.item(i);
    keys.slot = {.value = parse_slot(item, map.key(i).text), .at = map.key(i).at};
    read_key_names(item, keys);
    node.keys.push_back(std::move(keys));
  }
}

std::string read_id(const Value& value) {
  const std::string id = value.text("40 hexadecimal digits");
  if (id.size() != 40 || id.find_first_not_of("0123456789abcdef") != std::string::npos) {
    value.expected("40 hexadecimal digits in lower case");
  }
  return id;
}

NodeSpec read_node(const Value& value, Sourced<std::string> name) {
  NodeSpec node;
  node.name = std::move(name);
  const MapReader map = value.map({"epoch", "slots", "replica of", "keys", "id"});
  if (const auto id = map.find("id")) node.id = {.value = read_id(*id), .at = id->at()};
  if (const auto master = map.find("replica of")) {
    node.replica_of = {.value = master->text("the name of a master"), .at = master->at()};
    if (const auto epoch = map.find("epoch")) epoch->fail("a replica has no epoch of its own");
    if (const auto slots = map.find("slots")) slots->fail("a replica has no slots of its own");
  }
  if (const auto epoch = map.find("epoch")) {
    node.epoch = {.value = epoch->number(0, UINT32_MAX), .at = epoch->at()};
  }
  if (const auto slots = map.find("slots")) read_slots(*slots, node);
  if (const auto keys = map.find("keys")) read_keys(*keys, node);
  return node;
}

// Since each chain of masters ends at one that is none, there is at least one master.
void check_masters(const Value& cluster, const std::vector<NodeSpec>& nodes) {
  std::map<std::string, const NodeSpec*> by_name;
  std::vector<std::string> names;
  for (const NodeSpec& node : nodes) {
    by_name[node.name.value] = &node;
    names.push_back(node.name.value);
  }
  for (const NodeSpec& node : nodes) {
    if (!node.replica_of) continue;
    const auto fail = [&](const std::string& message) {
      throw InputError(cluster.file(), node.replica_of->at, message);
    };
    const std::string& of = node.replica_of->value;
    if (!by_name.contains(of)) {
      fail(fmt::format("no node is called {}; nodes are {}{}", in_quotes(of), one_of(names),
                       did_you_mean(of, names)));
    }
    // Follows the chain of masters until it ends or closes.
    std::set<std::string> seen = {node.name.value};
    const NodeSpec* at = by_name[of];
    while (at->replica_of && by_name.contains(at->replica_of->value) &&
           seen.insert(at->name.value).second) {
      at = by_name[at->replica_of->value];
    }
    if (seen.contains(at->name.value)) {
      fail(fmt::format("'replica of' goes round in a circle from {} to itself",
                       in_quotes(at->name.value)));
    }
    if (by_name[of]->replica_of) {
      fail(fmt::format("{} is itself a replica; a replica follows a master", in_quotes(of)));
    }
  }
}

void check_slots_and_ids(const Value& cluster, const std::vector<NodeSpec>& nodes) {
  std::map<Slot, std::pair<SlotRange, const NodeSpec*>> taken;  // by last slot of a range
  std::map<std::string, std::string> ids;
  for (const NodeSpec& node : nodes) {
    if (node.id && !ids.emplace(node.id->value, node.name.value).second) {
      throw InputError(cluster.file(), node.id->at,
                       "this id is already that of " + in_quotes(ids[node.id->value]));
    }
    for (const Sourced<SlotRange>& range : node.slots) {
      const auto next = taken.lower_bound(range.value.first);
      if (next != taken.end() && next->second.first.first <= range.value.last) {
        const Slot slot = std::max(next->second.first.first, range.value.first);
        throw InputError(cluster.file(), range.at,
                         fmt::format("slot {} is already a slot of {}", slot,
                                     in_quotes(next->second.second->name.value)));
      }
      taken[range.value.last] = {range.value, &node};
    }
  }
}

}  // namespace

SlotRange read_range(const Value& value, const std::string& word) {
  const std::size_t dash = word.find('-', 1);
  if (dash == std::string::npos) {
    const Slot slot = parse_slot(value, word);
    return {slot, slot};
  }
  const SlotRange range{parse_slot(value, word.substr(0, dash)),
                        parse_slot(value, word.substr(dash + 1))};
  if (range.first > range.last) {
    value.fail("the range " + in_quotes(word) + " ends before it begins");
  }
  return range;
}

Sourced<std::string> read_name(const Key& key, const MapReader& map, std::size_t i) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  bool good = !key.text.empty() && key.text.size() <= 16 && is_letter(key.text[0]);
  for (char c : key.text) {
    good = good && (is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_');
  }
  if (!good || key.text == "any" || key.text == "home") {
    map.fail_at_key(i, in_quotes(key.text) +
                           " is no name; a name is a letter and up to 15 letters, digits, '-' or "
                           "'_', and not 'any' or 'home'");
  }
  return {.value = key.text, .at = key.at};
}

Sourced<std::string> read_reference(const Value& value, const std::vector<std::string>& names,
                                    const std::string& what) {
  const std::string name = value.text("the name of a " + what);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    value.fail(fmt::format("{}: no {} is called {}; known are {}{}", value.what(), what,
                           in_quotes(name), one_of(names), did_you_mean(name, names)));
  }
  return {.value = name, .at = value.at()};
}

std::vector<Sourced<std::string>> read_dialects(const MapReader& top) {
  const auto value = top.find("dialect");
  const std::vector<std::string> known = protocol::dialect_names();
  if (!value) return {{.value = known.front(), .at = top.at()}};
  std::vector<Sourced<std::string>> dialects;
  for (const Value& item : value->list_or_one("'dialect'")) {
    Sourced<std::string> dialect = {.value = item.text("the name of a dialect"), .at = item.at()};
    if (!protocol::dialect_named(dialect.value)) {
      item.fail(
          fmt::format("{}: no dialect is called {}; known are {}, and these with a rule "
                      "switched, such as redis-7.0-bump-on-import{}",
                      item.what(), in_quotes(dialect.value), one_of(known),
                      did_you_mean(dialect.value, known)));
    }
    if (std::find(dialects.begin(), dialects.end(), dialect) != dialects.end()) {
      item.fail("dialect " + in_quotes(dialect.value) + " is given twice");
    }
    dialects.push_back(std::move(dialect));
  }
  if (dialects.empty()) value->expected("at least one dialect");
  return dialects;
}

std::vector<RuleSetting> read_rules(const MapReader& top) {
  const auto value = top.find("rules");
  std::vector<RuleSetting> rules;
  if (!value) return rules;
  const MapReader map = value->open_map();
  const std::vector<std::string> known = rule_names();
  for (std::size_t i = 0; i < map.size(); ++i) {
    const std::string& name = map.key(i).text;
    const auto rule = protocol::rule_named(name);
    if (!rule) {
      map.fail_at_key(i, fmt::format("no rule is called {} ('slotlab list' shows them){}",
                                     in_quotes(name), did_you_mean(name, known)));
    }
    rules.push_back({.rule = {.value = *rule, .at = map.key(i).at}, .on = map.item(i).flag()});
  }
  return rules;
}

std::vector<NodeSpec> read_cluster(const MapReader& top) {
  const Value value = top.need("cluster");
  const MapReader map = value.open_map();
  if (map.size() == 0) value.expected("at least one node, such as A: {epoch: 1, slots: [7, home]}");
  if (map.size() > kNodesMax) value.fail(fmt::format("'cluster': more than {} nodes", kNodesMax));
  std::vector<NodeSpec> nodes;
  for (std::size_t i = 0; i < map.size(); ++i) {
    nodes.push_back(read_node(map.item(i), read_name(map.key(i), map, i)));
  }
  check_masters(value, nodes);
  check_slots_and_ids(value, nodes);
  return nodes;
}

namespace {

// 'A': sends none to anybody. [A, B]: A sends none to B.
SilenceSpec read_silence(const Value& value, const std::vector<std::string>& nodes) {
  if (!value.is_list()) return {.from = read_reference(value, nodes, "node"), .to = {}};
  const std::vector<Value> pair = value.list("a node of the pair");
  if (pair.size() != 2) value.expected("a node, or a pair such as [A, B]");
  SilenceSpec silence{.from = read_reference(pair[0], nodes, "node"),
                      .to = read_reference(pair[1], nodes, "node")};
  if (silence.from == *silence.to) {
    pair[1].expected(fmt::format("another node than {}", silence.from.value));
  }
  return silence;
}

}  // namespace

NetworkSpec read_network(const MapReader& top, const Scenario& so_far) {
  NetworkSpec network;
  const auto value = top.find("network");
  if (!value) return network;
  const MapReader map = value->map(
      {"heartbeats", "heartbeats in flight", "messages in flight", "silent", "streams"});
  if (const auto kind = map.find("heartbeats")) {
    network.merged_heartbeats = kind->choice({"merged", "ping and pong"}) == 0;
  }
  if (const auto n = map.find("streams")) {
    network.streams = static_cast<std::uint8_t>(n->number(1, 2));
  }
  if (const auto n = map.find("heartbeats in flight")) {
    network.heartbeats_in_flight = static_cast<std::uint16_t>(n->number(1, 16));
  }
  network.messages_in_flight =
      std::max<std::uint16_t>(network.messages_in_flight, network.heartbeats_in_flight);
  if (const auto n = map.find("messages in flight")) {
    network.messages_in_flight =
        static_cast<std::uint16_t>(n->number(network.heartbeats_in_flight, 64));
  }
  if (const auto silent = map.find("silent")) {
    if (!network.merged_heartbeats) silent->fail("'silent' needs 'heartbeats: merged'");
    for (const Value& item : silent->list("a silence")) {
      network.silent.push_back(read_silence(item, so_far.node_names()));
    }
  }
  return network;
}

ServerSpec read_servers(const MapReader& top) {
  ServerSpec servers;
  const auto value = top.find("servers");
  if (!value) return servers;
  const MapReader map =
      value->map({"require full coverage", "allow replica migration", "persist keys",
                  "allow reads when down", "node timeout ms", "failure detection",
                  "suspicions of live peers", "elections", "slow targets"});
  const auto flag = [&](const char* key, bool& target) {
    if (const auto item = map.find(key)) target = item->flag();
  };
  flag("require full coverage", servers.require_full_coverage);
  flag("allow replica migration", servers.allow_replica_migration);
  flag("persist keys", servers.persist_keys);
  flag("allow reads when down", servers.reads_when_down);
  flag("failure detection", servers.failure_detection);
  if (const auto ms = map.find("node timeout ms")) {
    servers.node_timeout_ms = static_cast<std::uint32_t>(ms->number(1, 86400000));
  }
  if (const auto n = map.find("suspicions of live peers")) {
    servers.suspicions_max = static_cast<std::uint8_t>(n->number(0, 254));
    if (servers.suspicions_max > 0 && !servers.failure_detection) {
      n->fail("'suspicions of live peers' needs 'failure detection: on'");
    }
  }
  if (const auto n = map.find("elections")) {
    servers.elections_max = static_cast<std::uint8_t>(n->number(0, 254));
  }
  if (const auto n = map.find("slow targets")) {
    servers.slow_targets_max = static_cast<std::uint8_t>(n->number(0, 254));
  }
  return servers;
}

}  // namespace slotlab::scenario
