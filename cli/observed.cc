// See observed.h.
#include "cli/observed.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/quantities.h"
#include "cli/verdict.h"

namespace slotlab::cli {
namespace {

// What a property's line says after its name.
std::string seen_text(const Observed& observed) {
  const std::string when = observed.event
                               ? (*observed.event == 0
                                      ? std::string("at the start")
                                      : fmt::format("after event {}", *observed.event))
                               : std::string();
  const std::string why = observed.explanation.empty() ? "" : ": " + observed.explanation;
  switch (observed.mood) {
    case sim::Mood::always:
      return observed.event ? "VIOLATED " + when + why : "not violated in this run";
    case sim::Mood::sometimes:
      return observed.event ? "reached " + when : "not reached in this run";
    case sim::Mood::eventually_always:
      if (observed.violated) return "VIOLATED: the run repeats for ever" + why;
      return observed.holds_at_end ? "true at the end" : "false at the end" + why;
    case sim::Mood::leads_to:
      return "not judged by one run";
  }
  return "";
}

Observed unseen(const std::string& name, sim::Mood mood) {
  return {.name = name,
          .mood = mood,
          .event = {},
          .explanation = {},
          .holds_at_end = true,
          .violated = false};
}

}  // namespace

Observer::Observer(const std::vector<sim::Property>& properties) {
  for (const sim::Property& property : properties) {
    observed_.push_back(unseen(property.name, property.mood));
  }
  history_.resize(observed_.size());
}

Observer::Observer(const sim::Space& space) {
  for (std::size_t i = 0; i < space.property_count(); ++i) {
    observed_.push_back(unseen(space.property_name(i), space.property_mood(i)));
  }
  history_.resize(observed_.size());
}

void Observer::see_one(std::size_t property, bool holds, std::size_t events,
                       const std::function<std::string()>& explain) {
  Observed& observed = observed_[property];
  const bool always = observed.mood == sim::Mood::always;
  const bool sometimes = observed.mood == sim::Mood::sometimes;
  const bool first = !observed.event && ((always && !holds) || (sometimes && holds));
  if (first) observed.event = events;
  if (first || (observed.mood == sim::Mood::eventually_always && !holds)) {
    observed.explanation = explain();
  }
  observed.holds_at_end = holds;
  observed.violated = always && observed.event.has_value();
  history_[property].push_back(holds);
}

void Observer::see(const std::vector<sim::Property>& properties, const sim::World& world,
                   std::size_t events) {
  for (std::size_t i = 0; i < properties.size(); ++i) {
    const sim::Property& property = properties[i];
    see_one(i, property.holds(world), events,
            [&] { return property.explain ? property.explain(world) : std::string(); });
  }
}

void Observer::see(const sim::Space& space, const std::vector<std::uint32_t>& state,
                   std::size_t events) {
  const sim::PropertyBits bits = space.check(state);
  for (std::size_t i = 0; i < observed_.size(); ++i) {
    see_one(i, (bits >> i & 1) != 0, events, [&] { return space.explain(i, state); });
  }
}

std::vector<Observed> Observer::finish(std::optional<std::size_t> cycle_start) const {
  std::vector<Observed> observed = observed_;
  if (!cycle_start) return observed;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    if (observed[i].mood != sim::Mood::eventually_always) continue;
    const auto cycle = history_[i].begin() + static_cast<std::ptrdiff_t>(*cycle_start);
    observed[i].violated = std::find(cycle, history_[i].end(), false) != history_[i].end();
  }
  return observed;
}

std::vector<Observed> observe(const sim::Space& space, const sim::Run& run) {
  Observer observer(space);
  std::vector<std::uint32_t> state = space.initial()[run.initial];
  observer.see(space, state, 0);
  for (std::size_t i = 0; i < run.actions.size(); ++i) {
    state = successor(space, state, run.actions[i]);
    observer.see(space, state, i + 1);
  }
  return observer.finish(run.cycle_start == SIZE_MAX ? std::nullopt
                                                     : std::optional(run.cycle_start));
}

Json observed_json(const std::vector<Observed>& observed) {
  Json json = Json::array();
  for (const Observed& each : observed) {
    json.push_back({{"name", each.name},
                    {"mood", mood_word(each.mood)},
                    {"violated", each.violated},
                    {"event", each.event ? Json(*each.event) : Json()},
                    {"holds_at_end", each.holds_at_end},
                    {"explanation", each.explanation}});
  }
  return json;
}

std::string observed_text(const std::vector<Observed>& observed) {
  std::size_t columns = 0;
  for (const Observed& each : observed) columns = std::max(columns, each.name.size());
  std::string text;
  for (const Observed& each : observed) {
    text += fmt::format("{:<{}}  {}\n", each.name, columns, seen_text(each));
  }
  return text;
}

bool any_violated(const std::vector<Observed>& observed) {
  return std::any_of(observed.begin(), observed.end(),
                     [](const Observed& each) { return each.violated; });
}

}  // namespace slotlab::cli
