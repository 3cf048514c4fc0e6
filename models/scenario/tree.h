// YAML text as a plain tree in which every value knows its place in the file. It is made from the
// parser's events, never from its documents, so that what scenarios have no use for is refused
// before it can cost anything: anchors and aliases (which can blow a small file up to gigabytes),
// tags, merge keys, deep nesting, a second document.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "models/scenario/error.h"

namespace slotlab::scenario {

inline constexpr std::size_t kFileBytesMax = 1u << 20;  // 1 MiB
inline constexpr std::size_t kNestingMax = 16;          // lists and maps inside each other
inline constexpr std::size_t kValuesMax = 100000;       // scalars, lists and maps of one file
inline constexpr std::size_t kKeysMax = 1000;           // keys of one map

struct Key {
  std::string text;
  Position at;
};

struct Tree {
  enum class Kind { nothing, scalar, list, map };
  Kind kind = Kind::nothing;
  Position at;
  std::string text;         // scalar
  bool is_quoted = false;   // scalar written in quotes or as a block
  std::vector<Key> keys;    // map: the key of each item
  std::vector<Tree> items;  // list, map
};

// ERRORS: throws InputError for text that is not UTF-8, is too large, holds control characters, is
// not YAML, or uses what scenarios may not use. `file` is the name to print.
Tree parse_tree(std::string_view text, const std::string& file);

// The bytes of a file. ERRORS: throws InputError if it cannot be read, or is larger than
// kFileBytesMax (of which no more than that is read).
std::string read_file(const std::string& path);

}  // namespace slotlab::scenario
