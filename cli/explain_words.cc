// See explain_words.h.
#include "cli/explain_words.h"

#include <fmt/format.h>

#include <string_view>

#include "models/operator/operator.h"

namespace slotlab::cli {

EventWords::EventWords(const Subject& subject) {
  if (!subject.system) return;
  const sim::SystemSpec& spec = subject.system->spec();
  for (std::size_t i = 0; i < spec.actors.size(); ++i) {
    const auto* op = dynamic_cast<const oper::Operator*>(spec.actors[i].get());
    if (op == nullptr) continue;
    const auto add = [&](const oper::Step& step, const std::string& typed) {
      const std::string sentence =
          fmt::format("{} -> {}: {}", spec.names[i], step.target_name, typed);
      const auto [at, fresh] = steps_.try_emplace(
          sentence, Step{.label = step.label, .target = step.target_name, .typed = typed});
      if (!fresh) at->second.label.clear();
    };
    for (const oper::Step& step : op->procedure().steps) {
      if (!step.move) {
        add(step, step.typed);
      } else {
        add(step, fmt::format("CLUSTER GETKEYSINSLOT {}", step.move->slot));
      }
    }
  }
}

const EventWords::Step* EventWords::step_of(const std::string& sentence) const {
  if (const auto exact = steps_.find(sentence); exact != steps_.end()) return &exact->second;
  for (const auto& [begin, step] : steps_) {
    if (step.typed.starts_with("CLUSTER GETKEYSINSLOT") && sentence.starts_with(begin + " ")) {
      return &step;
    }
  }
  return nullptr;
}

std::string EventWords::clause(const std::string& sentence, sim::ActionKind kind) const {
  const Step* step = step_of(sentence);
  if (step != nullptr && !step->label.empty()) {
    return fmt::format("step {} reaches {}", step->label, step->target);
  }
  constexpr std::string_view kHeartbeat = " heartbeat to ";
  if (const std::size_t at = sentence.find(kHeartbeat);
      kind == sim::ActionKind::step && at != std::string::npos) {
    return fmt::format("{} sends {} a heartbeat", sentence.substr(0, at),
                       sentence.substr(at + kHeartbeat.size()));
  }
  const std::size_t arrow = sentence.find(" -> ");
  const std::size_t colon = sentence.find(": ");
  if (arrow == std::string::npos || colon == std::string::npos || arrow > colon) return sentence;
  const std::string from = sentence.substr(0, arrow);
  const std::string to = sentence.substr(arrow + 4, colon - arrow - 4);
  const std::string what = sentence.substr(colon + 2);
  if (kind == sim::ActionKind::deliver) return fmt::format("{} hears from {}: {}", to, from, what);
  return fmt::format("{} sends {}: {}", from, to, what);
}

std::string EventWords::with_command(const std::string& sentence, sim::ActionKind kind) const {
  const Step* step = step_of(sentence);
  const std::string text = clause(sentence, kind);
  return step == nullptr || step->label.empty() ? text : fmt::format("{} ({})", text, step->typed);
}

}  // namespace slotlab::cli
