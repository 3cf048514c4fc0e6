// Which things of a scenario could be interchangeable. Candidates are pairs of one kind that change
// places with whatever belongs to them; those that leave every actor's first state as it is are
// kept, and what they come to one after the other makes them a group.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "models/client/client.h"
#include "models/node/node.h"
#include "models/operator/operator.h"
#include "models/protocol/key_slot.h"
#include "models/scenario/rename.h"

namespace slotlab::scenario {

namespace {

using protocol::NodeId;
using protocol::Slot;
using protocol::SlotClass;
using sim::ActorId;

// Beyond so many renamings the looking up of all likenesses costs more than it spares.
constexpr std::size_t kGroupMax = 24;

std::string bytes_of(const sim::Actor& actor) {
  sim::Encoder out;
  actor.encode(out);
  return out.str();
}

// Some things changing places in pairs. What contradicts an earlier pair makes it impossible.
class Exchange {
 public:
  explicit Exchange(const Built& built) : built_(built), p_(identity_of(built)) {}

  bool possible() const { return possible_; }
  const Permutation& permutation() const { return p_; }

  void words(const std::string& a, const std::string& b) {
    if (a == b) return;
    const auto put = [&](const std::string& from, const std::string& to) {
      if (p_.words.emplace(from, to).first->second != to) possible_ = false;
    };
    put(a, b);
    put(b, a);
  }

  void keys(const std::string& a, const std::string& b) {
    words(a, b);
    const Slot x = protocol::key_slot(a), y = protocol::key_slot(b);
    if (x != y) slots(x, y);
  }

  void slots(Slot a, Slot b) {
    const auto x = built_.cast->slots.of(a), y = built_.cast->slots.of(b);
    if (!x || !y || built_.cast->slots.size(*x) != 1 || built_.cast->slots.size(*y) != 1) {
      possible_ = false;
      return;
    }
    if (p_.classes[*x] == *y) return;
    pair(p_.classes, *x, *y);
    words(fmt::format("{}", a), fmt::format("{}", b));
    const std::vector<std::string> at_a = first_keys(*x), at_b = first_keys(*y);
    if (at_a.size() != at_b.size()) possible_ = false;
    for (std::size_t i = 0; possible_ && i < at_a.size(); ++i) words(at_a[i], at_b[i]);
  }

  void nodes(NodeId a, NodeId b) {
    if (p_.nodes[index(a)] == b) return;
    const auto& directory = built_.cast->directory;
    pair(p_.nodes, index(a), index(b));
    pair(p_.actors, index(directory[a].actor), index(directory[b].actor));
    words(directory[a].id, directory[b].id);
    words(directory[a].name, directory[b].name);
    words(address(a), address(b));
    const auto x = home_of(a), y = home_of(b);
    if (x.has_value() != y.has_value()) possible_ = false;
    if (x && y) slots(built_.cast->slots.range(*x).first, built_.cast->slots.range(*y).first);
    const NodeId after_a = directory.after_reset[index(a)];
    const NodeId after_b = directory.after_reset[index(b)];
    if (after_a != protocol::kNoNode && after_b != protocol::kNoNode) {
      pair(p_.nodes, index(after_a), index(after_b));
      words(directory[after_a].id, directory[after_b].id);
      words(directory[after_a].name, directory[after_b].name);
    }
  }

  void actors(ActorId a, ActorId b) { pair(p_.actors, index(a), index(b)); }
  void sessions(std::size_t a, std::size_t b) { pair(p_.sessions, a, b); }

  // Words in the same place of two commands.
  void aligned(const std::string& a, const std::string& b, bool key) {
    if (a == b) return;
    const auto x = slot_named(a), y = slot_named(b);
    const NodeId m = built_.cast->directory.by_id(a), n = built_.cast->directory.by_id(b);
    if (key) {
      keys(a, b);
    } else if (x && y) {
      slots(*x, *y);
    } else if (m != protocol::kNoNode && n != protocol::kNoNode) {
      nodes(m, n);
    } else {
      words(a, b);
    }
  }

 private:
  template <class T>
  void pair(std::vector<T>& list, std::size_t a, std::size_t b) {
    if (list[a] == T(b) && list[b] == T(a)) return;
    if (list[a] != T(a) || list[b] != T(b)) {
      possible_ = false;
      return;
    }
    std::swap(list[a], list[b]);
  }

  std::vector<std::string> first_keys(SlotClass c) const {
    std::vector<std::string> keys;
    for (const auto& [slot, key] : built_.cast->first_keys) {
      if (slot == c) keys.push_back(key);
    }
    return keys;
  }

