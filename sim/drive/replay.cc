#include "sim/drive/replay.h"

#include <fmt/format.h>

namespace slotlab::sim {
namespace {

constexpr std::size_t kListedMax = 10;

// Whether the sentence can be that of `action`, judged by the names that System puts into it.
// Making sentences is the costly part of a replay on a large system; this spares nearly all.
bool may_be(const System& system, Action action, const std::string& sentence) {
  const auto names = [&](std::size_t actor) {
    return sentence.find(system.spec().names[actor]) != std::string::npos;
  };
  switch (action.kind()) {
    case ActionKind::deliver: {
      const LinkSpec& link = system.spec().links[action.a()];
      return names(index(link.from)) && names(index(link.to));
    }
    case ActionKind::step:
    case ActionKind::lose_reply:
    case ActionKind::restart:
    case ActionKind::resume: return names(action.a());
    case ActionKind::crash:
    case ActionKind::cut:
    case ActionKind::heal:
    case ActionKind::pause:
    case ActionKind::stop: return true;
  }
  return true;
}

ReplayError refusal(const World& world, std::size_t step, const std::string& sentence) {
  ReplayError error;
  error.step = step;
  error.sentence = sentence;
  const std::vector<Action> possible = world.possible();
  error.possible_count = possible.size();
  for (std::size_t i = 0; i < possible.size() && i < kListedMax; ++i) {
    error.possible.push_back(world.describe(possible[i]));
  }
  return error;
}

}  // namespace

std::string ReplayError::text() const {
  std::string text = fmt::format("event {} is not possible: {}\n", step + 1, sentence);
  if (possible.empty()) return text + "nothing was possible there\n";
  text += fmt::format("possible {} there:\n", possible_count == 1 ? "was" : "were");
  for (const std::string& line : possible) text += "  " + line + "\n";
  if (possible_count > possible.size()) {
    text += fmt::format("  and {} more\n", possible_count - possible.size());
  }
  return text;
}

std::optional<Action> find_action(const World& world, const std::string& sentence) {
  for (const Action action : world.possible()) {
    if (may_be(world.system(), action, sentence) && world.describe(action) == sentence) {
      return action;
    }
  }
  return std::nullopt;
}

ReplayResult replay(World& world, const std::vector<std::string>& sentences,
                    const RecordOptions& record) {
  Recorder recorder(world, record, Clock::none);
  ReplayResult result;
  for (std::size_t step = 0; step < sentences.size(); ++step) {
    if (recorder.should_stop()) {
      result.run = recorder.finish(StopReason::until);
      return result;
    }
    const std::optional<Action> action = find_action(world, sentences[step]);
    if (!action) {
      result.error = refusal(world, step, sentences[step]);
      result.run = recorder.finish(StopReason::not_possible);
      return result;
    }
    recorder.take(*action);
  }
  result.run = recorder.finish(recorder.should_stop() ? StopReason::until : StopReason::list_end);
  return result;
}

std::vector<std::string> sentences_of(const Trace& trace) {
  std::vector<std::string> sentences;
  sentences.reserve(trace.events.size());
  for (const TraceEvent& event : trace.events) sentences.push_back(event.sentence);
  return sentences;
}

}  // namespace slotlab::sim
