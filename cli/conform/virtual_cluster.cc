#include "cli/conform/virtual_cluster.h"

#include <fmt/format.h>

#include "cli/conform/build_system.h"
#include "cli/conform/replies.h"
#include "cli/conform/view.h"
#include "sim/base/assert.h"

namespace slotlab::conform {
namespace {

using sim::Action;
using sim::ActionKind;

constexpr sim::Duration kBetweenCommands = sim::milliseconds(3);
constexpr sim::Duration kAfterRestart = sim::milliseconds(20);
constexpr sim::Duration kReplyTimeout = sim::seconds(70);  // longer than the usual MIGRATE's
constexpr sim::Duration kDrain = sim::milliseconds(5);  // for what is on its way when a wait ends
constexpr sim::Duration kPoll = sim::milliseconds(50);  // how late a wait notices
constexpr sim::Duration kStart = sim::seconds(40);

}  // namespace

VirtualCluster::VirtualCluster(const Transcript& transcript, const VirtualOptions& options)
    : transcript_(transcript), watch_(options.watch) {
  BuiltSystem built = build_system(transcript, options.dialect);
  actors_ = built.nodes;
  client_ = built.client;
  for (std::size_t i = 0; i < actors_.size(); ++i) {
    actor_of_[transcript.nodes[i].name] = actors_[i];
  }
  world_ = std::make_unique<sim::World>(std::move(built.system));
  driver_ = std::make_unique<sim::TimedDriver>(
      *world_, sim::TimedOptions{.seed = options.seed,
                                 .latency_min = sim::microseconds(100),
                                 .latency_max = sim::milliseconds(1),
                                 .events_max = UINT64_MAX,
                                 .mend = false});
  settle(*world_, *driver_, actors_, kStart, watch_);
  let_pass(kDrain);
}

const Client& VirtualCluster::client() const {
  const auto* client = dynamic_cast<const Client*>(&world_->actor(client_));
  SIM_ASSERT(client != nullptr);
  return *client;
}

const node::Node& VirtualCluster::node(const std::string& name) const {
  return node_at(*world_, actor_of_.at(name));
}

void VirtualCluster::let_pass(sim::Duration time, const sim::Until& until) {
  driver_->run(time, {.keep_steps = false, .until = until, .watch = watch_});
}

Json VirtualCluster::command(const CommandStep& step) {
  const std::size_t number = client().sent();
  driver_->take(Action::make(ActionKind::step, static_cast<std::uint32_t>(sim::index(client_)),
                            static_cast<std::uint32_t>(number)));
  if (client().waiting()) {
    let_pass(kReplyTimeout, [this](const sim::World&) { return !client().waiting(); });
  }
  Json reply = {{"type", "none"}};
  if (client().reply()) {
    reply = recorded(client().names().tidy(reply_json(*client().reply())), step.record);
  }
  let_pass(kBetweenCommands);
  return reply;
}

Json VirtualCluster::view(const std::string& name) {
  switch (world_->environment().status[sim::index(actor_of_.at(name))]) {
    case sim::Status::up: break;
    case sim::Status::paused: return {{"paused", true}};
    case sim::Status::down:
    case sim::Status::gone: return {{"down", true}};
  }
  const node::Node& seen_by = node(name);
  const auto name_of = [&](protocol::NodeId id) {
    return client().names().name_of(seen_by.settings().directory[id].id);
  };
  return view_of(seen_by.state(), seen_by.settings(), transcript_.watch, name_of);
}

bool VirtualCluster::holds(const Condition& condition) const {
  using Kind = Condition::Kind;
  const node::Node& observer = node(condition.node);
  const sim::Status status =
      world_->environment().status[sim::index(actor_of_.at(condition.node))];
  if (status != sim::Status::up) return false;  // it would not answer
  const node::NodeState& state = observer.state();
  const auto id_of = [&](const std::string& name) {
    return observer.settings().directory.by_id(client().names().id_of(name));
  };
  const auto record_of = [&](const std::string& name) -> const node::NodeRecord* {
    const auto at = state.config.nodes.find(id_of(name));
    return at == state.config.nodes.end() ? nullptr : &at->second;
  };
  const node::NodeRecord& mine = state.config.nodes.at(observer.me());
  switch (condition.kind) {
    case Kind::converged: break;
    case Kind::is_master: return !mine.replica;
    case Kind::is_replica_of: return mine.replica && mine.master == id_of(condition.other);
    case Kind::sees_fail: {
      const node::NodeRecord* other = record_of(condition.other);
      return other != nullptr && other->fail;
    }
    case Kind::sees_ok: {
      const node::NodeRecord* other = record_of(condition.other);
      return other != nullptr && !other->fail && !other->pfail;
    }
    case Kind::sees_slot_at: {
      const auto in = observer.settings().slots.of(condition.slot);
      return in && state.config.owner[*in] == id_of(condition.other);
    }
    case Kind::is_ok: return state.memory.state_ok;
    case Kind::is_down: return !state.memory.state_ok;
    case Kind::in_sync: return in_sync(*world_, observer);
  }
  SIM_ASSERT(false, std::string("no condition on one node"));
}

std::optional<std::string> VirtualCluster::wait(const WaitStep& step) {
  const sim::Duration limit = sim::seconds(step.timeout_s);
  if (step.condition.kind == Condition::Kind::converged) {
    if (settle(*world_, *driver_, actors_, limit, watch_)) {
      let_pass(kDrain);
      return std::nullopt;
    }
    return fmt::format("not settled after {} s of virtual time", step.timeout_s);
  }
  let_pass(limit, [&](const sim::World&) { return holds(step.condition); });
  if (!holds(step.condition)) {
    return fmt::format("waited {} s of virtual time in vain", step.timeout_s);
  }
  let_pass(kPoll);
  return std::nullopt;
}

void VirtualCluster::fault(const FaultStep& step) {
  using Kind = FaultStep::Kind;
  const sim::ActorId actor = actor_of_.at(step.node);
  const auto number = static_cast<std::uint32_t>(sim::index(actor));
  switch (step.kind) {
    case Kind::kill:
      driver_->take(Action::make(ActionKind::crash, kCrashRule, number));
      let_pass(kDrain);  // its peers find their connections closed
      return;
    case Kind::pause:
      driver_->take(Action::make(ActionKind::pause, kPauseRule, number));
      return;
    case Kind::restart:
      driver_->take(Action::make(ActionKind::restart, number));
      let_pass(kAfterRestart);
      return;
    case Kind::resume: driver_->take(Action::make(ActionKind::resume, number)); return;
  }
}

}  // namespace slotlab::conform
