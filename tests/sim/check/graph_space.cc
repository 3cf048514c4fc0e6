// See graph_space.h.
#include "tests/sim/check/graph_space.h"

#include <algorithm>

#include "sim/check/fingerprint.h"

namespace slotlab::sim {

namespace {

bool lists(const std::vector<std::uint32_t>& nodes, std::uint32_t node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

}  // namespace

std::vector<std::vector<std::uint32_t>> GraphSpace::initial() const {
  std::vector<std::vector<std::uint32_t>> states;
  for (const std::uint32_t node : start) states.push_back({node});
  return states;
}

Fingerprint GraphSpace::fingerprint(std::span<const std::uint32_t> state) const {
  const Fingerprint whole = tuple_fingerprint(state);
  return {whole.low & fingerprint_mask, whole.high & fingerprint_mask};
}

void GraphSpace::expand(std::span<const std::uint32_t> state, const Fingerprint&,
                        Successors& out) const {
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    if (edges[e].from != state[0]) continue;
    const std::uint32_t to = edges[e].to;
    Successors::Entry entry{.fingerprint = fingerprint({&to, 1}),
                            .action = Action{e},
                            .first_change = static_cast<std::uint32_t>(out.changes.size()),
                            .change_count = 0,
                            .fairness = edges[e].fairness};
    if (to != state[0]) {
      out.changes.push_back({0, to});
      entry.change_count = 1;
    }
    out.entries.push_back(entry);
  }
}

PropertyBits GraphSpace::check(std::span<const std::uint32_t> state) const {
  PropertyBits bits = 0;
  for (std::size_t p = 0; p < properties.size(); ++p) {
    if (lists(properties[p].holds_in, state[0])) bits |= PropertyBits{1} << p;
    if (lists(properties[p].then_in, state[0])) bits |= PropertyBits{1} << (kPropertiesMax + p);
  }
  return bits;
}

std::string GraphSpace::explain(std::size_t, std::span<const std::uint32_t> state) const {
  return "at node " + std::to_string(state[0]);
}

std::string GraphSpace::describe(std::span<const std::uint32_t>, Action action) const {
  return "edge " + std::to_string(action.bits);
}

}  // namespace slotlab::sim
