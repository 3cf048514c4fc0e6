// What one run shows of each property. A run proves no property; it can only break one, or reach
// what was to be reached. `run` and `replay` print this below the events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/json_report.h"
#include "sim/check/explorer.h"
#include "sim/property/property.h"
#include "sim/system/world.h"

namespace slotlab::cli {

struct Observed {
  std::string name;
  sim::Mood mood = sim::Mood::always;
  // always: events before the first state in which P is false; sometimes: in which P is true. Else
  // none.
  std::optional<std::size_t> event;
  std::string explanation;
  bool holds_at_end = true;  // P in the last state seen
  bool violated = false;     // this run alone breaks the property
};

// Watches states as a run passes through them. On a cycle that repeats for ever, `eventually always
// P` is broken if P is false anywhere.
class Observer {
 public:
  explicit Observer(const std::vector<sim::Property>& properties);
  explicit Observer(const sim::Space& space);
  // The state after `events` events; the first call is for the initial state, with 0.
  void see(const std::vector<sim::Property>& properties, const sim::World& world,
           std::size_t events);
  void see(const sim::Space& space, const std::vector<std::uint32_t>& state, std::size_t events);
  // `cycle_start`: from the state after so many events on, the run repeats for ever.
  std::vector<Observed> finish(std::optional<std::size_t> cycle_start = {}) const;

 private:
  void see_one(std::size_t property, bool holds, std::size_t events,
               const std::function<std::string()>& explain);
  std::vector<Observed> observed_;
  std::vector<std::vector<bool>> history_;  // by property, by state: P, for the cycle
};

// What a run through a space shows. REQUIRES: `run` is a path of `space`.
std::vector<Observed> observe(const sim::Space& space, const sim::Run& run);

// One line per property.
std::string observed_text(const std::vector<Observed>& observed);
Json observed_json(const std::vector<Observed>& observed);
bool any_violated(const std::vector<Observed>& observed);

}  // namespace slotlab::cli
