// See commuting.h. All but commutes() runs under the exclusive lock, or between rounds.
#include "sim/check/commuting.h"

#include <algorithm>
#include <deque>

#include "sim/base/assert.h"

namespace slotlab::sim {

namespace {

// A delivery that would have to change places with more than this is not worth it.
constexpr std::size_t kPairsMax = 2000;
// So many combinations of local states that were left out are asked about, for each that was found.
constexpr std::size_t kLeftOutMax = 20;

// Local states by number, for properties.
class CombinationView final : public SystemView {
 public:
  CombinationView(std::vector<const Actor*> actors, const Environment& environment,
                  const System& system)
      : actors_(std::move(actors)), environment_(environment), system_(system) {}
  const Actor& actor(ActorId id) const override { return *actors_[index(id)]; }
  const Environment& environment() const override { return environment_; }
  const System& system() const override { return system_; }

 private:
  std::vector<const Actor*> actors_;
  const Environment& environment_;
  const System& system_;
};

}  // namespace

std::vector<std::uint8_t> links_at_risk(const System& system, const Environment& environment) {
  std::vector<std::uint8_t> risk(system.link_count(), 0);
  const auto& rules = system.spec().faults;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    if (environment.spent[r] >= rules[r].at_most) continue;
    for (LinkId id = 0; id < risk.size(); ++id) {
      const LinkSpec& link = system.spec().links[id];
      const auto hits = [&](ActorId actor) { return actor == link.from || actor == link.to; };
      const bool crashes = rules[r].kind == FaultKind::crash &&
                           std::any_of(rules[r].actors.begin(), rules[r].actors.end(), hits);
      const bool cuts = rules[r].kind == FaultKind::cut &&
                        std::any_of(rules[r].pairs.begin(), rules[r].pairs.end(),
                                    [&](const auto& pair) {
                                      return hits(pair.first) && hits(pair.second);
                                    });
      if (crashes || cuts) risk[id] = 1;
    }
  }
  return risk;
}

Commuting::Commuting(TupleSpace::Tables& tables)
    : t_(tables), shadows_(tables.actors.size()), judged_(tables.links.size()) {}

void Commuting::begin_round() {
  for (NumberMap& judged : judged_) judged.clear();
  for (std::size_t a = 0; a < shadows_.size(); ++a) {
    shadows_[a].before.clear();
    shadows_[a].inputs = static_cast<Id>(t_.actors[a].inputs.size());
  }
}

void Commuting::computed_check(std::span<const std::uint32_t> state) {
  checked_.emplace_back(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(t_.first_link));
}

// ---------------------------------------------------------------------------------- local states

Commuting::Number Commuting::number_of(std::size_t actor, std::unique_ptr<const Actor> value) {
  Shadows& shadows = shadows_[actor];
  Encoder bytes;
  value->encode(bytes);
  const auto [at, fresh] =
      shadows.numbers.try_emplace(bytes.str(), static_cast<Number>(shadows.all.size()));
  if (!fresh) return at->second;
  Shadow shadow;
  value->offers(shadow.offers);
  shadow.phase = value->phase();
  shadow.can_stop = value->can_stop();
  shadow.busy = value->busy();
  shadow.actor = std::move(value);
  shadows.all.push_back(std::move(shadow));
  return at->second;
}

const Commuting::Result& Commuting::result_of(std::size_t actor, Number local,
                                              const Input& input) {
  Shadows& shadows = shadows_[actor];
  const auto known = shadows.results.find({local, input});
  if (known != shadows.results.end()) return known->second;
  Result result;
  try {
    std::unique_ptr<Actor> changed = shadows.all[local].actor->clone();
    Effects effects;
    t_.run_handler(*changed, input, effects);
    Encoder outputs;
    for (const Output& output : effects.outputs) {
      outputs.number(static_cast<std::uint8_t>(output.kind));
      outputs.number(static_cast<std::uint8_t>(output.to));
      outputs.number(output.stream);
      encode(outputs, canonical_message(*output.message));
    }
    result.outputs = outputs.str();
    result.next = number_of(actor, std::move(changed));
  } catch (const std::exception&) {  // never meant to get this
    result.possible = false;
  }
  return shadows.results.emplace(std::pair(local, input), std::move(result)).first->second;
}

// Everything that may happen to the actor: what it was ever sent, its own steps, and its end.
std::vector<Input> Commuting::inputs_of(std::size_t actor, Number local, Id inputs) {
  std::vector<Input> all;
  const std::vector<Input>& known = t_.actors[actor].inputs;
  for (Id id = 0; id < std::min<std::size_t>(inputs, known.size()); ++id) {
    switch (known[id].kind) {
      case Input::Kind::delivery:
      case Input::Kind::call:
      case Input::Kind::reply:
      case Input::Kind::no_answer:
        all.push_back(known[id]);
        break;
      case Input::Kind::step:
      case Input::Kind::crash:    // links at risk are left alone
      case Input::Kind::restart:  // follows a crash
      case Input::Kind::stop:
        break;
    }
  }
  const Shadow& shadow = shadows_[actor].all[local];
  for (const Offer& offer : shadow.offers) {
    all.push_back({Input::Kind::step, offer.code, kUnknown});
  }
  if (shadow.can_stop) all.push_back({Input::Kind::stop, 0, kUnknown});
  return all;
}

