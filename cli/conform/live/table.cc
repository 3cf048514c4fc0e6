#include "cli/conform/live/table.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

namespace slotlab::conform {
namespace {

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, by);) parts.push_back(part);
  return parts;
}

std::string called(const Names& names, const std::string& id) { return names.name_of(id); }

// "100", "100-199", "[100->-ID]", "[100-<-ID]"
void add_slots(TableRow& row, const std::string& part, const Names& names) {
  if (part.front() == '[') {
    const std::size_t arrow = part.find_first_of("<>");
    const int slot = std::stoi(part.substr(1));
    const std::string id = part.substr(arrow + 2, part.size() - arrow - 3);
    (part[arrow] == '>' ? row.migrating : row.importing)[slot] = called(names, id);
    return;
  }
  const std::size_t dash = part.find('-');
  const int first = std::stoi(part);
  const int last = dash == std::string::npos ? first : std::stoi(part.substr(dash + 1));
  std::fill(row.slots.begin() + first, row.slots.begin() + last + 1, true);
}

TableRow row_of(const std::vector<std::string>& columns, const Names& names) {
  TableRow row;
  for (const std::string& flag : split(columns[2], ',')) row.flags.insert(flag);
  if (columns[3] != "-") row.of = called(names, columns[3]);
  row.epoch = std::stoll(columns[6]);
  row.connected = columns[7] == "connected";
  for (std::size_t i = 8; i < columns.size(); ++i) {
    if (!columns[i].empty()) add_slots(row, columns[i], names);
  }
  return row;
}

Json marks_json(const std::map<int, std::string>& marks) {
  Json out = Json::object();
  for (const auto& [slot, node] : marks) out[std::to_string(slot)] = node;
  return out;
}

Json keys_json(Server& server, const std::vector<protocol::Slot>& watch) {
  Json out = Json::object();
  for (const protocol::Slot slot : watch) {
    const Json reply = server.ask({"CLUSTER", "GETKEYSINSLOT", std::to_string(slot), "100"});
    std::vector<std::string> keys;
    for (const Json& key : reply["value"]) keys.push_back(key["value"].get<std::string>());
    std::sort(keys.begin(), keys.end());
    out[std::to_string(slot)] = keys;
  }
  return out;
}

}  // namespace

const TableRow& Table::me() const {
  const auto at = std::find_if(rows.begin(), rows.end(),
                               [](const auto& entry) { return entry.second.has("myself"); });
  if (at == rows.end()) throw ConnectionError("CLUSTER NODES without the node itself");
  return at->second;
}

std::map<std::string, std::string> lines_of(const Json& reply) {
  std::map<std::string, std::string> lines;
  for (std::string line : split(reply.value("value", std::string()), '\n')) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos) lines[line.substr(0, colon)] = line.substr(colon + 1);
  }
  return lines;
}

std::string ranges_text(const std::vector<bool>& slots) {
  std::string out;
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    if (!slots[slot]) continue;
    const std::size_t first = slot;
    while (slot + 1 < slots.size() && slots[slot + 1]) ++slot;
    out += fmt::format("{}{}", out.empty() ? "" : ",", first);
    if (slot != first) out += fmt::format("-{}", slot);
  }
  return out;
}

Table table_of(Server& server, const Names& names) {
  Table table;
  const Json nodes = server.ask({"CLUSTER", "NODES"});
  for (const std::string& line : split(nodes.value("value", std::string()), '\n')) {
    const std::vector<std::string> columns = split(line, ' ');
    if (columns.size() < 8) throw ConnectionError("a line of CLUSTER NODES: " + line);
    table.rows[called(names, columns[0])] = row_of(columns, names);
  }
  table.info = lines_of(server.ask({"CLUSTER", "INFO"}));
  return table;
}

Json live_view(Server& server, const Names& names, const std::vector<protocol::Slot>& watch) {
  const Table table = table_of(server, names);
  const TableRow& me = table.me();
  std::vector<bool> unassigned(protocol::kSlots, true);
  Json owners = Json::object(), epochs = Json::object(), replicas = Json::object(),
       failed = Json::object();
  for (const auto& [name, row] : table.rows) {
    const std::string slots = ranges_text(row.slots);
    if (!slots.empty()) owners[name] = slots;
    for (std::size_t slot = 0; slot < protocol::kSlots; ++slot) {
      if (row.slots[slot]) unassigned[slot] = false;
    }
    if (row.has("master")) epochs[name] = row.epoch;
    if (row.has("slave")) replicas[name] = row.of.empty() ? Json(nullptr) : Json(row.of);
    if (row.failing()) failed[name] = row.has("fail") ? "fail" : "fail?";
  }
  Json view = Json::object();
  view["role"] = me.has("master") ? "master" : "replica of " + (me.of.empty() ? "None" : me.of);
  view["state"] = table.info.at("cluster_state");
  view["currentEpoch"] = std::stoll(table.info.at("cluster_current_epoch"));
  view["configEpoch"] = std::stoll(table.info.at("cluster_my_epoch"));
  view["owners"] = owners;
  if (const std::string free = ranges_text(unassigned); !free.empty()) view["unassigned"] = free;
  view["epochs"] = epochs;
  view["replicas"] = replicas;
  view["failed"] = failed;
  view["migrating"] = marks_json(me.migrating);
  view["importing"] = marks_json(me.importing);
  view["keys"] = keys_json(server, watch);
  return view;
}

}  // namespace slotlab::conform
