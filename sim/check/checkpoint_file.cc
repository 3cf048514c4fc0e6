// Files, digests and the order of writing: the bytes, then the disk, then the name.
#include "sim/check/checkpoint_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace slotlab::sim {

namespace {

constexpr std::string_view kMagic = "slotlab-checkpoint/2\n";
constexpr std::size_t kBuffer = std::size_t{64} << 10;

struct Digest {
  XXH3_state_t state;
  Digest() { XXH3_128bits_reset(&state); }
  void add(const void* data, std::size_t size) { XXH3_128bits_update(&state, data, size); }
  XXH128_canonical_t value() const {
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(&state));
    return bytes;
  }
};

[[noreturn]] void fail_with_errno(const std::string& path, const char* what) {
  throw CheckpointError(fmt::format("{}: cannot {} the checkpoint: {}", path, what,
                                    std::strerror(errno)));
}

}  // namespace

struct CheckpointWriter::State {
  std::string path;
  std::string beside;
  std::FILE* file = nullptr;
  Digest digest;
  std::vector<char> buffer = std::vector<char>(kBuffer);
};

CheckpointWriter::CheckpointWriter(const std::string& path) : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->beside = path + ".part";
  state_->file = std::fopen(state_->beside.c_str(), "wb");
  if (state_->file == nullptr) fail_with_errno(state_->beside, "write");
  std::setvbuf(state_->file, state_->buffer.data(), _IOFBF, state_->buffer.size());
  bytes(kMagic.data(), kMagic.size());
}

CheckpointWriter::~CheckpointWriter() {
  if (state_->file == nullptr) return;
  std::fclose(state_->file);
  std::remove(state_->beside.c_str());
}

void CheckpointWriter::bytes(const void* data, std::size_t size) {
  state_->digest.add(data, size);
  if (std::fwrite(data, 1, size, state_->file) != size) fail_with_errno(state_->beside, "write");
}

void CheckpointWriter::commit() {
  const XXH128_canonical_t digest = state_->digest.value();
  bytes(&digest, sizeof(digest));
  if (std::fflush(state_->file) != 0 || fsync(fileno(state_->file)) != 0) {
    fail_with_errno(state_->beside, "write");
  }
  std::fclose(state_->file);
  state_->file = nullptr;
  if (std::rename(state_->beside.c_str(), state_->path.c_str()) != 0) {
    fail_with_errno(state_->path, "write");
  }
  // The new name must reach the disk as well.
  const std::size_t slash = state_->path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : state_->path.substr(0, slash + 1);
  const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (handle >= 0) {
    fsync(handle);
    close(handle);
  }
}

struct CheckpointReader::State {
  std::string path;
  std::FILE* file = nullptr;
  std::uint64_t left = 0;  // bytes before the digest
  ~State() {
    if (file != nullptr) std::fclose(file);
  }
};

CheckpointReader::CheckpointReader(const std::string& path) : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->file = std::fopen(path.c_str(), "rb");
  if (state_->file == nullptr) fail_with_errno(path, "read");
  std::vector<char> buffer(kBuffer);
  std::string magic(kMagic.size(), '\0');
  if (std::fread(magic.data(), 1, magic.size(), state_->file) != magic.size() || magic != kMagic) {
    throw CheckpointError(fmt::format("{}: not a checkpoint: it does not begin with '{}'", path,
                                      kMagic.substr(0, kMagic.size() - 1)));
  }
  if (std::fseek(state_->file, 0, SEEK_END) != 0) fail_with_errno(path, "read");
  const long size = std::ftell(state_->file);
  if (size < static_cast<long>(kMagic.size() + sizeof(XXH128_canonical_t))) {
    refuse("it is damaged or cut short");
  }
  state_->left = static_cast<std::uint64_t>(size) - sizeof(XXH128_canonical_t);
  std::rewind(state_->file);
  Digest digest;
  for (std::uint64_t left = state_->left; left != 0;) {
    const std::size_t part = left < kBuffer ? static_cast<std::size_t>(left) : kBuffer;
    if (std::fread(buffer.data(), 1, part, state_->file) != part) fail_with_errno(path, "read");
    digest.add(buffer.data(), part);
    left -= part;
  }
  XXH128_canonical_t stored;
  if (std::fread(&stored, sizeof(stored), 1, state_->file) != 1) fail_with_errno(path, "read");
  const XXH128_canonical_t found = digest.value();
  if (std::memcmp(&stored, &found, sizeof(stored)) != 0) {
    refuse("it is damaged or cut short: its digest does not fit its contents");
  }
  std::rewind(state_->file);
  bytes(magic.data(), magic.size());
}

CheckpointReader::~CheckpointReader() = default;

void CheckpointReader::bytes(void* data, std::size_t size) {
  if (size > state_->left || std::fread(data, 1, size, state_->file) != size) {
    refuse("it ends too early");
  }
  state_->left -= size;
}

std::string CheckpointReader::text() {
  const std::uint64_t size = number();
  if (size > state_->left) refuse("it ends too early");
  std::string s(size, '\0');
  bytes(s.data(), size);
  return s;
}

std::uint64_t CheckpointReader::number_below(std::uint64_t limit) {
  const std::uint64_t n = number();
  if (n >= limit) refuse(fmt::format("{} where less than {} was expected", n, limit));
  return n;
}

void CheckpointReader::refuse(const std::string& reason) const {
  throw CheckpointError(fmt::format("{}: cannot resume from this checkpoint: {}", state_->path,
                                    reason));
}

}  // namespace slotlab::sim
