// See condition.h.
#include "models/operator/condition.h"

#include <utility>

namespace slotlab::oper {

namespace {

using Test = Condition::Test;

// Longer words first, so that "is not" is not taken for "is".
constexpr std::pair<std::string_view, Test> kWords[] = {
    {"is not", Test::is_not},           {"is", Test::is},
    {"contains", Test::contains},       {"lacks", Test::lacks},
    {"begins with", Test::begins_with}, {"failed", Test::failed},
    {"succeeded", Test::succeeded},
};

bool stands_alone(Test test) { return test == Test::failed || test == Test::succeeded; }

}  // namespace

bool meets(const Answered& answered, const Condition& condition) {
  const bool heard = answered.how != Answered::How::not_at_all;
  switch (condition.test) {
    case Test::is: return heard && answered.text == condition.text;
    case Test::is_not: return heard && answered.text != condition.text;
    case Test::contains:
      return heard && answered.text.find(condition.text) != std::string::npos;
    case Test::lacks: return heard && answered.text.find(condition.text) == std::string::npos;
    case Test::begins_with: return heard && answered.text.starts_with(condition.text);
    case Test::failed: return answered.how != Answered::How::well;
    case Test::succeeded: return answered.how == Answered::How::well;
  }
  return false;
}

std::optional<Condition> condition_of(std::string_view text) {
  for (const auto& [words, test] : kWords) {
    if (!text.starts_with(words)) continue;
    const std::string_view rest = text.substr(words.size());
    if (stands_alone(test)) {
      if (rest.empty()) return Condition{.test = test, .text = {}};
    } else if (rest.size() > 1 && rest.front() == ' ') {
      return Condition{.test = test, .text = std::string(rest.substr(1))};
    }
  }
  return std::nullopt;
}

std::string condition_text(const Condition& condition) {
  for (const auto& [words, test] : kWords) {
    if (test != condition.test) continue;
    return stands_alone(test) ? std::string(words) : std::string(words) + " " + condition.text;
  }
  return {};
}

}  // namespace slotlab::oper
