// The section 'views': what single nodes believe where it differs from the settled cluster. A real
// cluster in the middle of an incident starts like this; `slotlab import` writes it.
#include <fmt/format.h>

#include <algorithm>

#include "models/scenario/command_line.h"
#include "models/scenario/load_parts.h"

namespace slotlab::scenario {
namespace {

constexpr const char* kNobody = "nobody";

class ViewReader {
 public:
  ViewReader(const Value& value, Sourced<std::string> node, const Scenario& scenario)
      : map_(value.map({"current epoch", "last vote epoch", "epochs", "owners", "migrating",
                        "importing", "replicas", "masters", "suspects", "failed", "unknown"})),
        scenario_(scenario) {
    view_.node = std::move(node);
  }

  ViewSpec read() {
    view_.current_epoch = epoch("current epoch");
    view_.last_vote_epoch = epoch("last vote epoch");
    read_epochs();
    view_.owners = slots("owners", true);
    view_.migrating = slots("migrating", false);
    view_.importing = slots("importing", false);
    read_roles();
    view_.suspects = others("suspects");
    view_.failed = others("failed");
    view_.unknown = others("unknown");
    check_unknown();
    return view_;
  }

 private:
  std::optional<protocol::Epoch> epoch(const char* key) const {
    const auto value = map_.find(key);
    if (!value) return std::nullopt;
    return value->number(0, UINT32_MAX);
  }

  void read_epochs() {
    const auto value = map_.find("epochs");
    if (!value) return;
    const MapReader map = value->open_map();
    for (std::size_t i = 0; i < map.size(); ++i) {
      view_.epochs.emplace_back(other_key(map, i), map.item(i).number(0, UINT32_MAX));
    }
  }

  std::vector<ViewSpec::OfSlots> slots(const char* key, bool nobody_too) const {
    std::vector<ViewSpec::OfSlots> out;
    const auto value = map_.find(key);
    if (!value) return out;
    const MapReader map = value->open_map();
    for (std::size_t i = 0; i < map.size(); ++i) {
      const Value item = map.item(i);
      ViewSpec::OfSlots of;
      of.slots = {.value = read_range(item, map.key(i).text), .at = map.key(i).at};
      check_overlap(out, of, map, i);
      if (!nobody_too || item.text("the name of a node, or 'nobody'") != kNobody) {
        of.node = read_reference(item, scenario_.node_names(), "node").value;
      }
      out.push_back(std::move(of));
    }
    return out;
  }

  static void check_overlap(const std::vector<ViewSpec::OfSlots>& before,
                            const ViewSpec::OfSlots& of, const MapReader& map, std::size_t i) {
    for (const ViewSpec::OfSlots& other : before) {
      const auto& [a, b] = std::pair(other.slots.value, of.slots.value);
      if (a.first <= b.last && b.first <= a.last) {
        map.fail_at_key(i, fmt::format("slot {} is named twice", std::max(a.first, b.first)));
      }
    }
  }

  void read_roles() {
    view_.masters = others("masters");
    const auto value = map_.find("replicas");
    if (!value) return;
    const MapReader map = value->open_map();
    for (std::size_t i = 0; i < map.size(); ++i) {
      const std::string name = other_key(map, i);
      const Value of = map.item(i);
      std::string master;
      if (of.text("the name of a node, or 'nobody'") != kNobody) {
        master = read_reference(of, scenario_.node_names(), "node").value;
      }
      if (master == name) of.fail(in_quotes(name) + " cannot be a replica of itself");
      if (contains(view_.masters, name)) {
        map.fail_at_key(i, in_quotes(name) + " is among 'masters' as well");
      }
      view_.replicas.emplace_back(name, master);
    }
  }

  std::vector<std::string> others(const char* key) const {
    std::vector<std::string> out;
    const auto value = map_.find(key);
    if (!value) return out;
    for (const Value& item : value->list("the name of a node")) {
      const std::string name = read_reference(item, scenario_.node_names(), "node").value;
      if (name == view_.node.value) item.fail(about_itself(name));
      if (contains(out, name)) item.fail(in_quotes(name) + " is given twice");
      out.push_back(name);
    }
    return out;
  }

  // A name as a key; it must be another node's.
  std::string other_key(const MapReader& map, std::size_t i) const {
    const std::string& name = map.key(i).text;
    if (scenario_.node(name) == nullptr) {
      map.fail_at_key(i, fmt::format("no node is called {}; known are {}", in_quotes(name),
                                     one_of(scenario_.node_names())));
    }
    if (name == view_.node.value) map.fail_at_key(i, about_itself(name));
    return name;
  }

  static std::string about_itself(const std::string& name) {
    return fmt::format("what {} is itself is said under 'cluster'", in_quotes(name));
  }

  // What a node does not know it has no other opinion of.
  void check_unknown() const {
    const auto refuse = [&](const std::string& name, const char* key) {
      if (!contains(view_.unknown, name)) return;
      map_.need("unknown").fail(
          fmt::format("{} is named under '{}' as well", in_quotes(name), key));
    };
    for (const auto& [name, epoch] : view_.epochs) refuse(name, "epochs");
    for (const auto& [name, of] : view_.replicas) {
      refuse(name, "replicas");
      refuse(of, "replicas");
    }
    for (const std::string& name : view_.masters) refuse(name, "masters");
    for (const std::string& name : view_.suspects) refuse(name, "suspects");
    for (const std::string& name : view_.failed) refuse(name, "failed");
    for (const auto& of : view_.owners) refuse(of.node, "owners");
    for (const auto& of : view_.migrating) refuse(of.node, "migrating");
    for (const auto& of : view_.importing) refuse(of.node, "importing");
    const NodeSpec& me = *scenario_.node(view_.node.value);
    if (me.replica_of && contains(view_.unknown, me.replica_of->value)) {
      map_.need("unknown").fail(in_quotes(me.replica_of->value) + " is this node's master");
    }
  }

  static bool contains(const std::vector<std::string>& names, const std::string& name) {
    return !name.empty() && std::find(names.begin(), names.end(), name) != names.end();
  }

  MapReader map_;
  const Scenario& scenario_;
  ViewSpec view_;
};

}  // namespace

std::vector<ViewSpec> read_views(const MapReader& top, const Scenario& so_far) {
  std::vector<ViewSpec> views;
  const auto value = top.find("views");
  if (!value) return views;
  const MapReader map = value->open_map();
  for (std::size_t i = 0; i < map.size(); ++i) {
    const Key& key = map.key(i);
    if (so_far.node(key.text) == nullptr) {
      map.fail_at_key(i, fmt::format("no node is called {}; known are {}", in_quotes(key.text),
                                     one_of(so_far.node_names())));
    }
    views.push_back(ViewReader(map.item(i), {.value = key.text, .at = key.at}, so_far).read());
  }
  return views;
}

}  // namespace slotlab::scenario
