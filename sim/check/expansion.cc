#include "sim/check/expansion.h"

#include <algorithm>

namespace slotlab::sim {

const Outcome* Draft::outcome(ActorId actor, Id local, Id input) {
  ++lookups;
  const ActorTable& table = t_.actors[index(actor)];
  const Local& at = table.locals[local];
  if (input < at.outcomes.size() && at.outcomes[input] != kUnknown) {
    return &table.outcomes[at.outcomes[input]];
  }
  miss = {Miss::Kind::outcome, actor, local, input, kNoLink};
  return nullptr;
}

bool Draft::apply(ActorId actor, Id input, bool& lose_reply, Id request) {
  const std::size_t component = t_.local_component(actor);
  const Id local = get(component);
  const Outcome* result = outcome(actor, local, input);
  if (result == nullptr) return false;
  if (result->local != local) set(component, result->local);
  return result->outputs.empty() || carry_out(actor, *result, lose_reply, request);
}

// The same order as World::carry_out. `request` is the no-answer input of the caller whose reply
// may get lost.
bool Draft::carry_out(ActorId actor, const Outcome& result, bool& lose_reply, Id request) {
  const EnvironmentInfo& env = t_.environments[get(0)];
  for (const OutcomeOutput& output : result.outputs) {
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
  if (content == 0 && input < table.alone.size() && table.alone[input] != kUnknown) {
    set(component, table.alone[input]);
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

bool Draft::deliver(LinkId link) {
  const Content& content = t_.links[link].contents[state_[t_.link_component(link)]];
  const ActorId receiver = t_.receivers[link];
  const std::size_t component = t_.local_component(receiver);
  const Outcome* result = outcome(receiver, state_[component], content.items.front());
  if (result == nullptr) return false;
  set_new(t_.link_component(link), content.popped);
  if (result->local != state_[component]) set_new(component, result->local);
  if (result->outputs.empty()) return true;
  bool lose_reply = false;
  return carry_out(receiver, *result, lose_reply, kUnknown);
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

void Draft::emit(const Fingerprint& from, Action action, std::uint16_t fairness) {
  Successors::Entry entry{.fingerprint = from,
                          .action = action,
                          .first_change = static_cast<std::uint32_t>(first_),
                          .change_count = 0,
                          .fairness = fairness};
  std::size_t kept = first_;
  for (std::size_t i = first_; i < out_.changes.size(); ++i) {
    const Change change = out_.changes[i];
    const std::uint32_t old = state_[change.component];
    if (old == change.value) continue;  // changed back
    const Fingerprint* share = t_.contributions[change.component].data();
    entry.fingerprint.low ^= share[old].low ^ share[change.value].low;
    entry.fingerprint.high ^= share[old].high ^ share[change.value].high;
    out_.changes[kept++] = change;
  }
  if (kept != out_.changes.size()) out_.changes.resize(kept);
  entry.change_count = static_cast<std::uint16_t>(kept - first_);
  out_.entries.push_back(entry);
}

bool Expansion::hears(LinkId link) const {
  const ActorId receiver = t_.receivers[link];
  const Local& local =
      t_.actors[index(receiver)].locals[state_[t_.local_component(receiver)]];
  return !local.busy ||
         std::find(local.heard.begin(), local.heard.end(), link) != local.heard.end();
}

bool Expansion::deliveries() {
  const std::vector<std::uint8_t>& receives = t_.environments[state_[0]].receives;
  const std::size_t count = t_.links.size();
  for (LinkId link = 0; link < count; ++link) {
    if (state_[t_.first_link + link] == 0 || !receives[link]) continue;
    if (t_.some_busy && !hears(link)) continue;
    draft_.start();
    if (!draft_.deliver(link)) return false;
    if (!finish(Action::make(ActionKind::deliver, link), static_cast<std::uint16_t>(link))) {
      return false;
    }
  }
  return true;
}

bool Expansion::step(ActorId actor, const MenuItem& item) {
  const auto number = static_cast<std::uint32_t>(index(actor));
  draft_.start();
  bool lose_reply = false;
  if (item.env != state_[0]) draft_.set(0, item.env);
  if (!draft_.apply(actor, item.input, lose_reply, kUnknown) ||
      !finish(Action::make(ActionKind::step, number, item.code), item.fairness)) {
    return false;
  }
  if (item.env_lost == kUnknown) return true;
  draft_.start();
  lose_reply = true;
  draft_.set(0, item.env_lost);
  return draft_.apply(actor, item.input, lose_reply, kUnknown) &&
         finish(Action::make(ActionKind::lose_reply, number, item.code), kUnfair);
}

bool Expansion::steps() {
  const std::vector<Status>& status = t_.environments[state_[0]].environment.status;
  const std::size_t room_bound = t_.bound_hit.size() - 2;
  for (std::size_t a = 0; a < t_.actors.size(); ++a) {
    if (status[a] != Status::up) continue;
    const ActorTable& table = t_.actors[a];
    const ActorId actor{static_cast<std::uint8_t>(a)};
    const auto found = table.menu_ids.find(pair_key(state_[0], state_[1 + a]));
    if (found == table.menu_ids.end()) {
      draft_.miss = {Miss::Kind::menu, actor, state_[1 + a], state_[0], kNoLink};
      return false;
    }
    for (const MenuItem& item : table.menus[found->second]) {
      if (item.room != kNoLink) {
        const Id content = state_[t_.first_link + item.room];
        const Content& queued = t_.links[item.room].contents[content];
        const LinkSpec& link = t_.system->spec().links[item.room];
        if (queued.room_taken >= link.room || queued.items.size() >= link.capacity) {
          if (!t_.bound_hit[room_bound].load(std::memory_order_relaxed)) {
            t_.bound_hit[room_bound].store(true, std::memory_order_relaxed);
          }
          continue;
        }
      }
      if (!step(actor, item)) return false;
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
    if (!draft_.fault(item) || !finish(item.action, item.fairness)) return false;
  }
  return true;
}

}  // namespace slotlab::sim
