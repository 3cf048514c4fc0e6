// The properties that scenarios can name: what must hold of a cluster, and situations whose being
// reached shows that a search saw what it was meant to see. Each is a predicate over the nodes and
// operators alone, never over messages on their way. This is the one place that may look into nodes
// and operators alike.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/protocol/words.h"
#include "sim/property/property.h"

namespace slotlab::properties {

// Who is who in a system: which actors are nodes, which operators, and what the slots are.
struct Cast {
  std::vector<sim::ActorId> nodes;      // node::Node
  std::vector<sim::ActorId> operators;  // oper::Operator
  sim::ActorId clients = sim::kNoActor;  // client::Clients, if there are any
  protocol::SlotClasses slots;
  protocol::Directory directory;
  std::vector<protocol::NodeId> first_owner;  // by slot class, at the start
  std::vector<std::pair<protocol::SlotClass, std::string>> first_keys;  // anywhere at the start
  // By slot class: the node whose private slot it is, or kNoActor. That such a slot is lost with a
  // node that never comes back is nobody's fault, so `owned` and `agreed` excuse it.
  std::vector<sim::ActorId> home_of;
};
using CastPtr = std::shared_ptr<const Cast>;

using CastPredicate = bool (*)(const Cast&, const sim::SystemView&);
using CastExplain = std::string (*)(const Cast&, const sim::SystemView&);

// What a predicate looks at besides which nodes are up. tests/models/properties/sees_test.cc holds
// them to it.
enum class Sees : std::uint8_t {
  anything,
  claims,     // of nodes: which slots they claim, their role and own config epoch, also on disk
  operators,  // operators, and nothing of nodes
  done,       // whether operators have finished
  stopped,    // whether operators have walked away
  refused,    // whether operators have ended with an error
  statuses,   // nothing
  cuts,       // which links are cut
};

struct Entry {
  std::string_view name;      // as in scenario files
  std::string_view sentence;  // what it says, for `slotlab list`
  sim::Mood mood;             // how it is mostly meant; a scenario chooses
  CastPredicate holds;
  CastExplain explain;  // one sentence where it does not hold
  Sees sees = Sees::anything;
};

// All of them, requirements first, in the order in which they are listed to people.
const std::vector<Entry>& registry();
const Entry* find(std::string_view name);  // nullptr if unknown

// REQUIRES: `name` is in the registry; `cast` names nodes and operators of the system it is used
// on.
sim::Property make(std::string_view name, sim::Mood mood, CastPtr cast);
// "P leads to Q". REQUIRES: as above, for both.
sim::Property make_leads_to(std::string_view from, std::string_view to, CastPtr cast);

}  // namespace slotlab::properties
