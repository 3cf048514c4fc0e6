#include "sim/check/expansion.h"

#include <algorithm>

#include "sim/check/commuting.h"

namespace slotlab::sim {

inline const Effect* Draft::effect(ActorId actor, Id local, Id input) {
  ++lookups;
  const Effect* const found = TupleSpace::Tables::effect_of(t_.actors[index(actor)], local, input);
  if (found == nullptr) miss = {Miss::Kind::effect, actor, local, input, kNoLink};
  return found;
}

bool Draft::apply(ActorId actor, Id input, bool& lose_reply, Id request) {
  const std::size_t component = t_.local_component(actor);
  const Id local = get(component);
  const Effect* const result = effect(actor, local, input);
  if (result == nullptr) return false;
  if (result->local != local) set(component, result->local, result->shift);
  if (result->outputs == kUnknown) return true;
  return carry_out(actor, t_.actors[index(actor)].outputs[result->outputs], lose_reply, request);
}

// The same order as World::carry_out. `request` is the no-answer input of the caller whose reply
// may get lost.
bool Draft::carry_out(ActorId actor, const std::vector<OutcomeOutput>& outputs, bool& lose_reply,
                      Id request) {
  const EnvironmentInfo& env = t_.environments[get(0)];
  for (const OutcomeOutput& output : outputs) {
    bool done = true;
    switch (output.kind) {
      case Output::Kind::send:
        if (env.connected[output.link]) done = push(output.link, output.input);
        break;
      case Output::Kind::call: {
        const bool reached =
            env.reachable[index(actor) * t_.actors.size() + index(output.to)] != 0;
        done = reached ? apply(output.to, output.input, lose_reply,
                               lose_reply ? output.no_answer : request)
                       : apply(actor, output.no_answer, lose_reply, request);
        if (done && reached && lose_reply) {  // whoever was called answers later
          lose_reply = false;
          done = apply(actor, output.no_answer, lose_reply, request);
        }
        break;
      }
      case Output::Kind::reply:
        if (env.environment.status[index(output.to)] > Status::paused) break;
        if (lose_reply) {
          lose_reply = false;
          done = apply(output.to, request, lose_reply, request);
        } else {
          done = apply(output.to, output.input, lose_reply, request);
        }
        break;
    }
    if (!done) return false;
  }
  return true;
}

bool Draft::push(LinkId link, Id input) {
  const std::size_t component = t_.link_component(link);
  const Id content = get(component);
  const LinkTable& table = t_.links[link];
  if (content == 0 && input < table.alone.size() && table.alone[input].content != kUnknown) {
    set(component, table.alone[input].content, table.alone[input].shift);
    return true;
  }
  const auto found = table.pushed.find(pair_key(content, input));
  if (found == table.pushed.end()) {
    miss = {Miss::Kind::push, kNoActor, content, input, link};
    return false;
  }
  if (found->second != content) set(component, found->second);
  return true;
}

inline bool Draft::deliver(LinkId link) {
  const std::size_t from = t_.link_component(link);
  const Content& content = t_.links[link].contents[state_[from]];
  const ActorId receiver = t_.receivers[link];
  const std::size_t component = t_.local_component(receiver);
  const Effect* const result = effect(receiver, state_[component], content.head);
  if (result == nullptr) return false;
  set_new(from, content.popped, content.shift);
  if (result->local != state_[component]) set_new(component, result->local, result->shift);
  if (result->outputs == kUnknown) return true;
  bool lose_reply = false;
  return carry_out(receiver, t_.actors[index(receiver)].outputs[result->outputs], lose_reply,
                   kUnknown);
}

// REQUIRES: the item's plan is simple.
inline bool Draft::simple_step(ActorId actor, const MenuItem& item) {
  ++lookups;
  const std::size_t component = t_.local_component(actor);
  if (item.env != state_[0]) set_new(0, item.env, {});
  if (item.local != state_[component]) set_new(component, item.local, {});
  add(item.shift);
  return item.send == kNoLink || push(item.send, item.message);
}

bool Draft::fault(const FaultItem& item) {
  set(0, item.env);
  for (const LinkId link : item.effect.emptied) {
    if (get(t_.link_component(link)) != 0) set(t_.link_component(link), 0);
  }
  bool lose_reply = false;
  return item.actor == kNoActor || apply(item.actor, item.input, lose_reply, kUnknown);
}

bool Draft::filter_link(LinkId link) {
  const std::size_t component = t_.link_component(link);
  const Id content = get(component);
  if (content == 0) return true;
  const Id local = get(t_.local_component(t_.system->spec().links[link].to));
  const NumberMap& filtered = t_.links[link].filtered;
  const auto found = filtered.find(pair_key(content, local));
  if (found == filtered.end()) {
    miss = {Miss::Kind::filter, kNoActor, content, local, link};
    return false;
  }
  if (found->second != content) set(component, found->second);
  return true;
}

// Drops what has become inert: on links that changed and on links into actors that changed.
bool Draft::filter() {
  for (std::size_t i = first_; i < out_.changes.size(); ++i) {
    const std::size_t component = out_.changes[i].component;
    if (component >= t_.first_link) {
      if (!filter_link(static_cast<LinkId>(component - t_.first_link))) return false;
    } else if (component > 0) {
      for (const LinkId link : t_.links_into[component - 1]) {
        if (!filter_link(link)) return false;
      }
    }
  }
  return true;
}

inline void Draft::emit(Action action, std::uint16_t fairness) {
  Change* const first = out_.changes.begin() + first_;
  Change* const last = out_.changes.end();
  Change* kept = first;
  for (const Change* change = first; change != last; ++change) {
    if (state_[change->component] != change->value) *kept++ = *change;  // else changed back
  }
  if (kept != last) out_.changes.resize(static_cast<std::size_t>(kept - out_.changes.begin()));
  Successors::Entry& entry = *out_.entries.room(1);
  entry.fingerprint = fingerprint_;
  entry.action = action;
  entry.first_change = static_cast<std::uint32_t>(first_);
  entry.change_count = static_cast<std::uint16_t>(kept - first);
  entry.fairness = fairness;
  out_.entries.grow_by(1);
}

bool Expansion::hears(LinkId link) const {
  const ActorId receiver = t_.receivers[link];
  const Local& local =
      t_.actors[index(receiver)].locals[state_[t_.local_component(receiver)]];
  return !local.busy ||
         std::find(local.heard.begin(), local.heard.end(), link) != local.heard.end();
}

bool Expansion::deliveries() {
  if (t_.options.lasting) return deliver_lasting();
  const std::vector<std::uint8_t>& receives = t_.environments[state_[0]].receives;
  const std::size_t count = t_.links.size();
  for (LinkId link = 0; link < count; ++link) {
    if (state_[t_.first_link + link] == 0 || !receives[link]) continue;
    if (t_.some_busy && !hears(link)) continue;
    if (!deliver(link)) return false;
  }
  return true;
}

bool Expansion::deliver_lasting() {
  const std::vector<std::uint8_t>& receives = t_.environments[state_[0]].receives;
  for (LinkId link = 0; link < t_.links.size(); ++link) {
    const Id content = state_[t_.first_link + link];
    if (content == 0 || !receives[link]) continue;
    if (t_.some_busy && !hears(link)) continue;
    if (!t_.lasts(link)) {
      if (!deliver(link)) return false;
      continue;
    }
    const std::vector<Id>& items = t_.links[link].contents[content].items;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      draft_.start();
      if (!draft_.deliver_item(link, items[i])) return false;
      if (!draft_.changed()) continue;
      if (!finish(deliver_item(link, i),
                  static_cast<std::uint16_t>(link))) {
        return false;
      }
    }
  }
  return true;
}

