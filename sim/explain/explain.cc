// See explain.h. Orders of the same runs are true for many reasons at once; what is reported first
// is the tightest: the latest event before, the earliest event after.
#include "sim/explain/explain.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace slotlab::sim {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
constexpr std::size_t kPairsMax = 200'000;  // orderings judged with all labels as second event
constexpr std::size_t kSinglesMax = 16;     // reported

// Where each label first stands in a run; kNone: nowhere.
std::vector<std::uint32_t> places(const EventGraph& graph, const std::vector<std::uint32_t>& run) {
  std::vector<std::uint32_t> place(graph.sentences.size(), kNone);
  for (std::size_t i = run.size(); i-- > 0;) {
    place[graph.label[run[i]]] = static_cast<std::uint32_t>(i);
  }
  return place;
}

// Explains what happens with one set of faults.
class CaseExplainer {
 public:
  CaseExplainer(const EventGraph& graph, const ExplainOptions& options, std::vector<Label> faults,
                Outcome outcome)
      : graph_(graph),
        options_(options),
        allowed_(allow_faults(graph, faults)),
        outcome_(until_doomed(std::move(outcome))) {
    result_.faults = std::move(faults);
  }

  FaultCase explain() {
    result_.bad_run = cheapest(outcome_.bad);
    result_.safe_run = outcome_.any_good ? cheapest(outcome_.good) : std::vector<std::uint32_t>{};
    bad_place_ = places(graph_, result_.bad_run);
    safe_place_ = places(graph_, result_.safe_run);
    if (!outcome_.any_good) {
      result_.exact = true;
      return std::move(result_);
    }
    judge();
    choose();
    add_around();
    return std::move(result_);
  }

 private:
  std::vector<std::uint32_t> cheapest(const std::vector<std::uint8_t>& marked) const {
    std::vector<std::uint32_t> initial(graph_.initial_count);
    for (std::uint32_t s = 0; s < graph_.initial_count; ++s) initial[s] = s;
    return cheapest_run(graph_, outcome_, allowed_, initial, marked).value_or(result_.bad_run);
  }

  // Tightest first: the first event late in the violating run, the second early in the safe one.
  bool tighter(const Ordering& a, const Ordering& b) const {
    const auto key = [&](const Ordering& o) {
      return std::tuple(UINT32_MAX - bad_place_[o.before], safe_place_[o.after], o.before, o.after);
    };
    return key(a) < key(b);
  }

  void judge() {
    const std::vector<Label> firsts = unavoidable(graph_, outcome_, allowed_, outcome_.bad);
    std::vector<Label> seconds;
    const bool few = firsts.size() * graph_.sentences.size() <= kPairsMax;
    const std::vector<Label> of_good = unavoidable(graph_, outcome_, allowed_, outcome_.good);
    for (Label label = 0; label < graph_.sentences.size(); ++label) {
      const bool matters = std::binary_search(firsts.begin(), firsts.end(), label) ||
                           std::binary_search(of_good.begin(), of_good.end(), label) ||
                           graph_.fault[label] != 0 || safe_place_[label] != kNone;
      if (allowed_[label] != 0 && (few || matters)) seconds.push_back(label);
    }
    for (const Judged& judged :
         judge_orderings(graph_, outcome_, allowed_, firsts, seconds, options_.interrupt)) {
      if (!judged.of_all_bad) continue;
      necessary_.push_back(judged.ordering);
      if (judged.of_no_good) result_.single.push_back(judged.ordering);
    }
    const auto by_tightness = [&](const Ordering& a, const Ordering& b) { return tighter(a, b); };
    std::sort(necessary_.begin(), necessary_.end(), by_tightness);
    std::sort(result_.single.begin(), result_.single.end(), by_tightness);
    if (result_.single.size() > kSinglesMax) result_.single.resize(kSinglesMax);
  }

  void choose() {
    if (!result_.single.empty()) {
      result_.orderings = {result_.single.front()};
      result_.exact = true;
      return;
    }
    if (auto found = separate(graph_, outcome_, allowed_, necessary_)) {
      result_.orderings = std::move(*found);
      result_.exact = true;
      std::sort(result_.orderings.begin(), result_.orderings.end(),
                [&](const Ordering& a, const Ordering& b) {
                  return std::tuple(bad_place_[a.before], a) < std::tuple(bad_place_[b.before], b);
                });
      return;
    }
    // What could be said at least: the tightest ordering for each first event.
    for (const Ordering& ordering : necessary_) {
      const auto same = [&](const Ordering& known) { return known.before == ordering.before; };
      const bool known = std::any_of(result_.orderings.begin(), result_.orderings.end(), same);
      if (!known && result_.orderings.size() < 4) result_.orderings.push_back(ordering);
    }
  }

