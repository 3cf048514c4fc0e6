// See spill_file.h.
#include "sim/check/spill_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "sim/check/checkpoint_file.h"

namespace slotlab::sim {

SpillFile::SpillFile(std::string folder) : folder_(std::move(folder)) {
  std::string name = folder_ + "/slotlab-XXXXXX";
  handle_ = mkostemp(name.data(), O_CLOEXEC);
  if (handle_ < 0) fail("make a file in");
  unlink(name.c_str());
}

SpillFile::~SpillFile() { close(handle_); }

void SpillFile::fail(const char* what) const {
  throw CheckpointError(fmt::format("{}: cannot {} the folder for what memory has no room for: {}",
                                    folder_, what, std::strerror(errno)));
}

std::uint64_t SpillFile::append(const void* data, std::size_t size) {
  const std::uint64_t begin = end_;
  const char* from = static_cast<const char*>(data);
  for (std::size_t left = size; left != 0;) {
    const ssize_t done = pwrite(handle_, from, left, static_cast<off_t>(end_));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("write to");
    from += done;
    left -= static_cast<std::size_t>(done);
    end_ += static_cast<std::uint64_t>(done);
  }
  return begin;
}

void SpillFile::read(std::uint64_t from, void* data, std::size_t size) const {
  char* to = static_cast<char*>(data);
  while (size != 0) {
    const ssize_t done = pread(handle_, to, size, static_cast<off_t>(from));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("read from");
    to += done;
    from += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
}

}  // namespace slotlab::sim