inline bool Expansion::deliver(LinkId link) {
  draft_.start();
  return draft_.deliver(link) &&
         finish(Action::make(ActionKind::deliver, link), static_cast<std::uint16_t>(link));
}

bool Expansion::run() {
  if (t_.options.deliver_early) {
    const LinkId early = early_delivery();
    if (draft_.miss.kind != Miss::Kind::none) return false;
    if (early != kNoLink) return deliver(early);
  }
  return deliveries() && steps() && faults();
}

// The first link whose head may be delivered before anything else is looked at; kNoLink: none.
LinkId Expansion::early_delivery() {
  const EnvironmentInfo& env = t_.environments[state_[0]];
  for (LinkId link = 0; link < t_.links.size(); ++link) {
    const Id content = state_[t_.first_link + link];
    if (content == 0 || !env.receives[link] || env.at_risk[link] != 0) continue;
    const Id local = state_[t_.local_component(t_.receivers[link])];
    const Id head = t_.links[link].contents[content].head;
    const std::optional<bool> commutes = t_.commuting->commutes(link, local, head);
    if (!commutes) {
      draft_.miss = {Miss::Kind::commute, kNoActor, local, head, link};
      return kNoLink;
    }
    if (*commutes) return link;
  }
  return kNoLink;
}

bool Expansion::step(ActorId actor, Id menu, std::size_t number) {
  const MenuItem& item = t_.actors[index(actor)].menus[menu].items[number];
  const auto who = static_cast<std::uint32_t>(index(actor));
  const Action action = Action::make(ActionKind::step, who, item.code);
  draft_.start();
  if (item.plan == MenuItem::Plan::simple) {
    return draft_.simple_step(actor, item) && finish(action, item.fairness);
  }
  if (item.plan == MenuItem::Plan::unknown) {
    draft_.miss = {Miss::Kind::plan, actor, menu, static_cast<Id>(number), kNoLink};
    return false;
  }
  bool lose_reply = false;
  if (item.env != state_[0]) draft_.set(0, item.env);
  if (!draft_.apply(actor, item.input, lose_reply, kUnknown) || !finish(action, item.fairness)) {
    return false;
  }
  if (item.env_lost == kUnknown) return true;
  draft_.start();
  lose_reply = true;
  draft_.set(0, item.env_lost);
  return draft_.apply(actor, item.input, lose_reply, kUnknown) &&
         finish(Action::make(ActionKind::lose_reply, who, item.code), kUnfair);
}

