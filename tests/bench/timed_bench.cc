// Measures the timed driver: a rebalance of slots, one SETSLOT at a time as an operator's tool does
// it, on a cluster with all 16384 slots and one replica per master, in which one master dies on the
// way and its replica is elected. Prints how much virtual time the run took, how long it took here,
// and the factor between them.
//
// Usage: timed_bench [MASTERS [SLOTS [DIALECT [SEED]]]], by default 30 4096 redis-7.0 1.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "models/properties/registry.h"
#include "models/scenario/build.h"
#include "models/scenario/scenario.h"
#include "sim/drive/timed.h"
#include "sim/time/time_text.h"
#include "sim/trace/trace.h"

namespace slotlab {
namespace {

struct Options {
  std::size_t masters = 30;
  std::size_t slots = 4096;  // to move, over all masters
  std::string dialect = "redis-7.0";
  std::uint64_t seed = 1;
};

std::string master(std::size_t i) { return fmt::format("M{}", i); }
std::string replica(std::size_t i) { return fmt::format("R{}", i); }

// The first slot of the i-th master.
std::size_t first_slot(const Options& options, std::size_t i) {
  return protocol::kSlots * i / options.masters;
}

scenario::StepSpec step(std::size_t number, const std::string& to, std::size_t slot,
                        const std::string& verb, const std::string& node) {
  scenario::StepSpec spec;
  spec.label.value = fmt::format("{}", number);
  spec.to.value = to;
  spec.send.emplace();
  spec.send->typed.value = fmt::format("CLUSTER SETSLOT {} {} {}", slot, verb, node);
  using Kind = scenario::CommandWord::Kind;
  spec.send->words = {{Kind::plain, "CLUSTER"},
                      {Kind::plain, "SETSLOT"},
                      {Kind::plain, fmt::format("{}", slot)},
                      {Kind::plain, verb},
                      {Kind::node_id, node}};
  const auto number16 = static_cast<protocol::Slot>(slot);
  spec.send->slots = {{number16, number16}};
  spec.reaction.on_error = oper::OnError::carry_on;
  spec.reaction.on_no_answer = oper::OnNoAnswer::wait;
  return spec;
}

// Every master gives its share of the slots to the next one. What the last master has to do comes
// first, so that its crash finds it done.
scenario::Scenario rebalance(const Options& options) {
  scenario::Scenario out;
  out.file = "rebalance";
  out.dialects.push_back({options.dialect, {}});
  for (std::size_t i = 0; i < options.masters; ++i) {
    scenario::NodeSpec node;
    node.name.value = master(i);
    node.slots.push_back({{static_cast<protocol::Slot>(first_slot(options, i)),
                           static_cast<protocol::Slot>(first_slot(options, i + 1) - 1)},
                          {}});
    out.nodes.push_back(node);
  }
  for (std::size_t i = 0; i < options.masters; ++i) {
    scenario::NodeSpec node;
    node.name.value = replica(i);
    node.replica_of = scenario::Sourced<std::string>{master(i), {}};
    out.nodes.push_back(node);
  }
  scenario::OperatorSpec op;
  op.name.value = "operator";
  std::size_t number = 0;
  for (std::size_t turn = 0; turn < options.masters; ++turn) {
    const std::size_t i = (turn + options.masters - 2) % options.masters;
    const std::string from = master(i);
    const std::string to = master((i + 1) % options.masters);
    const std::size_t share =
        options.slots * (i + 1) / options.masters - options.slots * i / options.masters;
    for (std::size_t k = 0; k < share; ++k) {
      const std::size_t slot = first_slot(options, i) + k;
      op.steps.push_back(step(++number, to, slot, "IMPORTING", from));
      op.steps.push_back(step(++number, from, slot, "MIGRATING", to));
      op.steps.push_back(step(++number, to, slot, "NODE", to));
      op.steps.push_back(step(++number, from, slot, "NODE", to));
    }
  }
  out.operators.push_back(std::move(op));
  scenario::FaultSpec crash;
  crash.actors.push_back({master(options.masters - 1), {}});
  out.faults.push_back(crash);
  out.network.merged_heartbeats = false;
  out.network.streams = 2;
  out.servers.failure_detection = true;
  out.servers.elections_max = 254;
  scenario::CheckSpec agreed;
  agreed.property.value = "agreed";
  agreed.mood = sim::Mood::eventually_always;
  out.checks.push_back(agreed);
  scenario::ExpectSpec holds;
  holds.check.value = "agreed";
  out.expects.push_back(holds);
  return out;
}

int run(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const scenario::Built built = scenario::build(
      rebalance(options),
      {.timed_guards = true, .pause_min = sim::milliseconds(1), .pause_max = sim::milliseconds(9)});
  sim::World world(built.system);
  const auto start = std::chrono::steady_clock::now();
  const std::string dead = master(options.masters - 1);
  // Three quarters of the commands have been sent by then, on average.
  const sim::Instant crash_at{sim::milliseconds(options.slots * 4 * 5).us / 4 * 3};
  const sim::TimedOptions how{.seed = options.seed,
                              .horizon = sim::seconds(180),
                              .events_max = 100'000'000,
                              .mend_min = sim::seconds(60),
                              .mend_max = sim::seconds(60),
                              .plan = {{.at = crash_at,
                                        .sentence = dead + " crashes"}},
                              .record = {.record_beliefs = false,
                                         .keep_steps = false,
                                         .until = {},
                                         .watch = {}}};
  const sim::RunResult result = sim::run_timed(world, how);
  const auto end = std::chrono::steady_clock::now();
  const double wall = std::chrono::duration<double>(end - start).count();
  const double virtual_time = static_cast<double>(result.end.us) / 1e6;
  fmt::print("{} masters, {} replicas, {} slots moved, {}, seed {}\n", options.masters,
             options.masters, options.slots, options.dialect, options.seed);
  fmt::print("build {:.2f} s, {} events, {} virtual, {:.2f} s here: {:.1f} times real time\n",
             std::chrono::duration<double>(start - begin).count(), result.events,
             sim::to_text(result.end), wall, virtual_time / wall);
  const bool agreed = built.properties[0].holds(world);
  fmt::print("ended: {}, all agree: {}, fingerprint {}\n", sim::to_text(result.stopped),
             agreed ? "yes" : "NO", sim::to_hex(result.fingerprint));
  if (!agreed) fmt::print("{}\n", built.properties[0].explain(world));
  return 0;
}

}  // namespace
}  // namespace slotlab

int main(int argc, char** argv) {
  slotlab::Options options;
  if (argc > 1) options.masters = std::strtoull(argv[1], nullptr, 10);
  if (argc > 2) options.slots = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3) options.dialect = argv[3];
  if (argc > 4) options.seed = std::strtoull(argv[4], nullptr, 10);
  return slotlab::run(options);
}
