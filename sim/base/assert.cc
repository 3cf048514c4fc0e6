#include "sim/base/assert.h"

namespace slotlab::sim {

void fail_assert(const char* file, int line, const char* belief, const std::string& detail) {
  std::string text = std::string(file) + ":" + std::to_string(line) + ": believed " + belief;
  if (!detail.empty()) text += " (" + detail + ")";
  throw InternalError(text);
}

}  // namespace slotlab::sim
