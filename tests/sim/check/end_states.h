// What a search comes to: verdicts, and the beliefs in the states in which nothing is possible.
#pragma once

#include <rapidcheck.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/check/explorer.h"
#include "sim/check/run_path.h"
#include "sim/check/tuple_space.h"

namespace slotlab::sim::testing {

struct Ends {
  std::vector<int> verdicts;
  std::set<std::vector<std::string>> ends;
  std::uint64_t states = 0;
  bool capacity_hit = false;
  bool complete = true;
};

inline Ends ends_of(const std::shared_ptr<const System>& system,
                    const std::vector<Property>& properties, TupleSpaceOptions options,
                    std::uint64_t states_max = UINT64_MAX) {
  TupleSpace space(system, properties, options);
  const ExploreResult result =
      explore(space, {.threads = 2, .states_max = states_max, .skip_long_run = true});
  Ends found{.verdicts = {},
             .ends = {},
             .states = result.states,
             .capacity_hit = !result.bounds.empty() && result.bounds.back().hit,
             .complete = result.complete};
  if (!found.complete) return found;
  for (const PropertyResult& property : result.properties) {
    found.verdicts.push_back(static_cast<int>(property.verdict));
  }
  // Once more, by what the last round went by.
  std::set<std::vector<std::uint32_t>> seen;
  std::vector<std::vector<std::uint32_t>> waiting = space.initial();
  Successors out;
  while (!waiting.empty()) {
    const std::vector<std::uint32_t> state = std::move(waiting.back());
    waiting.pop_back();
    if (!seen.insert(state).second) continue;
    out.clear();
    space.expand(state, space.fingerprint(state), out);
    if (out.entries.empty()) found.ends.insert(space.beliefs(state));
    for (const Successors::Entry& entry : out.entries) {
      waiting.push_back(successor_state(state, out, entry));
    }
  }
  RC_ASSERT(seen.size() == result.states);
  return found;
}

}  // namespace slotlab::sim::testing
