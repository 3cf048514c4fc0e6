// Files written whole or not at all: beside the target and renamed over it, so that a full disk or
// a killed process never leaves half a file where a good one was.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace slotlab::sim {

// Writes `text` to `path`, replacing a regular file that is there; a symbolic link stays and what
// it points to is replaced. Returns what went wrong ("cannot be written: No space left on device"),
// nothing on success. ERRORS: what is there and is no regular file (a device, a FIFO, a folder) is
// refused, since a rename would replace it.
std::optional<std::string> write_whole_file(const std::string& path, std::string_view text);

// Why `path` cannot be written by the above, as far as can be told without writing.
std::optional<std::string> cannot_write(const std::string& path);

}  // namespace slotlab::sim
