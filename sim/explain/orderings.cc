// Sixty-four orderings at a time in machine words; a few orderings together in a product of the
// graph with what has happened of each.
#include "sim/explain/orderings.h"

#include <algorithm>
#include <array>

#include "sim/base/assert.h"

namespace slotlab::sim {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
constexpr std::size_t kWord = 64;
constexpr std::size_t kJointMax = 8;            // orderings looked at together
constexpr std::size_t kJointNodesMax = 1 << 25;  // of a product, 8 bytes each

// Calls visit(state, edge) for the edges that a run may take, again and again in the order of
// `outcome`, until it has returned false for all of them.
template <class Visit>
void until_stable(const EventGraph& graph, const Outcome& outcome, const Allowed& allowed,
                  const Visit& visit) {
  bool again = true;
  while (again) {
    again = false;
    for (const std::uint32_t s : outcome.order) {
      for (std::uint32_t e = graph.first_edge[s]; e < graph.first_edge[s + 1]; ++e) {
        if (passable(graph, outcome, allowed, s, e) && visit(s, e)) again = true;
      }
    }
  }
}

// What may have happened of each of 64 orderings.
struct Seen {
  std::uint64_t neither = 0;
  std::uint64_t first = 0;   // `before` happened, `after` not before it
  std::uint64_t second = 0;  // `after` happened first
  bool add(const Seen& other) {
    const Seen old = *this;
    neither |= other.neither;
    first |= other.first;
    second |= other.second;
    return old.neither != neither || old.first != first || old.second != second;
  }
};

// Judges up to 64 orderings.
void judge_word(const EventGraph& graph, const Outcome& outcome, const Allowed& allowed,
                std::span<Judged> orderings) {
  std::vector<std::uint64_t> before(graph.sentences.size(), 0);
  std::vector<std::uint64_t> after(graph.sentences.size(), 0);
  for (std::size_t i = 0; i < orderings.size(); ++i) {
    before[orderings[i].ordering.before] |= std::uint64_t{1} << i;
    if (orderings[i].ordering.after == kNoLabel) continue;
    after[orderings[i].ordering.after] |= std::uint64_t{1} << i;
  }
  std::vector<Seen> seen(graph.state_count());
  for (std::uint32_t s = 0; s < graph.initial_count; ++s) seen[s].neither = UINT64_MAX;
  until_stable(graph, outcome, allowed, [&](std::uint32_t s, std::uint32_t e) {
    const std::uint64_t b = before[graph.label[e]];
    const std::uint64_t a = after[graph.label[e]];
    const Seen& from = seen[s];
    return seen[graph.target[e]].add({.neither = from.neither & ~(a | b),
                                      .first = from.first | (from.neither & b),
                                      .second = from.second | (from.neither & a)});
  });
  std::uint64_t broken_in_bad = 0;
  std::uint64_t kept_in_good = 0;
  for (const std::uint32_t s : outcome.order) {
    if (outcome.bad[s] != 0) broken_in_bad |= seen[s].neither | seen[s].second;
    if (outcome.good[s] != 0) kept_in_good |= seen[s].first;
  }
  for (std::size_t i = 0; i < orderings.size(); ++i) {
    orderings[i].of_all_bad = (broken_in_bad >> i & 1) == 0;
    orderings[i].of_no_good = (kept_in_good >> i & 1) == 0;
  }
}

// The product of the graph with what has happened of a few orderings: a node is a state and a
// number with one ternary digit per ordering (0 neither, 1 first, 2 second).
class Product {
 public:
  Product(const EventGraph& graph, const Outcome& outcome, const Allowed& allowed,
          const std::vector<Ordering>& orderings)
      : graph_(graph), outcome_(outcome), allowed_(allowed), orderings_(orderings) {
    SIM_ASSERT(joint_fits(graph, orderings.size()), std::string("too many orderings at once"));
    for (std::size_t i = 0; i < orderings.size(); ++i) codes_ *= 3;
    from_.assign(std::size_t{graph.state_count()} * codes_, kNone);
    via_.assign(from_.size(), kNone);
  }

