// What is similar by all that is known. See similar.h.
#include <algorithm>
#include <deque>

#include "sim/check/similar.h"

namespace slotlab::sim {

namespace {

// More claims than this are not looked at: what would need them is not taken for similar.
constexpr std::size_t kClaimsMax = 1'000'000;

}  // namespace

// Claims are taken for true until one of those that they rest on is false.
class Similarity::Solver {
 public:
  explicit Solver(Similarity& known) : k_(known) {}

  void add(const Claim& claim) { number_of(claim); }
  // False if it was told to end.
  bool run() {
    for (std::size_t at = 0; at < nodes_.size(); ++at) {
      if (at % 64 == 0 && !k_.go_on_()) return false;
      if (!nodes_[at].failed) expand(static_cast<Id>(at));
    }
    return true;
  }
  static Claim local_claim(std::size_t actor, Number a, Number b) {
    return {Claim::Kind::local, static_cast<std::uint32_t>(actor), a, b};
  }
  bool holds(const Claim& claim) const {
    if (claim.a == claim.b && claim.kind != Claim::Kind::silent) return true;
    const auto found = numbers_.find(claim);
    return found != numbers_.end() && !nodes_[found->second].failed;
  }

 private:
  struct Node {
    Claim claim;
    bool failed = false;
    std::vector<Id> above;  // claims that rest on it
  };

  Id number_of(const Claim& claim) {
    const auto [at, fresh] = numbers_.try_emplace(claim, static_cast<Id>(nodes_.size()));
    if (fresh) {
      nodes_.push_back({claim, false, {}});
      const bool local = claim.kind == Claim::Kind::local;
      if (nodes_.size() > kClaimsMax ||
          (local && k_.tables_[claim.where].locals[claim.a].label !=
                        k_.tables_[claim.where].locals[claim.b].label)) {
        nodes_.back().failed = true;
      }
    }
    return at->second;
  }

  void fail(Id node) {
    std::vector<Id> falling{node};
    while (!falling.empty()) {
      Node& at = nodes_[falling.back()];
      falling.pop_back();
      if (at.failed) continue;
      at.failed = true;
      falling.insert(falling.end(), at.above.begin(), at.above.end());
    }
  }

  // False if `node` has failed.
  bool rests_on(Id node, const Claim& claim) {
    if (claim.a == claim.b && claim.kind != Claim::Kind::silent) return true;
    const Id below = number_of(claim);
    if (nodes_[below].failed) {
      fail(node);
      return false;
    }
    nodes_[below].above.push_back(node);
    return true;
  }

  // What `a` sends is covered by what `b` sends.
  bool covered(Id node, const Result& a, const Result& b) {
    if (k_.in_order(a) != k_.in_order(b)) {
      fail(node);
      return false;
    }
    for (const Sent& sent : a.sends) {
      if (!k_.lasts(sent.link)) continue;
      const auto same = std::ranges::find_if(b.sends, [&](const Sent& other) {
        return other.link == sent.link && other.input == sent.input;
      });
      if (same != b.sends.end()) continue;
      const auto other = std::ranges::find(b.sends, sent.link, &Sent::link);
      const Claim claim = other != b.sends.end()
                              ? Claim{Claim::Kind::message, sent.link, sent.input, other->input}
                              : Claim{Claim::Kind::silent, sent.link, sent.input, 0};
      if (!rests_on(node, claim)) return false;
    }
    return true;
  }

  bool compare(Id node, std::size_t actor, Number x, Id i, Number y, Id j) {
    const Result a = k_.result(actor, x, i);
    const Result b = k_.result(actor, y, j);
    if (!a.possible || !b.possible || a.others != b.others) {
      fail(node);
      return false;
    }
    return rests_on(node, local_claim(actor, a.next, b.next)) && covered(node, a, b);
  }