// Nobody but a property can tell the two apart.
bool Commuting::alike(std::size_t actor, const Pair& pair) const {
  const Shadows& shadows = shadows_[actor];
  const Shadow &before = shadows.all[pair.first], &after = shadows.all[pair.second];
  return before.offers == after.offers && before.phase == after.phase &&
         before.can_stop == after.can_stop && !before.busy && !after.busy &&
         !shadows.seen.contains(pair);
}

// `other` may come before or after the delivery: the outputs are the same, and so is the end.
bool Commuting::is_diamond(std::size_t actor, const Pair& pair, const Input& head,
                           const Input& other, Pair& after) {
  const Result first = result_of(actor, pair.first, other);
  const Result second = result_of(actor, pair.second, other);
  if (!first.possible || !second.possible || first.outputs != second.outputs) return false;
  const Result& last = result_of(actor, first.next, head);
  after = {first.next, second.next};
  return last.possible && last.outputs.empty() && last.next == second.next;
}

bool Commuting::judge(LinkId link, Id local, Id head, bool at_start, std::set<Pair>& pairs) {
  const ActorId receiver = t_.receivers[link];
  const std::size_t a = index(receiver);
  const Input input = t_.actors[a].inputs[head];
  const Id inputs = at_start ? shadows_[a].inputs : static_cast<Id>(t_.actors[a].inputs.size());
  t_.compute_effect(receiver, local, head);
  const Effect effect = *TupleSpace::Tables::effect_of(t_.actors[a], local, head);
  if (effect.outputs != kUnknown) return false;
  // A link on which an equal message is not queued twice must not get it once more, now that the
  // first is gone, or get it in vain.
  if (t_.system->spec().links[link].coalesce &&
      !t_.inert(receiver, effect.local, head, at_start)) {
    return false;
  }
  const Pair start{number_of(a, t_.actors[a].locals[local].actor->clone()),
                   number_of(a, t_.actors[a].locals[effect.local].actor->clone())};
  std::vector<Pair> waiting{start};
  pairs.insert(start);
  while (!waiting.empty()) {
    const Pair pair = waiting.back();
    waiting.pop_back();
    if (pairs.size() > kPairsMax || !alike(a, pair)) return false;
    for (const Input& other : inputs_of(a, pair.first, inputs)) {
      Pair after;
      if (!is_diamond(a, pair, input, other, after)) return false;
      if (pairs.insert(after).second) waiting.push_back(after);
    }
  }
  return true;
}

void Commuting::compute(LinkId link, Id local, Id head) {
  if (commutes(link, local, head)) return;
  std::set<Pair> pairs;
  const bool result = !given_up_ && judge(link, local, head, true, pairs);
  judged_[link].emplace(pair_key(local, head), result ? 1 : 0);
}

// ------------------------------------------------------------------------------ end of the round

PropertyBits Commuting::bits_of(const Combination& combination) const {
  std::vector<const Actor*> actors;
  for (std::size_t a = 0; a < combination.second.size(); ++a) {
    actors.push_back(shadows_[a].all[combination.second[a]].actor.get());
  }
  const CombinationView view(std::move(actors),
                             t_.environments[combination.first].environment, *t_.system);
  PropertyBits bits = 0;
  for (std::size_t p = 0; p < t_.properties.size(); ++p) {
    const Mood mood = t_.properties[p].mood;
    if (mood != Mood::always && mood != Mood::sometimes) continue;  // not judged with this
    if (t_.properties[p].holds(view)) bits |= PropertyBits{1} << p;
  }
  return bits;
}

// The combinations that were left out are those in which deliveries that were taken early are still
// to come, in any selection. No property may tell them from those that were found.
bool Commuting::hidden(const std::vector<Combination>& found) {
  std::set<Combination> asked(found.begin(), found.end());
  std::deque<Combination> waiting(found.begin(), found.end());
  const std::size_t most = kLeftOutMax * (found.size() + 1000);
  bool result = true;
  while (!waiting.empty()) {
    const Combination after = std::move(waiting.front());
    waiting.pop_front();
    const PropertyBits bits = bits_of(after);
    for (std::size_t a = 0; a < shadows_.size(); ++a) {
      const auto likes = shadows_[a].before.find(after.second[a]);
      if (likes == shadows_[a].before.end()) continue;
      for (const Number earlier : likes->second) {
        Combination before = after;
        before.second[a] = earlier;
        if (bits_of(before) != bits) {
          shadows_[a].seen.insert({earlier, after.second[a]});
          result = false;
        } else if (asked.insert(before).second) {
          waiting.push_back(std::move(before));
        }
      }
    }
    if (asked.size() > most) given_up_ = true;
    if (given_up_) return false;
  }
  return result;
}

bool Commuting::round_was_right() {
  bool right = true, any = false;
  for (LinkId link = 0; link < judged_.size(); ++link) {
    const std::size_t a = index(t_.receivers[link]);
    for (const auto& [key, result] : judged_[link]) {
      if (result == 0) continue;
      std::set<Pair> pairs;
      if (!judge(link, static_cast<Id>(key >> 32), static_cast<Id>(key), false, pairs)) {
        right = false;
        continue;
      }
      any = true;
      for (const auto& [before, after] : pairs) {
        if (before != after) shadows_[a].before[after].insert(before);
      }
    }
  }
  if (!right || !any) return right;
  std::vector<Combination> found;
  for (const auto& state : checked_) {
    Combination combination{state[0], {}};
    for (std::size_t a = 0; a < shadows_.size(); ++a) {
      combination.second.push_back(
          number_of(a, t_.actors[a].locals[state[1 + a]].actor->clone()));
    }
    found.push_back(std::move(combination));
  }
  return hidden(found);
}

}  // namespace slotlab::sim
