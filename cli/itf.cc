// See itf.h.
#include "cli/itf.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/input_error.h"

namespace slotlab::cli {
namespace {

constexpr const char* kDescription = "https://apalache.informal.systems/docs/adr/015adr-trace.html";
constexpr const char* kEvent = "event";

Json settings_json(const sim::Trace& trace) {
  Json settings = Json::object();
  for (const auto& [name, value] : trace.settings) settings[name] = value;
  return settings;
}

Json state_json(const sim::Told& told, std::size_t number) {
  Json state;
  state["#meta"] = {{"index", number}};
  state[kEvent] = number == 0 ? "the start" : told.events[number - 1].sentence;
  for (std::size_t a = 0; a < told.actors.size(); ++a) {
    if (a + 1 == told.actors.size()) continue;  // the environment believes nothing
    Json lines = Json::array();
    const std::string begin = told.actors[a] + ": ";
    for (const std::string& line : told.beliefs[number]) {
      if (line.starts_with(begin)) lines.push_back(line.substr(begin.size()));
    }
    state[told.actors[a]] = lines;
  }
  return state;
}

// The text of the value at a path of keys.
std::string text_at(const Json& json, const std::vector<std::string>& path,
                    const std::string& file) {
  const Json* at = &json;
  std::string shown;
  for (const std::string& key : path) {
    shown += "/" + key;
    if (!at->is_object() || !at->contains(key)) {
      throw InputError(fmt::format("{}: {}: missing, expected a trace that slotlab export wrote",
                                   file, shown));
    }
    at = &at->at(key);
  }
  if (!at->is_string()) throw InputError(fmt::format("{}: {}: expected a text", file, shown));
  return at->get<std::string>();
}

Json parsed(std::string_view text, const std::string& file) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const std::size_t end = std::min(text.size(), std::max<std::size_t>(error.byte, 1) - 1);
    const std::string_view before = text.substr(0, end);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t column = end - (before.rfind('\n') == std::string_view::npos
                                          ? 0
                                          : before.rfind('\n') + 1) + 1;
    throw InputError(fmt::format("{}:{}:{}: no JSON from here on, expected a trace in ITF", file,
                                 line, column));
  }
}

void read_states(const Json& json, const std::string& file, sim::Trace& trace) {
  if (!json.contains("states") || !json.at("states").is_array()) {
    throw InputError(fmt::format("{}: /states: missing, expected the list of states", file));
  }
  const Json& states = json.at("states");
  for (std::size_t i = 1; i < states.size(); ++i) {
    const Json& state = states.at(i);
    const bool good = state.is_object() && state.contains(kEvent) && state.at(kEvent).is_string() &&
                      !state.at(kEvent).get_ref<const std::string&>().empty();
    if (!good) {
      throw InputError(fmt::format("{}: /states/{}/{}: expected the sentence of an event", file, i,
                                   kEvent));
    }
    sim::TraceEvent event{.at = {}, .sentence = state.at(kEvent).get<std::string>()};
    const Json meta = state.value("#meta", Json::object());
    if (meta.is_object() && meta.contains("at_us") && meta.at("at_us").is_number_unsigned()) {
      event.at = sim::Instant{meta.at("at_us").get<std::uint64_t>()};
    }
    trace.events.push_back(std::move(event));
  }
}

}  // namespace

Json itf_of(const sim::Trace& trace, const sim::Told& told) {
  Json json;
  Json own;
  own["scenario_path"] = trace.scenario_path;
  own["driver"] = trace.driver;
  if (trace.seed) own["seed"] = std::to_string(*trace.seed);
  own["property"] = trace.property;
  own["settings"] = settings_json(trace);
  own["scenario_text"] = trace.scenario_text;
  json["#meta"] = {{"format", "ITF"},
                   {"format-description", kDescription},
                   {"description", "a run of slotlab"},
                   {"slotlab", own}};
  json["vars"] = Json::array({kEvent});
  for (std::size_t a = 0; a + 1 < told.actors.size(); ++a) json["vars"].push_back(told.actors[a]);
  if (trace.cycle_start) json["loop"] = *trace.cycle_start;
  json["states"] = Json::array();
  for (std::size_t i = 0; i < told.beliefs.size(); ++i) {
    json["states"].push_back(state_json(told, i));
    if (i > 0 && told.events[i - 1].at) {
      json["states"].back()["#meta"]["at_us"] = told.events[i - 1].at->us;
    }
  }
  return json;
}

sim::Trace trace_of_itf(std::string_view text, const std::string& file) {
  const Json json = parsed(text, file);
  sim::Trace trace;
  trace.scenario_path = text_at(json, {"#meta", "slotlab", "scenario_path"}, file);
  trace.driver = text_at(json, {"#meta", "slotlab", "driver"}, file);
  trace.property = text_at(json, {"#meta", "slotlab", "property"}, file);
  trace.scenario_text = text_at(json, {"#meta", "slotlab", "scenario_text"}, file);
  const Json& own = json.at("#meta").at("slotlab");
  if (own.contains("seed")) {
    const std::string seed = text_at(json, {"#meta", "slotlab", "seed"}, file);
    if (seed.empty() || seed.size() > 19 ||
        seed.find_first_not_of("0123456789") != std::string::npos) {
      throw InputError(fmt::format("{}: /#meta/slotlab/seed: expected a whole number", file));
    }
    trace.seed = std::stoull(seed);
  }
  if (own.contains("settings") && own.at("settings").is_object()) {
    for (const auto& [name, value] : own.at("settings").items()) {
      trace.settings.emplace_back(name,
                                  text_at(json, {"#meta", "slotlab", "settings", name}, file));
    }
  }
  read_states(json, file, trace);
  if (json.contains("loop")) {
    const Json& loop = json.at("loop");
    if (!loop.is_number_unsigned() || loop.get<std::uint64_t>() >= trace.events.size()) {
      throw InputError(fmt::format("{}: /loop: expected the index of a state before the last",
                                   file));
    }
    trace.cycle_start = loop.get<std::size_t>();
  }
  return trace;
}

}  // namespace slotlab::cli
