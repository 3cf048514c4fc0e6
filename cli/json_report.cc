// See json_report.h.
#include "cli/json_report.h"

#include <cmath>

namespace slotlab::cli {
namespace {

Json property_json(const Subject& subject, const Judgement& judgement, std::size_t index) {
  const sim::PropertyResult& property = judgement.result.properties[index];
  Json json;
  json["name"] = property.name;
  json["mood"] = mood_word(property.mood);
  json["verdict"] = verdict_word(property.verdict);
  json["expected"] =
      subject.expects_something ? Json(verdict_word(subject.expected[index])) : Json();
  const bool open = property.verdict == sim::Verdict::inconclusive;
  json["states"] = open ? Json() : Json(property.states);
  json["depth"] = property.depth ? Json(*property.depth) : Json();
  json["explanation"] = property.explanation;
  json["trace"] = judgement.stories[index] ? Json(sentences(*judgement.stories[index])) : Json();
  const bool lasso = judgement.stories[index] && judgement.stories[index]->cycle_start;
  json["cycle_start"] = lasso ? Json(*judgement.stories[index]->cycle_start) : Json();
  return json;
}

double rounded(double seconds) { return std::round(seconds * 1e6) / 1e6; }

}  // namespace

Json story_json(const Story& story) {
  Json events = Json::array();
  for (const StoryEvent& event : story.events) {
    Json json;
    if (event.at) json["at_us"] = event.at->us;
    json["text"] = event.text;
    if (!event.gained.empty()) json["gained"] = event.gained;
    if (!event.lost.empty()) json["lost"] = event.lost;
    if (!event.notes.empty()) json["notes"] = event.notes;
    if (!event.replies.empty()) json["replies"] = event.replies;
    events.push_back(std::move(json));
  }
  return events;
}

Json check_json(const Subject& subject, const Judgement& judgement) {
  const sim::ExploreResult& result = judgement.result;
  Json json;
  json["format"] = "slotlab-check/1";
  json["subject"] = subject.name;
  json["title"] = subject.title;
  json["dialect"] = subject.dialect.empty() ? Json() : Json(subject.dialect);
  json["verdict"] = verdict_word(judgement.verdict);
  json["as_expected"] = judgement.as_expected ? Json(*judgement.as_expected) : Json();
  json["properties"] = Json::array();
  for (std::size_t i = 0; i < result.properties.size(); ++i) {
    json["properties"].push_back(property_json(subject, judgement, i));
  }
  json["states"] = result.states;
  json["transitions"] = result.transitions;
  json["states_generated"] = result.transitions + judgement.initial_states;
  json["depth"] = result.depth;
  json["levels"] = result.states > 0 ? result.depth + 1 : 0;
  json["rounds"] = result.rounds;
  json["complete"] = result.complete;
  json["stopped_by"] = result.stopped_by.empty() ? Json() : Json(result.stopped_by);
  json["states_waiting"] = result.waiting;
  json["states_left_estimate"] = result.states_left ? Json(*result.states_left) : Json();
  json["bounds_hit"] = Json::array();
  json["bounds"] = Json::array();
  for (const sim::Bound& bound : result.bounds) {
    if (bound.hit) json["bounds_hit"].push_back(bound.name);
    json["bounds"].push_back({{"name", bound.name}, {"hit", bound.hit}});
  }
  json["settings"] = Json::object();
  for (const auto& [name, value] : subject.settings) json["settings"][name] = value;
  json["figures"] = Json::object();
  for (const sim::Space::Figure& figure : result.figures) {
    json["figures"][figure.name] = figure.value;
  }
  json["collision_probability"] = result.collision_probability;
  if (judgement.real) json["states_for_real_runs"] = judgement.real->states;
  const auto first = first_violated(judgement);
  json["trace"] = first ? Json(sentences(*judgement.stories[*first])) : Json();
  json["seconds"] = rounded(result.seconds);
  json["cpu_seconds"] = rounded(result.cpu_seconds);
  json["peak_memory_bytes"] = result.peak_memory_bytes;
  json["spilled_bytes"] = result.spilled_bytes;
  json["visited_bytes"] = result.visited_bytes;
  return json;
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace slotlab::cli
