// Whether a search was right to merge as it did. See similar.h.
#include <algorithm>
#include <deque>

#include "sim/check/similar.h"

namespace slotlab::sim {

namespace {

// More pairs than this are not looked at; the search then counts as wrong.
constexpr std::size_t kPairsMax = 1'000'000;

}  // namespace

// Follows the system and the search side by side: whenever the search gives an input to a local
// state, the system may give one that it stands for to a local state that it stands for.
class Similarity::Judge {
 public:
  Judge(Similarity& known, const Merging& merging) : k_(known), merging_(merging) {
    locals_.resize(k_.tables_.size());
    inputs_.resize(k_.tables_.size());
    taken_.resize(k_.tables_.size());
    live_.resize(k_.tables_.size());
  }

  // The search gave this input to this local state, or dropped it there as of no effect.
  void taken(std::size_t actor, Number local, Id input) {
    taken_[actor].emplace_back(local, input);
  }
  void live(std::size_t actor, Number local) { live_[actor].insert(local); }

  bool run() {
    for (std::size_t a = 0; a < taken_.size(); ++a) {
      std::ranges::sort(taken_[a]);
      for (const auto& [y, j] : taken_[a]) {
        const Result r = k_.result(a, y, j);
        if (!r.possible) return false;
        if (!relate_locals(a, r.next, stands_for(a, r.next))) return false;
        for (const Sent& sent : r.sends) {
          const Sent other = stands_for(sent);
          const bool silent = other.input == kUnknown;
          if (silent ? !silence(sent) : !relate_messages(sent, other)) return false;
        }
      }
    }
    // Each new relation is put to all that is there, until nothing is new.
    while (!new_locals_.empty() || !new_inputs_.empty() || !new_silent_.empty()) {
      if (!k_.go_on_()) return false;
      if (!new_locals_.empty()) {
        const auto [actor, x, y] = new_locals_.front();
        new_locals_.pop_front();
        if (!local_against_all(actor, x, y)) return false;
      } else if (!new_inputs_.empty()) {
        const auto [actor, i, j] = new_inputs_.front();
        new_inputs_.pop_front();
        if (!input_against_all(actor, i, j)) return false;
      } else {
        const auto [actor, i] = new_silent_.front();
        new_silent_.pop_front();
        if (!silent_against_all(actor, i)) return false;
      }
    }
    return true;
  }

 private:
  struct Pairs {
    std::set<std::pair<Id, Id>> all;               // (of the system, of the search)
    std::map<Id, std::vector<Id>> by_second;
    std::set<Id> silent;                           // inputs only
  };

  Number stands_for(std::size_t actor, Number x) {
    return k_.stands_for(merging_, actor, x);
  }
  // kUnknown: none.
  Sent stands_for(const Sent& sent) {
    if (merging_.messages.empty()) return sent;
    const std::size_t to = k_.receiver(sent.link);
    const Input input = k_.tables_[to].inputs[sent.input];
    const auto found = merging_.messages[sent.link].find(k_.message_bytes_[input.message]);
    if (found == merging_.messages[sent.link].end()) return sent;
    if (!found->second) return {sent.link, kUnknown};
    return {sent.link, k_.input(to, {input.kind, input.source, k_.message(found->second)})};
  }

  bool relate_locals(std::size_t actor, Number x, Number y) {
    if (x == y) return true;
    if (!locals_[actor].all.emplace(x, y).second) return true;
    if (++relations_ > kPairsMax) return false;
    const auto& locals = k_.tables_[actor].locals;
    if (locals[x].label != locals[y].label) return false;
    locals_[actor].by_second[y].push_back(x);
    new_locals_.emplace_back(actor, x, y);
    return true;
  }
  bool relate_messages(const Sent& m, const Sent& n) {
    if (m.input == n.input) return true;
    const std::size_t to = k_.receiver(m.link);
    if (!inputs_[to].all.emplace(m.input, n.input).second) return true;
    inputs_[to].by_second[n.input].push_back(m.input);
    new_inputs_.emplace_back(to, m.input, n.input);
    return true;
  }
  bool silence(const Sent& m) {
    const std::size_t to = k_.receiver(m.link);
    if (inputs_[to].silent.insert(m.input).second) new_silent_.emplace_back(to, m.input);
    return true;
  }

  // The system's `a` says no more than the search's `b`.
  bool covered(const Result& a, const Result& b) {
    if (k_.in_order(a) != k_.in_order(b)) return false;
    for (const Sent& sent : a.sends) {
      if (!k_.lasts(sent.link)) continue;
      const Sent own = stands_for(sent);
      const Sent* match = nullptr;
      std::vector<Sent> others;
      for (const Sent& other : b.sends) {
        if (other.link != sent.link) continue;
        const Sent kept = stands_for(other);
        if (kept.input != kUnknown) others.push_back(kept);
      }
      for (const Sent& other : others) {
        if (other.input == own.input || other.input == sent.input) match = &other;
      }
      if (match == nullptr && !others.empty()) match = &others.front();
      if (match == nullptr || own.input == kUnknown) {
        if (!silence(sent)) return false;
      } else if (!relate_messages(sent, *match)) {
        return false;
      }
    }
    return true;
  }

  // (x, i) in the system where the search takes (y, j).
  bool step(std::size_t actor, Number x, Id i, Number y, Id j) {
    const Result a = k_.result(actor, x, i);
    const Result b = k_.result(actor, y, j);
    return a.possible && b.possible && a.others == b.others && covered(a, b) &&
           relate_locals(actor, a.next, stands_for(actor, b.next));
  }
  bool silent_step(std::size_t actor, Number x, Id i, Number y) {
    const Result a = k_.result(actor, x, i);
    return a.possible && a.others.empty() && covered(a, {}) && relate_locals(actor, a.next, y);
  }

