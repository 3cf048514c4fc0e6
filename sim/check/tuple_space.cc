#include "sim/check/tuple_space.h"

#include <algorithm>
#include <mutex>
#include <shared_mutex>

#include "sim/base/assert.h"
#include "sim/check/commuting.h"
#include "sim/check/expansion.h"
#include "sim/check/symmetry.h"
#include "sim/check/tuple_tables.h"

namespace slotlab::sim {

TupleSpace::TupleSpace(std::shared_ptr<const System> system, std::vector<Property> properties,
                       TupleSpaceOptions options)
    : tables_(std::make_unique<Tables>(std::move(system), std::move(properties), options)) {
  SIM_ASSERT(!options.deliver_early || (options.drop_inert && !options.symmetry));
  SIM_ASSERT(!options.lasting || tables_->links.size() <= kLastingLinksMax);
  if (options.symmetry) find_symmetry();
}

TupleSpace::~TupleSpace() = default;

std::size_t TupleSpace::width() const { return tables_->width; }

std::vector<std::vector<std::uint32_t>> TupleSpace::initial() const {
  std::vector<std::uint32_t> start = state_of(World(tables_->system));
  if (tables_->options.lasting) saturate(start);
  return {start};
}

const System& TupleSpace::system() const { return *tables_->system; }

std::vector<std::uint32_t> TupleSpace::state_of(const World& world) const {
  Tables& t = *tables_;
  const std::lock_guard lock(t.mutex);
  std::vector<std::uint32_t> state;
  state.push_back(t.intern_environment(world.environment()));
  for (std::size_t a = 0; a < t.actors.size(); ++a) {
    const ActorId id{static_cast<std::uint8_t>(a)};
    state.push_back(t.intern_local(id, world.actor(id).clone()));
  }
  for (LinkId link = 0; link < t.links.size(); ++link) {
    std::vector<Id> items;
    for (const MessagePtr& message : world.link(link)) {
      items.push_back(t.intern_input(t.system->spec().links[link].to,
                                     {Input::Kind::delivery, link, t.intern_message(message)}));
    }
    state.push_back(t.intern_content(link, items));
  }
  return state;
}

void TupleSpace::saturate(std::vector<std::uint32_t>& state) const {
  Tables& t = *tables_;
  for (;;) {
    Successors out;
    Draft draft(t, state, {}, out);
    draft.start();
    if (draft.saturate(Draft::Whose::all)) {
      for (const Change& change : out.changes) state[change.component] = change.value;
      return;
    }
    const std::lock_guard lock(t.mutex);
    t.resolve(draft.miss, state);
  }
}

Fingerprint TupleSpace::fingerprint(std::span<const std::uint32_t> state) const {
  const std::shared_lock lock(tables_->mutex);
  Fingerprint sum;
  for (std::size_t c = 0; c < state.size(); ++c) {
    sum.low ^= tables_->contributions[c][state[c]].low;
    sum.high ^= tables_->contributions[c][state[c]].high;
  }
  return sum;
}

void TupleSpace::expand(std::span<const std::uint32_t> state, const Fingerprint& fingerprint,
                        Successors& out) const {
  expand_some(state, fingerprint, out, true);
}

void TupleSpace::expand_unfolded(std::span<const std::uint32_t> state,
                                 const Fingerprint& fingerprint, Successors& out) const {
  expand_some(state, fingerprint, out, false);
}

void TupleSpace::expand_some(std::span<const std::uint32_t> state, const Fingerprint& fingerprint,
                             Successors& out, bool fold) const {
  Tables& t = *tables_;
  const std::size_t entries = out.entries.size();
  const std::size_t changes = out.changes.size();
  for (;;) {
    Miss miss;
    {
      const std::shared_lock lock(t.mutex);
      if (t.symmetry && t.symmetry->refuted()) return;  // the round is void, let it end soon
      Expansion expansion(t, state, fingerprint, out);
      if (expansion.run()) {
        t.lookups.add(expansion.lookups());
        if (fold && t.symmetry && t.symmetry->in_use()) t.symmetry->fold(state, out, entries);
        return;
      }
      miss = expansion.miss();
    }
    out.entries.resize(entries);
    out.changes.resize(changes);
    const std::lock_guard lock(t.mutex);
    t.resolve(miss, state);
  }
}

PropertyBits TupleSpace::check(std::span<const std::uint32_t> state) const {
  Tables& t = *tables_;
  for (;;) {
    {
      const std::shared_lock lock(t.mutex);
      const auto found = t.checks.find(t.check_key(state));
      if (found != t.checks.end()) return found->second;
    }
    const std::lock_guard lock(t.mutex);
    t.resolve({Miss::Kind::check, kNoActor, 0, 0, kNoLink}, state);
  }
}

std::size_t TupleSpace::property_count() const { return tables_->properties.size(); }
const std::string& TupleSpace::property_name(std::size_t property) const {
  return tables_->properties[property].name;
}
Mood TupleSpace::property_mood(std::size_t property) const {
  return tables_->properties[property].mood;
}

std::string TupleSpace::explain(std::size_t property, std::span<const std::uint32_t> state) const {
  const Property& p = tables_->properties[property];
  return p.explain ? p.explain(tables_->view(state)) : std::string();
}

std::string TupleSpace::describe(std::span<const std::uint32_t> state, Action action) const {
  const Tables& t = *tables_;
  const std::shared_lock lock(t.mutex);
  const auto actor = [&](std::size_t a) -> const Actor& {
    return *t.actors[a].locals[state[1 + a]].actor;
  };
  switch (action.kind()) {
    case ActionKind::deliver: {
      const bool lasting = t.options.lasting;
      const LinkId link = lasting ? delivered_link(action) : static_cast<LinkId>(action.a());
      const std::size_t to = index(t.system->spec().links[link].to);
      const Content& content = t.links[link].contents[state[t.link_component(link)]];
      const Id item = content.items[lasting ? delivered_item(action) : 0];
      const Id message = t.actors[to].inputs[item].message;
      return t.system->describe_delivery(link, actor(to).message_text(*t.messages[message]));
    }
    case ActionKind::step:
    case ActionKind::lose_reply:
      return t.system->spec().names[action.a()] + " " + actor(action.a()).step_text(action.b()) +
             (action.kind() == ActionKind::lose_reply ? " (the reply is lost)" : "");
    default:
      return t.system->describe_fault(action);
  }
}

std::vector<std::string> TupleSpace::beliefs(std::span<const std::uint32_t> state) const {
  const Tables& t = *tables_;
  return beliefs_of(t.view(state));
}

void TupleSpace::show(std::span<const std::uint32_t> state,
                      const std::function<void(const SystemView&)>& look) const {
  look(tables_->view(state));
}

std::vector<Bound> TupleSpace::bounds() const {
  std::vector<Bound> bounds = tables_->system->bounds();
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    bounds[i].hit = tables_->bound_hit[i] || (tables_->symmetry && tables_->symmetry->likes_hit(i));
  }
  return bounds;
}