  void add_around() {
    for (const Label fault : result_.faults) {
      const auto first = [&](auto fits) {
        const auto at = std::find_if(necessary_.begin(), necessary_.end(), fits);
        if (at == necessary_.end()) return;
        const auto& known = result_.orderings;
        if (std::find(known.begin(), known.end(), *at) == known.end()) {
          result_.around.push_back(*at);
        }
      };
      first([&](const Ordering& o) { return o.after == fault; });
      first([&](const Ordering& o) {
        return o.before == fault && safe_place_[o.after] != kNone;
      });
    }
  }

  const EventGraph& graph_;
  const ExplainOptions& options_;
  const Allowed allowed_;
  const Outcome outcome_;
  FaultCase result_;
  std::vector<Ordering> necessary_;
  std::vector<std::uint32_t> bad_place_, safe_place_;
};

// The smallest sets of faults with which some run violates, and their outcomes.
class FaultSets {
 public:
  FaultSets(const EventGraph& graph, const ExplainOptions& options)
      : graph_(graph), options_(options) {
    for (Label label = 0; label < graph.sentences.size(); ++label) {
      if (graph.fault[label] != 0) faults_.push_back(label);
    }
  }

  // Calls found(set, outcome) for each; returns whether all sets were tried.
  template <class Found>
  bool each(const Found& found) {
    std::vector<std::vector<Label>> sets = {{}};
    while (!sets.empty()) {
      std::vector<std::vector<Label>> larger;
      for (const auto& set : sets) {
        if (is_superset(set)) continue;
        if (tried_++ == options_.fault_sets_max || interrupted()) return false;
        Outcome outcome =
            outcome_of(graph_, options_.property, options_.question, allow_faults(graph_, set));
        if (outcome.any_bad) {
          smallest_.push_back(set);
          found(set, std::move(outcome));
          continue;
        }
        for (const Label fault : faults_) {
          if (!set.empty() && fault <= set.back()) continue;
          larger.push_back(set);
          larger.back().push_back(fault);
        }
      }
      sets = std::move(larger);
    }
    return true;
  }

 private:
  bool is_superset(const std::vector<Label>& set) const {
    return std::any_of(smallest_.begin(), smallest_.end(), [&](const auto& small) {
      return std::includes(set.begin(), set.end(), small.begin(), small.end());
    });
  }
  bool interrupted() const { return options_.interrupt != nullptr && options_.interrupt->load(); }

  const EventGraph& graph_;
  const ExplainOptions& options_;
  std::vector<Label> faults_;
  std::vector<std::vector<Label>> smallest_;
  std::size_t tried_ = 0;
};

std::vector<std::uint32_t> states_of(const EventGraph& graph,
                                     const std::vector<std::uint32_t>& run) {
  std::vector<std::uint32_t> states = {0};
  for (const std::uint32_t edge : run) states.push_back(graph.target[edge]);
  return states;
}

// The run to explain: as given, and on to where nothing helps any more and P is seen to be false.
void find_run(const EventGraph& graph, const ExplainOptions& options, const Outcome& outcome,
              const Allowed& all, Explanation& why) {
  if (options.run) {
    why.run = *options.run;
    why.given = why.run.size();
  }
  std::vector<std::uint32_t> states = states_of(graph, why.run);
  const auto is_doomed = [&](std::uint32_t s) { return outcome.doomed[s] != 0; };
  auto doomed = std::find_if(states.begin(), states.end(), is_doomed);
  if (doomed == states.end()) {
    if (const auto rest = cheapest_run(graph, outcome, all, {states.back()}, outcome.doomed)) {
      why.run.insert(why.run.end(), rest->begin(), rest->end());
    }
    states = states_of(graph, why.run);
    doomed = std::find_if(states.begin(), states.end(), is_doomed);
  }
  why.no_return = static_cast<std::size_t>(doomed - states.begin());
  const auto lacks = [&](std::uint32_t s) { return !graph.holds(s, options.property); };
  if (std::none_of(doomed, states.end(), lacks)) {
    std::vector<std::uint8_t> lacking(graph.state_count());
    for (std::uint32_t s = 0; s < graph.state_count(); ++s) lacking[s] = lacks(s) ? 1 : 0;
    if (const auto rest = cheapest_run(graph, outcome, all, {states.back()}, lacking)) {
      why.run.insert(why.run.end(), rest->begin(), rest->end());
    }
    states = states_of(graph, why.run);
  }
  const auto lacking = std::find_if(states.begin(), states.end(), lacks);
  if (lacking != states.end()) {
    why.first_without = static_cast<std::size_t>(lacking - states.begin());
  }
}

