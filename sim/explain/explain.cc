// See explain.h. Orders of the same runs are true for many reasons at once; what is reported first
// is the tightest: the latest event before, the earliest event after.
#include "sim/explain/explain.h"

#include <algorithm>
#include <queue>
#include <set>
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

// Explains what happens with one set of faults: first by what happens before a run is doomed; if
// that does not separate violating runs from safe ones, by all that happens in complete runs.
class CaseExplainer {
 public:
  CaseExplainer(const EventGraph& graph, const ExplainOptions& options, std::vector<Label> faults,
                Outcome outcome)
      : graph_(graph),
        options_(options),
        allowed_(allow_faults(graph, faults)),
        complete_(std::move(outcome)),
        decided_(until_doomed(complete_)) {
    result_.faults = std::move(faults);
  }

  FaultCase explain() {
    result_.bad_run = cheapest(decided_.bad);
    result_.safe_run =
        complete_.any_good ? cheapest(complete_.good) : std::vector<std::uint32_t>{};
    bad_place_ = places(graph_, cheapest(complete_.bad));
    for (std::size_t i = 0; i < result_.bad_run.size(); ++i) {
      // What is on the way to doom counts as it stands there.
      std::uint32_t& place = bad_place_[graph_.label[result_.bad_run[i]]];
      place = std::min(place, static_cast<std::uint32_t>(i));
    }
    safe_place_ = places(graph_, result_.safe_run);
    if (!complete_.any_good) {
      result_.exact = true;
      return std::move(result_);
    }
    const Judgement causes = judge(decided_);
    if (choose(decided_, causes, kFewOrderings)) {
      add_around(causes);
      return std::move(result_);
    }
    Judgement all = judge(complete_);
    // Of what all violating runs come to only afterwards, the earliest is the nearest to a cause.
    std::stable_sort(all.single.begin(), all.single.end(), [&](const auto& a, const auto& b) {
      return std::pair(a.after != kNoLabel, bad_place_[a.before]) <
             std::pair(b.after != kNoLabel, bad_place_[b.before]);
    });
    if (!choose(complete_, all, 1) && !choose(decided_, causes, SIZE_MAX) &&
        !choose(complete_, all, SIZE_MAX)) {
      say_what_is_necessary(causes);
    }
    add_around(causes);
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kFewOrderings = 3;

  struct Judgement {
    std::vector<Ordering> necessary;  // true of every violating run, tightest first
    std::vector<Ordering> single;     // and of no safe one
  };

  std::vector<std::uint32_t> cheapest(const std::vector<std::uint8_t>& marked) const {
    std::vector<std::uint32_t> initial(graph_.initial_count);
    for (std::uint32_t s = 0; s < graph_.initial_count; ++s) initial[s] = s;
    return cheapest_run(graph_, complete_, allowed_, initial, marked).value_or(result_.bad_run);
  }

  bool is_fault_of_set(Label label) const {
    return std::binary_search(result_.faults.begin(), result_.faults.end(), label);
  }

  // Tightest first: what involves the faults; then a first event late in the violating run; then
  // one that decides by happening at all; then a second event early in the safe run.
  bool tighter(const Ordering& a, const Ordering& b) const {
    const auto key = [&](const Ordering& o) {
      const bool alone = o.after == kNoLabel;
      const bool involved = is_fault_of_set(o.before) || (!alone && is_fault_of_set(o.after));
      return std::tuple(!involved, kNone - bad_place_[o.before], !alone,
                        alone ? 0 : safe_place_[o.after], o.before, o.after);
    };
    return key(a) < key(b);
  }

  Judgement judge(const Outcome& outcome) const {
    const std::vector<Label> firsts = unavoidable(graph_, outcome, allowed_, outcome.bad);
    const std::vector<Label> of_good = unavoidable(graph_, outcome, allowed_, outcome.good);
    const bool few = firsts.size() * graph_.sentences.size() <= kPairsMax;
    std::vector<Label> seconds;
    for (Label label = 0; label < graph_.sentences.size(); ++label) {
      const bool matters = std::binary_search(firsts.begin(), firsts.end(), label) ||
                           std::binary_search(of_good.begin(), of_good.end(), label) ||
                           graph_.fault[label] != 0 || safe_place_[label] != kNone;
      if (allowed_[label] != 0 && (few || matters)) seconds.push_back(label);
    }
    Judgement judgement;
    for (const Judged& judged :
         judge_orderings(graph_, outcome, allowed_, firsts, seconds, options_.interrupt)) {
      if (!judged.of_all_bad) continue;
      judgement.necessary.push_back(judged.ordering);
      if (judged.of_no_good) judgement.single.push_back(judged.ordering);
    }
    const auto by_tightness = [&](const Ordering& a, const Ordering& b) { return tighter(a, b); };
    std::sort(judgement.necessary.begin(), judgement.necessary.end(), by_tightness);
    std::sort(judgement.single.begin(), judgement.single.end(), by_tightness);
    return judgement;
  }

  // Whether at most `most` orderings separate the runs; they are the result then.
  bool choose(const Outcome& outcome, const Judgement& judgement, std::size_t most) {
    if (!judgement.single.empty()) {
      result_.single = judgement.single;
      if (result_.single.size() > kSinglesMax) result_.single.resize(kSinglesMax);
      result_.orderings = {result_.single.front()};
      result_.exact = true;
      return true;
    }
    if (most < 2) return false;
    auto found = separate(graph_, outcome, allowed_, judgement.necessary);
    if (!found || found->size() > most) return false;
    result_.orderings = std::move(*found);
    result_.exact = true;
    std::sort(result_.orderings.begin(), result_.orderings.end(),
              [&](const Ordering& a, const Ordering& b) {
                return std::tuple(bad_place_[a.before], a) < std::tuple(bad_place_[b.before], b);
              });
    return true;
  }

  // The tightest ordering for each of the last first events. What comes before one that is said to
  // come before the same event need not be said.
  void say_what_is_necessary(const Judgement& judgement) {
    const std::set<Ordering> necessary(judgement.necessary.begin(), judgement.necessary.end());
    for (const Ordering& ordering : judgement.necessary) {
      const auto says = [&](const Ordering& known) {
        return known.before == ordering.before ||
               (known.after == ordering.after &&
                necessary.contains({ordering.before, known.before}));
      };
      const auto& known = result_.orderings;
      const bool is_known = std::any_of(known.begin(), known.end(), says);
      if (!is_known && known.size() < kFewOrderings) result_.orderings.push_back(ordering);
    }
  }

  // What the faults come after and before in every violating run.
  void add_around(const Judgement& judgement) {
    for (const Label fault : result_.faults) {
      const auto add_first = [&](auto fits) {
        const auto& necessary = judgement.necessary;
        const auto at = std::find_if(necessary.begin(), necessary.end(), fits);
        if (at == necessary.end()) return;
        const auto& known = result_.orderings;
        if (std::find(known.begin(), known.end(), *at) == known.end()) {
          result_.around.push_back(*at);
        }
      };
      add_first([&](const Ordering& o) { return o.after == fault; });
      add_first([&](const Ordering& o) {
        return o.before == fault && o.after != kNoLabel && safe_place_[o.after] != kNone;
      });
    }
  }

  const EventGraph& graph_;
  const ExplainOptions& options_;
  const Allowed allowed_;
  const Outcome complete_, decided_;
  FaultCase result_;
  std::vector<std::uint32_t> bad_place_, safe_place_;  // by label
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
    auto rest = cheapest_run(graph, outcome, all, {states.back()}, outcome.doomed);
    if (!rest) rest = cheapest_run(graph, outcome, all, {states.back()}, outcome.bad);
    if (rest) why.run.insert(why.run.end(), rest->begin(), rest->end());
    states = states_of(graph, why.run);
    doomed = std::find_if(states.begin(), states.end(), is_doomed);
  }
  why.is_final = doomed != states.end();
  if (!why.is_final) --doomed;
  why.no_return = static_cast<std::size_t>(doomed - states.begin());
  const auto lacks = [&](std::uint32_t s) { return !graph.holds(s, options.property); };
  if (why.is_final && std::none_of(doomed, states.end(), lacks)) {
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

void judge_together(const EventGraph& graph, const Outcome& complete, const Allowed& all,
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
  if (!joint_fits(graph, count)) return;
  why.exact = groups_are_exact(graph, until_doomed(complete), all, groups) ||
              groups_are_exact(graph, complete, all, groups);
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
  judge_together(graph, outcome, all, why);
  return why;
}

}  // namespace slotlab::sim