  bool local_against_all(std::size_t actor, Number x, Number y) {
    const auto& taken = taken_[actor];
    for (auto at = std::ranges::lower_bound(taken, std::pair(y, Id{0}));
         at != taken.end() && at->first == y; ++at) {
      const Id j = at->second;
      if (!step(actor, x, j, y, j)) return false;
      const auto also = inputs_[actor].by_second.find(j);
      if (also == inputs_[actor].by_second.end()) continue;
      const std::vector<Id> inputs = also->second;
      for (const Id i : inputs) {
        if (!step(actor, x, i, y, j)) return false;
      }
    }
    if (!live_[actor].contains(y)) return true;
    const std::set<Id> silent = inputs_[actor].silent;
    return std::ranges::all_of(silent, [&](Id i) { return silent_step(actor, x, i, y); });
  }

  bool input_against_all(std::size_t actor, Id i, Id j) {
    for (std::size_t at = 0; at < taken_[actor].size(); ++at) {
      const auto [y, taken] = taken_[actor][at];
      if (taken != j) continue;
      if (!step(actor, y, i, y, j)) return false;
      for (const Number x : simulated_by(actor, y)) {
        if (!step(actor, x, i, y, j)) return false;
      }
    }
    return true;
  }

  bool silent_against_all(std::size_t actor, Id i) {
    for (const Number y : live_[actor]) {
      if (!silent_step(actor, y, i, y)) return false;
      for (const Number x : simulated_by(actor, y)) {
        if (!silent_step(actor, x, i, y)) return false;
      }
    }
    return true;
  }

  std::vector<Number> simulated_by(std::size_t actor, Number y) const {
    const auto found = locals_[actor].by_second.find(y);
    return found == locals_[actor].by_second.end() ? std::vector<Number>{} : found->second;
  }

  Similarity& k_;
  const Merging& merging_;
  std::vector<std::vector<std::pair<Number, Id>>> taken_;
  std::vector<std::set<Number>> live_;
  std::vector<Pairs> locals_, inputs_;
  std::deque<std::tuple<std::size_t, Number, Number>> new_locals_;
  std::deque<std::tuple<std::size_t, Id, Id>> new_inputs_;
  std::deque<std::pair<std::size_t, Id>> new_silent_;
  std::size_t relations_ = 0;
};

Similarity::Number Similarity::stands_for(const Merging& merging, std::size_t actor, Number x) {
  if (merging.locals.empty()) return x;
  const auto found = merging.locals[actor].find(tables_[actor].locals[x].bytes);
  return found == merging.locals[actor].end() ? x : local(actor, found->second->clone());
}

bool Similarity::learn(const TupleSpace::Tables& t, const Merging& merging) {
  Judge judge(*this, merging);
  std::vector<std::vector<Number>> local_numbers(tables_.size());
  std::vector<std::vector<std::pair<Number, Id>>> taken(tables_.size());
  for (std::size_t a = 0; a < tables_.size(); ++a) {
    const ActorTable& from = t.actors[a];
    for (const Local& each : from.locals) {
      local_numbers[a].push_back(local(a, each.actor->clone()));
    }
  }
  for (std::size_t a = 0; a < tables_.size(); ++a) {
    const ActorTable& from = t.actors[a];
    std::vector<Id> inputs;
    for (const Input& each : from.inputs) {
      Input mine = each;
      if (each.message != kUnknown) mine.message = message(t.messages[each.message]);
      inputs.push_back(input(a, mine));
      if (mine.kind == Input::Kind::delivery) tables_[a].heard[inputs.back()] = true;
    }
    const auto take = [&](Id local, Id input) {
      taken[a].emplace_back(local_numbers[a][local], inputs[input]);
    };
    for (Id l = 0; l < from.locals.size(); ++l) {
      for (Id i = 0; i < from.near[l].size(); ++i) {
        if (from.near[l][i].local != kUnknown) take(l, i);
      }
    }
    for (const auto& [key, value] : from.far_ids) {
      take(static_cast<Id>(key >> 32), static_cast<Id>(key));
    }
    for (const auto& [key, is] : from.trivial) {
      if (is != 0) take(static_cast<Id>(key >> 32), static_cast<Id>(key));
    }
    std::ranges::sort(taken[a]);
    const auto doubled = std::ranges::unique(taken[a]);
    taken[a].erase(doubled.begin(), doubled.end());
  }
  for (std::size_t a = 0; a < tables_.size(); ++a) {
    Table& table = tables_[a];
    for (const Number l : local_numbers[a]) table.locals[l].seen = true;
    if (table.locals[0].live) judge.live(a, 0);
    for (const auto& [l, i] : taken[a]) {
      judge.taken(a, l, i);
      table.locals[l].relevant.insert(i);
    }
  }
  // What came of each input, before something else was taken for it.
  for (std::size_t a = 0; a < tables_.size(); ++a) {
    for (const auto& [l, i] : taken[a]) {
      const Result r = result(a, l, i);
      if (!r.possible) continue;
      const Number stands = stands_for(merging, a, r.next);
      const bool live = tables_[a].inputs[i].kind != Input::Kind::crash;
      if (live) judge.live(a, stands);
      for (const Number n : {r.next, stands}) {
        tables_[a].locals[n].seen = true;
        if (live) tables_[a].locals[n].live = true;
      }
      if (stands != r.next) {
        auto& mine = tables_[a].locals[r.next].relevant;
        const auto& others = tables_[a].locals[stands].relevant;
        mine.insert(others.begin(), others.end());
      }
      for (const Sent& sent : r.sends) {
        tables_[receiver(sent.link)].heard[sent.input] = true;
      }
    }
  }
  return judge.run();
}

}  // namespace slotlab::sim
