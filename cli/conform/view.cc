#include "cli/conform/view.h"

#include <map>

namespace slotlab::conform {
namespace {

using node::NodeState;
using protocol::kNoNode;
using protocol::NodeId;

// Objects of a view are in the order of names.
Json object_of(const std::map<std::string, Json>& entries) {
  Json object = Json::object();
  for (const auto& [name, value] : entries) object[name] = value;
  return object;
}

Json owners_of(const NodeState& state, const node::NodeSettings& settings, const NameOf& name_of,
               std::string& unassigned) {
  std::map<NodeId, protocol::SlotSet> slots;
  for (std::size_t i = 0; i < state.config.owner.size(); ++i) {
    slots[state.config.owner[i]].add(static_cast<protocol::SlotClass>(i));
  }
  std::map<std::string, Json> owners;
  for (const auto& [owner, set] : slots) {
    const std::string text = protocol::slots_text(settings.slots, set);
    if (owner == kNoNode) {
      unassigned = text;
    } else {
      owners[name_of(owner)] = text;
    }
  }
  return object_of(owners);
}

// By slot, ascending. A slot that migrates hides that it is being imported as well.
Json marks_of(const std::vector<NodeId>& marks, const std::vector<NodeId>& hidden_by,
              const node::NodeSettings& settings, const NameOf& name_of) {
  Json out = Json::object();
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i] == kNoNode || (!hidden_by.empty() && hidden_by[i] != kNoNode)) continue;
    const protocol::SlotRange range = settings.slots.range(static_cast<protocol::SlotClass>(i));
    for (std::size_t slot = range.first; slot <= range.last; ++slot) {
      out[std::to_string(slot)] = name_of(marks[i]);
    }
  }
  return out;
}

Json keys_of(const NodeState& state, const node::NodeSettings& settings,
             const std::vector<protocol::Slot>& watch) {
  Json out = Json::object();
  for (const protocol::Slot slot : watch) {
    Json& keys = out[std::to_string(slot)] = Json::array();
    const auto in = settings.slots.of(slot);
    if (!in) continue;
    for (const auto& [key, value] : state.keys[*in]) keys.push_back(key);
  }
  return out;
}

}  // namespace

Json view_of(const NodeState& state, const node::NodeSettings& settings,
             const std::vector<protocol::Slot>& watch, const NameOf& name_of) {
  const node::Durable& config = state.config;
  const node::NodeRecord& me = config.nodes.at(config.me);
  const auto master = config.nodes.find(me.master);
  std::map<std::string, Json> epochs, replicas, failed;
  for (const auto& [id, record] : config.nodes) {
    const std::string name = name_of(id);
    if (record.replica) {
      replicas[name] = record.master == kNoNode ? Json(nullptr) : Json(name_of(record.master));
    } else if (!record.handshake) {
      epochs[name] = record.config_epoch;
    }
    if (record.fail || record.pfail) failed[name] = record.fail ? "fail" : "fail?";
  }
  std::string unassigned;
  Json owners = owners_of(state, settings, name_of, unassigned);
  Json view = Json::object();
  view["role"] = !me.replica              ? "master"
                 : me.master == kNoNode ? "replica of None"
                                        : "replica of " + name_of(me.master);
  view["state"] = state.memory.state_ok ? "ok" : "fail";
  view["currentEpoch"] = config.current_epoch;
  view["configEpoch"] = me.replica && master != config.nodes.end() ? master->second.config_epoch
                                                                   : me.config_epoch;
  view["owners"] = std::move(owners);
  if (!unassigned.empty()) view["unassigned"] = unassigned;
  view["epochs"] = object_of(epochs);
  view["replicas"] = object_of(replicas);
  view["failed"] = object_of(failed);
  view["migrating"] = marks_of(config.migrating_to, {}, settings, name_of);
  view["importing"] = marks_of(config.importing_from, config.migrating_to, settings, name_of);
  view["keys"] = keys_of(state, settings, watch);
  return view;
}

}  // namespace slotlab::conform
