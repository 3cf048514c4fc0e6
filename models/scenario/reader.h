// Typed reading of a Tree: asks for a whole number, a choice, a map with these keys and no others,
// and answers with the value or with an InputError that says what was found and what was expected.
// All such sentences are worded here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/scenario/tree.h"

namespace slotlab::scenario {

class MapReader;

// One value of a file. `what` names it in errors: "'at most'", "a step".
class Value {
 public:
  Value(const Tree& tree, Position at, const std::string& file, std::string what)
      : tree_(&tree), at_(at), file_(&file), what_(std::move(what)) {}

  Position at() const { return at_; }
  const std::string& what() const { return what_; }
  const std::string& file() const { return *file_; }
  bool is_scalar() const { return tree_->kind == Tree::Kind::scalar; }
  bool is_list() const { return tree_->kind == Tree::Kind::list; }
  bool is_map() const { return tree_->kind == Tree::Kind::map; }

  // A scalar as text, not empty.
  std::string text(const std::string& expected = "text") const;
  std::uint64_t number(std::uint64_t min, std::uint64_t max) const;
  bool flag() const;  // true, false, on, off
  // The index of one of `words`.
  std::size_t choice(const std::vector<std::string>& words) const;
  // A list, or a single value as a list of one. `item` names each in errors.
  std::vector<Value> list_or_one(const std::string& item) const;
  std::vector<Value> list(const std::string& item) const;
  // A map with no keys but `keys`.
  MapReader map(const std::vector<std::string>& keys) const;
  // A map whose keys are the scenario's own names.
  MapReader open_map() const;

  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void expected(const std::string& expected) const;  // "..., found ..."
  std::string found() const;  // "the list [...]", "'abc'", "nothing"

 private:
  const Tree* tree_;
  Position at_;
  const std::string* file_;
  std::string what_;
};

class MapReader {
 public:
  MapReader(const Tree& tree, const Value& value) : tree_(&tree), value_(value) {}
  std::optional<Value> find(std::string_view key) const;
  // ERRORS: a missing key.
  Value need(std::string_view key) const;
  std::size_t size() const { return tree_->items.size(); }
  const Key& key(std::size_t i) const { return tree_->keys[i]; }
  // The value of the i-th key, named after it.
  Value item(std::size_t i) const;
  Position at() const { return value_.at(); }
  [[noreturn]] void fail_at_key(std::size_t i, const std::string& message) const;

 private:
  const Tree* tree_;
  Value value_;
};

}  // namespace slotlab::scenario
