// Reading the text of nodes_text.h: first into lines, then into a node's configuration.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "models/node/persistence/nodes_text.h"

namespace slotlab::node {

namespace {

using protocol::kSlots;
using protocol::Rule;
using protocol::Slot;
using protocol::SlotRange;
using Expectation = std::string;  // what was expected; empty: all is well

std::vector<std::string_view> split(std::string_view text, char at, bool keep_empty) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(at);
    const auto part = text.substr(0, end);
    if (keep_empty || !part.empty()) parts.push_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class Number>
std::optional<Number> read_number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

std::optional<Slot> read_slot_number(std::string_view text) {
  const auto value = read_number<std::uint16_t>(text);
  return value && *value < kSlots ? value : std::nullopt;
}

bool is_node_id(std::string_view text) {
  return text.size() == 40 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
         });
}

// "ip:port[@bus_port][,hostname[,name=value]...]"
Expectation read_address(std::string_view text, NodeLine& out) {
  const auto parts = split(text, ',', true);
  for (std::size_t i = 2; i < parts.size(); ++i) {
    if (parts[i].starts_with("shard-id=")) out.shard_id = parts[i].substr(9);
  }
  std::string_view host = parts[0];
  const auto at = host.rfind('@');
  std::optional<std::uint16_t> bus_port;
  if (at != std::string_view::npos) {
    bus_port = read_number<std::uint16_t>(host.substr(at + 1));
    if (!bus_port) return "a bus port after '@'";
    host = host.substr(0, at);
  }
  const auto colon = host.rfind(':');
  if (colon == std::string_view::npos) return "an address ip:port";
  const auto port = read_number<std::uint16_t>(host.substr(colon + 1));
  if (!port) return "a port after ':'";
  out.ip = host.substr(0, colon);
  out.port = *port;
  const bool implied = *port != 0 && *port <= 55535;
  out.bus_port = bus_port ? *bus_port : static_cast<std::uint16_t>(implied ? *port + 10000 : 0);
  return {};
}

Expectation read_flags(std::string_view text, NodeLine& out) {
  for (const std::string_view flag : split(text, ',', true)) {
    if (flag == "myself") out.myself = true;
    else if (flag == "master") out.master = true;
    else if (flag == "slave") out.replica = true;
    else if (flag == "fail?") out.pfail = true;
    else if (flag == "fail") out.fail = true;
    else if (flag == "handshake") out.handshake = true;
    else if (flag == "noaddr") out.no_addr = true;
    else if (flag == "nofailover") out.no_failover = true;
    else if (flag != "noflags") return fmt::format("a flag, found '{}'", flag);
  }
  return {};
}

// "[7->-id]" or "[7-<-id]"
Expectation read_open_slot(std::string_view text, NodeLine& out) {
  const Expectation expected = "an open slot [slot->-id] or [slot-<-id]";
  if (!text.ends_with(']')) return expected;
  text = text.substr(1, text.size() - 2);
  const auto dash = text.find('-');
  if (dash == std::string_view::npos || text.size() != dash + 3 + 40) return expected;
  const auto slot = read_slot_number(text.substr(0, dash));
  const std::string_view arrow = text.substr(dash, 3);
  const std::string_view id = text.substr(dash + 3);
  if (!slot || !is_node_id(id) || (arrow != "->-" && arrow != "-<-")) return expected;
  (arrow == "->-" ? out.migrating : out.importing).push_back({*slot, std::string(id)});
  return {};
}

Expectation read_slots(std::string_view text, NodeLine& out) {
  if (text.starts_with('[')) return read_open_slot(text, out);
  const auto dash = text.find('-');
  const auto first = read_slot_number(text.substr(0, dash));
  const auto last =
      dash == std::string_view::npos ? first : read_slot_number(text.substr(dash + 1));
  if (!first || !last || *first > *last) {
    return fmt::format("a slot or a range of slots within 0-16383, found '{}'", text);
  }
  out.slots.push_back({*first, *last});
  return {};
}

