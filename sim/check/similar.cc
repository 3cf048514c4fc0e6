// See similar.h.
#include "sim/check/similar.h"

#include <algorithm>
#include <exception>

#include "sim/base/assert.h"
#include "sim/check/look.h"

namespace slotlab::sim {

std::size_t Merging::merged_locals() const {
  std::size_t sum = 0;
  for (const auto& of_actor : locals) sum += of_actor.size();
  return sum;
}

std::size_t Merging::merged_messages() const {
  std::size_t sum = 0;
  for (const auto& of_link : messages) sum += of_link.size();
  return sum;
}

Similarity::Similarity(std::shared_ptr<const System> system,
                       const std::vector<Property>& properties, std::function<bool()> go_on)
    : system_(std::move(system)),
      properties_(properties),
      go_on_(std::move(go_on)),
      tables_(system_->actor_count()) {
  const Environment start = system_->initial_environment();
  for (std::size_t a = 0; a < tables_.size(); ++a) {
    Shadow& first = tables_[a].locals[local(a, system_->spec().actors[a]->clone())];
    first.seen = true;
    first.live = start.status[a] <= Status::paused;
  }
}

std::size_t Similarity::known() const {
  std::size_t sum = 0;
  for (const Table& table : tables_) {
    sum += static_cast<std::size_t>(
        std::ranges::count_if(table.locals, [](const Shadow& s) { return s.seen; }));
    sum += static_cast<std::size_t>(std::ranges::count(table.heard, true));
  }
  return sum;
}

std::size_t Similarity::taken() const {
  std::size_t sum = 0;
  for (const Table& table : tables_) {
    for (const Shadow& shadow : table.locals) sum += shadow.relevant.size();
  }
  return sum;
}

// ------------------------------------------------------------------------------- local states

std::string Similarity::label_of(std::size_t actor, const Actor& value) const {
  Encoder out;
  std::vector<Offer> offers;
  value.offers(offers);
  for (const Offer& offer : offers) {
    encode(out, std::tie(offer.code, offer.need, offer.peer, offer.also_reachable, offer.stream,
                         offer.fair, offer.budget));
  }
  encode(out, value.busy());
  for (const FaultRule& rule : system_->spec().faults) {
    if (rule.kind == FaultKind::stop) encode(out, value.can_stop());
  }
  for (const LinkSpec& link : system_->spec().links) {
    if (value.busy() && index(link.to) == actor) {
      encode(out, value.hears_while_busy(link.from, link.stream));
    }
  }
  return out.str() + look_of(*system_, properties_, ActorId{static_cast<std::uint8_t>(actor)},
                             value);
}

Similarity::Number Similarity::local(std::size_t actor, std::unique_ptr<const Actor> value) {
  Table& table = tables_[actor];
  Encoder bytes;
  value->encode(bytes);
  const auto [at, fresh] =
      table.local_ids.try_emplace(bytes.str(), static_cast<Number>(table.locals.size()));
  if (fresh) {
    Shadow& shadow = table.locals.emplace_back();
    shadow.bytes = bytes.str();
    shadow.label = label_of(actor, *value);
    shadow.actor = std::move(value);
  }
  return at->second;
}

Id Similarity::input(std::size_t actor, const Input& input) {
  Table& table = tables_[actor];
  const auto [at, fresh] = table.input_ids.try_emplace(input, static_cast<Id>(table.inputs.size()));
  if (fresh) {
    table.inputs.push_back(input);
    table.heard.push_back(false);
  }
  return at->second;
}

Id Similarity::message(const MessagePtr& message) {
  std::string bytes = canonical_message(*message);
  const auto [at, fresh] = message_ids_.try_emplace(bytes, static_cast<Id>(messages_.size()));
  if (fresh) {
    messages_.push_back(message);
    message_bytes_.push_back(std::move(bytes));
  }
  return at->second;
}

const Similarity::Result& Similarity::result(std::size_t actor, Number local, Id input) {
  const std::uint64_t key = pair_key(local, input);
  const auto found = tables_[actor].result_ids.find(key);
  if (found != tables_[actor].result_ids.end()) return tables_[actor].results[found->second];
  Result computed = compute(actor, local, input);
  Table& table = tables_[actor];
  table.result_ids.emplace(key, static_cast<Id>(table.results.size()));
  return table.results.emplace_back(std::move(computed));
}

Similarity::Result Similarity::compute(std::size_t actor, Number from, Id number) {
  const Input input = tables_[actor].inputs[number];
  Result result;
  Effects effects;
  std::unique_ptr<Actor> value = tables_[actor].locals[from].actor->clone();
  try {
    run_input(*system_, *value, input,
              input.message == kUnknown ? nullptr : messages_[input.message].get(), effects);
  } catch (const std::exception&) {  // never meant to get this
    result.possible = false;
    return result;
  }
  Encoder others;
  for (const Output& output : effects.outputs) {
    if (output.kind == Output::Kind::send) {
      const LinkId link =
          system_->link(ActorId{static_cast<std::uint8_t>(actor)}, output.to, output.stream);
      if (link == kNoLink) continue;
      result.sends.push_back({link, this->input(index(output.to), {Input::Kind::delivery, link,
                                                                   message(output.message)})});
    } else {
      encode(others, std::pair(output.kind, output.to));
      encode(others, canonical_message(*output.message));
    }
  }
  result.others = others.str();
  result.next = local(actor, std::move(value));
  return result;
}

// What goes out on links where order matters.
std::vector<std::pair<LinkId, Id>> Similarity::in_order(const Result& result) const {
  std::vector<std::pair<LinkId, Id>> out;
  for (const Sent& sent : result.sends) {
    if (!lasts(sent.link)) out.emplace_back(sent.link, sent.input);
  }
  return out;
}

}  // namespace slotlab::sim
