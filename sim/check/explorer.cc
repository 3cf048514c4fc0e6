// From searches to verdicts: rounds, the runs that are reported, and what is said when a search was
// cut short. The search itself is in search.h, the long run in settle.h.
#include "sim/check/explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/base/assert.h"
#include "sim/check/run_path.h"
#include "sim/check/search.h"
#include "sim/check/settle.h"
#include "sim/check/state_graph.h"

namespace slotlab::sim {

namespace {

constexpr unsigned kThreadsMax = 64;

void require_in_range(const ExploreOptions& options) {
  if (options.threads < 1 || options.threads > kThreadsMax) {
    throw std::invalid_argument(
        fmt::format("{} threads, expected 1 to {}", options.threads, kThreadsMax));
  }
  if (!(options.seconds_max >= 0)) {
    throw std::invalid_argument(
        fmt::format("a time budget of {} seconds, expected 0 or more", options.seconds_max));
  }
  const bool saves = !options.checkpoint.file.empty() || !options.checkpoint.resume.empty();
  if (saves && options.width == FingerprintWidth::exact) {
    throw std::invalid_argument("a search that keeps whole states cannot be saved");
  }
  if (options.states_max == 0) {
    throw std::invalid_argument("a bound of 0 states, expected 1 or more");
  }
}

// What ended the search, as the end of "the search ended ...".
std::string ended_how(const std::string& stopped_by) {
  if (stopped_by == "memory") return "at its memory budget";
  if (stopped_by == "time") return "at its time budget";
  if (stopped_by == "depth") return "at its depth bound";
  if (stopped_by == "states") return "at its bound on states";
  if (stopped_by == "interrupt") return "when it was interrupted";
  return "early, with everything that it could decide decided";
}

// The birthday bound: n^2 / 2^(width + 1), at most 1.
double collision_probability(std::uint64_t states, FingerprintWidth width) {
  if (width == FingerprintWidth::exact) return 0;
  const int bits = width == FingerprintWidth::bits128 ? 128 : 64;
  const auto n = static_cast<double>(states);
  return std::min(1.0, std::ldexp(n * n, -(bits + 1)));
}

bool in_the_long_run(Mood mood) {
  return mood == Mood::eventually_always || mood == Mood::leads_to;
}

// Turns the search's chain of parents into the actions between them: of several actions that lead
// from one to the next, the first in the order of actions.
Run rebuild_run(const Space& space, const Search& search, StateId target) {
  const auto chain = search.chain(target);
  Run run;
  const auto initial = space.initial();
  const auto start = std::ranges::find_if(initial, [&](const auto& state) {
    return search.is(chain[0], state, space.fingerprint(state));
  });
  SIM_ASSERT(start != initial.end(), "a run starts from no initial state");
  run.initial = static_cast<std::size_t>(start - initial.begin());
  std::vector<std::uint32_t> state = *start;
  Fingerprint fingerprint = search.narrowed(space.fingerprint(state));
  Successors successors;
  for (std::size_t i = 1; i < chain.size(); ++i) {
    successors.clear();
    space.expand(state, fingerprint, successors);
    const auto taken = std::ranges::find_if(successors.entries, [&](const auto& entry) {
      return search.is(chain[i], successor_state(state, successors, entry), entry.fingerprint);
    });
    SIM_ASSERT(taken != successors.entries.end(),
               "a state has lost its successor: is the model "
               "a pure function of the state?");
    run.actions.push_back(taken->action);
    fingerprint = search.narrowed(taken->fingerprint);
    state = successor_state(state, successors, *taken);
  }
  return run;
}

// The same for a lasso in the explicit graph, where an edge's place names its action.
Run rebuild_lasso(const Space& space, const StateGraph& graph, const Lasso& lasso) {
  Run run{.initial = lasso.initial, .actions = {}, .cycle_start = lasso.cycle_start};
  std::vector<std::uint32_t> state = space.initial()[lasso.initial];
  std::uint32_t number = lasso.initial;
  Successors successors;
  for (const std::uint32_t edge : lasso.edges) {
    successors.clear();
    space.expand(state, space.fingerprint(state), successors);
    const auto& entry = successors.entries[edge - graph.first_edge[number]];
    run.actions.push_back(entry.action);
    state = successor_state(state, successors, entry);
    number = graph.target[edge];
  }
  return run;
}

std::string explain_lasso(const Space& space, std::size_t property, const StateGraph& graph,
                          const Lasso& lasso, const Run& run) {
  const bool eventually = space.property_mood(property) == Mood::eventually_always;
  if (eventually) {
    // The model's own sentence, for the first state without P from where the cycle begins.
    const auto states = states_along(space, run);
    const std::size_t from = std::min(run.cycle_start, run.actions.size());
    std::uint32_t number = lasso.initial;
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (i > 0) number = graph.target[lasso.edges[i - 1]];
      if (i < from || graph.holds(number, property)) continue;
      const std::string text = space.explain(property, states[i]);
      if (!text.empty()) return text;
      break;
    }
  }
  const std::string what = eventually ? "it does not hold for good" : "what must follow does not";
  if (run.cycle_start == SIZE_MAX) {
    return fmt::format("nothing is possible any more after step {}, and {}", run.actions.size(),
                       what);
  }
  const std::size_t length = run.actions.size() - run.cycle_start;
  return fmt::format("the last {} can repeat for ever, and {}",
                     length == 1 ? std::string("step") : fmt::format("{} steps", length), what);
}

class Exploration {
 public:
  Exploration(Space& space, const ExploreOptions& options)
      : space_(space), options_(options), pool_(options.threads) {}

