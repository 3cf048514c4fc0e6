#include "sim/drive/fault_timers.h"

#include <algorithm>
#include <bit>

namespace slotlab::sim {
namespace {

bool is_mending(Action action) {
  return action.kind() == ActionKind::restart || action.kind() == ActionKind::heal ||
         action.kind() == ActionKind::resume;
}

// 1 us to `span`, every order of magnitude alike.
Duration draw_magnitude(Random& random, Duration span) {
  const auto bits = static_cast<unsigned>(std::bit_width(span.us));
  const std::uint64_t length = random.between(1, bits);
  const std::uint64_t low = std::uint64_t{1} << (length - 1);
  const std::uint64_t high = length == bits ? span.us : (low << 1) - 1;
  return Duration{random.between(low, high)};
}

}  // namespace

FaultTimers::FaultTimers(const World& world, const Options& options, const Random& faults,
                         const Random& mendings, Agenda& agenda)
    : world_(world),
      options_(options),
      mendings_random_(mendings),
      agenda_(agenda),
      rules_(world.system().spec().faults.size()),
      loses_next_reply_(world.system().actor_count(), false) {
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    // A stream for each rule: one more rule leaves the others' instants as they were.
    rules_[r].random = faults.stream(std::to_string(r));
    if (!options_.draw_faults) continue;
    const std::uint64_t at_most = world_.system().spec().faults[r].at_most;
    const std::uint64_t left = at_most - world_.environment().spent[r];
    rules_[r].uses_left = static_cast<std::uint32_t>(rules_[r].random.between(0, left));
  }
}

bool FaultTimers::window_open(std::size_t rule) const {
  const auto& window = world_.system().spec().faults[rule].window;
  if (!window) return true;
  const std::uint32_t phase = world_.actor(window->actor).phase();
  return window->first <= phase && phase <= window->last;
}

void FaultTimers::arm(std::size_t rule, Instant now) {
  Rule& r = rules_[rule];
  if (!r.open || r.uses_left == 0 || agenda_.holds(r.due)) return;
  r.due = schedule(agenda_, after(now, draw_magnitude(r.random, options_.fault_span)),
                   {.what = Due::What::fault, .a = static_cast<std::uint32_t>(rule)});
}

void FaultTimers::set_open(std::size_t rule, bool open, Instant now) {
  Rule& r = rules_[rule];
  if (r.open == open) return;
  r.open = open;
  if (open) {
    arm(rule, now);
  } else {
    agenda_.cancel(r.due);
  }
}

void FaultTimers::refresh_all(Instant now) {
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    set_open(r, window_open(r), now);
    arm(r, now);
  }
  refresh_mendings(now);
}

void FaultTimers::refresh_windows(const std::vector<ActorId>& touched, Instant now) {
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const auto& window = world_.system().spec().faults[r].window;
    if (rules_[r].uses_left == 0 || !window) continue;
    if (std::find(touched.begin(), touched.end(), window->actor) == touched.end()) continue;
    set_open(r, window_open(r), now);
  }
}

std::vector<Action> FaultTimers::possible() const {
  std::vector<Action> actions;
  world_.system().faults_possible(
      world_.environment(), [this](ActorId a) { return world_.actor(a).phase(); },
      [this](ActorId a) { return world_.actor(a).can_stop(); }, actions);
  return actions;
}

std::optional<Action> FaultTimers::fault_due(std::uint32_t rule) {
  Rule& r = rules_[rule];
  if (world_.system().spec().faults[rule].kind == FaultKind::lose_reply) {
    choose_caller(rule);
    return std::nullopt;
  }
  std::vector<Action> targets;
  for (const Action action : possible()) {
    if (!is_mending(action) && action.a() == rule) targets.push_back(action);
  }
  if (targets.empty()) return std::nullopt;
  --r.uses_left;
  return targets[r.random.below(targets.size())];
}

void FaultTimers::choose_caller(std::uint32_t rule) {
  Rule& r = rules_[rule];
  const std::vector<ActorId>& callers = world_.system().spec().faults[rule].actors;
  --r.uses_left;
  loses_next_reply_[index(callers[r.random.below(callers.size())])] = true;
}

bool FaultTimers::loses_reply(Action step) {
  if (!loses_next_reply_[step.a()]) return false;
  if (!world_.is_possible(Action::make(ActionKind::lose_reply, step.a(), step.b()))) return false;
  loses_next_reply_[step.a()] = false;
  return true;
}

std::optional<Action> FaultTimers::mending_due(Action mending) {
  mendings_.erase(mending);
  return world_.is_possible(mending) ? std::optional(mending) : std::nullopt;
}

void FaultTimers::refresh_mendings(Instant now) {
  if (!options_.mend) return;
  std::map<Action, Ticket> still;
  for (const Action action : possible()) {
    if (!is_mending(action)) continue;
    const auto known = mendings_.find(action);
    if (known != mendings_.end()) {
      still.insert(*known);
      mendings_.erase(known);
      continue;
    }
    const Duration delay = draw(mendings_random_, options_.mend_min, options_.mend_max);
    still[action] = schedule(agenda_, after(now, delay),
                             {.what = Due::What::mending, .a = action.bits});
  }
  for (const auto& [action, due] : mendings_) agenda_.cancel(due);
  mendings_ = std::move(still);
}

bool FaultTimers::pending() const {
  return !mendings_.empty() || std::any_of(rules_.begin(), rules_.end(), [this](const Rule& r) {
    return agenda_.holds(r.due);
  });
}

}  // namespace slotlab::sim
