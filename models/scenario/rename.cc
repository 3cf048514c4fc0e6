// How a permutation is carried out in a value. See rename.h.
#include "models/scenario/rename.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>

#include "models/client/client.h"
#include "models/node/node.h"
#include "models/node/step_codes.h"
#include "models/operator/operator.h"
#include "models/protocol/command.h"
#include "models/protocol/packet.h"
#include "models/protocol/replication.h"

namespace slotlab::scenario {

namespace {

using protocol::NodeId;
using protocol::SlotClass;
using sim::ActorId;

constexpr std::string_view kSeparators = " \t\r\n,'\"()";

template <class T>
struct IsSet : std::false_type {};
template <class T>
struct IsSet<std::set<T>> : std::true_type {};
template <class T>
struct IsMap : std::false_type {};
template <class K, class V>
struct IsMap<std::map<K, V>> : std::true_type {};

class Walker {
 public:
  Walker(const Permutation& permutation, const protocol::SlotClasses& slots, ActorId clients,
         bool shared_connection)
      : p_(permutation), slots_(slots), clients_(clients), shared_(shared_connection) {}

  template <class T>
  void walk(T& value) const {
    static_assert(!std::is_const_v<T>);
    if constexpr (std::is_same_v<T, NodeId>) {
      if (value != protocol::kNoNode) value = p_.nodes[index(value)];
    } else if constexpr (std::is_same_v<T, ActorId>) {
      if (value != sim::kNoActor) value = p_.actors[index(value)];
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = text(value);
    } else if constexpr (std::is_same_v<T, protocol::SlotSet>) {
      protocol::SlotSet moved;
      for (std::size_t c = 0; c < p_.classes.size(); ++c) {
        if (value.has(static_cast<SlotClass>(c))) moved.add(p_.classes[c]);
      }
      value = moved;
    } else if constexpr (sim::HasMembers<T>) {
      std::apply([&](const auto&... part) { (walk(writable(part)), ...); }, value.members());
      finish(value);
    } else if constexpr (sim::detail::IsOptional<T>::value) {
      if (value) walk(*value);
    } else if constexpr (sim::detail::IsTuple<T>::value) {
      std::apply([&](auto&... part) { (walk(part), ...); }, value);
    } else if constexpr (IsSet<T>::value) {
      T moved;
      for (auto part : value) {
        walk(part);
        moved.insert(std::move(part));
      }
      value = std::move(moved);
    } else if constexpr (IsMap<T>::value) {
      T moved;
      for (const auto& each : value) {
        auto [key, part] = std::pair<typename T::key_type, typename T::mapped_type>(each);
        walk(key);
        walk(part);
        moved.emplace(std::move(key), std::move(part));
      }
      value = std::move(moved);
    } else if constexpr (!std::is_enum_v<T> && !std::is_integral_v<T>) {
      for (auto& part : value) walk(part);
    }
  }

  SlotClass slot_class(SlotClass c) const { return p_.classes[c]; }
  std::uint8_t node_number(std::uint8_t n) const {
    return n < p_.nodes.size() ? static_cast<std::uint8_t>(index(p_.nodes[n])) : n;
  }
  std::uint8_t session(std::uint8_t s) const { return s < p_.sessions.size() ? p_.sessions[s] : s; }
  // The number of a connection between these two.
  std::uint8_t connection(ActorId from, ActorId to, std::uint8_t number) const {
    const bool clients = clients_ != sim::kNoActor && (from == clients_ || to == clients_);
    return clients && !shared_ ? session(number) : number;
  }

 private:
  // `value` is a part of a value that is not constant, as members() lists it.
  template <class T>
  static T& writable(const T& value) {
    return const_cast<T&>(value);
  }

  std::string text(const std::string& whole) const {
    if (p_.words.empty() || whole.empty()) return whole;
    if (const auto found = p_.words.find(whole); found != p_.words.end()) return found->second;
    std::string result;
    for (std::size_t at = 0; at < whole.size();) {
      std::size_t end = whole.find_first_of(kSeparators, at);
      if (end == std::string::npos) end = whole.size();
      const std::string word = whole.substr(at, end - at);
      const auto found = p_.words.find(word);
      result += found == p_.words.end() ? word : found->second;
      if (end < whole.size()) result += whole[end];
      at = end + 1;
    }
    return result;
  }

  template <class T>
  void by_class(std::vector<T>& list) const {
    if (list.size() != p_.classes.size()) return;
    std::vector<T> moved(list.size());
    for (std::size_t c = 0; c < list.size(); ++c) moved[p_.classes[c]] = std::move(list[c]);
    list = std::move(moved);
  }

