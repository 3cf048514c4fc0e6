// Dropping messages that can no longer change their receiver.
//
// A message is inert for its receiver in local state l if in every local state that the receiver's
// local graph reaches from l, delivering it changes nothing and causes no output. An inert message
// is as good as delivered, so it is dropped from its link. The local graph used within a round is
// the one known when the round began; when the round ends, every drop is judged again on the graph
// as it is then, and if one no longer holds another round starts. docs/reductions.md has the
// argument and its conditions.
#include <algorithm>

#include "sim/check/commuting.h"
#include "sim/check/symmetry.h"
#include "sim/check/tuple_tables.h"

namespace slotlab::sim {

// Delivering `input` in `local` changes nothing and causes no output. Found without interning what
// the handler makes of a pair that no run may ever reach.
bool TupleSpace::Tables::trivial(ActorId actor, Id local, Id input) {
  ActorTable& table = actors[index(actor)];
  if (const Effect* const known = effect_of(table, local, input)) {
    return known->local == local && known->outputs == kUnknown;
  }
  const std::uint64_t key = pair_key(local, input);
  if (const auto found = table.trivial.find(key); found != table.trivial.end()) {
    return found->second != 0;
  }
  const Local& at = table.locals[local];
  std::unique_ptr<Actor> changed = at.actor->clone();
  Effects effects;
  run_handler(*changed, table.inputs[input], effects);
  changed = merged(actor, std::move(changed));
  Encoder after;
  changed->encode(after);
  const bool silent = std::ranges::none_of(effects.outputs, [&](const Output& output) {
    if (output.kind != Output::Kind::send) return true;
    const LinkId link = system->link(actor, output.to, output.stream);
    return link == kNoLink || merged(link, output.message) != nullptr;
  });
  const bool result = silent && after.str() == at.bytes;
  table.trivial.emplace(key, result ? 1 : 0);
  return result;
}

// Things that are interchangeable may have changed places by the time that the message would come.
bool TupleSpace::Tables::trivial_for_all_likes(ActorId actor, Id local, Id input) {
  const auto judge = [&](ActorId a, Id l, Id i) { return trivial(a, l, i); };
  return judge(actor, local, input) &&
         (!symmetry || symmetry->all_images(actor, local, input, judge));
}

bool TupleSpace::Tables::inert(ActorId actor, Id local, Id input, bool frozen) {
  ActorTable& table = actors[index(actor)];
  const std::uint64_t key = pair_key(local, input);
  if (frozen) {
    if (const auto found = table.inert.find(key); found != table.inert.end()) {
      return found->second != 0;
    }
  }
  static const std::vector<Id> kNone;
  const auto next_of = [&](Id id) -> const std::vector<Id>& {
    if (!frozen) return table.locals[id].next;
    return id < table.frozen_next.size() ? table.frozen_next[id] : kNone;
  };
  std::vector<Id> waiting{local};
  std::set<Id> seen{local};
  bool result = true;
  while (result && !waiting.empty()) {
    const Id at = waiting.back();
    waiting.pop_back();
    result = trivial_for_all_likes(actor, at, input);
    for (const Id next : next_of(at)) {
      if (seen.insert(next).second) waiting.push_back(next);
    }
  }
  if (frozen) table.inert.emplace(key, result ? 1 : 0);
  return result;
}

void TupleSpace::Tables::compute_filter(LinkId link, Id content, Id local) {
  LinkTable& table = links[link];
  const ActorId receiver = system->spec().links[link].to;
  std::vector<Id> kept;
  for (const Id item : table.contents[content].items) {
    if (inert(receiver, local, item, true)) {
      dropped.emplace(index(receiver), local, item);
    } else {
      kept.push_back(item);
    }
  }
  const Id left = intern_content(link, kept);
  table.filtered.insert_or_assign(pair_key(content, local), left);
}

void TupleSpace::Tables::freeze_local_graphs() {
  for (ActorTable& table : actors) {
    table.frozen_next.clear();
    for (const Local& local : table.locals) table.frozen_next.push_back(local.next);
    table.inert.clear();
  }
  for (LinkTable& table : links) {
    table.filtered.clear();
    table.settled_ids.clear();
    table.settled.clear();
    table.told.clear();
  }
  dropped.clear();
  if (options.lasting) {
    cuts_left_out.clear();
    stops_left_out.clear();
    fault_ids.clear();
    fault_menus.clear();
  }
  if (commuting) commuting->begin_round();
}

bool TupleSpace::assumed_wrong() const {
  Tables& t = *tables_;
  if (t.symmetry && t.symmetry->refuted()) return true;
  const auto no_longer_inert = [&](const auto& what) {
    const auto& [actor, local, input] = what;
    return !t.inert(ActorId{static_cast<std::uint8_t>(actor)}, local, input, false);
  };
  const auto told_apart = [&](const auto& pair) { return t.told_apart_by_cuts.contains(pair); };
  const auto told = [&](std::size_t actor) { return t.told_at_any_time.contains(actor); };
  return std::ranges::any_of(t.dropped, no_longer_inert) ||
         std::ranges::any_of(t.cuts_left_out, told_apart) ||
         std::ranges::any_of(t.stops_left_out, told);
}

bool TupleSpace::needs_another_round() {
  Tables& t = *tables_;
  const bool wrong = assumed_wrong();
  const bool hasty = t.commuting && !wrong && !t.commuting->round_was_right();
  if (wrong || hasty) t.resolve({.kind = Miss::Kind::freeze}, {});
  return wrong || hasty;
}

}  // namespace slotlab::sim
