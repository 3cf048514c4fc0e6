#include "cli/conform/words.h"

namespace slotlab::conform {

std::string upper(std::string_view word) {
  std::string out(word);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

bool is_cluster_command(const std::vector<std::string>& words) {
  return !words.empty() && upper(words[0]) == "CLUSTER";
}

bool is_hard_reset(const std::vector<std::string>& words) {
  return words.size() >= 3 && is_cluster_command(words) && upper(words[1]) == "RESET" &&
         upper(words[2]) == "HARD";
}

}  // namespace slotlab::conform
