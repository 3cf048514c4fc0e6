// A transcript of two nodes that tests take as it is, or change by one word to see what that word
// does: tests/data/conform/small.json. Tests count its lines: the nodes are in lines 8 and 9, the
// first step is in line 12.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace slotlab::conform {

inline std::string small_transcript() {
  std::ostringstream text;
  text << std::ifstream(SLOTLAB_SOURCE_DIR "/tests/data/conform/small.json").rdbuf();
  return text.str();
}

// The small transcript with the first `from` replaced by `to`.
inline std::string small_with(std::string_view from, std::string_view to) {
  std::string text = small_transcript();
  const std::size_t at = text.find(from);
  if (at == std::string::npos) return "the small transcript has no such part";
  return text.replace(at, from.size(), to);
}

}  // namespace slotlab::conform
