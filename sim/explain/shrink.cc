// Leaving out: chunks of halving length, then single events, faults first; what is not possible any
// more without them is left out with them. Moving: an event goes to where its actor has just acted.
#include "sim/explain/shrink.h"

#include <algorithm>

#include "sim/check/run_path.h"
#include "sim/explain/event_graph.h"

namespace slotlab::sim {

namespace {

using State = std::vector<std::uint32_t>;

// Who acts in an action; everything that happens to the system from outside is one more.
std::uint32_t who_acts(Action action, const System& system) {
  switch (action.kind()) {
    case ActionKind::deliver:
      return static_cast<std::uint32_t>(index(system.spec().links[action.a()].to));
    case ActionKind::step:
    case ActionKind::lose_reply: return action.a();
    default: return UINT32_MAX;
  }
}

// Follows actions through a space, leaving out those that are not possible.
class Follower {
 public:
  Follower(const Space& space, std::size_t initial)
      : space_(space), state_(space.initial()[initial]) {}

  bool take(Action action) {
    successors_.clear();
    space_.expand(state_, space_.fingerprint(state_), successors_);
    const auto at =
        std::ranges::find(successors_.entries, action, &Successors::Entry::action);
    if (at == successors_.entries.end()) return false;
    state_ = successor_state(state_, successors_, *at);
    return true;
  }
  const State& state() const { return state_; }

 private:
  const Space& space_;
  State state_;
  Successors successors_;
};

bool holds(const Space& space, const State& state, std::size_t property) {
  return (space.check(state) >> property & 1) != 0;
}
bool then_holds(const Space& space, const State& state, std::size_t property) {
  return (space.check(state) >> (kPropertiesMax + property) & 1) != 0;
}

// Each weak-fairness class is taken on the cycle, or not possible somewhere on it.
bool is_fair_cycle(const Space& space, const std::vector<State>& states, const Run& run) {
  std::map<std::uint16_t, std::size_t> always_possible;  // in so many states of the cycle
  std::vector<std::uint16_t> taken;
  Successors successors;
  for (std::size_t i = run.cycle_start; i < run.actions.size(); ++i) {
    successors.clear();
    space.expand(states[i], space.fingerprint(states[i]), successors);
    std::vector<std::uint16_t> here;
    for (const auto& entry : successors.entries) {
      if (entry.fairness == kUnfair) continue;
      here.push_back(entry.fairness);
      if (entry.action == run.actions[i]) taken.push_back(entry.fairness);
    }
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
    for (const std::uint16_t name : here) ++always_possible[name];
  }
  const std::size_t length = run.actions.size() - run.cycle_start;
  return std::all_of(always_possible.begin(), always_possible.end(), [&](const auto& each) {
    return each.second < length || std::find(taken.begin(), taken.end(), each.first) != taken.end();
  });
}

bool ends_for_ever(const Space& space, const std::vector<State>& states, const Run& run) {
  if (run.cycle_start != SIZE_MAX) {
    return run.cycle_start < run.actions.size() && states.back() == states[run.cycle_start] &&
           is_fair_cycle(space, states, run);
  }
  Successors successors;
  space.expand(states.back(), space.fingerprint(states.back()), successors);
  return successors.entries.empty();
}

// P at some state, and no Q from there on.
bool avoids(const Space& space, const std::vector<State>& states, std::size_t property) {
  for (std::size_t i = states.size(); i-- > 0;) {
    if (then_holds(space, states[i], property)) return false;
    if (holds(space, states[i], property)) return true;
  }
  return false;
}

class Shrinker {
 public:
  Shrinker(const Space& space, const Run& run, const ShrinkOptions& options)
      : space_(space), options_(options), best_(run), cost_(cost(run)) {}

  Run shrink() {
    bool again = true;
    while (again && !interrupted()) {
      again = leave_out_faults();
      again = leave_out_chunks() || again;
      again = move_events() || again;
    }
    return best_;
  }

 private:
  RunCost cost(const Run& run) const { return cost_of(run, options_.system); }
  bool interrupted() const { return options_.interrupt != nullptr && options_.interrupt->load(); }

  // What remains possible of the actions, if it violates and costs less: the new best.
  bool try_run(const std::vector<Action>& actions, std::size_t cycle_start) {
    Run run{.initial = best_.initial, .actions = {}};
    Follower follower(space_, best_.initial);
    const bool always = space_.property_mood(options_.property) == Mood::always;
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (i == cycle_start) run.cycle_start = run.actions.size();
      if (follower.take(actions[i])) run.actions.push_back(actions[i]);
      if (always && !holds(space_, follower.state(), options_.property)) break;
    }
    if (!(cost(run) < cost_)) return false;
    auto part = violating_part(space_, run, options_.property);
    if (!part || !(cost(*part) < cost_)) return false;
    best_ = std::move(*part);
    cost_ = cost(best_);
    if (options_.progress) options_.progress(cost_);
    return true;
  }

