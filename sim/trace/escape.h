// How a line of a trace carries a text that is not itself one line of UTF-8: a backslash is
// doubled, and a control character or a byte that is not text becomes \xNN. Readable text stays as
// it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace slotlab::sim {

std::string escape_line(std::string_view text);

// The text that was escaped, or the offset of the backslash that begins no escape of ours.
std::variant<std::string, std::size_t> unescape_line(std::string_view line);

}  // namespace slotlab::sim
