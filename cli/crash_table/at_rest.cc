// See at_rest.h.
#include "cli/crash_table/at_rest.h"

#include <algorithm>

#include "models/properties/registry.h"
#include "sim/check/explorer.h"
#include "sim/explain/outcome.h"

namespace slotlab::cli {

const std::vector<std::string> kRowProperties = {"owned",     "one-owner",    "agreed",  "closed",
                                                 "keys-kept", "no-stray-key", "state-ok"};

namespace {

std::vector<sim::Property> row_properties(const properties::CastPtr& cast) {
  std::vector<sim::Property> out;
  for (const std::string& name : kRowProperties) {
    out.push_back(properties::make(name, sim::Mood::always, cast));
  }
  return out;
}

}  // namespace

AllRuns::AllRuns(std::shared_ptr<const sim::System> system, properties::CastPtr cast)
    : cast_(std::move(cast)),
      properties_(row_properties(cast_)),
      space_(std::move(system), properties_, {.drop_inert = true}) {}

bool AllRuns::search(std::uint64_t states_max, const std::atomic<bool>& interrupt) {
  sim::ExploreOptions how;
  how.states_max = states_max;
  how.interrupt = &interrupt;
  if (!sim::explore(space_, how).complete) return false;
  if (!sim::build_event_graph(space_, {.interrupt = &interrupt}, graph_).empty()) return false;
  const sim::Outcome outcome =
      sim::outcome_of(graph_, 0, sim::Question::for_good, sim::allow_all(graph_));
  rests_.assign(graph_.state_count(), 0);
  for (const std::uint32_t state : outcome.order) {
    rests_[state] = outcome.good[state] != 0 || outcome.bad[state] != 0 ? 1 : 0;
  }
  return true;
}

bool AllRuns::quiet(std::uint32_t state) const {
  const auto tuple = graph_.state(state);
  const std::size_t first_link = 1 + space_.system().actor_count();
  return std::all_of(tuple.begin() + static_cast<std::ptrdiff_t>(first_link), tuple.end(),
                     [](std::uint32_t content) { return content == 0; });
}

AtRest AllRuns::at_rest(std::uint32_t state) const {
  AtRest out;
  space_.show(graph_.state(state), [&](const sim::SystemView& view) {
    for (std::size_t a = 0; a < space_.system().actor_count(); ++a) {
      out.actors.push_back(view.actor(sim::ActorId{static_cast<std::uint8_t>(a)}).clone());
    }
    out.environment = view.environment();
    out.picture = properties::picture_of(*cast_, view);
    for (const sim::Property& property : properties_) {
      if (!property.holds(view)) out.broken.push_back(property.name);
    }
  });
  return out;
}

std::vector<AtRest> AllRuns::ends(const std::vector<std::uint32_t>& from) const {
  std::vector<std::uint8_t> seen(graph_.state_count(), 0);
  std::vector<std::uint32_t> waiting, found;
  for (const std::uint32_t state : from) {
    if (seen[state] == 0) waiting.push_back(state);
    seen[state] = 1;
  }
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const std::uint32_t state = waiting[i];
    if (rests_[state] != 0) found.push_back(state);
    for (std::uint32_t e = graph_.first_edge[state]; e < graph_.first_edge[state + 1]; ++e) {
      const std::uint32_t next = graph_.target[e];
      if (graph_.fault[graph_.label[e]] != 0 || seen[next] != 0) continue;
      seen[next] = 1;
      waiting.push_back(next);
    }
  }
  const bool any_quiet =
      std::any_of(found.begin(), found.end(), [&](std::uint32_t s) { return quiet(s); });
  std::vector<AtRest> out;
  for (const std::uint32_t state : found) {
    if (!any_quiet || quiet(state)) out.push_back(at_rest(state));
  }
  return out;
}

}  // namespace slotlab::cli