bool Expansion::steps() {
  const std::vector<Status>& status = t_.environments[state_[0]].environment.status;
  const std::size_t room_bound = t_.bound_hit.size() - 2;
  for (std::size_t a = 0; a < t_.actors.size(); ++a) {
    if (status[a] != Status::up) continue;
    const ActorTable& table = t_.actors[a];
    const ActorId actor{static_cast<std::uint8_t>(a)};
    const Id menu = t_.menu_of(state_[0], actor, state_[1 + a]);
    if (menu == kUnknown) {
      draft_.miss = {Miss::Kind::menu, actor, state_[1 + a], state_[0], kNoLink};
      return false;
    }
    const std::vector<MenuItem>& items = table.menus[menu].items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const MenuItem& item = items[i];
      if (item.room != kNoLink && t_.lasts(item.room)) {
        if (item.only_sends) continue;  // said already
      } else if (item.room != kNoLink) {
        const Id content = state_[t_.first_link + item.room];
        const Content& queued = t_.links[item.room].contents[content];
        const LinkSpec& link = t_.system->spec().links[item.room];
        if (queued.room_taken >= link.room || queued.size >= link.capacity) {
          if (!t_.bound_hit[room_bound].load(std::memory_order_relaxed)) {
            t_.bound_hit[room_bound].store(true, std::memory_order_relaxed);
          }
          continue;
        }
      }
      if (!step(actor, menu, i)) return false;
    }
  }
  return true;
}

bool Expansion::faults() {
  const auto found = t_.fault_ids.find(t_.fault_key(state_));
  if (found == t_.fault_ids.end()) {
    draft_.miss = {Miss::Kind::faults, kNoActor, 0, 0, kNoLink};
    return false;
  }
  for (const FaultItem& item : t_.fault_menus[found->second]) {
    draft_.start();
    const ActionKind kind = item.action.kind();
    const bool mends = kind == ActionKind::restart || kind == ActionKind::resume ||
                       kind == ActionKind::heal;
    const Draft::Whose whose = mends ? Draft::Whose::all : Draft::Whose::changed;
    if (!draft_.fault(item) || !finish(item.action, item.fairness, whose)) return false;
  }
  return true;
}

}  // namespace slotlab::sim
