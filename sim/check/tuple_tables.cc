// Interning and the computation of what was looked up for the first time. Everything here runs
// under the exclusive lock of the tables.
#include "sim/check/tuple_tables.h"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sim/base/assert.h"
#include "sim/check/commuting.h"
#include "sim/check/symmetry.h"

namespace slotlab::sim {

Fingerprint contribution(std::uint32_t component, const std::string& bytes) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), component);
  return {hash.low64, hash.high64};
}

std::string bytes_of_actor(const Actor& actor) {
  Encoder out;
  actor.encode(out);
  return out.str();
}

TupleSpace::Tables::Tables(std::shared_ptr<const System> s, std::vector<Property> p,
                           TupleSpaceOptions o)
    : system(std::move(s)), properties(std::move(p)), options(o) {
  SIM_ASSERT(properties.size() <= kPropertiesMax);
  first_link = 1 + system->actor_count();
  width = first_link + system->link_count();
  contributions.resize(width);
  actors.resize(system->actor_count());
  links.resize(system->link_count());
  links_into.resize(system->actor_count());
  for (LinkId id = 0; id < system->link_count(); ++id) {
    contributions[link_component(id)].push_back(
        contribution(static_cast<std::uint32_t>(link_component(id)), {}));
    links_into[index(system->spec().links[id].to)].push_back(id);
    receivers.push_back(system->spec().links[id].to);
    class_names.push_back("delivery from " + system->name(system->spec().links[id].from) + " to " +
                          system->name(system->spec().links[id].to));
  }
  std::set<std::size_t> watched_set;
  for (const FaultRule& rule : system->spec().faults) {
    if (rule.window) watched_set.insert(index(rule.window->actor));
    if (rule.kind == FaultKind::stop) {
      for (const ActorId id : rule.actors) watched_set.insert(index(id));
    }
  }
  for (const std::size_t a : watched_set) watched.push_back(ActorId{static_cast<std::uint8_t>(a)});
  bound_hit = std::vector<std::atomic<bool>>(system->bounds().size());
  if (options.deliver_early) commuting = std::make_unique<Commuting>(*this);
  freeze_local_graphs();
}

Id TupleSpace::Tables::intern_environment(const Environment& environment) {
  std::string bytes = canonical_bytes(environment);
  const auto [at, fresh] = environment_ids.try_emplace(bytes, static_cast<Id>(environments.size()));
  if (!fresh) return at->second;
  EnvironmentInfo info;
  info.environment = environment;
  const std::size_t n = system->actor_count();
  for (const LinkSpec& link : system->spec().links) {
    info.receives.push_back(system->up(environment, link.to));
    info.connected.push_back(system->connected(environment, link.from, link.to));
  }
  for (std::size_t pair = 0; pair < n * n; ++pair) {
    info.reachable.push_back(system->reachable(environment,
                                               ActorId{static_cast<std::uint8_t>(pair / n)},
                                               ActorId{static_cast<std::uint8_t>(pair % n)}));
  }
  const Id id = at->second;
  if (options.deliver_early) info.at_risk = links_at_risk(*system, environment);
  contributions[0].push_back(contribution(0, bytes));
  info.bytes = std::move(bytes);
  environments.push_back(std::move(info));
  if (symmetry) symmetry->added_environment(id);
  return id;
}

Id TupleSpace::Tables::intern_local(ActorId actor, std::unique_ptr<const Actor> value) {
  ActorTable& table = actors[index(actor)];
  std::string bytes = bytes_of_actor(*value);
  const auto [at, fresh] = table.local_ids.try_emplace(bytes, static_cast<Id>(table.locals.size()));
  if (!fresh) return at->second;
  const Id id = at->second;
  contributions[local_component(actor)].push_back(
      contribution(static_cast<std::uint32_t>(local_component(actor)), bytes));
  Local local;
  value->offers(local.offers);
  for (const Offer& offer : local.offers) {
    SIM_ASSERT(offer.code <= kStepCodeMax);
    local.step_inputs.push_back(intern_input(actor, {Input::Kind::step, offer.code, kUnknown}));
  }
  for (const Offer& offer : local.offers) note_what_cuts_do(actor, offer);
  local.phase = value->phase();
  local.can_stop = value->can_stop();
  local.busy = value->busy();
  some_busy = some_busy || local.busy;
  for (const LinkId link : links_into[index(actor)]) {
    const LinkSpec& spec = system->spec().links[link];
    if (local.busy && value->hears_while_busy(spec.from, spec.stream)) local.heard.push_back(link);
  }
  local.bytes = std::move(bytes);
  local.actor = std::move(value);
  table.locals.push_back(std::move(local));
  table.near.emplace_back();
  if (symmetry) symmetry->added_local(actor, id);
  return id;
}