  ExploreResult run() {
    search_in_rounds();
    for (std::size_t p = 0; p < space_.property_count(); ++p) {
      PropertyResult property;
      property.name = space_.property_name(p);
      property.mood = space_.property_mood(p);
      if (!in_the_long_run(property.mood)) judge_states(p, property);
      result_.properties.push_back(std::move(property));
    }
    // The explicit graph needs the memory more than a search that has told all it knows.
    search_.reset();
    judge_long_run();
    result_.bounds = space_.bounds();
    const auto figures = space_.figures();
    result_.figures.insert(result_.figures.begin(), figures.begin(), figures.end());
    result_.seconds = watch_.seconds();
    result_.cpu_seconds = watch_.cpu_seconds();
    result_.peak_memory_bytes = peak_memory_bytes();
    return std::move(result_);
  }

 private:
  // Null if there is nothing to resume. Else the space is as it was when the checkpoint was made,
  // and what the reader gives next is the search.
  std::unique_ptr<CheckpointReader> open_checkpoint() {
    const CheckpointOptions& checkpoint = options_.checkpoint;
    if (checkpoint.resume.empty()) return nullptr;
    auto in = std::make_unique<CheckpointReader>(checkpoint.resume);
    const std::string subject = in->text();
    if (subject != checkpoint.subject) {
      in->refuse(fmt::format("it is of {}, but this search is of {}", subject, checkpoint.subject));
    }
    saved_round_ = static_cast<std::uint32_t>(in->number_below(UINT32_MAX));
    if (in->number() != (options_.width == FingerprintWidth::bits128 ? 1u : 0u)) {
      in->refuse("it has fingerprints of another width");
    }
    if (in->number() != space_.width()) in->refuse("its states have another number of components");
    const std::string tables = in->text();
    (void)space_.initial();  // comes first in every search, so it does here
    if (!space_.restore(tables)) {
      in->refuse("another version of the program, or of what it is of, has written it");
    }
    return in;
  }

