// See symmetry.h. Everything but fold() and folded() runs under the exclusive lock of the tables.
#include "sim/check/symmetry.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace slotlab::sim {

namespace {

using Pairs = std::vector<std::pair<ActorId, ActorId>>;

Pairs renamed_pairs(const std::vector<ActorId>& actor, const FaultRule& rule, bool rename) {
  Pairs pairs;
  for (auto [from, to] : rule.pairs) {
    if (rename) {
      from = actor[index(from)];
      to = actor[index(to)];
    }
    if (rule.both_ways && to < from) std::swap(from, to);
    pairs.emplace_back(from, to);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<ActorId> renamed_actors(const std::vector<ActorId>& actor, const FaultRule& rule,
                                    bool rename) {
  std::vector<ActorId> actors;
  for (const ActorId id : rule.actors) actors.push_back(rename ? actor[index(id)] : id);
  std::sort(actors.begin(), actors.end());
  return actors;
}

// `to` is what becomes of `from`.
bool same_rule(const std::vector<ActorId>& actor, const FaultRule& from, const FaultRule& to) {
  if (from.kind != to.kind || from.both_ways != to.both_ways || from.mends != to.mends ||
      from.crash != to.crash || from.at_most != to.at_most ||
      from.window.has_value() != to.window.has_value()) {
    return false;
  }
  if (from.window &&
      (actor[index(from.window->actor)] != to.window->actor ||
       from.window->first != to.window->first || from.window->last != to.window->last)) {
    return false;
  }
  return renamed_actors(actor, from, true) == renamed_actors(actor, to, false) &&
         renamed_pairs(actor, from, true) == renamed_pairs(actor, to, false);
}

// Messages that follow each other may leave in any order if they are on different links; calls and
// replies have their order.
void sort_sends(std::vector<OutcomeOutput>& outputs) {
  const auto sends = [](const OutcomeOutput& o) { return o.kind == Output::Kind::send; };
  for (auto at = outputs.begin(); at != outputs.end();) {
    const auto first = std::find_if(at, outputs.end(), sends);
    at = std::find_if_not(first, outputs.end(), sends);
    std::stable_sort(first, at, [](const auto& x, const auto& y) { return x.link < y.link; });
  }
}

template <class T>
void put_at(std::vector<T>& list, std::size_t at, const T& value) {
  if (list.size() <= at) list.resize(at + 1, T{kUnknown});
  list[at] = value;
}

}  // namespace

Symmetry::Symmetry(TupleSpace::Tables& tables, std::shared_ptr<const RenamingGroup> group)
    : t_(tables), group_(std::move(group)) {
  for (const auto& renaming : group_->elements) {
    Images& images = images_.emplace_back();
    images.renaming = renaming;
    for (std::size_t a = 0; a < t_.actors.size(); ++a) {
      images.actor.push_back(renaming->actor(ActorId{static_cast<std::uint8_t>(a)}));
    }
    images.ids.resize(t_.width);
    images.inputs.resize(t_.actors.size());
    images.wrong = !fits_system(images);
    for (LinkId link = 0; !images.wrong && link < t_.links.size(); ++link) {
      images.ids[t_.link_component(link)].push_back(0);  // the empty content
    }
  }
  keep_subgroup();
}

// Links and fault rules are as before when actors change places.
bool Symmetry::fits_system(Images& images) const {
  const System& system = *t_.system;
  images.component.push_back(0);
  for (const ActorId to : images.actor) images.component.push_back(1 + index(to));
  for (const LinkSpec& from : system.spec().links) {
    const LinkId to =
        system.link(images.actor[index(from.from)], images.actor[index(from.to)], from.stream);
    if (to == kNoLink) return false;
    const LinkSpec& link = system.spec().links[to];
    if (link.room != from.room || link.capacity != from.capacity ||
        link.coalesce != from.coalesce) {
      return false;
    }
    images.link.push_back(to);
    images.component.push_back(t_.link_component(to));
  }
  return maps_rules(images);
}

bool Symmetry::maps_rules(Images& images) const {
  const auto& rules = t_.system->spec().faults;
  std::set<std::size_t> taken;
  for (const FaultRule& rule : rules) {
    std::size_t to = 0;
    while (to < rules.size() && (taken.contains(to) || !same_rule(images.actor, rule, rules[to]))) {
      ++to;
    }
    if (to == rules.size()) return false;
    // Of several rules that lose a reply the first counts, so their order must stay.
    if (rule.kind == FaultKind::lose_reply && to != images.rule.size()) return false;
    taken.insert(to);
    images.rule.push_back(to);
  }
  return true;
}

void Symmetry::refute(Images& images, const std::string& why) {
  images.wrong = true;
  images.why = why;
  refuted_.store(true, std::memory_order_relaxed);
}

// The greatest group, as renamings come, without any that is wrong or no longer used.
void Symmetry::keep_subgroup() {
  const std::size_t identity = images_.size();
  std::vector<char> bad(identity + 1, 0);
  for (std::size_t i = 0; i < identity; ++i) bad[i] = usable(images_[i]) ? 0 : 1;
  std::set<std::size_t> kept{identity};
  const auto product = [&](std::size_t i, std::size_t j) {
    if (i == identity) return j;
    return j == identity ? i : group_->product[i][j];
  };
  for (std::size_t more = 0; more < identity; ++more) {
    std::set<std::size_t> larger = kept;
    std::vector<std::size_t> waiting{more};
    while (!waiting.empty()) {
      const std::size_t next = waiting.back();
      waiting.pop_back();
      if (!larger.insert(next).second) continue;
      for (const std::size_t each : std::vector<std::size_t>(larger.begin(), larger.end())) {
        waiting.push_back(product(each, next));
        waiting.push_back(product(next, each));
      }
    }
    const bool good = std::none_of(larger.begin(), larger.end(),
                                   [&](std::size_t each) { return bad[each] != 0; });
    if (good) kept = std::move(larger);
  }
  used_ = kept.size() - 1;
  for (std::size_t i = 0; i < identity; ++i) images_[i].used = kept.contains(i);
  refuted_.store(false, std::memory_order_relaxed);
}

void Symmetry::keep_unrefuted() { keep_subgroup(); }

void Symmetry::keep_those_that_fix(std::span<const std::uint32_t> initial) {
  for (Images& images : images_) {
    if (!usable(images)) continue;
    const auto likeness = image(images, initial);
    if (!std::equal(likeness.begin(), likeness.end(), initial.begin())) {
      refute(images, "the start is another");
    }
  }
  keep_subgroup();
}

void Symmetry::give_up() {
  for (Images& images : images_) images.used = false;
  keep_subgroup();
}

std::string Symmetry::text() const {
  std::string all;
  for (const Images& images : images_) {
    if (!usable(images)) continue;
    all += (all.empty() ? "" : "; ") + images.renaming->text();
  }
  return all;
}

// ---------------------------------------------------------------------------------------- numbers

Environment Symmetry::renamed(const Images& images, const Environment& environment) const {
  Environment result = environment;
  const std::size_t n = images.actor.size();
  for (std::size_t a = 0; a < n; ++a) {
    result.status[index(images.actor[a])] = environment.status[a];
    for (std::size_t b = 0; b < n; ++b) {
      result.cut[index(images.actor[a]) * n + index(images.actor[b])] = environment.cut[a * n + b];
    }
  }
  for (std::size_t r = 0; r < images.rule.size(); ++r) {
    result.spent[images.rule[r]] = environment.spent[r];
  }
  return result;
}

void Symmetry::added_environment(Id id) {
  for (Images& images : images_) {
    if (!usable(images)) continue;
    const Environment likeness = renamed(images, t_.environments[id].environment);
    put_at(images.ids[0], id, t_.intern_environment(likeness));
  }
}

void Symmetry::added_local(ActorId actor, Id id) {
  const std::size_t c = t_.local_component(actor);
  for (Images& images : images_) {
    if (!usable(images)) continue;
    const ActorId to = images.actor[index(actor)];
    auto likeness =
        images.renaming->local(actor, *t_.actors[index(actor)].locals[id].actor);
    if (likeness == nullptr) {
      refute(images, "a local state cannot be renamed");
      continue;
    }
    const Id number = t_.intern_local(to, std::move(likeness));
    put_at(images.ids[c], id, number);
    if (!same_offers(images, actor, t_.actors[index(actor)].locals[id],
                     t_.actors[index(to)].locals[number])) {
      refute(images, "renamed, it offers other steps: " + t_.system->name(actor));
    }
  }
}

Id Symmetry::renamed_message(Images& images, ActorId from, ActorId to, Id message) {
  const MessagePtr value = t_.messages[message];
  const MessagePtr likeness = images.renaming->message(from, to, value);
  if (likeness == nullptr || likeness->takes_room() != value->takes_room()) return kUnknown;
  return t_.intern_message(likeness);
}

void Symmetry::added_input(ActorId actor, Id id) {
  const std::size_t a = index(actor);
  for (Images& images : images_) {
    if (!usable(images)) continue;
    const Input input = t_.actors[a].inputs[id];
    Input likeness = input;
    ActorId other = kNoActor;  // at the other end
    switch (input.kind) {
      case Input::Kind::delivery:
        likeness.source = images.link[input.source];
        other = t_.system->spec().links[input.source].from;
        break;
      case Input::Kind::call:
      case Input::Kind::reply:
      case Input::Kind::no_answer:
        other = ActorId{static_cast<std::uint8_t>(input.source)};
        likeness.source = static_cast<std::uint32_t>(index(images.actor[input.source]));
        break;
      case Input::Kind::step:
        likeness.source = images.renaming->step(actor, input.source);
        break;
      case Input::Kind::crash:
      case Input::Kind::restart:
      case Input::Kind::stop:
        break;
    }
    if (input.message != kUnknown) {
      const bool sent = input.kind == Input::Kind::no_answer;
      likeness.message = renamed_message(images, sent ? actor : other, sent ? other : actor,
                                         input.message);
      if (likeness.message == kUnknown) {
        refute(images, "a message cannot be renamed");
        continue;
      }
    }
    put_at(images.inputs[a], id, t_.intern_input(images.actor[a], likeness));
  }
}

void Symmetry::added_content(LinkId link, Id id) {
  const std::size_t receiver = index(t_.receivers[link]);
  for (Images& images : images_) {
    if (!usable(images)) continue;
    std::vector<Id> items;
    for (const Id item : t_.links[link].contents[id].items) {
      items.push_back(images.inputs[receiver][item]);
    }
    put_at(images.ids[t_.link_component(link)], id, t_.intern_content(images.link[link], items));
  }
}

// --------------------------------------------------------------------------------------- judgement

bool Symmetry::same_offers(const Images& images, ActorId actor, const Local& from,
                           const Local& to) const {
  if (from.phase != to.phase || from.can_stop != to.can_stop || from.busy != to.busy ||
      from.offers.size() != to.offers.size()) {
    return false;
  }
  std::vector<Offer> likenesses = from.offers;
  for (Offer& offer : likenesses) {
    offer.code = images.renaming->step(actor, offer.code);
    if (offer.peer != kNoActor) offer.peer = images.actor[index(offer.peer)];
    if (offer.also_reachable != kNoActor) {
      offer.also_reachable = images.actor[index(offer.also_reachable)];
    }
  }
  const auto found = [&](Offer likeness) {
    return std::any_of(to.offers.begin(), to.offers.end(), [&](const Offer& offer) {
      likeness.delay_min = offer.delay_min;  // of the timed driver
      likeness.delay_max = offer.delay_max;
      return likeness == offer;
    });
  };
  if (!std::all_of(likenesses.begin(), likenesses.end(), found)) return false;
  std::set<LinkId> heard;
  for (const LinkId link : from.heard) heard.insert(images.link[link]);
  return heard == std::set<LinkId>(to.heard.begin(), to.heard.end());
}

bool Symmetry::same_outputs(const Images& images, ActorId actor, Id from, Id to) const {
  if ((from == kUnknown) != (to == kUnknown)) return false;
  if (from == kUnknown) return true;
  const std::size_t a = index(actor);
  std::vector<OutcomeOutput> expected = t_.actors[a].outputs[from];
  std::vector<OutcomeOutput> found = t_.actors[index(images.actor[a])].outputs[to];
  for (OutcomeOutput& output : expected) {
    output.input = images.inputs[index(output.to)][output.input];
    output.to = images.actor[index(output.to)];
    if (output.link != kNoLink) output.link = images.link[output.link];
    if (output.no_answer != kUnknown) output.no_answer = images.inputs[a][output.no_answer];
  }
  sort_sends(expected);
  sort_sends(found);
  const auto same = [](const OutcomeOutput& x, const OutcomeOutput& y) {
    return x.kind == y.kind && x.to == y.to && x.link == y.link && x.input == y.input &&
           x.no_answer == y.no_answer;
  };
  return std::equal(expected.begin(), expected.end(), found.begin(), found.end(), same);
}

void Symmetry::computed_effect(ActorId actor, Id local, Id input) {
  const std::size_t a = index(actor);
  for (Images& images : images_) {
    if (!usable(images)) continue;
    const ActorId to = images.actor[a];
    const Id local_to = images.ids[1 + a][local];
    const Id input_to = images.inputs[a][input];
    try {
      t_.compute_effect(to, local_to, input_to);
    } catch (const InternalError&) {  // the handler must never get this
      refute(images, "renamed, it cannot happen");
    }
    if (!usable(images)) continue;  // by what was computed within
    const Effect effect = *TupleSpace::Tables::effect_of(t_.actors[a], local, input);
    const ActorTable& table = t_.actors[index(to)];
    const Effect likeness = *TupleSpace::Tables::effect_of(table, local_to, input_to);
    if (images.ids[1 + a][effect.local] != likeness.local ||
        !same_outputs(images, actor, effect.outputs, likeness.outputs)) {
      refute(images, "renamed, it does something else: " + t_.system->name(actor));
    }
  }
}

void Symmetry::computed_check(std::span<const std::uint32_t> state, PropertyBits bits) {
  for (Images& images : images_) {
    if (!usable(images)) continue;
    const auto likeness = image(images, state);
    if (t_.bits_of(likeness) != bits) refute(images, "a property tells the difference");
  }
}

// ----------------------------------------------------------------------------------------- folding

std::vector<std::uint32_t> Symmetry::image(const Images& images,
                                           std::span<const std::uint32_t> state) const {
  std::vector<std::uint32_t> result(state.size());
  for (std::size_t c = 0; c < state.size(); ++c) {
    result[images.component[c]] = images.ids[c][state[c]];
  }
  return result;
}

// Of all likenesses the one with the least fingerprint, which depends on contents alone.
void Symmetry::fold(std::span<const std::uint32_t> state, Successors& out,
                    std::size_t first) const {
  std::vector<std::pair<const Images*, Fingerprint>> likenesses;
  for (const Images& images : images_) {
    if (!usable(images)) continue;
    Fingerprint sum;
    for (std::size_t c = 0; c < state.size(); ++c) {
      sum = difference(sum, share(images, c, state[c]));
    }
    likenesses.emplace_back(&images, sum);
  }
  std::vector<std::uint32_t> next;
  for (std::size_t e = first; e < out.entries.size(); ++e) {
    Successors::Entry& entry = out.entries[e];
    const Images* least = nullptr;
    for (const auto& [images, from] : likenesses) {
      Fingerprint sum = from;
      for (std::size_t i = 0; i < entry.change_count; ++i) {
        const Change& change = out.changes[entry.first_change + i];
        sum = difference(sum, difference(share(*images, change.component, state[change.component]),
                                         share(*images, change.component, change.value)));
      }
      if (sum.low >= entry.fingerprint.low) continue;
      entry.fingerprint = sum;
      least = images;
    }
    if (least == nullptr) continue;
    next.assign(state.begin(), state.end());
    for (std::size_t i = 0; i < entry.change_count; ++i) {
      const Change& change = out.changes[entry.first_change + i];
      next[change.component] = change.value;
    }
    next = image(*least, next);
    entry.first_change = static_cast<std::uint32_t>(out.changes.size());
    for (std::size_t c = 0; c < next.size(); ++c) {
      if (next[c] != state[c]) out.changes.push_back({static_cast<std::uint32_t>(c), next[c]});
    }
    entry.change_count = static_cast<std::uint16_t>(out.changes.size() - entry.first_change);
  }
}

std::vector<std::uint32_t> Symmetry::folded(const std::vector<std::uint32_t>& state) const {
  const auto low_of = [&](const std::vector<std::uint32_t>& tuple) {
    std::uint64_t sum = 0;
    for (std::size_t c = 0; c < tuple.size(); ++c) sum ^= t_.contributions[c][tuple[c]].low;
    return sum;
  };
  std::vector<std::uint32_t> least = state;
  for (const Images& images : images_) {
    if (!usable(images)) continue;
    std::vector<std::uint32_t> likeness = image(images, state);
    if (low_of(likeness) < low_of(least)) least = std::move(likeness);
  }
  return least;
}

bool Symmetry::likes_hit(std::size_t bound) const {
  return std::any_of(images_.begin(), images_.end(), [&](const Images& images) {
    return usable(images) && bound < images.rule.size() && t_.bound_hit[images.rule[bound]];
  });
}

}  // namespace slotlab::sim
