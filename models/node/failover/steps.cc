// Which timer runs when, for how long, and what it does.
#include "models/node/failover/steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/node/failover/cluster_state.h"
#include "models/node/failover/detection.h"
#include "models/node/failover/election.h"
#include "models/node/failover/manual.h"
#include "models/node/failover/membership.h"
#include "models/node/failover/peer_memory.h"
#include "models/node/failover/replica_migration.h"
#include "models/node/ownership/slot_table.h"
#include "models/node/replication.h"
#include "models/node/step_codes.h"
#include "sim/base/assert.h"

namespace slotlab::node {

namespace {

using sim::Duration;
using sim::milliseconds;
using sim::Need;
using sim::Offer;

constexpr Duration kCron = milliseconds(100);  // the servers look at their timers this often

Duration times(Duration duration, std::uint64_t n) { return Duration{duration.us * n}; }
Duration half(Duration duration) { return Duration{duration.us / 2}; }

// How long votes count, from the moment an election is due.
Duration auth_timeout(const NodeSettings& settings) {
  return std::max(times(settings.node_timeout, 2), milliseconds(2000));
}

// How long a master stays in FAIL after a start or a minority.
Duration rejoin_delay(const NodeSettings& settings) {
  return std::clamp(settings.node_timeout, milliseconds(2000), milliseconds(5000));
}

Offer timer(sim::StepCode code, Duration least, Duration greatest) {
  Offer offer;
  offer.code = code;
  offer.delay_min = least;
  offer.delay_max = greatest;
  return offer;
}
Offer timer(sim::StepCode code, Duration delay) { return timer(code, delay, delay + kCron); }

constexpr std::uint32_t kUnreachable = 0;
constexpr std::uint32_t kReachable = 1;
constexpr std::uint32_t kBlacklist = 0;
constexpr std::uint32_t kHandshake = 1;

void offer_suspicions(const NodeState& state, const NodeSettings& settings,
                      std::vector<Offer>& out) {
  const sim::ActorId own = settings.directory[state.config.me].actor;
  for (const auto& [node, record] : state.config.nodes) {
    const sim::ActorId peer = settings.directory[node].actor;
    if (peer == own || record.handshake || record.no_addr || failing(record)) continue;
    // A ping goes out at most half a timeout after the last answer, and is waited for a timeout.
    const Duration least = settings.node_timeout;
    Offer dead = timer(make_step(StepKind::suspect, node, kUnreachable), least,
                       least + half(settings.node_timeout) + kCron);
    dead.need = Need::unreachable;
    dead.peer = peer;
    out.push_back(dead);
    Offer slow = timer(make_step(StepKind::suspect, node, kReachable), least,
                       times(settings.node_timeout, 10));
    slow.need = Need::reachable;
    slow.peer = peer;
    slow.fair = false;
    slow.budget = kSuspicionBudget;
    out.push_back(slow);
  }
}

void offer_ends_of_failure(const NodeState& state, const NodeSettings& settings,
                           std::vector<Offer>& out) {
  for (const auto& [node, record] : state.config.nodes) {
    if (!record.fail || peer_memory(state, node).fail_is_old) continue;
    Offer offer = timer(make_step(StepKind::fail_gets_old, node), times(settings.node_timeout, 2));
    if (!settings.timed_guards) {
      // It is asked for only when a master with slots answers, so without a clock it may as well
      // come no earlier than that.
      if (record.replica || slots_owned_by(state, node) == 0) continue;
      offer.need = Need::reachable;
      offer.peer = settings.directory[node].actor;
    }
    out.push_back(offer);
  }
}

// Where each heartbeat tells of all failures, a reporter that can be reached renews or withdraws
// its report by the next one, so without a clock only the reports of others expire.
void offer_report_expiries(const NodeState& state, const NodeSettings& settings,
                           std::vector<Offer>& out) {
  for (const auto& [node, memory] : state.memory.peers) {
    for (const NodeId reporter : memory.fail_reports) {
      const auto b = static_cast<std::uint32_t>(reporter);
      Offer offer = timer(make_step(StepKind::report_expires, node, b),
                          times(settings.node_timeout, 2));
      if (!settings.timed_guards && settings.heartbeats == Heartbeats::merged) {
        offer.need = Need::unreachable;
        offer.peer = settings.directory[reporter].actor;
      }
      out.push_back(offer);
    }
  }
}

// What the 100 ms timer would do for an election or a manual failover, if anything.
bool cron_has_work(const NodeState& state, const NodeSettings& settings) {
  const ManualFailover& manual = state.memory.manual;
  const Election& election = state.memory.election;
  const bool replica = state.config.nodes.at(state.config.me).replica;
  if (replica && manual.running && !manual.can_start && manual.offset_known &&
      manual.master_offset == state.memory.offset && !wants_copy(state)) {
    return true;
  }
  if (!election_possible(state, settings)) return false;
  if (!election.scheduled) return !election.due;
  return election.due && (!election.sent || election.votes >= quorum(state));
}

void offer_election(const NodeState& state, const NodeSettings& settings,
                    std::vector<Offer>& out) {
  const Election& election = state.memory.election;
  if (cron_has_work(state, settings)) {
    Offer offer = timer(make_step(StepKind::election_scheduled), Duration{}, kCron);
    if (!election.scheduled && !settings.timed_guards) offer.budget = kElectionBudget;
    out.push_back(offer);
  }
  if (election.scheduled && !election.due) {
    const Duration wait = milliseconds(500) + times(milliseconds(1000), election.rank);
    out.push_back(timer(make_step(StepKind::election_due), wait, wait + milliseconds(499) + kCron));
  }
  if (election.due) {
    const std::uint32_t rests = election.scheduled ? 0 : 1;
    out.push_back(timer(make_step(StepKind::election_expires, std::uint32_t{0}, rests),
                        auth_timeout(settings)));
  }
}

void offer_votes_forgotten(const NodeState& state, const NodeSettings& settings,
                           std::vector<Offer>& out) {
  for (const auto& [node, memory] : state.memory.peers) {
    if (!memory.voted_recently) continue;
    out.push_back(timer(make_step(StepKind::vote_gets_old, node), times(settings.node_timeout, 2)));
  }
}

void offer_cluster_state(const NodeState& state, const NodeSettings& settings,
                         std::vector<Offer>& out) {
  if (state.memory.state_ok) return;
  const ClusterVerdict verdict = judge_cluster(state, settings);
  const bool must_wait = settings.timed_guards && !state.memory.may_be_ok &&
                         !state.config.nodes.at(state.config.me).replica;
  if (must_wait && verdict.majority) {
    const Duration delay = rejoin_delay(settings);
    out.push_back(timer(make_step(StepKind::may_be_ok, std::uint32_t{0}, 0), delay));
  }
  // In FAIL the servers evaluate again at every tick; that matters if something is different.
  if ((verdict.ok() && !must_wait) || verdict.size != state.memory.size) {
    out.push_back(timer(make_step(StepKind::may_be_ok, std::uint32_t{0}, 1), Duration{}, kCron));
  }
}

void offer_membership(const NodeState& state, const NodeSettings& settings,
                      std::vector<Offer>& out) {
  for (const NodeId node : state.memory.blacklist) {
    out.push_back(
        timer(make_step(StepKind::membership_expires, node, kBlacklist), sim::seconds(60)));
  }
  for (const auto& [node, record] : state.config.nodes) {
    if (!record.handshake) continue;
    Offer offer = timer(make_step(StepKind::membership_expires, node, kHandshake),
                        std::max(settings.node_timeout, milliseconds(1000)));
    if (!settings.timed_guards) {
      // A peer that can be reached answers sooner than that.
      offer.need = Need::unreachable;
      offer.peer = settings.directory[node].actor;
    }
    out.push_back(offer);
  }
}

}  // namespace

void failover_offers(const NodeState& state, const NodeSettings& settings,
                     std::vector<sim::Offer>& out) {
  if (settings.failure_detection) {
    offer_suspicions(state, settings, out);
    offer_report_expiries(state, settings, out);
  }
  offer_ends_of_failure(state, settings, out);
  offer_votes_forgotten(state, settings, out);
  offer_election(state, settings, out);
  if (state.memory.manual.running) {
    out.push_back(timer(make_step(StepKind::manual_ends), sim::seconds(5)));
  }
  offer_cluster_state(state, settings, out);
  offer_membership(state, settings, out);
  for (const NodeId orphan : replica_migration_targets(state, settings)) {
    out.push_back(timer(make_step(StepKind::migrate_replica, orphan), sim::seconds(5)));
  }
}

bool is_failover_step(sim::StepCode code) {
  return step_kind(code) >= StepKind::suspect && step_kind(code) <= StepKind::migrate_replica;
}

void take_failover_step(Context& context, sim::StepCode code) {
  SIM_ASSERT(is_failover_step(code));
  const NodeId node = step_node(code);
  switch (step_kind(code)) {
    case StepKind::suspect: return suspect(context, node);
    case StepKind::fail_gets_old:
      return change_peer_memory(context, node,
                                [](PeerMemory& memory) { memory.fail_is_old = true; });
    case StepKind::report_expires:
      return change_peer_memory(context, node, [&](PeerMemory& memory) {
        memory.fail_reports.erase(NodeId{step_b(code)});
      });
    case StepKind::vote_gets_old:
      return change_peer_memory(context, node,
                                [](PeerMemory& memory) { memory.voted_recently = false; });
    case StepKind::election_scheduled:
      manual_failover_step(context);
      return election_step(context);
    case StepKind::election_due: return election_due(context);
    case StepKind::election_expires:
      return step_b(code) == 0 ? election_expires(context) : election_rests_no_longer(context);
    case StepKind::manual_ends: return manual_failover_times_out(context);
    case StepKind::may_be_ok:
      if (step_b(code) == 0) context.memory().may_be_ok = true;
      context.todo.update_state = true;
      return;
    case StepKind::membership_expires:
      if (step_b(code) == kHandshake) return expire_handshake(context, node);
      context.memory().blacklist.erase(node);
      return;
    case StepKind::migrate_replica: return migrate_replica(context, node);
    case StepKind::heartbeat:
    case StepKind::ping:
    case StepKind::replication:
    case StepKind::setslot_times_out:
    case StepKind::data: break;
  }
  SIM_ASSERT(false, "a step of another room");
}

std::string failover_step_text(const NodeState& state, const NodeSettings& settings,
                               sim::StepCode code) {
  const auto name = [&](NodeId node) { return settings.directory[node].name; };
  const NodeId node = step_node(code);
  switch (step_kind(code)) {
    case StepKind::suspect:
      return fmt::format("suspects {}{}", name(node),
                         step_b(code) == kReachable ? ", though it can be reached" : "");
    case StepKind::fail_gets_old: return fmt::format("the failure of {} gets old", name(node));
    case StepKind::report_expires:
      return fmt::format("the report of {} about {} expires", name(NodeId{step_b(code)}),
                         name(node));
    case StepKind::vote_gets_old:
      return fmt::format("the vote for {}'s slots gets old", name(node));
    case StepKind::election_scheduled:
      return state.memory.election.scheduled ? "goes on with its election" : "begins an election";
    case StepKind::election_due: return "its election is due";
    case StepKind::election_expires:
      return step_b(code) == 0 ? "its election expires" : "may try a new election";
    case StepKind::manual_ends: return "gives up the manual failover";
    case StepKind::may_be_ok:
      return step_b(code) == 0 ? "may leave cluster state fail" : "evaluates the cluster state";
    case StepKind::membership_expires:
      return step_b(code) == kHandshake ? fmt::format("the handshake with {} times out", name(node))
                                        : fmt::format("may learn of {} again", name(node));
    case StepKind::migrate_replica: return fmt::format("migrates to the orphan {}", name(node));
    case StepKind::heartbeat:
    case StepKind::ping:
    case StepKind::replication:
    case StepKind::setslot_times_out:
    case StepKind::data: break;
  }
  SIM_ASSERT(false, "a step of another room");
}

}  // namespace slotlab::node
