// Policies by name and what is known of the commands that clients send. See program.h.
#include "models/client/program.h"

#include <algorithm>

namespace slotlab::client {

namespace {

std::vector<Policy> make_policies() {
  const Policy careful;
  std::vector<Policy> all = {careful};
  const auto add = [&](std::string_view name, auto change) {
    Policy policy = careful;
    policy.name = name;
    change(policy);
    all.push_back(std::move(policy));
  };
  add("no-asking", [](Policy& p) { p.asking = false; });
  add("asking-apart", [](Policy& p) { p.asking_together = false; });
  add("map-on-ask", [](Policy& p) { p.map_on_ask = true; });
  add("known-nodes-only", [](Policy& p) { p.follows_unknown = false; });
  add("refreshing", [](Policy& p) { p.refresh_on_moved = true; });
  add("resending", [](Policy& p) { p.resends_unknown = true; });
  add("redisc", [](Policy& p) { p.sticky = true; });
  add("redis-cli", [](Policy& p) {
    p.sticky = true;
    p.map_on_moved = false;
  });
  return all;
}

const std::vector<Policy>& policies() {
  static const std::vector<Policy> kPolicies = make_policies();
  return kPolicies;
}

}  // namespace

std::optional<Policy> policy_named(std::string_view name) {
  const auto at = std::find_if(policies().begin(), policies().end(),
                               [&](const Policy& policy) { return policy.name == name; });
  if (at == policies().end()) return std::nullopt;
  return *at;
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const Policy& policy : policies()) names.push_back(policy.name);
  return names;
}

std::vector<std::string> keys_of(const Words& command) {
  const std::size_t step = command[0] == "MSET" ? 2 : 1;
  const std::size_t end = command[0] == "SET" ? 2 : command.size();
  std::vector<std::string> keys;
  for (std::size_t i = 1; i < end; i += step) keys.push_back(command[i]);
  return keys;
}

std::string complaint(const Words& command) {
  const std::string& name = command.front();
  const std::size_t words = command.size();
  if (name == "GET" || name == "DEL") return words == 2 ? "" : name + " takes one key";
  if (name == "SET") return words == 3 ? "" : "SET takes a key and a value";
  if (name == "MGET") return words >= 2 ? "" : "MGET takes keys";
  if (name == "MSET") return words >= 3 && words % 2 == 1 ? "" : "MSET takes keys with values";
  return "clients send GET, SET, DEL, MGET and MSET";
}

}  // namespace slotlab::client