  // What is left to do once the members have been walked through.
  template <class T>
  void finish(T&) const {}
  void finish(node::Durable& value) const {
    by_class(value.owner);
    by_class(value.migrating_to);
    by_class(value.importing_from);
  }
  void finish(node::NodeState& value) const { by_class(value.keys); }
  void finish(node::Ghost& value) const { value.slot = slot_class(value.slot); }
  void finish(node::Migration& value) const { value.slot = slot_class(value.slot); }
  void finish(node::Caller& value) const {
    if (!value.node) {
      value.connection = connection(value.actor, sim::kNoActor, value.connection);
    }
  }
  void finish(node::PendingSetslot& value) const {
    value.connection = connection(value.caller, sim::kNoActor, value.connection);
  }
  void finish(protocol::Packet& value) const {
    std::sort(value.gossip.begin(), value.gossip.end(),
              [](const auto& a, const auto& b) { return a.node < b.node; });
    std::sort(value.forgotten.begin(), value.forgotten.end());
  }
  void finish(protocol::Replicated& value) const { value.slot = slot_class(value.slot); }
  void finish(protocol::SyncData& value) const {
    by_class(value.keys);
    by_class(value.migrating_to);
    by_class(value.importing_from);
  }
  void finish(client::Todo& value) const { value.node = node_number(value.node); }
  void finish(client::Request& value) const {
    value.session = session(value.session);
    value.node = node_number(value.node);
  }
  void finish(client::Session& value) const {
    std::map<protocol::Slot, std::uint8_t> map;
    for (const auto& [slot, node] : value.map) map[slot_number(slot)] = node_number(node);
    value.map = std::move(map);
    std::set<std::uint8_t> known;
    for (const std::uint8_t node : value.known) known.insert(node_number(node));
    value.known = std::move(known);
    value.at = node_number(value.at);
  }
  void finish(client::ClientsState& value) const {
    std::vector<client::Session> moved(value.sessions.size());
    for (std::size_t s = 0; s < moved.size(); ++s) {
      moved[p_.sessions[s]] = std::move(value.sessions[s]);
    }
    value.sessions = std::move(moved);
  }

  // Classes that change places are of one slot each.
  protocol::Slot slot_number(protocol::Slot slot) const {
    const auto c = slots_.of(slot);
    return !c || p_.classes[*c] == *c ? slot : slots_.range(p_.classes[*c]).first;
  }

  const Permutation& p_;
  const protocol::SlotClasses& slots_;
  const ActorId clients_;
  const bool shared_;
};

bool names_a_node(node::StepKind kind) {
  return kind != node::StepKind::setslot_times_out && kind != node::StepKind::data;
}

class ScenarioRenaming final : public sim::Renaming {
 public:
  ScenarioRenaming(const Built& built, Permutation permutation, std::string text)
      : system_(built.system),
        settings_(built.node_settings),
        cast_(built.cast),
        permutation_(std::move(permutation)),
        text_(std::move(text)),
        walker_(permutation_, settings_->slots, cast_->clients, shared_connection()) {}

  std::string text() const override { return text_; }
  ActorId actor(ActorId id) const override { return permutation_.actors[index(id)]; }

  std::unique_ptr<sim::Actor> local(ActorId whose, const sim::Actor& value) const override {
    if (const auto* node = dynamic_cast<const node::Node*>(&value)) {
      node::NodeState state = node->state();
      walker_.walk(state);
      return std::make_unique<node::Node>(settings_, std::move(state));
    }
    if (const auto* clients = dynamic_cast<const client::Clients*>(&value)) {
      client::ClientsState state = clients->state();
      walker_.walk(state);
      return clients->with_state(std::move(state));
    }
    if (const auto* op = dynamic_cast<const oper::Operator*>(&value)) {
      oper::OperatorState state = op->state();
      walker_.walk(state);
      if (actor(whose) == whose) return op->with_state(std::move(state));
      const auto& other = *system_->spec().actors[index(actor(whose))];
      return dynamic_cast<const oper::Operator&>(other).with_state(std::move(state));
    }
    return nullptr;
  }

  sim::MessagePtr message(ActorId from, ActorId to, const sim::MessagePtr& value) const override {
    if (const auto* command = dynamic_cast<const protocol::Command*>(value.get())) {
      auto moved = walked(*command);
      moved->connection = walker_.connection(from, to, command->connection);
      return moved;
    }
    if (const auto* reply = dynamic_cast<const protocol::ReplyMessage*>(value.get())) {
      auto moved = walked(*reply);
      moved->connection = walker_.connection(from, to, reply->connection);
      return moved;
    }
    if (dynamic_cast<const protocol::Disconnected*>(value.get()) != nullptr) return value;
    return walked_as_one_of<protocol::Packet, protocol::SyncRequest, protocol::SyncData,
                            protocol::Replicated, protocol::Acknowledged, protocol::Detached>(
        *value);
  }

