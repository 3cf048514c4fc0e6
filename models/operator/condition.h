// What an operator can ask about an answer: whether to go on waiting, or whether a later step is to
// be done at all. A condition sees the text of one answer, with node names instead of ids; it sees
// no node.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slotlab::oper {

struct Condition {
  enum class Test : std::uint8_t {
    is,           // the text is exactly this
    is_not,       // there is a text, and it is another
    contains,     // the text has this in it
    lacks,        // there is a text, and it has not
    begins_with,  // errors begin with a word that says their kind
    failed,       // an error, no answer, or the step was left out
    succeeded,    // an answer that is no error
  };
  Test test = Test::succeeded;
  std::string text;  // empty for failed and succeeded
  bool operator==(const Condition&) const = default;
};

// What became of a step.
struct Answered {
  enum class How : std::uint8_t { not_at_all, error, well };
  How how = How::not_at_all;
  std::string text;  // of an error without its minus; numbers in digits; lists joined by blanks
};

bool meets(const Answered& answered, const Condition& condition);

// "is not 0", "failed". Nothing if it is no condition.
std::optional<Condition> condition_of(std::string_view text);
std::string condition_text(const Condition& condition);

}  // namespace slotlab::oper
