#include "sim/system/world.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace slotlab::sim {

namespace {

bool same_message(const Message& a, const Message& b) {
  return canonical_message(a) == canonical_message(b);
}

}  // namespace

World::World(std::shared_ptr<const System> system)
    : system_(std::move(system)),
      environment_(system_->initial_environment()),
      links_(system_->link_count()) {
  for (const auto& actor : system_->spec().actors) actors_.push_back(actor->clone());
  offers_.resize(actors_.size());
}

World::World(const World& other)
    : system_(other.system_),
      environment_(other.environment_),
      links_(other.links_),
      capacity_hit_(other.capacity_hit_) {
  for (const auto& actor : other.actors_) actors_.push_back(actor->clone());
  offers_.resize(actors_.size());
}

World& World::operator=(const World& other) {
  if (this != &other) {
    World copy(other);
    std::swap(system_, copy.system_);
    std::swap(environment_, copy.environment_);
    std::swap(actors_, copy.actors_);
    std::swap(offers_, copy.offers_);
    std::swap(links_, copy.links_);
    capacity_hit_ = copy.capacity_hit_;
  }
  return *this;
}

const std::vector<Offer>& World::offers(ActorId id) const {
  Offers& offers = offers_[index(id)];
  if (!offers.known) {
    offers.list.clear();
    actor(id).offers(offers.list);
    offers.known = true;
  }
  return offers.list;
}

void World::append_steps(ActorId id, std::vector<Action>& out) const {
  if (!system_->up(environment_, id)) return;
  const auto phase = [this](ActorId a) { return actor(a).phase(); };
  const bool may_lose =
      system_->lose_reply_rule(environment_, id, phase) != SIZE_MAX;
  const auto number = static_cast<std::uint32_t>(index(id));
  for (const Offer& offer : offers(id)) {
    if (!system_->grants(environment_, id, offer) || !has_room(id, offer)) continue;
    out.push_back(Action::make(ActionKind::step, number, offer.code));
    if (may_lose && offer.need == Need::reachable) {
      out.push_back(Action::make(ActionKind::lose_reply, number, offer.code));
    }
  }
}

// The step is possible; with `lose_reply`, together with the loss of its answer.
bool World::is_granted(ActorId id, StepCode code, bool lose_reply) const {
  if (!system_->up(environment_, id)) return false;
  const std::vector<Offer>& all = offers(id);
  const auto offer =
      std::find_if(all.begin(), all.end(), [&](const Offer& each) { return each.code == code; });
  if (offer == all.end() || !system_->grants(environment_, id, *offer) || !has_room(id, *offer)) {
    return false;
  }
  if (!lose_reply) return true;
  const auto phase = [this](ActorId a) { return actor(a).phase(); };
  return offer->need == Need::reachable &&
         system_->lose_reply_rule(environment_, id, phase) != SIZE_MAX;
}

bool World::has_room(ActorId id, const Offer& offer) const {
  if (offer.need != Need::room) return true;
  const LinkId link = system_->link(id, offer.peer, offer.stream);
  if (link == kNoLink || links_[link].size() >= system_->spec().links[link].capacity) return false;
  const auto taken = std::count_if(links_[link].begin(), links_[link].end(),
                                   [](const MessagePtr& m) { return m->takes_room(); });
  return taken < system_->spec().links[link].room;
}

bool World::can_deliver(LinkId id) const {
  if (id >= links_.size() || links_[id].empty()) return false;
  const LinkSpec& link = system_->spec().links[id];
  if (!system_->up(environment_, link.to)) return false;
  const Actor& receiver = actor(link.to);
  return !receiver.busy() || receiver.hears_while_busy(link.from, link.stream);
}

std::vector<Action> World::possible() const {
  std::vector<Action> out;
  for (LinkId id = 0; id < links_.size(); ++id) {
    if (can_deliver(id)) {
      out.push_back(Action::make(ActionKind::deliver, id));
    }
  }
  for (std::size_t a = 0; a < actors_.size(); ++a) {
    append_steps(ActorId{static_cast<std::uint8_t>(a)}, out);
  }
  system_->faults_possible(
      environment_, [this](ActorId a) { return actor(a).phase(); },
      [this](ActorId a) { return actor(a).can_stop(); }, out);
  return out;
}

bool World::is_possible(Action action) const {
  switch (action.kind()) {
    case ActionKind::deliver:
      return can_deliver(action.a());
    case ActionKind::step:
    case ActionKind::lose_reply: {
      if (action.a() >= actors_.size()) return false;
      const ActorId id{static_cast<std::uint8_t>(action.a())};
      return is_granted(id, action.b(), action.kind() == ActionKind::lose_reply);
    }
    default: {
      std::vector<Action> faults;
      system_->faults_possible(
          environment_, [this](ActorId a) { return actor(a).phase(); },
          [this](ActorId a) { return actor(a).can_stop(); }, faults);
      return std::find(faults.begin(), faults.end(), action) != faults.end();
    }
  }
}

std::string World::describe(Action action) const {
  switch (action.kind()) {
    case ActionKind::deliver: {
      const LinkSpec& link = system_->spec().links[action.a()];
      return system_->describe_delivery(action.a(),
                                        actor(link.to).message_text(*links_[action.a()].front()));
    }
    case ActionKind::step:
    case ActionKind::lose_reply: {
      const ActorId id{static_cast<std::uint8_t>(action.a())};
      return system_->name(id) + " " + actor(id).step_text(action.b()) +
             (action.kind() == ActionKind::lose_reply ? " (the reply is lost)" : "");
    }
    default: return system_->describe_fault(action);
  }
}

