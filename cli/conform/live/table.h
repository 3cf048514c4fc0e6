// What a real server says of the cluster, read from CLUSTER NODES, CLUSTER INFO and INFO: the same
// as a virtual node's state, from outside.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/conform/live/server.h"
#include "cli/conform/names.h"
#include "models/protocol/words.h"

namespace slotlab::conform {

struct TableRow {
  std::set<std::string> flags;
  std::int64_t epoch = 0;
  bool connected = false;
  std::string of;                             // a replica's master; empty: none
  std::vector<bool> slots = std::vector<bool>(protocol::kSlots);
  std::map<int, std::string> migrating, importing;
  bool has(const char* flag) const { return flags.contains(flag); }
  bool failing() const { return has("fail") || has("fail?"); }
};

struct Table {
  std::map<std::string, TableRow> rows;       // by name
  std::map<std::string, std::string> info;    // CLUSTER INFO
  const TableRow& me() const;
};

// ERRORS: throws ConnectionError.
Table table_of(Server& server, const Names& names);
// The lines "key:value" of a reply.
std::map<std::string, std::string> lines_of(const Json& reply);
// "0-99,101"
std::string ranges_text(const std::vector<bool>& slots);

// The view as a transcript has it. ERRORS: throws ConnectionError.
Json live_view(Server& server, const Names& names, const std::vector<protocol::Slot>& watch);

}  // namespace slotlab::conform
