// See output.h.
#include "cli/output.h"

#include <fmt/format.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/input_error.h"
#include "sim/base/whole_file.h"

namespace slotlab::cli {
namespace {

// Writes everything, or returns the errno that stopped it.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

void write_out(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error != 0 && error != EPIPE) {
    throw InputError(fmt::format("cannot write to standard output: {}", std::strerror(error)));
  }
}

void write_err(std::string_view text) { write_all(STDERR_FILENO, text); }

void require_writable(std::string_view flag, const std::string& path) {
  const auto reason = sim::cannot_write(path);
  if (reason) throw InputError(fmt::format("{}: cannot write '{}': {}", flag, path, *reason));
}

void write_file(std::string_view flag, const std::string& path, std::string_view text) {
  const auto reason = sim::write_whole_file(path, text);
  if (reason) throw InputError(fmt::format("{}: '{}' {}", flag, path, *reason));
}

void write_result(const std::optional<std::string>& out, std::string_view text) {
  if (out) {
    write_file("--out", *out, text);
  } else {
    write_out(text);
  }
}

}  // namespace slotlab::cli