  std::string address(NodeId id) const {
    const protocol::Identity& identity = built_.cast->directory[id];
    return fmt::format("{}:{}", identity.ip, identity.port);
  }

  std::optional<SlotClass> home_of(NodeId id) const {
    const auto& homes = built_.cast->home_of;
    const auto at = std::find(homes.begin(), homes.end(), built_.cast->directory[id].actor);
    if (at == homes.end()) return std::nullopt;
    return static_cast<SlotClass>(at - homes.begin());
  }

  // The slot that is a class of its own and has this number.
  std::optional<Slot> slot_named(const std::string& word) const {
    Slot slot = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), slot);
    if (error != std::errc() || end != word.data() + word.size() || slot >= protocol::kSlots) {
      return std::nullopt;
    }
    const auto c = built_.cast->slots.of(slot);
    if (!c || built_.cast->slots.size(*c) != 1) return std::nullopt;
    return slot;
  }

  const Built& built_;
  Permutation p_;
  bool possible_ = true;
};

class Finder {
 public:
  explicit Finder(const Built& built) : built_(built) {}

  std::shared_ptr<const sim::RenamingGroup> find() {
    sessions();
    operators();
    keys();
    slots();
    nodes();
    return group();
  }

 private:
  struct Candidate {
    Permutation permutation;
    std::string text;
  };

  void consider(const Exchange& exchange, std::string text) {
    if (!exchange.possible()) return;
    const auto renaming = make_renaming(built_, exchange.permutation(), text);
    const auto& actors = built_.system->spec().actors;
    for (std::size_t a = 0; a < actors.size(); ++a) {
      const ActorId whose{static_cast<std::uint8_t>(a)};
      const auto likeness = renaming->local(whose, *actors[a]);
      const auto& other = *actors[index(renaming->actor(whose))];
      if (likeness == nullptr || bytes_of(*likeness) != bytes_of(other)) return;
    }
    for (std::size_t c = 0; c < built_.cast->slots.count(); ++c) {
      const std::size_t other = exchange.permutation().classes[c];
      const auto slot = [&](std::size_t n) {
        return built_.cast->slots.range(static_cast<SlotClass>(n)).first;
      };
      if (c < other && text.find("slots") == std::string::npos) {
        text += fmt::format(" with slots {} and {}", slot(c), slot(other));
      }
    }
    found_.push_back({exchange.permutation(), std::move(text)});
  }

  void sessions() {
    if (built_.cast->clients == sim::kNoActor) return;
    const auto& actor = *built_.system->spec().actors[index(built_.cast->clients)];
    const auto& spec = dynamic_cast<const client::Clients&>(actor).spec();
    for (std::size_t i = 0; i < spec.sessions.size(); ++i) {
      for (std::size_t j = i + 1; j < spec.sessions.size(); ++j) {
        const auto &a = spec.sessions[i], &b = spec.sessions[j];
        if (a.policy != b.policy || a.program.size() != b.program.size() || a.asks != b.asks) {
          continue;
        }
        Exchange exchange(built_);
        exchange.sessions(i, j);
        exchange.words(a.name, b.name);
        bool alike = true;
        for (std::size_t k = 0; alike && k < a.program.size(); ++k) {
          alike = align(exchange, a.program[k], b.program[k]);
        }
        if (alike) consider(exchange, fmt::format("sessions {} and {}", a.name, b.name));
      }
    }
  }

  static bool align(Exchange& exchange, const client::Item& a, const client::Item& b) {
    if (a.kind != b.kind || a.commands.size() != b.commands.size()) return false;
    for (std::size_t c = 0; c < a.commands.size(); ++c) {
      const client::Words &x = a.commands[c], &y = b.commands[c];
      if (x.size() != y.size() || x[0] != y[0]) return false;
      const auto keys = client::keys_of(x);
      for (std::size_t w = 1; w < x.size(); ++w) {
        exchange.aligned(x[w], y[w], std::find(keys.begin(), keys.end(), x[w]) != keys.end());
      }
    }
    return true;
  }

