// Whether masters that never come back can be replaced: the question behind a failover that never
// comes. It is asked of what the voters and the replicas know at this moment, not of what is on its
// way, so it may be false for a while.
#include "models/properties/succession.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/node/failover/cluster_state.h"
#include "models/node/failover/election.h"
#include "models/node/ownership/slot_table.h"
#include "models/properties/view.h"

namespace slotlab::properties {

namespace {

using protocol::NodeId;
using protocol::SlotClass;

// A live master claims the dead node's private slot.
bool has_successor(const Cast& cast, const sim::SystemView& view, sim::ActorId dead) {
  return std::any_of(cast.nodes.begin(), cast.nodes.end(), [&](sim::ActorId id) {
    if (!alive(view, id)) return false;
    const node::Durable& config = node_state(view, id).config;
    for (std::size_t c = 0; c < cast.slots.count(); ++c) {
      if (cast.home_of[c] == dead && is_master(config) &&
          claims(config, static_cast<SlotClass>(c))) {
        return true;
      }
    }
    return false;
  });
}

struct Poll {
  std::size_t refuse = 0;  // voters that know a newer claim
  std::size_t voters = 0;
};

// Who would refuse the replica because of what it claims for its master.
Poll poll(const Cast& cast, const sim::SystemView& view, const node::NodeState& replica,
          NodeId master) {
  const protocol::SlotSet claimed = node::slots_of(replica, master, cast.slots.count());
  const auto record = replica.config.nodes.find(master);
  Poll result;
  if (record == replica.config.nodes.end()) return result;
  for (const sim::ActorId id : cast.nodes) {
    if (!alive(view, id)) continue;
    const node::NodeState& voter = node_state(view, id);
    if (!node::is_voter(voter, voter.config.me)) continue;
    ++result.voters;
    if (node::claim_is_stale(voter, claimed, record->second.config_epoch)) ++result.refuse;
  }
  return result;
}

// A dead master without a successor, all of whose live replicas would be refused by so many that
// the rest is no majority: the sentence about it, or empty.
std::string without_successor(const Cast& cast, const sim::SystemView& view) {
  for (const sim::ActorId dead : cast.nodes) {
    if (status(view, dead) != sim::Status::gone || has_successor(cast, view, dead)) continue;
    std::string sentence;
    for (const sim::ActorId id : cast.nodes) {
      if (!alive(view, id)) continue;
      const node::NodeState& replica = node_state(view, id);
      const node::NodeRecord& me = replica.config.nodes.at(replica.config.me);
      if (!me.replica || me.master == protocol::kNoNode ||
          cast.directory[me.master].actor != dead) {
        continue;
      }
      const Poll votes = poll(cast, view, replica, me.master);
      if (votes.voters - votes.refuse >= node::quorum(replica)) {
        sentence.clear();
        break;
      }
      sentence = fmt::format(
          "{} is gone for good, and of {} voters {} would refuse {}, which claims the slots at an "
          "epoch of the past",
          view.system().name(dead), votes.voters, votes.refuse, view.system().name(id));
    }
    if (!sentence.empty()) return sentence;
  }
  return "";
}

}  // namespace

bool replaceable(const Cast& cast, const sim::SystemView& view) {
  return without_successor(cast, view).empty();
}

bool irreplaceable(const Cast& cast, const sim::SystemView& view) {
  return !replaceable(cast, view);
}

std::string explain_replaceable(const Cast& cast, const sim::SystemView& view) {
  return without_successor(cast, view);
}

}  // namespace slotlab::properties
