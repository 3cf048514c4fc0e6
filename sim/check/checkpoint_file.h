// A checkpoint's bytes on disk: written beside the file that they replace and moved over it when
// they are whole, so that a crash at any moment leaves either the old checkpoint or the new one.
// The last bytes are a digest of all before; a reader checks it before anything is believed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace slotlab::sim {

// What is wrong with a checkpoint file, as one sentence that begins with its path.
class CheckpointError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class CheckpointWriter {
 public:
  // ERRORS: throws CheckpointError, here and below, if the file cannot be written.
  explicit CheckpointWriter(const std::string& path);
  ~CheckpointWriter();  // without commit(), nothing is left behind
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  void bytes(const void* data, std::size_t size);
  void number(std::uint64_t n) { bytes(&n, sizeof(n)); }
  void text(std::string_view s) {
    number(s.size());
    bytes(s.data(), s.size());
  }
  // Puts the file in its place.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class CheckpointReader {
 public:
  // ERRORS: throws CheckpointError if the file cannot be read, is no checkpoint or is damaged.
  explicit CheckpointReader(const std::string& path);
  ~CheckpointReader();
  CheckpointReader(const CheckpointReader&) = delete;
  CheckpointReader& operator=(const CheckpointReader&) = delete;

  // Each reads what the writer's function of that name wrote. ERRORS: throws CheckpointError if the
  // file ends before.
  void bytes(void* data, std::size_t size);
  std::uint64_t number() {
    std::uint64_t n = 0;
    bytes(&n, sizeof(n));
    return n;
  }
  std::string text();
  // A number that must be below `limit`.
  std::uint64_t number_below(std::uint64_t limit);
  [[noreturn]] void refuse(const std::string& reason) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace slotlab::sim
