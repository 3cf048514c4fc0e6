// Typed reading and its error sentences. See reader.h.
#include "models/scenario/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace slotlab::scenario {

void Value::fail(const std::string& message) const { throw InputError(*file_, at_, message); }

void Value::expected(const std::string& expected) const {
  fail(fmt::format("{}: expected {}, found {}", what_, expected, found()));
}

std::string Value::found() const {
  switch (tree_->kind) {
    case Tree::Kind::nothing:
      return "nothing";
    case Tree::Kind::scalar:
      return in_quotes(tree_->text);
    case Tree::Kind::list:
      return fmt::format("a list of {}", tree_->items.size());
    case Tree::Kind::map:
      return tree_->keys.empty() ? "an empty map"
                                 : "a map with key " + in_quotes(tree_->keys[0].text);
  }
  return "";
}

std::string Value::text(const std::string& wanted) const {
  if (!is_scalar() || tree_->text.empty()) expected(wanted);
  return tree_->text;
}

std::uint64_t Value::number(std::uint64_t min, std::uint64_t max) const {
  const std::string wanted = fmt::format("a whole number from {} to {}", min, max);
  if (!is_scalar() || tree_->is_quoted) expected(wanted);
  const std::string& digits = tree_->text;
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  // "007" is refused because YAML readers disagree on whether it is octal.
  if (!whole || n < min || n > max || (digits.size() > 1 && digits[0] == '0')) expected(wanted);
  return n;
}

bool Value::flag() const {
  const std::string_view word = is_scalar() && !tree_->is_quoted ? tree_->text : std::string_view();
  if (word == "true" || word == "on") return true;
  if (word == "false" || word == "off") return false;
  expected("true or false (or on or off)");
}

std::size_t Value::choice(const std::vector<std::string>& words) const {
  if (!is_scalar()) expected(one_of(words));
  const auto at = std::find(words.begin(), words.end(), tree_->text);
  if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
  fail(fmt::format("{}: expected {}, found {}{}", what_, one_of(words), found(),
                   did_you_mean(tree_->text, words)));
}

std::vector<Value> Value::list(const std::string& item) const {
  if (!is_list()) expected("a list");
  std::vector<Value> out;
  for (const Tree& each : tree_->items) out.emplace_back(each, each.at, *file_, item);
  return out;
}

std::vector<Value> Value::list_or_one(const std::string& item) const {
  if (is_list()) return list(item);
  if (is_map()) expected("a name or a list of names");
  return {*this};
}

MapReader Value::map(const std::vector<std::string>& keys) const {
  if (!is_map()) expected("a map with keys such as " + one_of({keys.front()}));
  MapReader reader(*tree_, *this);
  for (std::size_t i = 0; i < reader.size(); ++i) {
    const std::string& key = reader.key(i).text;
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    reader.fail_at_key(i, fmt::format("{}: unknown key {}; expected {}{}", what_, in_quotes(key),
                                      one_of(keys), did_you_mean(key, keys)));
  }
  return reader;
}

MapReader Value::open_map() const {
  if (!is_map()) expected("a map");
  return MapReader(*tree_, *this);
}

std::optional<Value> MapReader::find(std::string_view key) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if (tree_->keys[i].text == key) return item(i);
  }
  return std::nullopt;
}

Value MapReader::need(std::string_view key) const {
  if (auto value = find(key)) return *value;
  value_.fail(fmt::format("{}: key '{}' is missing", value_.what(), key));
}

Value MapReader::item(std::size_t i) const {
  const Tree& value = tree_->items[i];
  const Position at = value.kind == Tree::Kind::nothing ? tree_->keys[i].at : value.at;
  return Value(value, at, value_.file(), in_quotes(tree_->keys[i].text));
}

void MapReader::fail_at_key(std::size_t i, const std::string& message) const {
  throw InputError(value_.file(), tree_->keys[i].at, message);
}

}  // namespace slotlab::scenario