Id TupleSpace::Tables::intern_input(ActorId actor, const Input& input) {
  ActorTable& table = actors[index(actor)];
  const auto [at, fresh] = table.input_ids.try_emplace(input, static_cast<Id>(table.inputs.size()));
  if (!fresh) return at->second;
  const Id id = at->second;
  table.inputs.push_back(input);
  if (symmetry) symmetry->added_input(actor, id);
  return id;
}

Id TupleSpace::Tables::intern_message(const MessagePtr& message) {
  const auto [at, fresh] =
      message_ids.try_emplace(canonical_message(*message), static_cast<Id>(messages.size()));
  if (fresh) messages.push_back(message);
  return at->second;
}

Id TupleSpace::Tables::intern_content(LinkId link, const std::vector<Id>& items) {
  LinkTable& table = links[link];
  if (const auto found = table.content_ids.find(items); found != table.content_ids.end()) {
    return found->second;
  }
  // The content's bytes are those of its messages, so that numbers stay out of fingerprints.
  const ActorTable& receiver = actors[index(system->spec().links[link].to)];
  Encoder out;
  std::uint16_t room_taken = 0;
  for (const Id item : items) {
    if (messages[receiver.inputs[item].message]->takes_room()) ++room_taken;
    encode(out, canonical_message(*messages[receiver.inputs[item].message]));
  }
  const Id popped = intern_content(link, {items.begin() + 1, items.end()});
  const auto id = static_cast<Id>(table.contents.size());
  auto& shares = contributions[link_component(link)];
  shares.push_back(contribution(static_cast<std::uint32_t>(link_component(link)), out.str()));
  table.contents.push_back({.head = items.front(),
                            .popped = popped,
                            .shift = difference(shares[id], shares[popped]),
                            .room_taken = room_taken,
                            .size = static_cast<std::uint16_t>(items.size()),
                            .items = items});
  table.content_ids.emplace(items, id);
  if (symmetry) symmetry->added_content(link, id);
  return id;
}

std::uint16_t TupleSpace::Tables::fairness_of_step(ActorId actor, StepCode code) {
  const auto [at, fresh] = step_classes.try_emplace({index(actor), code},
                                                    static_cast<std::uint16_t>(class_names.size()));
  if (fresh) {
    class_names.push_back(actor == kNoActor ? "mending " + system->describe_fault(Action{code})
                                            : "step of " + system->name(actor));
  }
  return at->second;
}

void TupleSpace::Tables::compute_effect(ActorId actor, Id local, Id input) {
  ActorTable& table = actors[index(actor)];
  if (effect_of(table, local, input) != nullptr) return;
  std::unique_ptr<Actor> changed = table.locals[local].actor->clone();
  Effects effects;
  run_handler(*changed, table.inputs[input], effects);
  Outcome outcome = outcome_of(actor, std::move(changed), effects);
  if (options.lasting) note_who_is_told(table.inputs[input], outcome);
  ++computed;
  // A crash loses what is on its way to the actor, so no message waits across this edge.
  const Id next = table.inputs[input].kind == Input::Kind::crash ? local : outcome.local;
  const auto& shares = contributions[local_component(actor)];
  for (const OutcomeOutput& output : outcome.outputs) {
    if (output.kind != Output::Kind::call) continue;
    const auto& offers = table.locals[local].offers;
    const auto guards = [&](const Offer& offer) {
      return offer.need == Need::reachable && offer.code == table.inputs[input].source &&
             (offer.peer == output.to || offer.also_reachable == output.to);
    };
    if (table.inputs[input].kind != Input::Kind::step ||
        std::ranges::none_of(offers, guards)) {
      cut_matters(actor, output.to);
    }
  }
  Effect effect{.local = outcome.local, .shift = difference(shares[local], shares[outcome.local])};
  if (!outcome.outputs.empty()) {
    effect.outputs = static_cast<Id>(table.outputs.size());
    table.outputs.push_back(std::move(outcome.outputs));
  }
  if (input < kNearInputs) {
    std::vector<Effect>& near = table.near[local];
    if (near.size() <= input) near.resize(input + 1);
    near[input] = effect;
  } else {
    table.far_ids.emplace(pair_key(local, input), static_cast<Id>(table.far.size()));
    table.far.push_back(effect);
  }
  Local& from = table.locals[local];  // after outcome_of, which may have added local states
  if (next != local && std::find(from.next.begin(), from.next.end(), next) == from.next.end()) {
    from.next.push_back(next);
  }
  if (symmetry) symmetry->computed_effect(actor, local, input);
}