  void expand(Id node) {
    const Claim claim = nodes_[node].claim;
    if (claim.kind == Claim::Kind::local) {
      const auto& locals = k_.tables_[claim.where].locals;
      std::set<Id> inputs = locals[claim.a].relevant;
      inputs.insert(locals[claim.b].relevant.begin(), locals[claim.b].relevant.end());
      for (const Id input : inputs) {
        if (!compare(node, claim.where, claim.a, input, claim.b, input)) return;
      }
      return;
    }
    const std::size_t actor = k_.receiver(claim.where);
    const std::size_t count = k_.tables_[actor].locals.size();
    for (Number y = 0; y < count; ++y) {
      const Shadow& at = k_.tables_[actor].locals[y];
      if (!at.live) continue;
      if (claim.kind == Claim::Kind::message) {
        if (!at.relevant.contains(claim.a) && !at.relevant.contains(claim.b)) continue;
        if (!compare(node, actor, y, claim.a, y, claim.b)) return;
        continue;
      }
      const Result a = k_.result(actor, y, claim.a);
      if (!a.possible || !a.others.empty()) {
        fail(node);
        return;
      }
      if (!rests_on(node, local_claim(actor, a.next, y)) || !covered(node, a, {})) return;
    }
  }

  struct Hash {
    using is_avalanching = void;
    std::size_t operator()(const Claim& c) const {
      return NumberHash{}(NumberHash{}(pair_key(c.a, c.b)) ^
                          pair_key(static_cast<Id>(c.kind), c.where));
    }
  };

  Similarity& k_;
  std::deque<Node> nodes_;
  boost::unordered_flat_map<Claim, Id, Hash> numbers_;
};

Merging Similarity::solve() {
  const auto local_claim = &Solver::local_claim;
  // In an order that does not depend on how they became known.
  std::vector<std::vector<Number>> locals(tables_.size());
  std::vector<std::vector<Id>> heard(system_->link_count());
  Solver solver(*this);
  for (std::size_t a = 0; a < tables_.size(); ++a) {
    const Table& table = tables_[a];
    for (Number x = 0; x < table.locals.size(); ++x) {
      if (table.locals[x].seen) locals[a].push_back(x);
    }
    std::ranges::sort(locals[a], [&](Number x, Number y) {
      if ((x == 0) != (y == 0)) return x == 0;
      return table.locals[x].bytes < table.locals[y].bytes;
    });
    for (Id i = 0; i < table.inputs.size(); ++i) {
      const LinkId link = table.inputs[i].source;
      if (table.heard[i] && lasts(link)) heard[link].push_back(i);
    }
  }
  for (LinkId link = 0; link < heard.size(); ++link) {
    const Table& table = tables_[receiver(link)];
    std::ranges::sort(heard[link], [&](Id i, Id j) {
      return message_bytes_[table.inputs[i].message] < message_bytes_[table.inputs[j].message];
    });
  }
  for (std::size_t a = 0; a < tables_.size(); ++a) {
    for (const Number x : locals[a]) {
      for (const Number y : locals[a]) {
        if (x != y && tables_[a].locals[x].label == tables_[a].locals[y].label) {
          solver.add(local_claim(a, x, y));
        }
      }
    }
  }
  for (LinkId link = 0; link < heard.size(); ++link) {
    for (const Id m : heard[link]) {
      solver.add({Claim::Kind::silent, link, m, 0});
      for (const Id n : heard[link]) {
        if (m != n) solver.add({Claim::Kind::message, link, m, n});
      }
    }
  }
  Merging merging;
  if (!solver.run()) return merging;
  merging.locals.resize(tables_.size());
  merging.messages.resize(heard.size());
  for (std::size_t a = 0; a < tables_.size(); ++a) {
    std::vector<Number> first;
    for (const Number x : locals[a]) {
      const auto same = std::ranges::find_if(first, [&](Number y) {
        return solver.holds(local_claim(a, x, y)) && solver.holds(local_claim(a, y, x));
      });
      if (same == first.end()) {
        first.push_back(x);
      } else {
        merging.locals[a].emplace(tables_[a].locals[x].bytes,
                                  tables_[a].locals[*same].actor->clone());
      }
    }
  }
  for (LinkId link = 0; link < heard.size(); ++link) {
    const Table& table = tables_[receiver(link)];
    std::vector<Id> first;
    for (const Id m : heard[link]) {
      const std::string& bytes = message_bytes_[table.inputs[m].message];
      if (solver.holds({Claim::Kind::silent, link, m, 0})) {
        merging.messages[link].emplace(bytes, nullptr);
        continue;
      }
      const auto same = std::ranges::find_if(first, [&](Id n) {
        return solver.holds({Claim::Kind::message, link, m, n}) &&
               solver.holds({Claim::Kind::message, link, n, m});
      });
      if (same == first.end()) {
        first.push_back(m);
      } else {
        merging.messages[link].emplace(bytes, messages_[table.inputs[*same].message]);
      }
    }
  }
  return merging;
}

}  // namespace slotlab::sim
