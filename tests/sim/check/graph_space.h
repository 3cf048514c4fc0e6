// A Space made of a listed graph, for tests of searches whose answer is known: nodes are numbers
// from 0, edges are listed in the order of actions, and predicates are listed as the nodes where
// they hold.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/check/space.h"

namespace slotlab::sim {

struct ListedEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint16_t fairness = kUnfair;
};

struct ListedProperty {
  std::string name;
  Mood mood = Mood::always;
  std::vector<std::uint32_t> holds_in;  // P
  std::vector<std::uint32_t> then_in;   // Q
};

class GraphSpace : public Space {
 public:
  std::vector<std::uint32_t> start = {0};
  std::vector<ListedEdge> edges;
  std::vector<ListedProperty> properties;
  std::uint64_t fingerprint_mask = UINT64_MAX;  // fewer bits make different nodes collide
  int rounds_needed = 1;

  std::size_t width() const override { return 1; }
  std::vector<std::vector<std::uint32_t>> initial() const override;
  Fingerprint fingerprint(std::span<const std::uint32_t> state) const override;
  // The action of an edge is its place in `edges`.
  void expand(std::span<const std::uint32_t> state, const Fingerprint& fingerprint,
              Successors& out) const override;
  PropertyBits check(std::span<const std::uint32_t> state) const override;
  std::size_t property_count() const override { return properties.size(); }
  const std::string& property_name(std::size_t p) const override { return properties[p].name; }
  Mood property_mood(std::size_t p) const override { return properties[p].mood; }
  std::string explain(std::size_t p, std::span<const std::uint32_t> state) const override;
  std::string describe(std::span<const std::uint32_t> state, Action action) const override;
  std::vector<std::string> beliefs(std::span<const std::uint32_t>) const override { return {}; }
  std::vector<Bound> bounds() const override { return {{.name = "a listed bound", .hit = true}}; }
  bool needs_another_round() override { return --rounds_needed > 0; }
  std::vector<Figure> figures() const override {
    return {{.name = "listed edges", .value = edges.size()}};
  }
};

}  // namespace slotlab::sim