  // Visits the nodes that runs reach, breadth first, until `stop` is true of one.
  template <class Stop>
  std::optional<std::size_t> search(const Stop& stop) {
    std::vector<std::size_t> waiting;
    for (std::uint32_t s = 0; s < graph_.initial_count; ++s) {
      const std::size_t node = s * codes_;
      from_[node] = static_cast<std::uint32_t>(node);
      waiting.push_back(node);
    }
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      const std::size_t node = waiting[i];
      const auto s = static_cast<std::uint32_t>(node / codes_);
      if (stop(s, node % codes_)) return node;
      for (std::uint32_t e = graph_.first_edge[s]; e < graph_.first_edge[s + 1]; ++e) {
        if (!passable(graph_, outcome_, allowed_, s, e)) continue;
        const std::size_t next = graph_.target[e] * codes_ + step(node % codes_, graph_.label[e]);
        if (from_[next] != kNone) continue;
        from_[next] = static_cast<std::uint32_t>(node);
        via_[next] = e;
        waiting.push_back(next);
      }
    }
    return std::nullopt;
  }

  bool holds(std::size_t code, std::size_t ordering) const {
    for (std::size_t i = 0; i < ordering; ++i) code /= 3;
    return code % 3 == 1;
  }
  bool all_hold(std::size_t code) const {
    for (std::size_t i = 0; i < orderings_.size(); ++i) {
      if (!holds(code, i)) return false;
    }
    return true;
  }
  std::vector<std::uint32_t> path_to(std::size_t node) const {
    std::vector<std::uint32_t> edges;
    for (; from_[node] != node; node = from_[node]) edges.push_back(via_[node]);
    std::reverse(edges.begin(), edges.end());
    return edges;
  }

 private:
  std::size_t step(std::size_t code, Label label) const {
    std::size_t next = code;
    std::size_t place = 1;
    for (const Ordering& ordering : orderings_) {
      if (code / place % 3 == 0) {
        if (ordering.before == label) next += place;
        if (ordering.after == label) next += 2 * place;
      }
      place *= 3;
    }
    return next;
  }

  const EventGraph& graph_;
  const Outcome& outcome_;
  const Allowed& allowed_;
  const std::vector<Ordering>& orderings_;
  std::size_t codes_ = 1;
  std::vector<std::uint32_t> from_;  // by node: the one it was reached from; itself at the start
  std::vector<std::uint32_t> via_;   // by node: the edge
};

}  // namespace

std::vector<Label> unavoidable(const EventGraph& graph, const Outcome& outcome,
                               const Allowed& allowed, const std::vector<std::uint8_t>& marked) {
  std::vector<Label> found;
  const std::size_t labels = graph.sentences.size();
  for (std::size_t base = 0; base < labels; base += kWord) {
    // By state: the labels that some run to it has not taken.
    std::vector<std::uint64_t> without(graph.state_count(), 0);
    for (std::uint32_t s = 0; s < graph.initial_count; ++s) without[s] = UINT64_MAX;
    until_stable(graph, outcome, allowed, [&](std::uint32_t s, std::uint32_t e) {
      const std::size_t label = graph.label[e];
      const bool here = label >= base && label < base + kWord;
      const std::uint64_t taken = here ? std::uint64_t{1} << (label - base) : 0;
      std::uint64_t& next = without[graph.target[e]];
      const std::uint64_t old = next;
      next |= without[s] & ~taken;
      return next != old;
    });
    std::uint64_t avoided = 0;
    for (const std::uint32_t s : outcome.order) {
      if (marked[s] != 0) avoided |= without[s];
    }
    for (std::size_t i = 0; i < kWord && base + i < labels; ++i) {
      if ((avoided >> i & 1) == 0) found.push_back(static_cast<Label>(base + i));
    }
  }
  return found;
}

