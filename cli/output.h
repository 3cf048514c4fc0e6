// Writing to the outside world without lying about it: standard output may be a closed pipe or lie
// on a full disk, and a place for a file may turn out to be none.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace slotlab::cli {

// Writes all of `text` to standard output. A reader that went away (a closed pipe) is no error: it
// has had what it wanted, and the rest is dropped. ERRORS: throws InputError for any other failure.
void write_out(std::string_view text);
// Writes to standard error; failures are ignored, as there is nobody left to tell.
void write_err(std::string_view text);

// Makes sure that a file could be created at `path`, so that an hour's search does not end in a
// refusal. ERRORS: throws InputError that names `flag` and `path`.
void require_writable(std::string_view flag, const std::string& path);
// Writes a file whole or not at all. ERRORS: throws InputError that names `flag` and `path`.
void write_file(std::string_view flag, const std::string& path, std::string_view text);
// What --out asked for: to the file if there is one, else to standard output.
void write_result(const std::optional<std::string>& out, std::string_view text);

}  // namespace slotlab::cli
