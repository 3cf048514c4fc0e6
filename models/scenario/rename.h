// Renaming inside the values of a built system: nodes, operators, clients and what they send. A
// permutation says which thing takes whose place; a walker over members() carries it out in any
// value, so that a new member of a state is renamed without anybody thinking of it. The few members
// whose type does not say what they are (a slot class, a connection's number) are named in
// rename.cc.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/scenario/build.h"
#include "sim/system/renaming.h"

namespace slotlab::scenario {

// By number, what each thing becomes.
struct Permutation {
  std::vector<sim::ActorId> actors;
  std::vector<protocol::NodeId> nodes;  // identities
  std::vector<protocol::SlotClass> classes;
  std::vector<std::uint8_t> sessions;
  std::map<std::string, std::string> words;  // keys, ids, addresses, names; only what changes
  bool operator==(const Permutation&) const = default;
};

// Changes nothing.
Permutation identity_of(const Built& built);
// First `first`, then `second`.
Permutation composed(const Permutation& first, const Permutation& second);

std::shared_ptr<const sim::Renaming> make_renaming(const Built& built, Permutation permutation,
                                                   std::string text);

// All renamings of the system that leave its start as it is, as far as they are found: sessions,
// operators, slots, keys and nodes that change places in pairs, with what belongs to them. Whether
// the system can tell them apart later is not looked at. Null if there are none.
std::shared_ptr<const sim::RenamingGroup> find_renamings(const Built& built);

}  // namespace slotlab::scenario
