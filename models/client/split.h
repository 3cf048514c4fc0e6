// How a client groups keys before it sends commands: by slot, which needs nothing but the keys, and
// by node, which needs the client's own map of slots. Both are pure functions of their arguments.
// A group by node is a set of keys for one connection, not the keys of one command: servers refuse
// a command with keys of several slots, whoever owns them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/protocol/words.h"

namespace slotlab::client {

using Keys = std::vector<std::string>;

// The client's map: by slot, the address of its master. Slots that it does not know are absent.
using SlotMap = std::map<protocol::Slot, std::string>;

// Groups by slot, ascending; inside a group the order of the input; repetitions are kept.
// SOURCE: redisc v1.4.0, SplitBySlot.
std::vector<Keys> split_by_slot(const Keys& keys);

// Groups by the node that `map` names, across slots; keys of slots that the map does not know are
// grouped by slot. Groups ascend by the smallest slot among their keys; inside a group the order of
// the input; repetitions are kept. A closed client has forgotten its map: pass an empty one.
std::vector<Keys> split_by_node(const Keys& keys, const SlotMap& map);

}  // namespace slotlab::client
