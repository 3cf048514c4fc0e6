// The section 'clients': sessions with their programs, policies and maps.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "models/protocol/key_slot.h"
#include "models/scenario/load_parts.h"

namespace slotlab::scenario {

namespace {

constexpr std::size_t kSessionsMax = 16;
constexpr std::size_t kCommandsMax = 100;

client::Words read_words(const Value& value) {
  std::istringstream text(value.text("a command"));
  client::Words words;
  for (std::string word; text >> word;) words.push_back(word);
  if (words.empty()) value.expected("a command");
  for (char& c : words[0]) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  const std::string wrong = client::complaint(words);
  if (!wrong.empty()) value.fail(fmt::format("{}: {}", in_quotes(value.text()), wrong));
  const std::vector<std::string> keys = client::keys_of(words);
  for (const std::string& key : keys) {
    if (protocol::key_slot(key) != protocol::key_slot(keys[0])) {
      value.fail(fmt::format("keys {} and {} are in different slots; servers refuse that",
                             in_quotes(keys[0]), in_quotes(key)));
    }
  }
  return words;
}

std::vector<client::Words> read_commands(const Value& value) {
  std::vector<client::Words> commands;
  for (const Value& each : value.list("a command")) commands.push_back(read_words(each));
  if (commands.empty()) value.expected("at least one command");
  if (commands.size() > kCommandsMax) {
    value.fail(fmt::format("more than {} commands", kCommandsMax));
  }
  return commands;
}

client::Item read_item(const Value& value) {
  client::Item item;
  if (value.is_list()) {
    item.commands = read_commands(value);
  } else if (value.is_map()) {
    const MapReader map = value.map({"transaction"});
    item.kind = client::Item::Kind::transaction;
    item.commands = read_commands(map.need("transaction"));
  } else {
    item.commands = {read_words(value)};
  }
  return item;
}

client::Policy read_policy_name(const Value& value) {
  const std::vector<std::string> names = client::policy_names();
  return *client::policy_named(names[value.choice(names)]);
}

// A name, or changes to a named one.
client::Policy read_policy(const Value& value) {
  if (!value.is_map()) return read_policy_name(value);
  const MapReader map =
      value.map({"like", "asking", "asking together", "map on ask", "map on moved",
                 "refresh on moved", "sticky", "follows unknown", "resends", "attempts"});
  client::Policy policy;
  if (const auto like = map.find("like")) policy = read_policy_name(*like);
  const auto flag = [&](const char* key, bool& member) {
    if (const auto given = map.find(key)) member = given->flag();
  };
  flag("asking", policy.asking);
  flag("asking together", policy.asking_together);
  flag("map on ask", policy.map_on_ask);
  flag("map on moved", policy.map_on_moved);
  flag("refresh on moved", policy.refresh_on_moved);
  flag("sticky", policy.sticky);
  flag("follows unknown", policy.follows_unknown);
  flag("resends", policy.resends_unknown);
  if (const auto given = map.find("attempts")) {
    policy.sends_max = read_tries(*given, 100);
  }
  return policy;
}

SessionSpec read_session(const Value& value, Sourced<std::string> name,
                         const std::vector<std::string>& nodes) {
  SessionSpec out;
  out.name = std::move(name);
  const MapReader map = value.map({"policy", "program", "map", "asks"});
  if (const auto policy = map.find("policy")) out.policy = read_policy(*policy);
  const Value program = map.need("program");
  for (const Value& each : program.list("a command")) out.program.push_back(read_item(each));
  if (out.program.empty()) program.expected("at least one command");
  if (out.program.size() > kCommandsMax) {
    program.fail(fmt::format("more than {} commands", kCommandsMax));
  }
  if (const auto given = map.find("map")) {
    const MapReader slots = given->open_map();
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const protocol::SlotRange range = read_range(slots.item(i), slots.key(i).text);
      if (range.first != range.last) slots.fail_at_key(i, "a client's map names single slots");
      out.map.emplace_back(range.first, read_reference(slots.item(i), nodes, "node").value);
    }
  }
  if (const auto given = map.find("asks")) {
    for (const Value& each : given->list_or_one("a node")) {
      out.asks.push_back(read_reference(each, nodes, "node").value);
    }
  }
  return out;
}

bool is_taken(const Scenario& so_far, const std::string& name) {
  const std::vector<std::string> nodes = so_far.node_names();
  return name == "clients" || std::find(nodes.begin(), nodes.end(), name) != nodes.end() ||
         std::any_of(so_far.operators.begin(), so_far.operators.end(),
                     [&](const OperatorSpec& op) { return op.name.value == name; });
}

}  // namespace

ClientsSpec read_clients(const MapReader& top, const Scenario& so_far) {
  ClientsSpec clients;
  const auto value = top.find("clients");
  if (!value) return clients;
  const MapReader map =
      value->map({"sessions", "shared connection", "redirects at most", "moved at most"});
  if (const auto given = map.find("shared connection")) clients.shared_connection = given->flag();
  if (const auto given = map.find("redirects at most")) {
    clients.redirects_max = static_cast<std::uint8_t>(given->number(0, 100));
  }
  if (const auto given = map.find("moved at most")) {
    clients.moved_max = static_cast<std::uint8_t>(given->number(0, 100));
  }
  const Value sessions = map.need("sessions");
  const MapReader each = sessions.open_map();
  if (each.size() == 0) sessions.expected("at least one session");
  if (each.size() > kSessionsMax) sessions.fail(fmt::format("more than {} sessions", kSessionsMax));
  for (std::size_t i = 0; i < each.size(); ++i) {
    Sourced<std::string> name = read_name(each.key(i), each, i);
    if (is_taken(so_far, name.value)) {
      each.fail_at_key(i, in_quotes(name.value) + " is already the name of something else");
    }
    clients.sessions.push_back(read_session(each.item(i), std::move(name), so_far.node_names()));
  }
  return clients;
}

}  // namespace slotlab::scenario
