// What an outsider who sees everything would draw of a cluster: who is taken for the owner of each
// slot, by whom, which marks are left, where each key lies, and how far the operators are. For
// pages that compare end states, where a verdict on one property says too little.
#pragma once

#include <compare>
#include <string>
#include <utility>
#include <vector>

#include "models/properties/registry.h"

namespace slotlab::properties {

struct Picture {
  struct Ownership {
    std::string slot;                                         // "7", "0-5460"
    std::vector<std::pair<std::string, std::string>> says;    // live node, the owner in its eyes
    bool owned = false;  // some node that is there or can come back claims it
    auto operator<=>(const Ownership&) const = default;
  };
  struct Mark {
    std::string node, slot, peer;
    bool migrating = false;  // else importing
    auto operator<=>(const Mark&) const = default;
  };
  struct Key {
    std::string key, slot;
    std::vector<std::string> at;  // nodes that are there or can come back
    auto operator<=>(const Key&) const = default;
  };
  std::vector<Ownership> slots;  // without private ones
  std::vector<Mark> marks;       // of nodes that are there or can come back
  std::vector<Key> keys;         // of the start, and others that are somewhere
  std::vector<std::string> down, gone;
  std::vector<std::pair<std::string, std::string>> operators;  // how far each is
  auto operator<=>(const Picture&) const = default;
};

Picture picture_of(const Cast& cast, const sim::SystemView& view);

// Whom all live nodes name: a node, "nobody"; "split" if they differ; "nobody asks" if none lives.
std::string owner_text(const Picture::Ownership& slot);
// One line: "7: all say B; A migrating 7 to B; k1 at A and B; B gone".
std::string picture_text(const Picture& picture);

}  // namespace slotlab::properties