Expectation read_node_line(const std::vector<std::string_view>& words, NodeLine& out) {
  if (words.size() < 8) return fmt::format("at least 8 columns, found {}", words.size());
  if (!is_node_id(words[0])) {
    return fmt::format("a node id of 40 letters and digits, found '{}'", words[0]);
  }
  out.id = words[0];
  if (auto wrong = read_address(words[1], out); !wrong.empty()) {
    return fmt::format("{}, found '{}'", wrong, words[1]);
  }
  if (auto wrong = read_flags(words[2], out); !wrong.empty()) return wrong;
  if (words[3] != "-") {
    if (!is_node_id(words[3])) return fmt::format("'-' or a master's id, found '{}'", words[3]);
    out.master_id = words[3];
  }
  for (const std::size_t column : {std::size_t{4}, std::size_t{5}}) {
    if (!read_number<std::uint64_t>(words[column])) {
      return fmt::format("a time in milliseconds, found '{}'", words[column]);
    }
  }
  const auto epoch = read_number<std::uint64_t>(words[6]);
  if (!epoch) return fmt::format("a config epoch, found '{}'", words[6]);
  out.epoch = *epoch;
  out.connected = words[7] == "connected";
  if (!out.connected && words[7] != "disconnected") {
    return fmt::format("'connected' or 'disconnected', found '{}'", words[7]);
  }
  for (std::size_t i = 8; i < words.size(); ++i) {
    if (auto wrong = read_slots(words[i], out); !wrong.empty()) return wrong;
  }
  return {};
}

Expectation read_vars(const std::vector<std::string_view>& words, NodesText& out) {
  for (std::size_t i = 1; i < words.size(); i += 2) {
    const auto value = i + 1 < words.size() ? read_number<std::uint64_t>(words[i + 1])
                                            : std::optional<std::uint64_t>{};
    if (!value) return fmt::format("a number after '{}'", words[i]);
    if (words[i] == "currentEpoch") out.current_epoch = value;
    if (words[i] == "lastVoteEpoch") out.last_vote_epoch = value;
  }
  return {};
}

// Fills a configuration from lines that were read; throws NodesTextError, caught in this file.
class Loader {
 public:
  explicit Loader(const NodeSettings& settings) : settings_(settings) {
    const std::size_t classes = settings.slots.count();
    config_.owner.assign(classes, kNoNode);
    config_.migrating_to.assign(classes, kNoNode);
    config_.importing_from.assign(classes, kNoNode);
  }

  Durable load(const NodesText& text) {
    for (const NodeLine& line : text.nodes) load_node(line);
    if (config_.me == kNoNode) throw NodesTextError{0, "expected one line flagged myself"};
    for (const NodeLine& line : text.nodes) load_slots(line);
    Epoch greatest = text.current_epoch.value_or(0);
    for (auto& [node, record] : config_.nodes) {
      if (record.replica && record.master != kNoNode &&
          settings_.dialect.has(Rule::replica_epoch_is_masters)) {
        record.config_epoch = 0;
      }
      greatest = std::max(greatest, record.config_epoch);
    }
    config_.current_epoch = greatest;
    config_.last_vote_epoch = text.last_vote_epoch.value_or(0);
    return std::move(config_);
  }

 private:
  NodeId node(std::size_t line, const std::string& id) const {
    const NodeId found = settings_.directory.by_id(id);
    if (found == kNoNode) {
      throw NodesTextError{line, fmt::format("expected a node of this scenario, found {}", id)};
    }
    return found;
  }