  void operators() {
    const auto& list = built_.cast->operators;
    const auto procedure = [&](ActorId id) -> const oper::Procedure& {
      const auto& actor = *built_.system->spec().actors[index(id)];
      return dynamic_cast<const oper::Operator&>(actor).procedure();
    };
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (std::size_t j = i + 1; j < list.size(); ++j) {
        Exchange exchange(built_);
        exchange.actors(list[i], list[j]);
        exchange.words(built_.system->name(list[i]), built_.system->name(list[j]));
        if (align(exchange, procedure(list[i]), procedure(list[j]))) {
          consider(exchange, fmt::format("operators {} and {}", built_.system->name(list[i]),
                                         built_.system->name(list[j])));
        }
      }
    }
  }

  // A tool plans its steps as it goes, so its states cannot be those of another.
  static bool align(Exchange& exchange, const oper::Procedure& a, const oper::Procedure& b) {
    if (a.tool || b.tool || a.fair != b.fair || a.steps.size() != b.steps.size()) return false;
    for (std::size_t s = 0; s < a.steps.size(); ++s) {
      const oper::Step &x = a.steps[s], &y = b.steps[s];
      if (x.words.size() != y.words.size() || x.move.has_value() != y.move.has_value() ||
          !(x.reaction == y.reaction)) {
        return false;
      }
      for (std::size_t w = 0; w < x.words.size(); ++w) {
        exchange.aligned(x.words[w], y.words[w], false);
      }
      if (x.move && x.move->slot != y.move->slot) exchange.slots(x.move->slot, y.move->slot);
    }
    return true;
  }

  void keys() {
    const auto& keys = built_.cast->first_keys;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      for (std::size_t j = i + 1; j < keys.size(); ++j) {
        if (keys[i].first != keys[j].first) continue;
        Exchange exchange(built_);
        exchange.words(keys[i].second, keys[j].second);
        consider(exchange, fmt::format("keys {} and {}", keys[i].second, keys[j].second));
      }
    }
  }

  void slots() {
    const auto& slots = built_.cast->slots;
    std::vector<Slot> single;
    for (std::size_t c = 0; c < slots.count(); ++c) {
      const auto id = static_cast<SlotClass>(c);
      if (slots.size(id) == 1 && built_.cast->home_of[c] == sim::kNoActor) {
        single.push_back(slots.range(id).first);
      }
    }
    for (std::size_t i = 0; i < single.size(); ++i) {
      for (std::size_t j = i + 1; j < single.size(); ++j) {
        Exchange exchange(built_);
        exchange.slots(single[i], single[j]);
        consider(exchange, fmt::format("slots {} and {}", single[i], single[j]));
      }
    }
  }

  void nodes() {
    const std::size_t count = built_.cast->nodes.size();  // identities after them are spare ones
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        Exchange exchange(built_);
        const NodeId a{static_cast<std::uint8_t>(i)}, b{static_cast<std::uint8_t>(j)};
        exchange.nodes(a, b);
        consider(exchange, fmt::format("nodes {} and {}", built_.cast->directory[a].name,
                                       built_.cast->directory[b].name));
      }
    }
  }

  // With as many of those found as keep it small, in their order.
  std::shared_ptr<const sim::RenamingGroup> group() const {
    std::vector<Candidate> all;
    std::vector<Candidate> generators;
    for (const Candidate& each : found_) {
      generators.push_back(each);
      if (const auto closed = closure(generators)) {
        all = *closed;
      } else {
        generators.pop_back();
      }
    }
    if (all.empty()) return nullptr;
    auto group = std::make_shared<sim::RenamingGroup>();
    for (const Candidate& each : all) {
      group->elements.push_back(make_renaming(built_, each.permutation, each.text));
      std::vector<std::size_t>& row = group->product.emplace_back();
      for (const Candidate& other : all) {
        const Permutation product = composed(each.permutation, other.permutation);
        row.push_back(static_cast<std::size_t>(place(all, product) - all.begin()));
      }
    }
    return group;
  }

  using Place = std::vector<Candidate>::const_iterator;
  static Place place(const std::vector<Candidate>& list, const Permutation& wanted) {
    return std::find_if(list.begin(), list.end(), [&](const Candidate& each) {
      return each.permutation == wanted;
    });
  }

  // What the generators come to, without the identity; none if that is too many.
  std::optional<std::vector<Candidate>> closure(const std::vector<Candidate>& generators) const {
    std::vector<Candidate> all;
    std::vector<Candidate> waiting = generators;
    const Permutation nothing = identity_of(built_);
    while (!waiting.empty()) {
      const Candidate next = waiting.back();
      waiting.pop_back();
      if (next.permutation == nothing || place(all, next.permutation) != all.end()) continue;
      all.push_back(next);
      if (all.size() >= kGroupMax) return std::nullopt;
      for (const Candidate& each : generators) {
        waiting.insert(waiting.begin(), {composed(next.permutation, each.permutation),
                                         next.text + " with " + each.text});
      }
    }
    return all;
  }

  const Built& built_;
  std::vector<Candidate> found_;
};

}  // namespace

std::shared_ptr<const sim::RenamingGroup> find_renamings(const Built& built) {
  return Finder(built).find();
}

}  // namespace slotlab::scenario