std::vector<Judged> judge_orderings(const EventGraph& graph, const Outcome& outcome,
                                    const Allowed& allowed, const std::vector<Label>& firsts,
                                    const std::vector<Label>& seconds,
                                    const std::atomic<bool>* interrupt) {
  std::vector<Judged> all;
  for (const Label before : firsts) {
    all.push_back({.ordering = {.before = before, .after = kNoLabel}});
    for (const Label after : seconds) {
      if (before != after) all.push_back({.ordering = {.before = before, .after = after}});
    }
  }
  for (std::size_t at = 0; at < all.size(); at += kWord) {
    if (interrupt != nullptr && interrupt->load()) {
      all.resize(at);
      break;
    }
    judge_word(graph, outcome, allowed,
               std::span(all).subspan(at, std::min(kWord, all.size() - at)));
  }
  return all;
}

bool joint_fits(const EventGraph& graph, std::size_t orderings) {
  std::size_t nodes = graph.state_count();
  for (std::size_t i = 0; i < orderings; ++i) nodes *= 3;
  return orderings <= kJointMax && nodes <= kJointNodesMax;
}

std::optional<std::vector<std::uint32_t>> run_with(const EventGraph& graph, const Outcome& outcome,
                                                   const Allowed& allowed,
                                                   const std::vector<std::uint8_t>& marked,
                                                   const std::vector<Ordering>& orderings) {
  Product product(graph, outcome, allowed, orderings);
  const auto node = product.search([&](std::uint32_t state, std::size_t code) {
    return marked[state] != 0 && product.all_hold(code);
  });
  if (!node) return std::nullopt;
  return product.path_to(*node);
}

bool groups_are_exact(const EventGraph& graph, const Outcome& outcome, const Allowed& allowed,
                      const std::vector<std::vector<Ordering>>& groups) {
  std::vector<Ordering> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  Product product(graph, outcome, allowed, all);
  const auto says_bad = [&](std::size_t code) {
    std::size_t at = 0;
    for (const auto& group : groups) {
      bool holds = true;
      for (std::size_t i = 0; i < group.size(); ++i) holds = holds && product.holds(code, at + i);
      if (holds) return true;
      at += group.size();
    }
    return false;
  };
  return !product.search([&](std::uint32_t state, std::size_t code) {
    return (outcome.bad[state] != 0 && !says_bad(code)) ||
           (outcome.good[state] != 0 && says_bad(code));
  });
}

std::optional<std::vector<Ordering>> separate(const EventGraph& graph, const Outcome& outcome,
                                              const Allowed& allowed,
                                              const std::vector<Ordering>& necessary) {
  std::vector<Ordering> chosen;
  while (true) {
    const auto safe = run_with(graph, outcome, allowed, outcome.good, chosen);
    if (!safe) break;
    if (!joint_fits(graph, chosen.size() + 1)) return std::nullopt;
    std::vector<std::uint32_t> at(graph.sentences.size(), kNone);
    for (std::size_t i = safe->size(); i-- > 0;) {
      at[graph.label[(*safe)[i]]] = static_cast<std::uint32_t>(i);
    }
    const auto breaks = [&](const Ordering& o) {
      return at[o.before] == kNone || (o.after != kNoLabel && at[o.after] < at[o.before]);
    };
    const auto next = std::find_if(necessary.begin(), necessary.end(), breaks);
    if (next == necessary.end()) return std::nullopt;
    chosen.push_back(*next);
  }
  // What later choices made superfluous goes.
  for (std::size_t i = 0; i < chosen.size();) {
    std::vector<Ordering> fewer = chosen;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (run_with(graph, outcome, allowed, outcome.good, fewer)) {
      ++i;
    } else {
      chosen = fewer;
    }
  }
  return chosen;
}

}  // namespace slotlab::sim
