// What clients count on, against what lies at the nodes. See clients.h.
#include "models/properties/clients.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "models/client/client.h"
#include "models/properties/view.h"
#include "models/protocol/key_slot.h"
#include "sim/base/assert.h"

namespace slotlab::properties {

namespace {

using client::Held;
using node::Durable;
using protocol::kNoNode;
using protocol::SlotClass;

const client::Clients* clients_of(const Cast& cast, const sim::SystemView& view) {
  if (cast.clients == sim::kNoActor) return nullptr;
  const auto* clients = dynamic_cast<const client::Clients*>(&view.actor(cast.clients));
  SIM_ASSERT(clients != nullptr);
  return clients;
}

Held held_at(const sim::SystemView& view, sim::ActorId id, SlotClass slot,
             const std::string& key) {
  const auto& keys = node_state(view, id).keys[slot];
  const auto at = keys.find(key);
  return at == keys.end() ? std::nullopt : Held(at->second);
}

// A key, and what somebody may rightly expect it to hold.
struct Expected {
  SlotClass slot = 0;
  std::string key;
  std::set<Held> held;
  bool bad_read = false;
};

std::vector<Expected> expected(const Cast& cast, const sim::SystemView& view) {
  std::vector<Expected> out;
  const client::Clients* clients = clients_of(cast, view);
  if (clients == nullptr) {
    for (const auto& [slot, key] : cast.first_keys) {
      out.push_back({slot, key, {Held(client::kFirstValue)}, false});
    }
    return out;
  }
  for (const auto& [key, reg] : clients->state().registers) {
    const auto slot = cast.slots.of(protocol::key_slot(key));
    if (slot) out.push_back({*slot, key, reg.acceptable(), reg.bad_read()});
  }
  return out;
}

// Some node that is not gone (or, if `gone`, that is) holds something acceptable.
bool lies_at_any(const Cast& cast, const sim::SystemView& view, const Expected& want, bool gone) {
  return std::any_of(cast.nodes.begin(), cast.nodes.end(), [&](sim::ActorId id) {
    if ((status(view, id) == sim::Status::gone) != gone) return false;
    const Held held = held_at(view, id, want.slot, want.key);
    return held.has_value() && want.held.contains(held);
  });
}

// What a client reads that begins at `owner`, which claims the slot, and follows ASK.
Held served_by(const Cast& cast, const sim::SystemView& view, sim::ActorId owner,
               const Durable& config, const Expected& want) {
  const Held own = held_at(view, owner, want.slot, want.key);
  const protocol::NodeId to = config.migrating_to[want.slot];
  if (own || to == kNoNode) return own;
  const sim::ActorId target = cast.directory[to].actor;
  const Durable* there = lasting(view, target);
  if (there == nullptr) return std::nullopt;
  const bool lets_in =
      claims(*there, want.slot) || there->importing_from[want.slot] != kNoNode;
  return lets_in ? held_at(view, target, want.slot, want.key) : std::nullopt;
}

bool can_be_had(const Cast& cast, const sim::SystemView& view, const Expected& want) {
  bool claimed = false;
  for (const sim::ActorId id : cast.nodes) {
    const Durable* config = lasting(view, id);
    if (config == nullptr || !is_master(*config) || !claims(*config, want.slot)) continue;
    claimed = true;
    if (want.held.contains(served_by(cast, view, id, *config, want))) return true;
  }
  if (claimed) return false;
  // Without an owner nothing is served: that is a matter of `owned`. What counts is what is left.
  return want.held.contains(std::nullopt) || lies_at_any(cast, view, want, false);
}

// Replication that lags, or the lack of a replica, explains it: only nodes that never come back
// hold what was acknowledged.
bool died_with_its_node(const Cast& cast, const sim::SystemView& view, const Expected& want) {
  return !lies_at_any(cast, view, want, false) && lies_at_any(cast, view, want, true);
}

std::optional<Expected> first_unsafe(const Cast& cast, const sim::SystemView& view) {
  for (Expected& want : expected(cast, view)) {
    const bool bad = want.bad_read || !can_be_had(cast, view, want);
    if (bad && !died_with_its_node(cast, view, want)) return std::move(want);
  }
  return std::nullopt;
}

std::string where_it_lies(const Cast& cast, const sim::SystemView& view, const Expected& want) {
  std::string out;
  for (const sim::ActorId id : cast.nodes) {
    const Held held = held_at(view, id, want.slot, want.key);
    if (!held) continue;
    const char* gone = status(view, id) == sim::Status::gone ? ", which is gone" : "";
    out += fmt::format("{}{} at {}{}", out.empty() ? "" : ", ", *held, view.system().name(id),
                       gone);
  }
  return out.empty() ? "nowhere" : out;
}

}  // namespace

bool keys_safe(const Cast& cast, const sim::SystemView& view) {
  return !first_unsafe(cast, view).has_value();
}

std::string explain_keys_safe(const Cast& cast, const sim::SystemView& view) {
  const auto unsafe = first_unsafe(cast, view);
  if (!unsafe) return {};
  const std::string should = client::held_text(unsafe->held);
  if (unsafe->bad_read) return clients_of(cast, view)->state().first_break;
  return fmt::format("{} should hold {}; there is {}", unsafe->key, should,
                     where_it_lies(cast, view, *unsafe));
}

bool linearizable(const Cast& cast, const sim::SystemView& view) {
  const client::Clients* clients = clients_of(cast, view);
  return clients == nullptr || std::none_of(clients->state().registers.begin(),
                                            clients->state().registers.end(),
                                            [](const auto& each) { return each.second.broken(); });
}

std::string explain_linearizable(const Cast& cast, const sim::SystemView& view) {
  return linearizable(cast, view) ? "" : clients_of(cast, view)->state().first_break;
}

bool bounded_redirects(const Cast& cast, const sim::SystemView& view) {
  return explain_bounded_redirects(cast, view).empty();
}

std::string explain_bounded_redirects(const Cast& cast, const sim::SystemView& view) {
  const client::Clients* clients = clients_of(cast, view);
  if (clients == nullptr) return {};
  const client::ClientsSpec& spec = clients->spec();
  for (std::size_t i = 0; i < spec.sessions.size(); ++i) {
    const client::Session& session = clients->state().sessions[i];
    if (session.most_redirects > spec.redirects_max) {
      return fmt::format("a command of {} is redirected more than {} time(s)",
                         spec.sessions[i].name, spec.redirects_max);
    }
    if (spec.moved_max < 255 && session.moved > spec.moved_max) {
      return fmt::format("{} is answered MOVED more than {} time(s)", spec.sessions[i].name,
                         spec.moved_max);
    }
  }
  return {};
}

bool clients_end(const Cast& cast, const sim::SystemView& view) {
  return explain_clients_end(cast, view).empty();
}

std::string explain_clients_end(const Cast& cast, const sim::SystemView& view) {
  const client::Clients* clients = clients_of(cast, view);
  for (std::size_t i = 0; clients != nullptr && i < clients->spec().sessions.size(); ++i) {
    if (!clients->ended(i)) {
      return clients->spec().sessions[i].name + " has not come to the end of its program";
    }
  }
  return {};
}

bool client_error(const Cast& cast, const sim::SystemView& view) {
  const client::Clients* clients = clients_of(cast, view);
  return clients != nullptr &&
         std::any_of(clients->state().sessions.begin(), clients->state().sessions.end(),
                     [](const client::Session& session) { return session.errors > 0; });
}

bool two_copies(const Cast& cast, const sim::SystemView& view) {
  for (const Expected& want : expected(cast, view)) {
    const auto copies =
        std::count_if(cast.nodes.begin(), cast.nodes.end(), [&](sim::ActorId id) {
          const Durable* config = lasting(view, id);
          return config != nullptr && is_master(*config) &&
                 held_at(view, id, want.slot, want.key).has_value();
        });
    if (copies > 1) return true;
  }
  return false;
}

}  // namespace slotlab::properties
