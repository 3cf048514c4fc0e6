// Reading words and wording errors.
#include "models/node/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>


namespace slotlab::node {

std::string lower(std::string_view word) {
  std::string out(word);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool same_word(std::string_view a, std::string_view b) { return lower(a) == lower(b); }

std::optional<std::int64_t> read_integer(std::string_view word) {
  const std::string_view digits = word.substr(word.starts_with('-') ? 1 : 0);
  const bool leading_zero = digits.size() > 1 && digits[0] == '0';
  if (leading_zero || word == "-0") return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<protocol::Slot> read_slot(std::string_view word) {
  const auto value = read_integer(word);
  if (!value || *value < 0 || *value >= protocol::kSlots) return std::nullopt;
  return static_cast<protocol::Slot>(*value);
}

Reply err(std::string_view text) { return Reply::error(fmt::format("ERR {}", text)); }
Reply not_an_integer() { return err("value is not an integer or out of range"); }
Reply invalid_slot() { return err("Invalid or out of range slot"); }
Reply unknown_node(std::string_view id) { return err(fmt::format("Unknown node {}", id)); }

NodeId known_node(const NodeState& state, const NodeSettings& settings, std::string_view id) {
  const NodeId node = settings.directory.by_id(id);
  const auto at = state.config.nodes.find(node);
  if (node == kNoNode || at == state.config.nodes.end() || at->second.handshake) return kNoNode;
  return node;
}

bool has_any_keys(const NodeState& state) {
  return std::any_of(state.keys.begin(), state.keys.end(),
                     [](const Keys& keys) { return !keys.empty(); });
}

bool worded_as(const Context& context, protocol::Wording wording) {
  return context.settings.dialect.wording == wording;
}

}  // namespace slotlab::node
