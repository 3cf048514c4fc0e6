// Small questions about the words of a command, asked in several places. Servers do not mind the
// case of names, so neither do these.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slotlab::conform {

std::string upper(std::string_view word);
bool is_cluster_command(const std::vector<std::string>& words);
// CLUSTER RESET HARD
bool is_hard_reset(const std::vector<std::string>& words);

}  // namespace slotlab::conform
