// Wording of errors in scenario files. See error.h.
#include "models/scenario/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slotlab::scenario {

namespace {

std::string where(const std::string& file, Position at) {
  return at.line == 0 ? file : fmt::format("{}:{}:{}", file, at.line, at.column);
}

// Case, blanks, dashes and underscores do not count: 'may_stop' is 'may stop' badly typed.
std::string plain(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == ' ' || c == '-' || c == '_') continue;
    out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return out;
}

// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before, last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    before = last;
    last = now;
  }
  return last[b.size()];
}

}  // namespace

InputError::InputError(std::string file, Position at, std::string message)
    : std::runtime_error(where(file, at) + ": " + message),
      file_(std::move(file)),
      at_(at),
      message_(std::move(message)) {}

std::string one_of(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += '\'' + words[i] + '\'';
  }
  return out;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& words) {
  const std::string wanted = plain(typed);
  if (wanted.size() > 40) return "";
  std::size_t best = 1 + wanted.size() / 3;  // more edits than this is another word
  std::string found;
  for (const std::string& word : words) {
    const std::size_t distance = edit_distance(wanted, plain(word));
    const bool different = distance < std::max(wanted.size(), word.size());
    if (different && (distance < best || (distance == best && found.empty()))) {
      best = distance;
      found = word;
    }
  }
  return found.empty() ? "" : fmt::format("; did you mean '{}'?", found);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 40;  // bytes
  std::string out = "'";
  std::size_t end = std::min(text.size(), kShown);
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  for (char c : text.substr(0, end)) {
    out.push_back(static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '.' : c);
  }
  if (end < text.size()) out += "...";
  return out + "'";
}

}  // namespace slotlab::scenario
