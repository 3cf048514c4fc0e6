#include "sim/trace/escape.h"

#include <fmt/format.h>

#include "sim/trace/utf8.h"

namespace slotlab::sim {
namespace {

bool is_control(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte < 0x20 || byte == 0x7f;
}

// -1 for anything but a lower-case hexadecimal digit.
int digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  return -1;
}

}  // namespace

std::string escape_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  std::size_t valid_until = first_invalid_utf8(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool invalid = i == valid_until;
    if (invalid) valid_until = i + 1 + first_invalid_utf8(text.substr(i + 1));
    if (invalid || is_control(text[i])) {
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    } else if (text[i] == '\\') {
      line += "\\\\";
    } else {
      line += text[i];
    }
  }
  return line;
}

std::variant<std::string, std::size_t> unescape_line(std::string_view line) {
  std::string text;
  text.reserve(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\') {
      text += line[i];
    } else if (line.substr(i).starts_with("\\\\")) {
      text += '\\';
      ++i;
    } else if (line.substr(i).starts_with("\\x") && i + 3 < line.size() &&
               digit(line[i + 2]) >= 0 && digit(line[i + 3]) >= 0) {
      text += static_cast<char>(digit(line[i + 2]) * 16 + digit(line[i + 3]));
      i += 3;
    } else {
      return i;
    }
  }
  return text;
}

}  // namespace slotlab::sim
