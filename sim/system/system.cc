#include "sim/system/system.h"

#include <algorithm>
#include <stdexcept>

#include "sim/base/assert.h"

namespace slotlab::sim {

namespace {

void require(bool condition, const std::string& what) {
  if (!condition) throw std::invalid_argument("system: " + what);
}

std::string count_of(std::uint64_t n, const std::string& what) {
  return std::to_string(n) + " " + what;
}

}  // namespace

System::System(SystemSpec spec) : spec_(std::move(spec)) {
  const std::size_t actors = spec_.actors.size();
  require(actors > 0 && actors < 254, "1 to 253 actors are possible");
  require(spec_.names.size() == actors, "every actor needs one name");
  require(spec_.initial_status.empty() || spec_.initial_status.size() == actors,
          "initial_status is for all actors or none");
  for (const LinkSpec& link : spec_.links) {
    require(index(link.from) < actors && index(link.to) < actors && link.from != link.to,
            "a link joins two different actors");
    require(link.capacity >= 1 && link.capacity >= link.room,
            "a link needs room <= capacity, and capacity 1 or more");
    streams_ = std::max(streams_, std::size_t{link.stream} + 1);
  }
  link_index_.assign(actors * actors * streams_, kNoLink);
  for (LinkId id = 0; id < spec_.links.size(); ++id) {
    const LinkSpec& link = spec_.links[id];
    LinkId& slot =
        link_index_[(index(link.from) * actors + index(link.to)) * streams_ + link.stream];
    require(slot == kNoLink, "two links share one (from, to, stream)");
    slot = id;
  }
  require(spec_.faults.size() < 200 && spec_.step_budgets.size() < 200, "fewer than 200 faults");
  for (const FaultRule& rule : spec_.faults) {
    require(rule.at_most < 255, "a fault happens at most 254 times");
    require(rule.kind == FaultKind::cut ? !rule.pairs.empty() : !rule.actors.empty(),
            "a fault needs a target");
    require(rule.kind != FaultKind::pause || rule.mends, "a paused actor always may resume");
  }
}

LinkId System::link(ActorId from, ActorId to, std::uint8_t stream) const {
  if (stream >= streams_) return kNoLink;
  return link_index_[(index(from) * actor_count() + index(to)) * streams_ + stream];
}

Environment System::initial_environment() const {
  Environment env;
  env.status = spec_.initial_status;
  env.status.resize(actor_count(), Status::up);
  env.cut.resize(actor_count() * actor_count(), Cut::open);
  env.spent.resize(spec_.faults.size(), 0);
  env.steps_spent.resize(spec_.step_budgets.size(), 0);
  return env;
}

bool System::grants(const Environment& env, ActorId actor, const Offer& offer) const {
  if (!up(env, actor)) return false;
  if (offer.budget != kNoBudget &&
      (offer.budget >= spec_.step_budgets.size() ||
       env.steps_spent[offer.budget] >= spec_.step_budgets[offer.budget].at_most)) {
    return false;
  }
  switch (offer.need) {
    case Need::nothing:
      return true;
    case Need::room:
      return connected(env, actor, offer.peer);
    case Need::reachable:
      return reachable(env, actor, offer.peer) &&
             (offer.also_reachable == kNoActor || reachable(env, actor, offer.also_reachable));
    case Need::unreachable:
      return !reachable(env, actor, offer.peer);
    case Need::dead:
      return !alive(env, offer.peer);
    case Need::cut_off:
      return alive(env, offer.peer) && !reachable(env, actor, offer.peer);
  }
  return false;
}

bool System::rule_open(const Environment& env, std::size_t rule,
                       const std::function<std::uint32_t(ActorId)>& phase) const {
  const FaultRule& r = spec_.faults[rule];
  if (env.spent[rule] >= r.at_most) return false;
  if (!r.window) return true;
  const std::uint32_t at = phase(r.window->actor);
  return r.window->first <= at && at <= r.window->last;
}

void System::append_faults(const Environment& env, std::size_t rule,
                           const std::function<bool(ActorId)>& can_stop,
                           std::vector<Action>& out) const {
  const FaultRule& r = spec_.faults[rule];
  const auto number = static_cast<std::uint32_t>(rule);
  const std::size_t targets = r.kind == FaultKind::cut ? r.pairs.size() : r.actors.size();
  for (std::uint32_t t = 0; t < targets; ++t) {
    if (r.only && t != *r.only) continue;
    switch (r.kind) {
      case FaultKind::crash:
        if (alive(env, r.actors[t])) out.push_back(Action::make(ActionKind::crash, number, t));
        break;
      case FaultKind::cut:
        if (open(env, r.pairs[t].first, r.pairs[t].second) ||
            (r.both_ways && open(env, r.pairs[t].second, r.pairs[t].first))) {
          out.push_back(Action::make(ActionKind::cut, number, t));
        }
        break;
      case FaultKind::pause:
        if (up(env, r.actors[t])) out.push_back(Action::make(ActionKind::pause, number, t));
        break;
      case FaultKind::stop:
        if (up(env, r.actors[t]) && can_stop(r.actors[t])) {
          out.push_back(Action::make(ActionKind::stop, number, t));
        }
        break;
      case FaultKind::lose_reply:
        break;  // a variant of the caller's step, not an action alone
    }
  }
}

bool System::rule_has_target(const Environment& env, std::size_t rule,
                             const std::function<bool(ActorId)>& can_stop) const {
  std::vector<Action> found;
  append_faults(env, rule, can_stop, found);
  return !found.empty();
}

void System::faults_possible(const Environment& env,
                             const std::function<std::uint32_t(ActorId)>& phase,
                             const std::function<bool(ActorId)>& can_stop,
                             std::vector<Action>& out) const {
  for (std::size_t rule = 0; rule < spec_.faults.size(); ++rule) {
    if (rule_open(env, rule, phase)) append_faults(env, rule, can_stop, out);
  }
  for (std::uint32_t a = 0; a < actor_count(); ++a) {
    if (env.status[a] == Status::down) out.push_back(Action::make(ActionKind::restart, a));
    if (env.status[a] == Status::paused) out.push_back(Action::make(ActionKind::resume, a));
  }
  for (std::uint32_t rule = 0; rule < spec_.faults.size(); ++rule) {
    const FaultRule& r = spec_.faults[rule];
    if (r.kind != FaultKind::cut || !r.mends) continue;
    for (std::uint32_t t = 0; t < r.pairs.size(); ++t) {
      const auto [x, y] = r.pairs[t];
      const bool forward = env.cut[index(x) * actor_count() + index(y)] == Cut::cut;
      const bool backward = env.cut[index(y) * actor_count() + index(x)] == Cut::cut;
      if (forward || (r.both_ways && backward)) {
        out.push_back(Action::make(ActionKind::heal, rule, t));
      }
    }
  }
}

std::size_t System::lose_reply_rule(const Environment& env, ActorId actor,
                                    const std::function<std::uint32_t(ActorId)>& phase) const {
  for (std::size_t rule = 0; rule < spec_.faults.size(); ++rule) {
    const FaultRule& r = spec_.faults[rule];
    if (r.kind == FaultKind::lose_reply && rule_open(env, rule, phase) &&
        std::find(r.actors.begin(), r.actors.end(), actor) != r.actors.end()) {
      return rule;
    }
  }
  return SIZE_MAX;
}

void System::empty_links_of(ActorId actor, FaultEffect& effect) const {
  for (LinkId id = 0; id < link_count(); ++id) {
    if (spec_.links[id].from == actor || spec_.links[id].to == actor) effect.emptied.push_back(id);
  }
}

void System::cut_pair(Environment& env, const FaultRule& rule, std::size_t target, Cut to,
                      FaultEffect& effect) const {
  const auto one = [&](ActorId x, ActorId y) {
    Cut& now = env.cut[index(x) * actor_count() + index(y)];
    if (now == Cut::severed || now == to) return;  // what is severed stays so
    if (to == Cut::severed || now == Cut::open || to == Cut::open) now = to;
    for (LinkId id = 0; id < link_count(); ++id) {
      if (spec_.links[id].from == x && spec_.links[id].to == y) effect.emptied.push_back(id);
    }
  };
  one(rule.pairs[target].first, rule.pairs[target].second);
  if (rule.both_ways) one(rule.pairs[target].second, rule.pairs[target].first);
}

System::FaultEffect System::apply_fault(Environment& env, Action action) const {
  FaultEffect effect;
  const std::uint32_t a = action.a();
  switch (action.kind()) {
    case ActionKind::crash: {
      const FaultRule& rule = spec_.faults[a];
      effect.crashed = rule.actors[action.b()];
      effect.crash = rule.crash;
      env.status[index(effect.crashed)] = rule.mends ? Status::down : Status::gone;
      ++env.spent[a];
      empty_links_of(effect.crashed, effect);
      break;
    }
    case ActionKind::restart:
      effect.restarted = ActorId{static_cast<std::uint8_t>(a)};
      env.status[a] = Status::up;
      break;
    case ActionKind::cut:
      ++env.spent[a];
      cut_pair(env, spec_.faults[a], action.b(), spec_.faults[a].mends ? Cut::cut : Cut::severed,
               effect);
      break;
    case ActionKind::heal:
      cut_pair(env, spec_.faults[a], action.b(), Cut::open, effect);
      break;
    case ActionKind::pause:
      ++env.spent[a];
      env.status[index(spec_.faults[a].actors[action.b()])] = Status::paused;
      break;
    case ActionKind::resume:
      env.status[a] = Status::up;
      break;
    case ActionKind::stop:
      ++env.spent[a];
      effect.stopped = spec_.faults[a].actors[action.b()];
      break;
    case ActionKind::deliver:
    case ActionKind::step:
    case ActionKind::lose_reply:
      SIM_ASSERT(false, std::string("not a fault"));
  }
  return effect;
}

std::string System::fault_sentence(const FaultRule& rule, std::size_t target) const {
  switch (rule.kind) {
    case FaultKind::crash:
      return name(rule.actors[target]) +
             (rule.crash == CrashKind::power_loss ? " loses power" : " crashes") +
             (rule.mends ? "" : " for good");
    case FaultKind::cut: {
      const auto [x, y] = rule.pairs[target];
      return (rule.both_ways ? "the links between " + name(x) + " and " + name(y) + " are cut"
                             : "the link from " + name(x) + " to " + name(y) + " is cut") +
             (rule.mends ? "" : " for good");
    }
    case FaultKind::pause:
      return name(rule.actors[target]) + " pauses";
    case FaultKind::stop:
      return name(rule.actors[target]) + " stops";
    case FaultKind::lose_reply:
      break;
  }
  return {};
}

std::string System::describe_fault(Action action) const {
  const std::uint32_t a = action.a();
  switch (action.kind()) {
    case ActionKind::restart:
      return spec_.names[a] + " restarts";
    case ActionKind::resume:
      return spec_.names[a] + " resumes";
    case ActionKind::heal: {
      const FaultRule& rule = spec_.faults[a];
      const auto [x, y] = rule.pairs[action.b()];
      return rule.both_ways ? "the links between " + name(x) + " and " + name(y) + " heal"
                            : "the link from " + name(x) + " to " + name(y) + " heals";
    }
    default:
      break;
  }
  const FaultRule& rule = spec_.faults[a];
  std::string sentence = fault_sentence(rule, action.b());
  // Two rules may do the same to one target (in different windows, say); the sentence then names
  // the rule, since each has a budget of its own and sentences must tell actions apart.
  for (std::size_t other = 0; other < spec_.faults.size(); ++other) {
    const FaultRule& r = spec_.faults[other];
    if (other == a || r.kind != rule.kind) continue;
    const std::size_t targets = r.kind == FaultKind::cut ? r.pairs.size() : r.actors.size();
    for (std::size_t t = 0; t < targets; ++t) {
      if (fault_sentence(r, t) == sentence)
        return sentence + " (fault " + std::to_string(a + 1) + ")";
    }
  }
  return sentence;
}

std::string System::describe_delivery(LinkId link, const std::string& message) const {
  const LinkSpec& spec = spec_.links[link];
  std::string sentence = name(spec.from) + " -> " + name(spec.to) + ": " + message;
  if (spec.stream > 0) sentence += " (stream " + std::to_string(spec.stream + 1) + ")";
  return sentence;
}

std::vector<Bound> System::bounds() const {
  std::vector<Bound> bounds;
  for (const FaultRule& rule : spec_.faults) bounds.push_back({count_of(rule.at_most, rule.name)});
  for (const StepBudget& budget : spec_.step_budgets) {
    bounds.push_back({count_of(budget.at_most, budget.name)});
  }
  if (!spec_.links.empty()) {
    // The tightest of all links.
    std::uint16_t room = UINT16_MAX, capacity = UINT16_MAX;
    for (const LinkSpec& link : spec_.links) {
      room = std::min(room, link.room);
      capacity = std::min(capacity, link.capacity);
    }
    bounds.push_back({count_of(room, "free message(s) in flight per link")});
    bounds.push_back({count_of(capacity, "messages of any kind per link")});
  }
  return bounds;
}

}  // namespace slotlab::sim
