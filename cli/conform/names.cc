#include "cli/conform/names.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/assert.h"

namespace slotlab::conform {
namespace {

constexpr std::string_view kIp = "127.0.0.1";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

}  // namespace

void Names::add(const std::string& name, const std::string& id, std::uint16_t port) {
  nodes_.push_back({.name = name, .id = id, .port = port});
  ids_.emplace_back(id, name);
}

void Names::renamed(const std::string& name, const std::string& new_id) {
  const auto node = std::find_if(nodes_.begin(), nodes_.end(),
                                 [&](const Node& each) { return each.name == name; });
  SIM_ASSERT(node != nodes_.end());
  for (auto& [id, called] : ids_) {
    if (id == node->id) called = name + ".old";
  }
  node->id = new_id;
  ids_.emplace_back(new_id, name);
}

const Names::Node* Names::find(std::string_view name) const {
  const auto at = std::find_if(nodes_.begin(), nodes_.end(),
                               [&](const Node& node) { return node.name == name; });
  return at == nodes_.end() ? nullptr : &*at;
}

std::string Names::plain(const std::string& word) const {
  if (word.size() < 2 || (word[0] != '@' && word[0] != '%')) return word;
  const std::size_t dot = word.find('.');
  const std::string_view name(word.data() + 1, std::min(dot, word.size()) - 1);
  const Node* node = find(name);
  const std::string_view part =
      dot == std::string::npos ? "" : std::string_view(word).substr(dot);
  if (node == nullptr) return word;
  if (word[0] == '@') return part.empty() ? node->id : word;
  if (part.empty()) return fmt::format("{}:{}", kIp, node->port);
  if (part == ".ip") return std::string(kIp);
  if (part == ".port") return std::to_string(node->port);
  return word;
}

std::string Names::tidy(std::string text) const {
  for (const auto& [id, called] : ids_) replace_all(text, id, "@" + called);
  for (const Node& node : nodes_) {
    const std::string address = fmt::format("{}:{}", kIp, node.port);
    replace_all(text, fmt::format("{}@{}", address, node.port + 10000), "%" + node.name);
    replace_all(text, address, "%" + node.name);
  }
  return text;
}

Json Names::tidy(const Json& reply) const {
  if (reply.is_string()) return tidy(reply.get<std::string>());
  Json out = reply;
  if (reply.is_structured()) {
    for (auto& [key, item] : out.items()) {
      if (key != "type") item = tidy(item);
    }
  }
  return out;
}

std::string Names::name_of(std::string_view id) const {
  for (const auto& [known, called] : ids_) {
    if (known == id) return called;
  }
  return "?" + std::string(id.substr(0, 6));
}

const std::string& Names::id_of(std::string_view name) const {
  const Node* node = find(name);
  SIM_ASSERT(node != nullptr, std::string(name));
  return node->id;
}

}  // namespace slotlab::conform