  bool try_without(std::size_t first, std::size_t count) {
    std::vector<Action> actions = best_.actions;
    const auto at = actions.begin() + static_cast<std::ptrdiff_t>(first);
    actions.erase(at, at + static_cast<std::ptrdiff_t>(count));
    std::size_t cycle = best_.cycle_start;
    if (cycle != SIZE_MAX && cycle > first) cycle -= std::min(cycle - first, count);
    return try_run(actions, cycle);
  }

  bool leave_out_faults() {
    if (options_.system == nullptr) return false;
    bool any = false;
    for (std::size_t i = best_.actions.size(); i-- > 0;) {
      if (i >= best_.actions.size() || !is_fault(best_.actions[i].kind())) continue;
      any = try_without(i, 1) || any;
    }
    return any;
  }

  bool leave_out_chunks() {
    bool any = false;
    for (std::size_t length = std::max<std::size_t>(best_.actions.size() / 2, 1); length > 0;
         length /= 2) {
      std::size_t end = best_.actions.size();
      while (end >= length && !interrupted()) {
        if (try_without(end - length, length)) {
          any = true;
          end = std::min(end, best_.actions.size());
        } else {
          end -= length == 1 ? 1 : std::max<std::size_t>(length / 2, 1);
        }
      }
    }
    return any;
  }

  // Moves each event to the nearest earlier place behind another of its actor, or the events in
  // between to behind it.
  bool move_events() {
    if (options_.system == nullptr) return false;
    bool any = false;
    for (std::size_t i = 1; i < best_.actions.size() && !interrupted(); ++i) {
      const std::uint32_t who = who_acts(best_.actions[i], *options_.system);
      for (std::size_t j = i; j-- > 0;) {
        if (who_acts(best_.actions[j], *options_.system) != who) continue;
        if (j + 1 < i && (try_moved(i, j + 1) || try_moved(j, i - 1))) any = true;
        break;
      }
    }
    return any;
  }

  bool try_moved(std::size_t from, std::size_t to) {
    std::vector<Action> actions = best_.actions;
    const Action moved = actions[from];
    actions.erase(actions.begin() + static_cast<std::ptrdiff_t>(from));
    actions.insert(actions.begin() + static_cast<std::ptrdiff_t>(to), moved);
    const std::size_t cycle = best_.cycle_start;
    if (cycle != SIZE_MAX && (from < cycle) != (to < cycle)) return false;
    return try_run(actions, cycle);
  }

  const Space& space_;
  const ShrinkOptions& options_;
  Run best_;
  RunCost cost_;
};

}  // namespace

RunCost cost_of(const Run& run, const System* system) {
  RunCost cost{.events = run.actions.size()};
  if (system == nullptr) return cost;
  std::optional<std::uint32_t> last;
  for (const Action action : run.actions) {
    if (is_fault(action.kind())) ++cost.faults;
    const std::uint32_t who = who_acts(action, *system);
    if (last && *last != who) ++cost.switches;
    last = who;
  }
  return cost;
}

std::optional<Run> violating_part(const Space& space, const Run& run, std::size_t property) {
  const std::vector<State> states = states_along(space, run);
  switch (space.property_mood(property)) {
    case Mood::always: {
      const auto at = std::find_if(states.begin(), states.end(), [&](const State& state) {
        return !holds(space, state, property);
      });
      if (at == states.end()) return std::nullopt;
      Run part{.initial = run.initial, .actions = run.actions};
      part.actions.resize(static_cast<std::size_t>(at - states.begin()));
      return part;
    }
    case Mood::eventually_always: {
      if (!ends_for_ever(space, states, run)) return std::nullopt;
      const std::size_t from = run.cycle_start == SIZE_MAX ? states.size() - 1 : run.cycle_start;
      const bool lacks = std::any_of(states.begin() + static_cast<std::ptrdiff_t>(from),
                                     states.end(), [&](const State& state) {
                                       return !holds(space, state, property);
                                     });
      return lacks ? std::optional(run) : std::nullopt;
    }
    case Mood::leads_to:
      if (!ends_for_ever(space, states, run) || !avoids(space, states, property)) {
        return std::nullopt;
      }
      return run;
    case Mood::sometimes: return std::nullopt;
  }
  return std::nullopt;
}

Run shrink(const Space& space, const Run& run, const ShrinkOptions& options) {
  return Shrinker(space, run, options).shrink();
}

}  // namespace slotlab::sim
