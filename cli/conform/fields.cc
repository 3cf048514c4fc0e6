#include "cli/conform/fields.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace slotlab::conform {
namespace {

std::string found(const JsonTree& tree) {
  switch (tree.kind) {
    case JsonTree::Kind::null: return "null";
    case JsonTree::Kind::boolean: return tree.flag ? "true" : "false";
    case JsonTree::Kind::integer: return std::to_string(tree.number);
    case JsonTree::Kind::text: return fmt::format("\"{}\"", tree.text);
    case JsonTree::Kind::list: return "a list";
    case JsonTree::Kind::object: break;
  }
  return "an object";
}

}  // namespace

void Field::fail(const std::string& message) const { fail_at(*file_, tree_->line, message); }

void Field::expected(const std::string& what) const {
  fail(fmt::format("'{}': expected {}, found {}", key_, what, found(*tree_)));
}

std::string Field::text() const {
  if (tree_->kind != JsonTree::Kind::text) expected("a text");
  return tree_->text;
}

std::int64_t Field::number(std::int64_t min, std::int64_t max) const {
  const bool fits = tree_->kind == JsonTree::Kind::integer && min <= tree_->number &&
                    tree_->number <= max;
  if (!fits && min == INT64_MIN) expected("a whole number");
  if (!fits && max == INT64_MAX) expected(fmt::format("a whole number from {} on", min));
  if (!fits) expected(fmt::format("a whole number from {} to {}", min, max));
  return tree_->number;
}

bool Field::flag() const {
  if (tree_->kind != JsonTree::Kind::boolean) expected("true or false");
  return tree_->flag;
}

std::size_t Field::choice(const std::vector<std::string>& words) const {
  const auto at = std::find(words.begin(), words.end(), tree_->text);
  if (tree_->kind != JsonTree::Kind::text || at == words.end()) {
    expected(fmt::format("{}\"{}\"", words.size() > 1 ? "one of " : "",
                         fmt::join(words, "\", \"")));
  }
  return static_cast<std::size_t>(at - words.begin());
}

std::vector<Field> Field::list() const {
  if (tree_->kind != JsonTree::Kind::list) expected("a list");
  std::vector<Field> fields;
  for (const JsonTree& item : tree_->items) fields.emplace_back(item, *file_, "item of " + key_);
  return fields;
}

std::vector<Field> Field::open_object() const {
  if (tree_->kind != JsonTree::Kind::object) expected("an object");
  std::vector<Field> fields;
  for (std::size_t i = 0; i < tree_->items.size(); ++i) {
    fields.emplace_back(tree_->items[i], *file_, tree_->keys[i]);
  }
  return fields;
}

Object Field::object(const std::vector<std::string>& keys) const {
  for (const Field& field : open_object()) {
    if (std::find(keys.begin(), keys.end(), field.key()) == keys.end()) {
      field.fail(fmt::format("the key '{}' is unknown here; there are: {}", field.key(),
                             fmt::join(keys, ", ")));
    }
  }
  return {*tree_, *file_, *this};
}

std::optional<Field> Object::find(const std::string& key) const {
  const JsonTree* value = tree_->find(key);
  if (value == nullptr) return std::nullopt;
  return Field(*value, *file_, key);
}

Field Object::need(const std::string& key) const {
  const auto field = find(key);
  if (!field) field_.fail(fmt::format("the key '{}' is missing", key));
  return *field;
}

}  // namespace slotlab::conform
