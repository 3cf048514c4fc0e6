#include "cli/conform/settle.h"

#include <algorithm>
#include <map>
#include <set>

#include "sim/base/assert.h"

namespace slotlab::conform {
namespace {

using node::Node;
using node::NodeRecord;
using protocol::NodeId;

constexpr sim::Duration kStable = sim::milliseconds(2200);
constexpr sim::Duration kStableThoughOdd = sim::seconds(8);

bool is_live(const sim::World& world, sim::ActorId actor) {
  return world.system().up(world.environment(), actor);
}

// Everything that a view shows, and flags and records besides.
std::string signature(const Node& node) {
  sim::Encoder out;
  sim::encode(out, node.state().config);
  sim::encode(out, node.state().memory.state_ok);
  return out.str();
}

// Remembers when a live node's view has last changed.
class Changes {
 public:
  Changes(const sim::World& world, const NodeActors& nodes, sim::Instant now)
      : now_(now), last_(now) {
    for (const sim::ActorId actor : nodes) seen_[actor] = signature(node_at(world, actor));
  }
  void note(const sim::World& world, const sim::RunStep& step) {
    now_ = step.at;
    for (const sim::ActorId actor : step.event.touched) {
      const auto seen = seen_.find(actor);
      if (seen == seen_.end()) continue;
      std::string present = signature(node_at(world, actor));
      if (present == seen->second) continue;
      seen->second = std::move(present);
      last_ = now_;
    }
  }
  sim::Duration quiet_until(sim::Instant now) const { return now - last_; }
  sim::Duration quiet() const { return now_ - last_; }

 private:
  std::map<sim::ActorId, std::string> seen_;
  sim::Instant now_, last_;
};

// The process bears this id now; an id that was given up in a reset never answers.
bool is_present_id(const sim::World& world, const Node& observer, NodeId id) {
  const sim::ActorId actor = observer.settings().directory[id].actor;
  return node_at(world, actor).me() == id;
}

}  // namespace

const Node& node_at(const sim::World& world, sim::ActorId actor) {
  const auto* node = dynamic_cast<const Node*>(&world.actor(actor));
  SIM_ASSERT(node != nullptr);
  return *node;
}

bool in_sync(const sim::World& world, const Node& replica) {
  const NodeRecord& record = replica.state().config.nodes.at(replica.me());
  if (!record.replica || record.master == protocol::kNoNode) return false;
  const Node& master = node_at(world, replica.settings().directory[record.master].actor);
  return master.me() == record.master &&
         !master.state().config.nodes.at(master.me()).replica &&
         replica.state().memory.replicating_from == record.master &&
         master.state().memory.attached.contains(replica.me()) &&
         replica.state().memory.offset >= master.state().memory.offset;
}

bool is_calm(const sim::World& world, const NodeActors& nodes) {
  std::map<sim::ActorId, std::set<bool>> failed;  // what is gone: FAIL, or only suspected
  for (const sim::ActorId actor : nodes) {
    if (!is_live(world, actor)) continue;
    const Node& observer = node_at(world, actor);
    for (const auto& [id, record] : observer.state().config.nodes) {
      if (id == observer.me()) continue;
      const bool failing = record.fail || record.pfail;
      const sim::ActorId peer = observer.settings().directory[id].actor;
      if (!is_live(world, peer)) {
        if (!failing) return false;
        failed[peer].insert(record.fail);
      } else if (failing || record.handshake || record.no_addr ||
                 !is_present_id(world, observer, id)) {
        return false;
      }
    }
    const NodeRecord& mine = observer.state().config.nodes.at(observer.me());
    const bool follows = mine.replica && mine.master != protocol::kNoNode;
    if (follows && is_live(world, observer.settings().directory[mine.master].actor) &&
        !in_sync(world, observer)) {
      return false;
    }
  }
  return std::all_of(failed.begin(), failed.end(),
                     [](const auto& seen) { return seen.second.size() == 1; });
}

bool settle(const sim::World& world, sim::TimedDriver& driver, const NodeActors& nodes,
            sim::Duration limit, const sim::Watch& watch) {
  Changes changes(world, nodes, driver.now());
  const auto settled = [&](const sim::World& now, sim::Duration quiet) {
    return quiet >= kStableThoughOdd || (quiet >= kStable && is_calm(now, nodes));
  };
  sim::RecordOptions record{.keep_steps = false, .until = {}, .watch = {}};
  record.watch = [&](const sim::World& now, const sim::RunStep& step) {
    changes.note(now, step);
    if (watch) watch(now, step);
  };
  record.until = [&](const sim::World& now) { return settled(now, changes.quiet()); };
  const sim::RunResult run = driver.run(limit, record);
  return run.stopped == sim::StopReason::until ||
         run.stopped == sim::StopReason::nothing_possible ||
         settled(world, changes.quiet_until(run.end));
}

}  // namespace slotlab::conform