std::string World::canonical() const {
  Encoder out;
  encode(out, environment_);
  for (const auto& actor : actors_) actor->encode(out);
  for (const auto& link : links_) {
    out.number(static_cast<std::uint32_t>(link.size()));
    for (const MessagePtr& message : link) encode(out, canonical_message(*message));
  }
  return out.str();
}

// Queues a message, or loses it where it cannot go.
void World::send(ActorId from, const Output& output, Event& event) {
  const LinkId id = system_->link(from, output.to, output.stream);
  if (id == kNoLink || !system_->connected(environment_, from, output.to)) return;
  const LinkSpec& spec = system_->spec().links[id];
  std::deque<MessagePtr>& link = links_[id];
  if (spec.coalesce && !link.empty() && same_message(*link.back(), *output.message)) return;
  if (link.size() >= spec.capacity) {
    capacity_hit_ = true;
    return;
  }
  link.push_back(output.message);
  event.sent_on.push_back(id);
}

// Carries out what a handler of `id` put into `effects`, in order; a call and all that follows from
// it come before the next output. `lose_reply` is cleared once it has taken a reply away.
void World::carry_out(ActorId id, const Effects& effects, Event& event, bool& lose_reply) {
  event.touched.push_back(id);
  for (const StepCode code : effects.rearmed) event.rearmed.emplace_back(id, code);
  for (const std::string& note : effects.notes) {
    event.notes.push_back(system_->name(id) + ": " + note);
  }
  for (const Output& output : effects.outputs) {
    switch (output.kind) {
      case Output::Kind::send: send(id, output, event); break;
      case Output::Kind::call: {
        Effects next;
        const bool reached = system_->reachable(environment_, id, output.to);
        if (reached) {
          if (lose_reply) lost_request_ = output.message;
          changing(output.to).receive(id, output.stream, *output.message, next);
          carry_out(output.to, next, event, lose_reply);
          if (lose_reply) {  // whoever was called answers later, and nobody will listen
            lose_reply = false;
            Effects late;
            changing(id).no_answer(output.to, *output.message, late);
            carry_out(id, late, event, lose_reply);
          }
        } else {
          changing(id).no_answer(output.to, *output.message, next);
          carry_out(id, next, event, lose_reply);
        }
        break;
      }
      case Output::Kind::reply: {
        if (!system_->alive(environment_, output.to)) break;
        Effects next;
        Actor& caller = changing(output.to);
        if (lose_reply) {
          lose_reply = false;
          caller.no_answer(id, *lost_request_, next);
        } else {
          std::string told = caller.message_text(*output.message);
          if (!told.empty()) event.replies.emplace_back(output.to, std::move(told));
          caller.receive(id, output.stream, *output.message, next);
        }
        carry_out(output.to, next, event, lose_reply);
        break;
      }
    }
  }
}

void World::take_fault(Action action, Event& event) {
  const System::FaultEffect effect = system_->apply_fault(environment_, action);
  for (const LinkId id : effect.emptied) links_[id].clear();
  bool lose_reply = false;
  Effects effects;
  if (effect.crashed != kNoActor) {
    changing(effect.crashed).crash(effect.crash);
    event.touched.push_back(effect.crashed);
  }
  if (effect.stopped != kNoActor) {
    changing(effect.stopped).stop();
    event.touched.push_back(effect.stopped);
  }
  if (effect.restarted != kNoActor) {
    changing(effect.restarted).restart(effects);
    carry_out(effect.restarted, effects, event, lose_reply);
  }
}

World::Event World::take(Action action, bool record_beliefs) {
  SIM_ASSERT(is_possible(action));
  Event event;
  event.action = action;
  event.text = describe(action);
  std::vector<std::string> before;
  if (record_beliefs) before = beliefs_of(*this);
  bool lose_reply = action.kind() == ActionKind::lose_reply;
  Effects effects;
  switch (action.kind()) {
    case ActionKind::deliver: {
      const LinkSpec& link = system_->spec().links[action.a()];
      const MessagePtr message = links_[action.a()].front();
      links_[action.a()].pop_front();
      changing(link.to).receive(link.from, link.stream, *message, effects);
      carry_out(link.to, effects, event, lose_reply);
      break;
    }
    case ActionKind::lose_reply:
    case ActionKind::step: {
      const ActorId id{static_cast<std::uint8_t>(action.a())};
      spend(id, action.b(), lose_reply);
      changing(id).take(action.b(), effects);
      carry_out(id, effects, event, lose_reply);
      break;
    }
    default: take_fault(action, event);
  }
  if (record_beliefs) {
    const std::vector<std::string> after = beliefs_of(*this);
    const auto missing_in = [](const std::vector<std::string>& from,
                               const std::vector<std::string>& in, std::vector<std::string>& out) {
      for (const std::string& line : from) {
        if (std::find(in.begin(), in.end(), line) == in.end()) out.push_back(line);
      }
    };
    missing_in(after, before, event.gained);
    missing_in(before, after, event.lost);
  }
  return event;
}

// Pays for a rationed step, and for a lost reply.
void World::spend(ActorId id, StepCode code, bool lose_reply) {
  for (const Offer& offer : offers(id)) {
    if (offer.code == code && offer.budget != kNoBudget) ++environment_.steps_spent[offer.budget];
  }
  if (lose_reply) {
    ++environment_.spent[system_->lose_reply_rule(
        environment_, id, [this](ActorId a) { return actor(a).phase(); })];
  }
}

}  // namespace slotlab::sim
