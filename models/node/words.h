// Small helpers that the command files share: reading numbers and slots out of words, comparing
// keywords, and the errors that many commands give.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/node/context.h"
#include "models/protocol/command.h"

namespace slotlab::node {

std::string lower(std::string_view word);
bool same_word(std::string_view a, std::string_view b);  // letter case does not matter

// A signed 64-bit number as the servers read it: no blanks, no plus sign, no leading zeros.
std::optional<std::int64_t> read_integer(std::string_view word);
std::optional<protocol::Slot> read_slot(std::string_view word);

// An error reply with the prefix ERR.
Reply err(std::string_view text);
Reply not_an_integer();
Reply invalid_slot();
Reply unknown_node(std::string_view id);

// The node that bears `id` in this node's table; kNoNode if it knows none. Handshakes are unknown:
// a server has them under a random id.
NodeId known_node(const NodeState& state, const NodeSettings& settings, std::string_view id);

bool has_any_keys(const NodeState& state);

// 3.0 and 7.0 say slave where others say replica, and the like.
bool worded_as(const Context& context, protocol::Wording wording);

}  // namespace slotlab::node
