#include "sim/base/whole_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace slotlab::sim {
namespace {

namespace fs = std::filesystem;

std::string because(const char* what) {
  return std::string(what) + ": " + std::strerror(errno);
}

// What a chain of symbolic links at `path` ends at; the path itself if there is none.
fs::path behind_links(const std::string& path) {
  std::error_code error;
  fs::path at = path;
  for (int links = 0; links < 40 && fs::is_symlink(at, error); ++links) {
    const fs::path to = fs::read_symlink(at, error);
    if (error) break;
    at = to.is_absolute() ? to : at.parent_path() / to;
  }
  return at;
}

}  // namespace

std::optional<std::string> cannot_write(const std::string& path) {
  if (path.empty()) return "the name is empty";
  const fs::path target = behind_links(path);
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status)) return "it is a directory";
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    return "it is there and is no regular file";
  }
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) return "there is no directory '" + folder.string() + "'";
  if (::access(folder.c_str(), W_OK) != 0) {
    return "directory '" + folder.string() + "': " + std::strerror(errno);
  }
  return std::nullopt;
}

std::optional<std::string> write_whole_file(const std::string& path, std::string_view text) {
  if (const auto reason = cannot_write(path)) return "cannot be written: " + *reason;
  const std::string target = behind_links(path).string();
  const std::string beside = target + ".part-" + std::to_string(::getpid());
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(beside.c_str(), "wb"),
                                                       &std::fclose);
  if (!file) return because("cannot be written");
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  const bool closed = std::fclose(file.release()) == 0;
  if (written && closed && std::rename(beside.c_str(), target.c_str()) == 0) return std::nullopt;
  const std::string reason = because("cannot be written");
  std::remove(beside.c_str());
  return reason;
}

}  // namespace slotlab::sim
