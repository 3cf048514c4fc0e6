// Typed reading of a JsonTree: asks for a text, a whole number, one of a few words, an object with
// these keys and no others, and answers with the value or with an error that says where, what was
// found and what was expected. All such sentences of the transcript parser are worded here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/conform/json_tree.h"

namespace slotlab::conform {

class Object;

// One value and the key (or kind of item) that it is known by. Refers to the tree and the file's
// name, which must outlive it.
class Field {
 public:
  Field(const JsonTree& tree, const std::string& file, std::string key)
      : tree_(&tree), file_(&file), key_(std::move(key)) {}

  const std::string& key() const { return key_; }
  std::size_t line() const { return tree_->line; }
  Json json() const { return tree_->json(); }

  std::string text() const;
  std::int64_t number(std::int64_t min, std::int64_t max) const;
  bool flag() const;
  std::size_t choice(const std::vector<std::string>& words) const;  // the index
  std::vector<Field> list() const;
  Object object(const std::vector<std::string>& keys) const;  // ERRORS: as well for any other key
  std::vector<Field> open_object() const;                     // with any keys

  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void expected(const std::string& what) const;  // "'role': expected ..., found ..."

 private:
  const JsonTree* tree_;
  const std::string* file_;
  std::string key_;
};

class Object {
 public:
  Object(const JsonTree& tree, const std::string& file, const Field& field)
      : tree_(&tree), file_(&file), field_(field) {}
  std::optional<Field> find(const std::string& key) const;
  Field need(const std::string& key) const;  // ERRORS: the key is missing

 private:
  const JsonTree* tree_;
  const std::string* file_;
  Field field_;
};

}  // namespace slotlab::conform
