// See output.h.
#include "cli/output.h"

#include <fmt/format.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "cli/input_error.h"

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

[[noreturn]] void refuse(std::string_view flag, const std::string& path, std::string_view why) {
  throw InputError(fmt::format("{}: cannot write '{}': {}", flag, path, why));
}

std::filesystem::path folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
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
  if (path.empty()) refuse(flag, path, "the name is empty");
  std::error_code error;
  const std::filesystem::path folder = folder_of(path);
  if (!std::filesystem::is_directory(folder, error)) {
    refuse(flag, path, fmt::format("there is no directory '{}'", folder.string()));
  }
  if (std::filesystem::is_directory(path, error)) refuse(flag, path, "it is a directory");
  if (::access(folder.c_str(), W_OK) != 0) {
    refuse(flag, path, fmt::format("directory '{}': {}", folder.string(), std::strerror(errno)));
  }
}

void write_file(std::string_view flag, const std::string& path, std::string_view text) {
  const std::string unfinished = path + ".unfinished";
  const int file = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) refuse(flag, path, std::strerror(errno));
  int error = write_all(file, text);
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(unfinished.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(unfinished.c_str());
  refuse(flag, path, std::strerror(error));
}

}  // namespace slotlab::cli