  sim::StepCode step(ActorId whose, sim::StepCode code) const override {
    const auto is_of = [&](const auto& list) {
      return std::find(list.begin(), list.end(), whose) != list.end();
    };
    if (is_of(cast_->nodes)) return node_step(code);
    return whose == cast_->clients ? clients_step(code) : code;
  }

 private:
  template <class T>
  std::shared_ptr<T> walked(const T& message) const {
    auto moved = std::make_shared<T>(message);
    walker_.walk(*moved);
    return moved;
  }
  template <class First, class... Others>
  sim::MessagePtr walked_as_one_of(const sim::Message& message) const {
    if (const auto* it = dynamic_cast<const First*>(&message)) return walked(*it);
    if constexpr (sizeof...(Others) > 0) {
      return walked_as_one_of<Others...>(message);
    } else {
      return nullptr;
    }
  }

  bool shared_connection() const {
    if (cast_->clients == sim::kNoActor) return false;
    const auto& actor = *system_->spec().actors[index(cast_->clients)];
    return dynamic_cast<const client::Clients&>(actor).spec().shared_connection;
  }

  sim::StepCode node_step(sim::StepCode code) const {
    const node::StepKind kind = node::step_kind(code);
    if (!names_a_node(kind)) return code;
    const auto moved = [&](std::uint32_t n) { return std::uint32_t{walker_.node_number(
        static_cast<std::uint8_t>(n))}; };
    const std::uint32_t a = moved(static_cast<std::uint32_t>(node::step_node(code)));
    const std::uint32_t b = node::step_b(code);
    return node::make_step(kind, a, kind == node::StepKind::report_expires ? moved(b) : b);
  }

  sim::StepCode clients_step(sim::StepCode code) const {
    const auto session = walker_.session(static_cast<std::uint8_t>(code >> 8));
    sim::StepCode what = code & 0xff;
    if (what >= client::kRefresh) {
      what = client::kRefresh +
             walker_.node_number(static_cast<std::uint8_t>(what - client::kRefresh));
    }
    return static_cast<sim::StepCode>(session) << 8 | what;
  }

  std::shared_ptr<const sim::System> system_;
  node::Settings settings_;
  properties::CastPtr cast_;
  Permutation permutation_;
  std::string text_;
  Walker walker_;
};

}  // namespace

Permutation identity_of(const Built& built) {
  Permutation p;
  for (std::size_t a = 0; a < built.system->actor_count(); ++a) {
    p.actors.push_back(ActorId{static_cast<std::uint8_t>(a)});
  }
  for (std::size_t n = 0; n < built.cast->directory.count(); ++n) {
    p.nodes.push_back(NodeId{static_cast<std::uint8_t>(n)});
  }
  for (std::size_t c = 0; c < built.cast->slots.count(); ++c) {
    p.classes.push_back(static_cast<SlotClass>(c));
  }
  if (built.cast->clients != sim::kNoActor) {
    const auto& actor = *built.system->spec().actors[index(built.cast->clients)];
    const auto& clients = dynamic_cast<const client::Clients&>(actor);
    for (std::size_t s = 0; s < clients.spec().sessions.size(); ++s) {
      p.sessions.push_back(static_cast<std::uint8_t>(s));
    }
  }
  return p;
}

Permutation composed(const Permutation& first, const Permutation& second) {
  Permutation p = first;
  for (auto& actor : p.actors) actor = second.actors[index(actor)];
  for (auto& node : p.nodes) node = second.nodes[index(node)];
  for (auto& each : p.classes) each = second.classes[each];
  for (auto& session : p.sessions) session = second.sessions[session];
  const auto then = [&](const std::string& word) {
    const auto found = second.words.find(word);
    return found == second.words.end() ? word : found->second;
  };
  for (auto& [from, to] : p.words) to = then(to);
  for (const auto& [from, to] : second.words) p.words.emplace(from, to);
  std::erase_if(p.words, [](const auto& pair) { return pair.first == pair.second; });
  return p;
}

std::shared_ptr<const sim::Renaming> make_renaming(const Built& built, Permutation permutation,
                                                   std::string text) {
  return std::make_shared<const ScenarioRenaming>(built, std::move(permutation), std::move(text));
}

}  // namespace slotlab::scenario
