// See hunt.h. Plan, scheduler and choice of targets have streams of their own.
#include "sim/drive/hunt.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <string>

namespace slotlab::sim {

namespace {

constexpr std::size_t kRoundsMax = 64;  // of taking turns, until a state comes again

bool is_fault_kind(ActionKind kind) {
  return kind == ActionKind::crash || kind == ActionKind::cut || kind == ActionKind::pause ||
         kind == ActionKind::stop || kind == ActionKind::lose_reply;
}

std::vector<PlannedFault> draw_plan(const System& system, const HuntOptions& options) {
  Random random = Random(options.seed).stream("plan");
  const auto magnitudes = static_cast<std::uint64_t>(std::bit_width(options.events_max));
  std::vector<PlannedFault> plan;
  for (std::size_t rule = 0; rule < system.spec().faults.size(); ++rule) {
    const std::uint64_t uses = random.between(0, system.spec().faults[rule].at_most);
    for (std::uint64_t use = 0; use < uses; ++use) {
      // Evenly over orders of magnitude: what happens early matters as much as what happens late.
      const std::uint64_t span = std::uint64_t{1} << random.below(magnitudes + 1);
      plan.push_back({.rule = rule, .due = random.below(span)});
    }
  }
  return plan;
}

// From which event on each actor takes no step any more that no fair run needs to take (an operator
// who walks off without a word): half of them never do.
std::vector<std::uint64_t> draw_idleness(const System& system, const HuntOptions& options) {
  Random random = Random(options.seed).stream("idle");
  const auto magnitudes = static_cast<std::uint64_t>(std::bit_width(options.events_max));
  std::vector<std::uint64_t> from(system.actor_count(), UINT64_MAX);
  for (std::uint64_t& event : from) {
    const std::uint64_t span = std::uint64_t{1} << random.below(magnitudes + 1);
    if (random.below(2) == 0) event = random.below(span);
  }
  return from;
}

std::unique_ptr<Chooser> draw_chooser(const HuntOptions& options) {
  if (options.choice != Choice::pct) return std::make_unique<UniformChooser>(options.seed);
  Random random = Random(options.seed).stream("scheduler");
  PctOptions pct;
  pct.depth = static_cast<std::uint32_t>(random.between(1, 5));
  pct.steps_expected = random.between(10, std::max<std::uint64_t>(options.events_max, 11));
  pct.patience = random.between(5, 40);
  return std::make_unique<PctChooser>(options.seed, pct);
}

class Hunter {
 public:
  Hunter(World world, const HuntOptions& options)
      : world_(std::move(world)),
        options_(options),
        targets_(Random(options.seed).stream("target")),
        chooser_(draw_chooser(options)) {
    run_.plan = draw_plan(world_.system(), options);
    idle_from_ = draw_idleness(world_.system(), options);
  }

  HuntRun run() {
    while (!over() && run_.actions.size() < options_.events_max) {
      const std::vector<Action> possible = world_.possible();
      const std::vector<Action> ordinary = wanted(possible);
      // Where nothing else happens any more, the faults' time comes at once.
      const auto fault = due_fault(possible, ordinary.empty());
      if (!fault && ordinary.empty()) break;
      take(fault ? *fault : ordinary[chooser_->choose(world_, ordinary)]);
    }
    if (options_.settle && !run_.violated && !run_.cancelled) settle();
    return std::move(run_);
  }

 private:
  bool over() {
    run_.violated = run_.violated || (options_.violated && options_.violated(world_));
    if (run_.violated) return true;
    run_.cancelled = run_.cancelled || (options_.cancelled && options_.cancelled());
    return run_.cancelled;
  }

  void take(Action action) {
    world_.take(action);
    run_.actions.push_back(action);
  }

  // What is neither a fault nor a step of an actor that idles.
  std::vector<Action> wanted(const std::vector<Action>& possible) const {
    std::vector<Action> ordinary;
    std::copy_if(possible.begin(), possible.end(), std::back_inserter(ordinary),
                 [this](Action action) { return !is_fault_kind(action.kind()) && !idle(action); });
    return ordinary;
  }

  bool idle(Action action) const {
    if (action.kind() != ActionKind::step) return false;
    if (run_.actions.size() < idle_from_[action.a()]) return false;
    std::vector<Offer> offers;
    world_.actor(ActorId{static_cast<std::uint8_t>(action.a())}).offers(offers);
    const auto offer = std::ranges::find(offers, action.b(), &Offer::code);
    return offer != offers.end() && !offer->fair;
  }

  // The rule whose use the action would be; SIZE_MAX: it is no fault.
  std::size_t rule_of(Action action) const {
    if (!is_fault_kind(action.kind())) return SIZE_MAX;
    if (action.kind() != ActionKind::lose_reply) return action.a();
    return world_.system().lose_reply_rule(
        world_.environment(), ActorId{static_cast<std::uint8_t>(action.a())},
        [this](ActorId id) { return world_.actor(id).phase(); });
  }

  std::optional<Action> due_fault(const std::vector<Action>& possible, bool at_once) {
    for (PlannedFault& planned : run_.plan) {
      if (planned.fired || (planned.due > run_.actions.size() && !at_once)) continue;
      std::vector<Action> uses;
      for (const Action action : possible) {
        if (rule_of(action) == planned.rule) uses.push_back(action);
      }
      if (uses.empty()) continue;
      planned.fired = true;
      return uses[targets_.below(uses.size())];
    }
    return std::nullopt;
  }

  // Round after round, everything that is possible at the beginning of the round and still is when
  // its turn comes.
  void settle() {
    std::map<std::string, std::size_t> seen;
    for (std::size_t round = 0; round < kRoundsMax; ++round) {
      const auto [at, fresh] = seen.try_emplace(world_.canonical(), run_.actions.size());
      if (!fresh) {
        if (at->second < run_.actions.size()) run_.cycle_start = at->second;
        return;
      }
      for (const Action action : wanted(world_.possible())) {
        if (!world_.is_possible(action) || idle(action)) continue;
        take(action);
        if (over()) return;
      }
    }
  }

  World world_;
  const HuntOptions& options_;
  Random targets_;
  std::unique_ptr<Chooser> chooser_;
  std::vector<std::uint64_t> idle_from_;  // by actor
  HuntRun run_;
};

}  // namespace

HuntRun hunt_once(World world, const HuntOptions& options) {
  return Hunter(std::move(world), options).run();
}

}  // namespace slotlab::sim
