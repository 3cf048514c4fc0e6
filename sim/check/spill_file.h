// A file for what memory has no room for: bytes go in at the end and are read back from where they
// went. It has no name, so it vanishes with the process, however that ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace slotlab::sim {

class SpillFile {
 public:
  static constexpr std::uint64_t kNowhere = UINT64_MAX;

  // Lies in `folder`. ERRORS: throws CheckpointError, here and below, naming the folder.
  explicit SpillFile(std::string folder);
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  std::uint64_t append(const void* data, std::size_t size);  // where it went
  // Safe to call from several threads at once.
  void read(std::uint64_t from, void* data, std::size_t size) const;
  std::uint64_t bytes() const { return end_; }

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string folder_;
  int handle_ = -1;
  std::uint64_t end_ = 0;
};

}  // namespace slotlab::sim
