// See end_states.h. The line is made from the lines of belief that traces show as well.
#include "cli/end_states.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <vector>

#include "sim/explain/outcome.h"

namespace slotlab::cli {
namespace {

// Slots that nobody moves, as beliefs name them.
std::set<std::string> homes_of(const properties::Cast& cast) {
  std::set<std::string> homes;
  for (std::size_t c = 0; c < cast.home_of.size(); ++c) {
    if (cast.home_of[c] == sim::kNoActor) continue;
    protocol::SlotSet one;
    one.add(static_cast<protocol::SlotClass>(c));
    homes.insert(protocol::slots_text(cast.slots, one));
  }
  return homes;
}

std::string line_of(const std::vector<std::string>& beliefs, const std::set<std::string>& homes) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> says;  // slot, owner
  std::vector<std::string> others;
  for (const std::string& belief : beliefs) {
    const std::size_t colon = belief.find(": ");
    if (colon == std::string::npos) continue;
    const std::string who = belief.substr(0, colon);
    const std::string fact = belief.substr(colon + 2);
    const std::size_t value = fact.find(": ");
    if (fact.starts_with("owner of ") && value != std::string::npos) {
      const std::string slot = fact.substr(9, value - 9);
      if (!homes.contains(slot)) says[slot][fact.substr(value + 2)].push_back(who);
    } else if (fact.starts_with("migrating ") || fact.starts_with("importing ") ||
               fact == "down" || fact == "down for good") {
      others.push_back(who + " " + fact);
    }
  }
  std::vector<std::string> parts;
  for (const auto& [slot, owners] : says) {
    std::vector<std::string> views;
    for (const auto& [owner, nodes] : owners) {
      views.push_back(owners.size() == 1 ? "all say " + owner
                                         : fmt::format("{} say{} {}", fmt::join(nodes, " and "),
                                                       nodes.size() == 1 ? "s" : "", owner));
    }
    parts.push_back(fmt::format("{}: {}", slot, fmt::join(views, ", ")));
  }
  parts.insert(parts.end(), others.begin(), others.end());
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

EndStates end_states(const sim::TupleSpace& space, const properties::Cast& cast,
                     const std::atomic<bool>& interrupt) {
  EndStates ends;
  sim::EventGraph graph;
  if (!sim::build_event_graph(space, {.interrupt = &interrupt}, graph).empty()) return ends;
  const std::set<std::string> homes = homes_of(cast);
  const auto collect = [&](const sim::Allowed& allowed, std::set<std::string>& into) {
    const sim::Outcome outcome =
        sim::outcome_of(graph, 0, sim::Question::for_good, allowed);
    for (const std::uint32_t s : outcome.order) {
      if (outcome.good[s] == 0 && outcome.bad[s] == 0) continue;
      into.insert(line_of(space.beliefs(graph.tuple(s)), homes));
    }
  };
  collect(sim::allow_faults(graph, {}), ends.without_faults);
  collect(sim::allow_all(graph), ends.with_faults);
  return ends;
}

}  // namespace slotlab::cli