std::vector<std::string> TupleSpace::fairness_classes() const { return tables_->class_names; }

std::vector<Space::Figure> TupleSpace::figures() const {
  const Tables& t = *tables_;
  std::uint64_t locals = 0, contents = 0;
  for (const ActorTable& table : t.actors) locals += table.locals.size();
  for (const LinkTable& table : t.links) contents += table.contents.size();
  return {{"local states", locals},
          {"messages", t.messages.size()},
          {"link contents", contents},
          {"environments", t.environments.size()},
          {"renamings", renamings()},
          {"local transitions computed", t.computed},
          {"local transitions looked up", t.lookups.sum()}};
}

std::uint64_t TupleSpace::memory_bytes() const {
  const Tables& t = *tables_;
  std::uint64_t sum = 0;
  for (const ActorTable& table : t.actors) {
    for (const Local& local : table.locals) {
      sum += 2 * local.bytes.size() + 64 * local.offers.size() + 4 * local.menus.size() + 280;
    }
    for (const auto& effects : table.near) sum += sizeof(Effect) * effects.capacity();
    sum += sizeof(Effect) * table.far.capacity() + 20 * table.far_ids.size() +
           64 * table.outputs.size() + 20 * table.menu_ids.size() + 120 * table.menus.size();
  }
  for (const LinkTable& table : t.links)
    sum += 128 * table.contents.size() + 16 * table.pushed.size();
  return sum + 20 * t.checks.size();
}

}  // namespace slotlab::sim