  void search_in_rounds() {
    std::unique_ptr<CheckpointReader> saved = open_checkpoint();
    for (std::uint32_t round = saved ? saved_round_ : 1;; ++round) {
      search_.reset();
      search_ = std::make_unique<Search>(space_, options_, pool_, watch_, round);
      if (saved) search_->restore(*saved);
      saved.reset();
      search_->run();
      result_.rounds = round;
      if (space_.round_is_void() ? !space_.needs_another_round()
                                 : !search_->complete() || !space_.needs_another_round()) {
        break;
      }
    }
    result_.complete = search_->complete();
    result_.stopped_by = search_->stopped_by();
    result_.states = search_->states();
    result_.transitions = search_->transitions();
    result_.depth = search_->depth();
    result_.visited_bytes = search_->visited_bytes();
    result_.spilled_bytes = search_->spilled_bytes();
    if (!result_.complete) {
      result_.waiting = search_->waiting();
      result_.states_left = search_->states_left();
    }
    result_.collision_probability = collision_probability(result_.states, options_.width);
    if (options_.width == FingerprintWidth::exact) {
      result_.figures.push_back({"fingerprint collisions", search_->collisions()});
    }
    collisions_ = search_->collisions();
  }

  // always and sometimes: one state decides.
  void judge_states(std::size_t p, PropertyResult& property) {
    const Search::Tally tally = search_->tally(p);
    property.states = tally.states;
    const bool always = property.mood == Mood::always;
    if (tally.states != 0) {
      property.verdict = always ? Verdict::violated : Verdict::holds;
      property.depth = tally.depth;
      property.run = rebuild_run(space_, *search_, tally.first);
      if (always) {
        property.explanation = space_.explain(p, states_along(space_, *property.run).back());
      }
    } else if (result_.complete) {
      property.verdict = always ? Verdict::holds : Verdict::violated;
      if (!always) property.explanation = "no reachable state shows it";
    } else {
      property.explanation =
          fmt::format("{} in what was searched; the search ended {}",
                      always ? "not violated" : "not seen", ended_how(result_.stopped_by));
    }
  }

  void judge_long_run() {
    if (std::ranges::none_of(result_.properties, [](const PropertyResult& property) {
          return in_the_long_run(property.mood);
        })) {
      return;
    }
    StateGraph graph;
    std::string reason;
    if (options_.skip_long_run) {
      reason = "what was left out of this search may matter in the long run";
    } else if (!result_.complete) {
      reason = "the search ended " + ended_how(result_.stopped_by) +
               ", and this property needs the whole graph";
    } else if (collisions_ != 0) {
      reason = "fingerprints collided, and the graph is told apart by fingerprints";
    } else {
      reason = build_state_graph(space_, options_, watch_, graph);
    }
    for (std::size_t p = 0; p < result_.properties.size(); ++p) {
      PropertyResult& property = result_.properties[p];
      if (!in_the_long_run(property.mood)) continue;
      if (reason.empty()) {
        settle(graph, p, property);
      } else {
        property.explanation = reason;
      }
    }
  }

  void settle(const StateGraph& graph, std::size_t p, PropertyResult& property) {
    const Settled settled = property.mood == Mood::leads_to ? settle_leads_to(graph, p)
                                                            : settle_eventually_always(graph, p);
    property.states = settled.states;
    property.verdict = settled.counterexample ? Verdict::violated : Verdict::holds;
    if (!settled.counterexample) return;
    property.depth = settled.depth;
    property.run = rebuild_lasso(space_, graph, *settled.counterexample);
    property.explanation = explain_lasso(space_, p, graph, *settled.counterexample, *property.run);
  }

  Space& space_;
  const ExploreOptions& options_;
  const Stopwatch watch_;
  WorkerPool pool_;
  std::unique_ptr<Search> search_;
  std::uint32_t saved_round_ = 1;
  std::uint64_t collisions_ = 0;
  ExploreResult result_;
};

}  // namespace

ExploreResult explore(Space& space, const ExploreOptions& options) {
  require_in_range(options);
  return Exploration(space, options).run();
}

}  // namespace slotlab::sim