  void load_node(const NodeLine& line) {
    const NodeId id = node(line.line, line.id);
    if (line.myself) {
      if (config_.me != kNoNode) throw NodesTextError{line.line, "expected one myself, found two"};
      config_.me = id;
    }
    NodeRecord& record = config_.nodes[id];
    record.replica = line.replica;
    record.pfail = line.pfail;
    record.fail = line.fail;
    record.no_addr = line.no_addr;
    record.no_failover = line.no_failover;
    record.config_epoch = line.epoch;
    if (!line.master_id.empty()) {
      record.master = node(line.line, line.master_id);
      config_.nodes[record.master];  // a master that has no line of its own gets a bare record
    }
    if (!settings_.dialect.has(Rule::shard_ids)) return;
    const NodeId shard = settings_.directory.by_id(line.shard_id);
    const NodeId of_role = record.master != kNoNode ? record.master : id;
    record.shard = shard != kNoNode ? shard : of_role;
  }

  // Calls `take` for each class of `range`, which must be made of whole classes.
  template <class Take>
  void for_classes(std::size_t line, SlotRange range, Take take) const {
    for (unsigned slot = range.first; slot <= range.last;) {
      const auto found = settings_.slots.of(static_cast<Slot>(slot));
      if (!found) {  // the scenario leaves it out
        ++slot;
        continue;
      }
      const SlotRange whole = settings_.slots.range(*found);
      if (whole.first != slot || whole.last > range.last) {
        throw NodesTextError{line, fmt::format("expected slots {}-{} together, found {}-{}",
                                               whole.first, whole.last, range.first, range.last)};
      }
      take(*found);
      slot = whole.last + 1u;
    }
  }

  void load_slots(const NodeLine& line) {
    const NodeId owner = node(line.line, line.id);
    for (const SlotRange& range : line.slots) {
      for_classes(line.line, range, [&](SlotClass c) {
        if (config_.owner[c] == kNoNode) config_.owner[c] = owner;
      });
    }
    load_open(line, line.migrating, config_.migrating_to);
    load_open(line, line.importing, config_.importing_from);
  }

  // All slots of a class are open alike, or the text does not fit the classes.
  void load_open(const NodeLine& line, const std::vector<OpenSlot>& open,
                 std::vector<NodeId>& marks) {
    for (const OpenSlot& mark : open) {
      const auto found = settings_.slots.of(mark.slot);
      if (!found) continue;
      const NodeId other = node(line.line, mark.id);
      const SlotRange whole = settings_.slots.range(*found);
      for (unsigned slot = whole.first; slot <= whole.last; ++slot) {
        if (std::find(open.begin(), open.end(), OpenSlot{static_cast<Slot>(slot), mark.id}) ==
            open.end()) {
          throw NodesTextError{line.line, fmt::format("expected slots {}-{} open together",
                                                      whole.first, whole.last)};
        }
      }
      marks[*found] = other;
    }
  }

  const NodeSettings& settings_;
  Durable config_;
};

}  // namespace

std::string NodesTextError::text() const {
  return line == 0 ? message : fmt::format("line {}: {}", line, message);
}

std::variant<NodesText, NodesTextError> parse_nodes_text(std::string_view text) {
  NodesText out;
  std::size_t number = 0;
  for (std::string_view line : split(text, '\n', true)) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto words = split(line, ' ', false);
    if (words.empty()) continue;
    Expectation wrong;
    if (words[0] == "vars") {
      wrong = read_vars(words, out);
    } else {
      NodeLine node;
      node.line = number;
      wrong = read_node_line(words, node);
      out.nodes.push_back(std::move(node));
    }
    if (!wrong.empty()) return NodesTextError{number, "expected " + wrong};
  }
  if (out.nodes.empty()) return NodesTextError{0, "expected at least one node, found none"};
  return out;
}

std::variant<Durable, NodesTextError> read_nodes_conf(std::string_view text,
                                                      const NodeSettings& settings) {
  auto parsed = parse_nodes_text(text);
  if (auto* wrong = std::get_if<NodesTextError>(&parsed)) return std::move(*wrong);
  try {
    return Loader(settings).load(std::get<NodesText>(parsed));
  } catch (NodesTextError& wrong) {
    return std::move(wrong);
  }
}

}  // namespace slotlab::node
