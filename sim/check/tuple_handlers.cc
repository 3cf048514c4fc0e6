// Running an actor's handlers, and what counts of that which comes of it.
#include "sim/check/similar.h"
#include "sim/check/tuple_tables.h"

namespace slotlab::sim {

void run_input(const System& system, Actor& actor, const Input& input, const Message* message,
               Effects& effects) {
  switch (input.kind) {
    case Input::Kind::delivery: {
      const LinkSpec& link = system.spec().links[input.source];
      actor.receive(link.from, link.stream, *message, effects);
      break;
    }
    case Input::Kind::call:
    case Input::Kind::reply:
      actor.receive(ActorId{static_cast<std::uint8_t>(input.source)}, 0, *message, effects);
      break;
    case Input::Kind::no_answer:
      actor.no_answer(ActorId{static_cast<std::uint8_t>(input.source)}, *message, effects);
      break;
    case Input::Kind::step:
      actor.take(input.source, effects);
      break;
    case Input::Kind::crash:
      actor.crash(static_cast<CrashKind>(input.source));
      break;
    case Input::Kind::restart:
      actor.restart(effects);
      break;
    case Input::Kind::stop:
      actor.stop();
      break;
  }
}

void TupleSpace::Tables::run_handler(Actor& actor, const Input& input, Effects& effects) const {
  const Message* const message =
      input.message == kUnknown ? nullptr : messages[input.message].get();
  run_input(*system, actor, input, message, effects);
}

// What stands for the local state, if another one does.
std::unique_ptr<Actor> TupleSpace::Tables::merged(ActorId actor,
                                                  std::unique_ptr<Actor> value) const {
  if (!options.merging || options.merging->locals.empty()) return value;
  const auto& locals = options.merging->locals[index(actor)];
  const auto found = locals.find(bytes_of_actor(*value));
  return found == locals.end() ? std::move(value) : found->second->clone();
}

// What stands for a message on the link; null: nothing.
MessagePtr TupleSpace::Tables::merged(LinkId link, const MessagePtr& message) const {
  if (!options.merging || options.merging->messages.empty()) return message;
  const auto& known = options.merging->messages[link];
  const auto found = known.find(canonical_message(*message));
  return found == known.end() ? message : found->second;
}

Outcome TupleSpace::Tables::outcome_of(ActorId actor, std::unique_ptr<Actor> changed,
                                       const Effects& effects) {
  Outcome outcome;
  outcome.local = intern_local(actor, merged(actor, std::move(changed)));
  for (const Output& output : effects.outputs) {
    OutcomeOutput o{.kind = output.kind, .to = output.to};
    MessagePtr what = output.message;
    if (output.kind == Output::Kind::send) {
      o.link = system->link(actor, output.to, output.stream);
      if (o.link == kNoLink) continue;  // nowhere to go: lost
      what = merged(o.link, what);
      if (!what) continue;
    }
    const Id message = intern_message(what);
    const auto self = static_cast<std::uint32_t>(index(actor));
    switch (output.kind) {
      case Output::Kind::send:
        o.input = intern_input(output.to, {Input::Kind::delivery, o.link, message});
        break;
      case Output::Kind::call:
        o.input = intern_input(output.to, {Input::Kind::call, self, message});
        o.no_answer = intern_input(
            actor, {Input::Kind::no_answer, static_cast<std::uint32_t>(index(output.to)), message});
        break;
      case Output::Kind::reply:
        o.input = intern_input(output.to, {Input::Kind::reply, self, message});
        break;
    }
    outcome.outputs.push_back(o);
  }
  return outcome;
}

}  // namespace slotlab::sim
