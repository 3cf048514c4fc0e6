// Where a text stops being UTF-8. Traces and scenarios are text that people open in editors and
// send by mail; a byte that is not text is refused at the door, with its place, rather than
// carried.
#pragma once

#include <cstddef>
#include <string_view>

namespace slotlab::sim {

// The offset of the first byte that does not belong to a well-formed UTF-8 character (overlong
// forms, surrogates and values above U+10FFFF are not well-formed); text.size() if all do.
std::size_t first_invalid_utf8(std::string_view text);

}  // namespace slotlab::sim
