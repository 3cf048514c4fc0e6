// Measures the parts of the checker on their own: the visited set, interning, one expansion of
// MigrateCore with warm tables, and the same with states folded. docs/performance.md has the
// figures.
#include <benchmark/benchmark.h>

#include <set>
#include <vector>

#include "models/scenario/build.h"
#include "models/scenario/load.h"
#include "models/scenario/rename.h"
#include "models/textbook/migrate_core.h"
#include "sim/check/run_path.h"
#include "sim/check/tuple_space.h"
#include "sim/check/visited_set.h"
#include "sim/random/random.h"
#include "sim/system/world.h"

namespace slotlab::sim {
namespace {

using State = std::vector<std::uint32_t>;

// The first `count` states, found breadth first.
template <class Expand>
std::vector<State> first_states(const Space& space, std::size_t count, Expand expand) {
  std::vector<State> states = space.initial();
  std::set<State> seen(states.begin(), states.end());
  Successors out;
  for (std::size_t at = 0; at < states.size() && states.size() < count; ++at) {
    out.clear();
    const State state = states[at];
    expand(state, out);
    for (const auto& entry : out.entries) {
      State next = successor_state(state, out, entry);
      if (seen.insert(next).second) states.push_back(std::move(next));
    }
  }
  return states;
}

// Expands each of the states again and again; counts successors.
template <class Expand>
void expand_all(benchmark::State& bench, const Space& space, Expand expand) {
  const std::vector<State> states = first_states(space, 20000, expand);
  Successors out;
  std::int64_t successors = 0;
  for (const State& state : states) expand(state, out);  // fills the tables
  for (auto _ : bench) {
    for (const State& state : states) {
      out.clear();
      expand(state, out);
      successors += static_cast<std::int64_t>(out.entries.size());
    }
  }
  bench.SetItemsProcessed(successors);
}

void visited_insert(benchmark::State& bench) {
  constexpr std::size_t kCount = 1 << 22, kAhead = 32;
  std::vector<Fingerprint> fingerprints;
  std::uint64_t random = 1;
  for (std::size_t i = 0; i < kCount; ++i) fingerprints.push_back({splitmix64(random), 0});
  for (auto _ : bench) {
    bench.PauseTiming();
    VisitedSet visited(FingerprintWidth::bits64);
    while (!visited.has_room(0, kCount / VisitedSet::kShards * 2)) visited.grow();
    bench.ResumeTiming();
    for (std::size_t i = 0; i < kCount; ++i) {
      if (i + kAhead < kCount) visited.prefetch(fingerprints[i + kAhead]);
      benchmark::DoNotOptimize(visited.insert(fingerprints[i]));
    }
  }
  bench.SetItemsProcessed(static_cast<std::int64_t>(kCount) * bench.iterations());
}
BENCHMARK(visited_insert)->Unit(benchmark::kMillisecond);

// Items are components: an environment, five actors and twelve links each time.
void interning(benchmark::State& bench) {
  const auto space = textbook::make_migrate_core({.nodes = 4});
  const auto system = std::make_shared<const System>(space->system().spec());
  const World world(system);
  for (auto _ : bench) benchmark::DoNotOptimize(space->state_of(world));
  bench.SetItemsProcessed(static_cast<std::int64_t>(space->width()) * bench.iterations());
}
BENCHMARK(interning);

void expand_migrate_core(benchmark::State& bench) {
  const auto space = textbook::make_migrate_core({.nodes = 4});
  expand_all(bench, *space, [&](const State& state, Successors& out) {
    space->expand(state, space->fingerprint(state), out);
  });
}
BENCHMARK(expand_migrate_core)->Unit(benchmark::kMillisecond);

constexpr const char* kTwoOperators = R"(
title: Two operators, a slot each
teaches: nothing
dialect: redis-7.0
cluster:
  A: {epoch: 1, slots: [7, 9, home]}
  B: {epoch: 2, slots: [home]}
  C: {epoch: 3, slots: [home]}
operators:
  one:
    steps:
      - {step: 1, to: B, send: CLUSTER SETSLOT 7 IMPORTING A}
      - {step: 4, to: B, send: CLUSTER SETSLOT 7 NODE B}
  two:
    steps:
      - {step: b1, to: B, send: CLUSTER SETSLOT 9 IMPORTING A}
      - {step: b4, to: B, send: CLUSTER SETSLOT 9 NODE B}
check: {always: [owned]}
expect: {owned: holds}
)";

// 0: without symmetry, 1: with it, states found and folded alike.
void fold_states(benchmark::State& bench) {
  const auto built = scenario::build(scenario::load_text(kTwoOperators, "two operators"));
  const TupleSpace space(built.system, built.properties,
                         {.symmetry = scenario::find_renamings(built)});
  const bool folded = bench.range(0) == 1 && space.renamings() > 0;
  expand_all(bench, space, [&](const State& state, Successors& out) {
    if (folded) {
      space.expand(state, space.fingerprint(state), out);
    } else {
      space.expand_unfolded(state, space.fingerprint(state), out);
    }
  });
}
BENCHMARK(fold_states)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace slotlab::sim

BENCHMARK_MAIN();
