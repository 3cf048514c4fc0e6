// All runs of a small system, and the states in which they come to rest: nothing can lead out of
// such a state, or out of the circle of states around it, but further faults. The table of crashes
// is read off these, first for the procedure with one death in it, then for each repair.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/properties/picture.h"
#include "models/scenario/build.h"
#include "sim/check/tuple_space.h"
#include "sim/explain/event_graph.h"

namespace slotlab::cli {

// One state at rest, with all that is needed to go on from it.
struct AtRest {
  std::vector<std::shared_ptr<const sim::Actor>> actors;
  sim::Environment environment;
  properties::Picture picture;
  std::vector<std::string> broken;  // names of kRowProperties that do not hold
};

// What is said of every end state, by name in the registry.
extern const std::vector<std::string> kRowProperties;

// The runs of one system, searched to the end.
class AllRuns {
 public:
  // REQUIRES: `built` has kRowProperties as its properties.
  AllRuns(std::shared_ptr<const sim::System> system, properties::CastPtr cast);
  // Searches. False: `states_max` or the interrupt came first.
  bool search(std::uint64_t states_max, const std::atomic<bool>& interrupt);

  const sim::EventGraph& graph() const { return graph_; }
  const sim::TupleSpace& space() const { return space_; }
  const properties::Cast& cast() const { return *cast_; }
  // States at rest that can be reached from those of `from`, which are states of graph(). Of each
  // circle only the states with nothing on its way, where there are any.
  std::vector<AtRest> ends(const std::vector<std::uint32_t>& from) const;

 private:
  AtRest at_rest(std::uint32_t state) const;
  bool quiet(std::uint32_t state) const;

  properties::CastPtr cast_;
  std::vector<sim::Property> properties_;
  sim::TupleSpace space_;
  sim::EventGraph graph_;
  std::vector<std::uint8_t> rests_;  // by state
};

}  // namespace slotlab::cli