void find_safe_run(const EventGraph& graph, const Outcome& outcome, const Allowed& all,
                   Explanation& why) {
  if (why.no_return == 0) return;
  const std::vector<std::uint32_t> prefix(
      why.run.begin(), why.run.begin() + static_cast<std::ptrdiff_t>(why.no_return - 1));
  const std::uint32_t from = states_of(graph, prefix).back();
  const auto rest = cheapest_run(graph, outcome, all, {from}, outcome.good);
  if (!rest) return;
  why.safe_run = prefix;
  why.safe_run->insert(why.safe_run->end(), rest->begin(), rest->end());
}

void judge_together(const EventGraph& graph, const Outcome& outcome, const Allowed& all,
                    Explanation& why) {
  std::vector<std::vector<Ordering>> groups;
  std::size_t count = 0;
  for (const FaultCase& one : why.cases) {
    // A case without orderings is true of every run, also of those in which its faults are missing.
    if (!one.exact || one.orderings.empty()) return;
    groups.push_back(one.orderings);
    groups.back().insert(groups.back().end(), one.around.begin(), one.around.end());
    count += groups.back().size();
  }
  if (!joint_fits(graph, count)) {
    count = 0;
    groups.clear();
    for (const FaultCase& one : why.cases) {
      groups.push_back(one.orderings);
      count += one.orderings.size();
    }
  }
  if (joint_fits(graph, count)) why.exact = groups_are_exact(graph, outcome, all, groups);
}

}  // namespace

std::optional<std::vector<std::uint32_t>> cheapest_run(const EventGraph& graph,
                                                       const Outcome& outcome,
                                                       const Allowed& allowed,
                                                       const std::vector<std::uint32_t>& from,
                                                       const std::vector<std::uint8_t>& marked) {
  using Cost = std::pair<std::uint32_t, std::uint32_t>;  // faults, steps
  using Waiting = std::tuple<Cost, std::uint32_t>;
  const Cost far{kNone, kNone};
  std::vector<Cost> cost(graph.state_count(), far);
  std::vector<std::uint32_t> via(graph.state_count(), kNone), before(graph.state_count(), kNone);
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
  for (const std::uint32_t s : from) {
    cost[s] = {0, 0};
    waiting.emplace(cost[s], s);
  }
  while (!waiting.empty()) {
    const auto [here, s] = waiting.top();
    waiting.pop();
    if (here != cost[s]) continue;
    if (marked[s] != 0) {
      std::vector<std::uint32_t> edges;
      for (std::uint32_t at = s; via[at] != kNone; at = before[at]) edges.push_back(via[at]);
      std::reverse(edges.begin(), edges.end());
      return edges;
    }
    for (std::uint32_t e = graph.first_edge[s]; e < graph.first_edge[s + 1]; ++e) {
      if (!passable(graph, outcome, allowed, s, e)) continue;
      const Cost next{here.first + graph.fault[graph.label[e]], here.second + 1};
      const std::uint32_t to = graph.target[e];
      if (!(next < cost[to])) continue;
      cost[to] = next;
      via[to] = e;
      before[to] = s;
      waiting.emplace(next, to);
    }
  }
  return std::nullopt;
}

std::optional<Explanation> explain(const EventGraph& graph, const ExplainOptions& options) {
  const Allowed all = allow_all(graph);
  const Outcome outcome = outcome_of(graph, options.property, options.question, all);
  if (!outcome.any_bad) return std::nullopt;
  Explanation why;
  why.question = options.question;
  find_run(graph, options, outcome, all, why);
  find_safe_run(graph, outcome, all, why);
  const Outcome decided = until_doomed(outcome);
  why.unavoidable = unavoidable(graph, decided, all, decided.bad);
  const std::vector<std::uint32_t> place = places(graph, why.run);
  std::sort(why.unavoidable.begin(), why.unavoidable.end(), [&](Label a, Label b) {
    return std::pair(place[a], a) < std::pair(place[b], b);
  });
  why.cases_complete = FaultSets(graph, options).each([&](const auto& faults, Outcome part) {
    why.cases.push_back(CaseExplainer(graph, options, faults, std::move(part)).explain());
  });
  judge_together(graph, decided, all, why);
  return why;
}

}  // namespace slotlab::sim