Id TupleSpace::Tables::menu_of(Id env, ActorId actor, Id local) const {
  const ActorTable& table = actors[index(actor)];
  if (env < kNearEnvironments) {
    const std::vector<Id>& menus = table.locals[local].menus;
    return env < menus.size() ? menus[env] : kUnknown;
  }
  const auto found = table.menu_ids.find(pair_key(env, local));
  return found == table.menu_ids.end() ? kUnknown : found->second;
}

void TupleSpace::Tables::compute_menu(Id env, ActorId actor, Id local) {
  ActorTable& table = actors[index(actor)];
  if (menu_of(env, actor, local) != kUnknown) return;
  const Environment environment = environments[env].environment;
  const auto phase = [&](ActorId a) {
    // Windows of lost replies are about the caller itself, whose local state is part of the key.
    SIM_ASSERT(a == actor, std::string("a lost reply's window must be the caller's own"));
    return table.locals[local].phase;
  };
  std::vector<MenuItem> menu;
  const std::vector<Offer> offers = table.locals[local].offers;
  const std::size_t rules = system->spec().faults.size();
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const Offer& offer = offers[i];
    if (offer.budget < system->spec().step_budgets.size() &&
        environment.steps_spent[offer.budget] >=
            system->spec().step_budgets[offer.budget].at_most) {
      bound_hit[rules + offer.budget] = true;
    }
    if (!system->grants(environment, actor, offer)) continue;
    MenuItem item;
    item.code = offer.code;
    item.input = table.locals[local].step_inputs[i];
    if (offer.need == Need::room) {
      item.room = system->link(actor, offer.peer, offer.stream);
      if (item.room == kNoLink) continue;
    }
    Environment after = environment;
    if (offer.budget != kNoBudget) ++after.steps_spent[offer.budget];
    item.env = intern_environment(after);
    if (offer.need == Need::reachable) {
      const std::size_t rule = system->lose_reply_rule(after, actor, phase);
      if (rule != SIZE_MAX) {
        ++after.spent[rule];
        item.env_lost = intern_environment(after);
      }
    }
    if (offer.fair) item.fairness = fairness_of_step(actor, offer.code);
    menu.push_back(item);
  }
  const auto id = static_cast<Id>(table.menus.size());
  if (env < kNearEnvironments) {
    std::vector<Id>& menus = table.locals[local].menus;
    if (menus.size() <= env) menus.resize(env + 1, kUnknown);
    menus[env] = id;
  } else {
    table.menu_ids.emplace(pair_key(env, local), id);
  }
  table.menus.push_back({env, local, std::move(menu)});
}

void TupleSpace::Tables::compute_plan(ActorId actor, Id menu, Id item) {
  ActorTable& table = actors[index(actor)];
  const Id local = table.menus[menu].local;
  compute_effect(actor, local, table.menus[menu].items[item].input);
  MenuItem& step = table.menus[menu].items[item];
  const Effect& effect = *effect_of(table, local, step.input);
  const auto& shares = contributions[0];
  step.local = effect.local;
  step.shift =
      difference(effect.shift, difference(shares[table.menus[menu].env], shares[step.env]));
  step.plan = MenuItem::Plan::simple;
  if (step.env_lost != kUnknown) step.plan = MenuItem::Plan::general;
  if (effect.outputs == kUnknown) return;
  const auto& outputs = table.outputs[effect.outputs];
  if (outputs.size() > 1 || outputs[0].kind != Output::Kind::send) {
    step.plan = MenuItem::Plan::general;
  } else if (environments[step.env].connected[outputs[0].link]) {
    step.send = outputs[0].link;
    step.message = outputs[0].input;
    step.only_sends =
        step.env == table.menus[menu].env && step.local == local && step.send == step.room;
  }
}

