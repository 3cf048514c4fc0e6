// The one way in which reading a scenario fails: what is wrong, where, what would be right. A bad
// file never reaches an assert, and it is never half understood.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace slotlab::scenario {

// A place in a text file, counted from 1; columns count characters. 0: the file as a whole.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool operator==(const Position&) const = default;
};

// what() is "FILE:LINE:COLUMN: MESSAGE", or "FILE: MESSAGE" if it concerns the file as a whole.
class InputError : public std::runtime_error {
 public:
  InputError(std::string file, Position at, std::string message);
  const std::string& file() const { return file_; }
  Position at() const { return at_; }
  const std::string& message() const { return message_; }

 private:
  std::string file_;
  Position at_;
  std::string message_;
};

// "'a', 'b' or 'c'"
std::string one_of(const std::vector<std::string>& words);
// "; did you mean 'cluster'?" if one of `words` is close to `typed`, else "".
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& words);
// `text` in quotes, shortened to about 40 characters, control characters replaced.
std::string in_quotes(std::string_view text);

}  // namespace slotlab::scenario
