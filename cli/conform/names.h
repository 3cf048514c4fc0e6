// The names that transcripts use instead of what differs from run to run: @B is node B's id, %B its
// address as ip:port, %B.ip and %B.port the two alone. After a hard reset @B is the new id and
// @B.old the one before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/conform/json_tree.h"

namespace slotlab::conform {

class Names {
 public:
  void add(const std::string& name, const std::string& id, std::uint16_t port);
  // The node has taken a new id.
  void renamed(const std::string& name, const std::string& new_id);

  std::string plain(const std::string& word) const;   // a word of a command, names replaced
  std::string tidy(std::string text) const;           // a text of a reply, names put in
  Json tidy(const Json& reply) const;                 // in all texts of a reply
  // "A", "A.old", "?abcdef".
  std::string name_of(std::string_view id) const;
  // The id that @name stands for. REQUIRES: the name was added.
  const std::string& id_of(std::string_view name) const;

 private:
  struct Node {
    std::string name, id;
    std::uint16_t port = 0;
  };
  const Node* find(std::string_view name) const;
  std::vector<Node> nodes_;
  std::vector<std::pair<std::string, std::string>> ids_;  // ids ever taken, and how they are called
};

}  // namespace slotlab::conform