void TupleSpace::Tables::compute_faults(std::span<const std::uint32_t> state) {
  const std::uint64_t key = fault_key(state);
  if (fault_ids.contains(key)) return;
  const Environment environment = environments[state[0]].environment;
  const auto local = [&](ActorId a) -> const Local& {
    return actors[index(a)].locals[state[local_component(a)]];
  };
  const auto phase = [&](ActorId a) { return local(a).phase; };
  const auto can_stop = [&](ActorId a) { return local(a).can_stop; };
  std::vector<Action> possible;
  system->faults_possible(environment, phase, can_stop, possible);
  for (std::size_t rule = 0; rule < system->spec().faults.size(); ++rule) {
    const bool spent = environment.spent[rule] >= system->spec().faults[rule].at_most;
    const bool lose = system->spec().faults[rule].kind == FaultKind::lose_reply;
    if (spent && (lose || system->rule_has_target(environment, rule, can_stop))) {
      bound_hit[rule] = true;
    }
  }
  std::vector<FaultItem> menu;
  for (const Action action : possible) {
    if (options.lasting && leaves_out(action, state)) continue;
    FaultItem item;
    item.action = action;
    Environment after = environment;
    item.effect = system->apply_fault(after, action);
    item.env = intern_environment(after);
    const bool mends = action.kind() == ActionKind::restart || action.kind() == ActionKind::heal ||
                       action.kind() == ActionKind::resume;
    if (mends) item.fairness = fairness_of_step(kNoActor, action.bits);
    if (item.effect.crashed != kNoActor) {
      item.actor = item.effect.crashed;
      item.input = intern_input(
          item.actor,
          {Input::Kind::crash, static_cast<std::uint32_t>(item.effect.crash), kUnknown});
    } else if (item.effect.restarted != kNoActor) {
      item.actor = item.effect.restarted;
      item.input = intern_input(item.actor, {Input::Kind::restart, 0, kUnknown});
    } else if (item.effect.stopped != kNoActor) {
      item.actor = item.effect.stopped;
      item.input = intern_input(item.actor, {Input::Kind::stop, 0, kUnknown});
    }
    menu.push_back(std::move(item));
  }
  fault_ids.emplace(key, static_cast<Id>(fault_menus.size()));
  fault_menus.push_back(std::move(menu));
}

void TupleSpace::Tables::compute_push(LinkId link, Id content, Id input) {
  LinkTable& table = links[link];
  const LinkSpec& spec = system->spec().links[link];
  std::vector<Id> items = table.contents[content].items;
  Id result = content;
  if (!lasts(link)) cut_matters(spec.from, spec.to);  // it may lose what waits there
  if (lasts(link)) {
    const ActorTable& receiver = actors[index(spec.to)];
    const auto bytes = [&](Id item) {
      return canonical_message(*messages[receiver.inputs[item].message]);
    };
    const auto at = std::ranges::lower_bound(items, bytes(input), {}, bytes);
    if (at == items.end() || *at != input) {
      items.insert(at, input);
      result = intern_content(link, items);
    }
  } else
  if (spec.coalesce && !items.empty() && items.back() == input) {
    // Said already, and nothing was queued in between: not queued again.
  } else if (items.size() >= spec.capacity) {
    bound_hit.back() = true;
  } else {
    items.push_back(input);
    result = intern_content(link, items);
  }
  table.pushed.emplace(pair_key(content, input), result);
  if (content == 0) {
    const auto& shares = contributions[link_component(link)];
    if (table.alone.size() <= input) table.alone.resize(input + 1);
    table.alone[input] = {result, difference(shares[0], shares[result])};
  }
}

std::uint64_t TupleSpace::Tables::fault_key(std::span<const std::uint32_t> state) const {
  std::uint64_t key = contributions[0][state[0]].low;
  for (const ActorId id : watched) {
    key ^= contributions[local_component(id)][state[local_component(id)]].low;
  }
  return key;
}

void TupleSpace::Tables::resolve(const Miss& miss, std::span<const std::uint32_t> state) {
  note(miss, state);
  switch (miss.kind) {
    case Miss::Kind::freeze:
      if (symmetry && symmetry->refuted()) symmetry->give_up();
      freeze_local_graphs();
      break;
    case Miss::Kind::none:
      break;
    case Miss::Kind::effect:
      compute_effect(miss.actor, miss.a, miss.b);
      break;
    case Miss::Kind::plan:
      compute_plan(miss.actor, miss.a, miss.b);
      break;
    case Miss::Kind::menu:
      compute_menu(miss.b, miss.actor, miss.a);
      break;
    case Miss::Kind::faults:
      compute_faults(state);
      break;
    case Miss::Kind::says:
      compute_says(miss.actor, miss.a);
      break;
    case Miss::Kind::settle:
      compute_settled(miss.link, miss.a, miss.b);
      break;
    case Miss::Kind::tell:
      compute_told(miss.link, miss.a, miss.b, miss.c);
      break;
    case Miss::Kind::push:
      compute_push(miss.link, miss.a, miss.b);
      break;
    case Miss::Kind::commute:
      commuting->compute(miss.link, miss.a, miss.b);
      break;
    case Miss::Kind::filter:
      compute_filter(miss.link, miss.a, miss.b);
      break;
    case Miss::Kind::check:
      compute_check(state);
      break;
  }
}

}  // namespace slotlab::sim
