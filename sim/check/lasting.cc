// Lasting messages: what was sent once can be delivered again and again, in any order, until its
// link is emptied. Then more messages never make less possible, so all that can be said without any
// change besides is said at once, and states differ by what has happened rather than by what
// happens to be on its way. docs/reductions.md has the argument.
#include <algorithm>

#include "sim/base/assert.h"
#include "sim/check/expansion.h"
#include "sim/check/look.h"
#include "sim/check/tuple_tables.h"

namespace slotlab::sim {

void TupleSpace::Tables::cut_matters(ActorId a, ActorId b) {
  told_apart_by_cuts.insert(std::minmax(index(a), index(b)));
}

// Whether a step of the actor shows that it can tell that it is cut off, or may gain room by a cut.
void TupleSpace::Tables::note_what_cuts_do(ActorId actor, const Offer& offer) {
  const bool notices = offer.need == Need::unreachable || offer.need == Need::cut_off;
  const LinkId link = offer.need == Need::room ? system->link(actor, offer.peer, offer.stream)
                                               : kNoLink;
  if (notices || (link != kNoLink && !lasts(link))) cut_matters(actor, offer.peer);
}

// A cut takes away what is on the links and makes less possible, so that without it all can happen
// that can happen with it: unless somebody can tell.
bool TupleSpace::Tables::leaves_out_cut(Action action) {
  const auto [from, to] = system->spec().faults[action.a()].pairs[action.b()];
  if (shows_cuts(from, to)) return false;
  cuts_left_out.insert(std::minmax(index(from), index(to)));
  return true;
}

bool TupleSpace::Tables::shows_cuts(ActorId a, ActorId b) const {
  return told_apart_by_cuts.contains(std::minmax(index(a), index(b))) ||
         std::ranges::any_of(properties, [](const Property& property) {
           return property.mood == Mood::always && property.sees_cuts;
         });
}

bool TupleSpace::shows_cuts(ActorId a, ActorId b) const {
  return !tables_->options.lasting || tables_->shows_cuts(a, b);
}

// Who stops does nothing any more, which it may do without stopping: unless a property or another
// fault can tell, or it would be told something that changes it.
bool TupleSpace::Tables::leaves_out_stop(ActorId actor, Id local) {
  const auto is = [&](ActorId id) { return id == actor; };
  if (std::ranges::any_of(system->spec().faults, [&](const FaultRule& rule) {
        return rule.kind == FaultKind::crash && std::ranges::any_of(rule.actors, is);
      })) {
    return false;
  }
  if (!links_into[index(actor)].empty() || told_at_any_time.contains(index(actor))) return false;
  const Actor& before = *actors[index(actor)].locals[local].actor;
  const std::unique_ptr<Actor> after = before.clone();
  after->stop();
  if (look_of(*system, properties, actor, before) != look_of(*system, properties, actor, *after)) {
    return false;
  }
  stops_left_out.insert(index(actor));
  return true;
}

bool TupleSpace::Tables::leaves_out(Action action, std::span<const std::uint32_t> state) {
  if (action.kind() == ActionKind::cut) return leaves_out_cut(action);
  if (action.kind() != ActionKind::stop) return false;
  const ActorId actor = system->spec().faults[action.a()].actors[action.b()];
  return leaves_out_stop(actor, state[local_component(actor)]);
}

// A reply to a call comes within the step of who called; a reply to anybody else comes at any time.
void TupleSpace::Tables::note_who_is_told(const Input& input, const Outcome& outcome) {
  for (const OutcomeOutput& output : outcome.outputs) {
    if (output.kind == Output::Kind::send) continue;
    const bool answers = output.kind == Output::Kind::reply && input.kind == Input::Kind::call &&
                         input.source == index(output.to);
    if (!answers) told_at_any_time.insert(index(output.to));
  }
}

void TupleSpace::Tables::compute_says(ActorId actor, Id menu) {
  ActorTable& table = actors[index(actor)];
  if (table.menus[menu].says_known) return;
  for (Id item = 0; item < table.menus[menu].items.size(); ++item) compute_plan(actor, menu, item);
  Menu& known = table.menus[menu];
  for (const MenuItem& item : known.items) {
    if (item.only_sends && lasts(item.send)) known.says.push_back({item.send, item.message});
  }
  known.says_known = true;
}

void TupleSpace::Tables::compute_settled(LinkId link, Id content, Id local) {
  if (links[link].settled_ids.contains(pair_key(content, local))) return;
  compute_filter(link, content, local);
  const ActorId receiver = receivers[link];
  ActorTable& table = actors[index(receiver)];
  Settled settled{.content = links[link].filtered.at(pair_key(content, local)), .said = {}};
  std::vector<Id> items;
  if (lasts(link)) items = links[link].contents[settled.content].items;
  for (const Id item : items) {
    compute_effect(receiver, local, item);
    const Effect& effect = *effect_of(table, local, item);
    if (effect.local != local || effect.outputs == kUnknown) continue;
    const auto& outputs = table.outputs[effect.outputs];
    const bool says = std::ranges::all_of(outputs, [&](const OutcomeOutput& o) {
      return o.kind == Output::Kind::send && lasts(o.link);
    });
    if (!says) continue;
    for (const OutcomeOutput& output : outputs) {
      settled.said.push_back({output.link, output.input});
    }
  }
  LinkTable& at = links[link];
  at.settled_ids.emplace(pair_key(content, local), static_cast<Id>(at.settled.size()));
  at.settled.push_back(std::move(settled));
}

void TupleSpace::Tables::compute_told(LinkId link, Id content, Id local, Id input) {
  SIM_ASSERT(content < 1u << 21 && local < 1u << 21 && input < 1u << 21);
  if (links[link].told.contains(triple_key(content, local, input))) return;
  compute_push(link, content, input);
  const Id more = links[link].pushed.at(pair_key(content, input));
  compute_filter(link, more, local);
  links[link].told.emplace(triple_key(content, local, input),
                           links[link].filtered.at(pair_key(more, local)));
}

bool Draft::say(LinkId link, Id input) {
  ++lookups;
  const std::size_t component = t_.link_component(link);
  const Id before = get(component);
  const Id local = get(t_.local_component(t_.receivers[link]));
  const NumberMap& told = t_.links[link].told;
  const auto found = told.find(triple_key(before, local, input));
  if (found == told.end()) {
    miss = {Miss::Kind::tell, kNoActor, before, local, link, input};
    return false;
  }
  if (found->second == before) return true;
  set(component, found->second);
  hear(link);
  return true;
}

void Draft::hear(LinkId link) {
  if (std::ranges::find(heard_, link) == heard_.end()) heard_.push_back(link);
}

// Whoever changed may say something new; who was told something may answer.
void Draft::mark_changed() {
  speakers_.reset();
  heard_.clear();
  for (std::size_t i = first_; i < out_.changes.size(); ++i) {
    const Change& change = out_.changes[i];
    if (change.component == 0) continue;
    if (change.component < t_.first_link) {
      speakers_.set(change.component - 1);
      for (const LinkId link : t_.links_into[change.component - 1]) hear(link);
    } else if (change.value != 0) {
      hear(static_cast<LinkId>(change.component - t_.first_link));
    }
  }
}

bool Draft::settle(LinkId link, const EnvironmentInfo& env) {
  const std::size_t component = t_.link_component(link);
  const Id content = get(component);
  if (content == 0) return true;
  ++lookups;
  const Id local = get(t_.local_component(t_.receivers[link]));
  const LinkTable& table = t_.links[link];
  const auto found = table.settled_ids.find(pair_key(content, local));
  if (found == table.settled_ids.end()) {
    miss = {Miss::Kind::settle, kNoActor, content, local, link};
    return false;
  }
  const Settled& settled = table.settled[found->second];
  if (settled.content != content) set(component, settled.content);
  if (settled.said.empty() || !env.receives[link]) return true;
  const Local& receiver = t_.actors[index(t_.receivers[link])].locals[local];
  if (receiver.busy && std::ranges::find(receiver.heard, link) == receiver.heard.end()) return true;
  for (const Said& said : settled.said) {
    if (env.connected[said.link] && !say(said.link, said.input)) return false;
  }
  return true;
}

bool Draft::saturate(Whose whose) {
  mark_changed();
  if (whose == Whose::all) {
    for (std::size_t a = 0; a < t_.actors.size(); ++a) speakers_.set(a);
    for (LinkId link = 0; link < t_.links.size(); ++link) hear(link);
  }
  const Id env_id = get(0);
  const EnvironmentInfo& env = t_.environments[env_id];
  for (std::size_t a = 0; a < t_.actors.size(); ++a) {
    if (!speakers_[a] || env.environment.status[a] != Status::up) continue;
    const ActorId actor{static_cast<std::uint8_t>(a)};
    const Id menu = t_.menu_of(env_id, actor, get(1 + a));
    if (menu == kUnknown) {
      miss = {Miss::Kind::menu, actor, get(1 + a), env_id, kNoLink};
      return false;
    }
    const Menu& known = t_.actors[a].menus[menu];
    if (!known.says_known) {
      miss = {Miss::Kind::says, actor, menu, 0, kNoLink};
      return false;
    }
    for (const Said& said : known.says) {
      if (!say(said.link, said.input)) return false;
    }
  }
  while (!heard_.empty()) {
    const LinkId link = heard_.back();
    heard_.pop_back();
    if (!settle(link, env)) return false;
  }
  return true;
}

bool Draft::deliver_item(LinkId link, Id input) {
  bool lose_reply = false;
  return apply(t_.receivers[link], input, lose_reply, kUnknown);
}

}  // namespace slotlab::sim
