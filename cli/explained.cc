// The page and the JSON object of an explanation.
#include "cli/explained.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/quantities.h"
#include "cli/verdict.h"

namespace slotlab::cli {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kIndent = 12;

// A label and words that are broken into lines.
std::string paragraph(const std::string& label, const std::string& words) {
  std::string text;
  std::string line = fmt::format("{:<{}}", label, kIndent);
  std::size_t at = 0;
  while (at < words.size()) {
    std::size_t end = words.find_first_of(" \n", at);
    if (end == std::string::npos) end = words.size();
    const std::string word = words.substr(at, end - at);
    if (line.size() > kIndent && line.size() + word.size() > kColumns) {
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      line = std::string(kIndent, ' ');
    }
    line += word + " ";
    if (end < words.size() && words[end] == '\n') {
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      line = std::string(kIndent, ' ');
    }
    at = end + 1;
  }
  return text + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

struct Teller {
  const Explained& explained;
  const EventWords& words;

  std::string clause(sim::Label label) const {
    return words.clause(explained.graph.sentences[label], explained.graph.kind[label]);
  }
  std::string command(sim::Label label) const {
    return words.with_command(explained.graph.sentences[label], explained.graph.kind[label]);
  }
  sim::Label label_at(const std::vector<std::uint32_t>& run, std::size_t event) const {
    return explained.graph.label[run[event]];
  }
  // The clause with what the event changes for its receiver, where that is told in the run.
  std::string with_effect(sim::Label label) const {
    std::string text = clause(label);
    const auto& run = explained.why->run;
    for (std::size_t i = 0; i < run.size(); ++i) {
      if (explained.graph.label[run[i]] != label) continue;
      const auto lines = change_lines(explained.run.events[i]);
      return lines.empty() ? text : fmt::format("{} ({})", text, fmt::join(lines, "; "));
    }
    return text;
  }
  // Messages with their effect; what a step of the procedure does is known.
  std::string heard(sim::Label label) const {
    const bool message = explained.graph.kind[label] == sim::ActionKind::deliver;
    return message ? with_effect(label) : clause(label);
  }
  std::string ordering(const sim::Ordering& o) const {
    if (o.after == sim::kNoLabel) return with_effect(o.before);
    return fmt::format("{} before {}", heard(o.before), heard(o.after));
  }
};

std::string no_return_text(const Explained& explained, const Teller& tell) {
  const sim::Explanation& why = *explained.why;
  if (why.no_return == 0) return "from the start: no run is safe";
  std::string text = fmt::format("event {}: {}", why.no_return,
                                 tell.command(tell.label_at(why.run, why.no_return - 1)));
  if (why.safe_run && why.safe_run->size() >= why.no_return) {
    text += fmt::format("; until then it can still be avoided, for example if {}",
                        tell.command(tell.label_at(*why.safe_run, why.no_return - 1)));
  } else {
    text += "; until then it can still be avoided";
  }
  if (!why.is_final) text += "; after it only a further fault could make the run safe";
  return text;
}

std::string first_text(const Explained& explained) {
  const sim::Explanation& why = *explained.why;
  if (why.question == sim::Question::at_any_moment || !why.first_without) return "";
  if (*why.first_without >= why.no_return) return "";
  const std::string when = *why.first_without == 0
                               ? std::string("at the start")
                               : fmt::format("after event {}", *why.first_without);
  return fmt::format("{} {} already, but that alone can still be mended", explained.what, when);
}

std::string list_text(const Teller& tell, const std::vector<sim::Label>& labels) {
  if (labels.empty()) return "nothing: the violating runs have no event in common";
  std::vector<std::string> parts;
  for (const sim::Label label : labels) parts.push_back(tell.with_effect(label));
  return fmt::format("{}", fmt::join(parts, "\n"));
}

std::string safe_text(const Explained& explained, const Teller& tell) {
  const sim::Explanation& why = *explained.why;
  if (!why.safe_run) return "none";
  const std::size_t at = why.no_return - 1;
  if (why.safe_run->size() <= at) {
    return fmt::format("the same up to event {}, where nothing more happens", at);
  }
  std::string text = fmt::format("the same up to event {}, then", at);
  for (std::size_t i = at; i < why.safe_run->size(); ++i) {
    text += fmt::format("{} {}", i == at ? "" : ";", tell.clause(tell.label_at(*why.safe_run, i)));
  }
  return text;
}

Json label_json(const Teller& tell, sim::Label label) {
  return {{"event", tell.explained.graph.sentences[label]}, {"text", tell.clause(label)}};
}

Json orderings_json(const Teller& tell, const std::vector<sim::Ordering>& orderings) {
  Json json = Json::array();
  for (const sim::Ordering& each : orderings) {
    json.push_back(
        {{"before", tell.explained.graph.sentences[each.before]},
         {"after",
          each.after == sim::kNoLabel ? Json() : Json(tell.explained.graph.sentences[each.after])},
         {"text", tell.ordering(each)}});
  }
  return json;
}

Json cases_json(const Explained& explained, const Teller& tell) {
  Json json = Json::array();
  for (const sim::FaultCase& one : explained.why->cases) {
    Json faults = Json::array();
    for (const sim::Label fault : one.faults) {
      faults.push_back(explained.graph.sentences[fault]);
    }
    json.push_back({{"faults", faults},
                    {"exact", one.exact},
                    {"orderings", orderings_json(tell, one.orderings)},
                    {"also_in_every_violating_run", orderings_json(tell, one.around)},
                    {"each_alone_decides", orderings_json(tell, one.single)},
                    {"text", case_text(explained, tell.words, one)}});
  }
  return json;
}

Json no_return_json(const Explained& explained, const Teller& tell) {
  const sim::Explanation& why = *explained.why;
  Json json;
  json["event"] = why.no_return;
  json["sentence"] =
      why.no_return == 0
          ? Json()
          : Json(explained.graph.sentences[tell.label_at(why.run, why.no_return - 1)]);
  json["text"] = no_return_text(explained, tell);
  return json;
}

Json safe_json(const Explained& explained, const Teller& tell) {
  const sim::Explanation& why = *explained.why;
  if (!why.safe_run) return Json();
  const std::size_t at = why.no_return - 1;
  Json json;
  json["first_difference"] = why.no_return;
  json["instead_of"] = label_json(tell, tell.label_at(why.run, at));
  json["does"] =
      why.safe_run->size() > at ? label_json(tell, tell.label_at(*why.safe_run, at)) : Json();
  json["text"] = safe_text(explained, tell);
  json["events"] = story_json(explained.safe_run);
  return json;
}

const char* question_word(sim::Question question) {
  switch (question) {
    case sim::Question::for_good:
      return "for good";
    case sim::Question::at_any_moment:
      return "at any moment";
    case sim::Question::staying:
      return "staying";
  }
  return "";
}

std::string head(const Subject& subject) {
  return fmt::format("{}{}\n", subject.title,
                     subject.dialect.empty() ? "" : ", " + subject.dialect);
}

std::string searched_text(const Subject& subject, const Explained& explained) {
  std::vector<std::string> bounds;
  for (const sim::Bound& bound : explained.search.bounds) bounds.push_back(bound.name);
  std::string text =
      fmt::format("all complete runs through {}, {}", counted(explained.search.states, "state"),
                  counted(explained.search.transitions, "transition"));
  if (!bounds.empty()) text += fmt::format(", within {}", fmt::join(bounds, ", "));
  return text + "; reductions " + subject.reductions;
}

}  // namespace

std::string why_text(const Explained& explained, const EventWords& words) {
  const sim::Explanation& why = *explained.why;
  std::string text = fmt::format("{} {}", violation_clause(explained), exactness_text(why));
  for (std::size_t i = 0; i < why.cases.size(); ++i) {
    text +=
        fmt::format("\n{}{}", i == 0 ? "  " : "  or ", case_text(explained, words, why.cases[i]));
  }
  return text;
}

std::string violation_clause(const Explained& explained) {
  switch (explained.why->question) {
    case sim::Question::for_good:
      return explained.what + ", for good,";
    case sim::Question::at_any_moment:
      return explained.what + " at some moment";
    case sim::Question::staying:
      return explained.what + ", and a run can stay so for ever,";
  }
  return explained.what;
}

std::string exactness_text(const sim::Explanation& why) {
  const bool each = std::all_of(why.cases.begin(), why.cases.end(),
                                [](const sim::FaultCase& one) { return one.exact; });
  if (each && why.exact.value_or(why.cases.size() == 1)) return "exactly when";
  if (each) return "with no other fault exactly when";
  return "only when (necessary in each case, but not sufficient where marked *)";
}

std::string case_text(const Explained& explained, const EventWords& words,
                      const sim::FaultCase& one) {
  const Teller tell{explained, words};
  std::vector<sim::Ordering> all = one.orderings;
  all.insert(all.end(), one.around.begin(), one.around.end());
  std::vector<std::string> parts;
  for (const sim::Label fault : one.faults) {
    std::string text = tell.clause(fault);
    std::vector<std::string> sides;
    for (const sim::Ordering& o : all) {
      if (o.after == fault) sides.push_back("after " + tell.clause(o.before));
    }
    for (const sim::Ordering& o : all) {
      if (o.before == fault && o.after != sim::kNoLabel)
        sides.push_back("before " + tell.clause(o.after));
    }
    parts.push_back(sides.empty() ? text : fmt::format("{} {}", text, fmt::join(sides, " and ")));
  }
  const auto is_fault = [&](sim::Label label) {
    return std::find(one.faults.begin(), one.faults.end(), label) != one.faults.end();
  };
  for (const sim::Ordering& o : all) {
    if (!is_fault(o.before) && (o.after == sim::kNoLabel || !is_fault(o.after)))
      parts.push_back(tell.ordering(o));
  }
  if (parts.empty()) parts.push_back("anything happens at all: no run is safe");
  return fmt::format("{}{}", fmt::join(parts, ", and "), one.exact ? "" : " *");
}

std::string explained_text(const Subject& subject, const Explained& explained) {
  std::string text = head(subject);
  if (!explained.gave_up.empty()) {
    return text + fmt::format("\nno explanation: {}; --max-states and --memory raise the bounds\n",
                              explained.gave_up);
  }
  if (!explained.property || !explained.why) {
    return text + fmt::format("\nnothing to explain: {} in {}\n",
                              explained.property
                                  ? fmt::format("'{}' is not violated",
                                                subject.space->property_name(*explained.property))
                                  : std::string("nothing is violated"),
                              counted(explained.search.states, "state"));
  }
  const EventWords words(subject);
  const Teller tell{explained, words};
  const sim::Explanation& why = *explained.why;
  text += fmt::format("{}: {}\n\n{}\n", subject.space->property_name(*explained.property),
                      explained.what, story_text(explained.run));
  if (why.given > 0 && why.given < why.run.size()) {
    text += paragraph("added", fmt::format("the events from {} on: the trace ends before them, "
                                           "where it can still be mended",
                                           why.given + 1));
  }
  if (const std::string first = first_text(explained); !first.empty()) {
    text += paragraph("at first", first);
  }
  text += paragraph("no return", no_return_text(explained, tell));
  text += paragraph("why", why_text(explained, words));
  text += paragraph("unavoidable", list_text(tell, why.unavoidable));
  text += paragraph("nearest", "safe run: " + safe_text(explained, tell));
  return text + paragraph("checked", searched_text(subject, explained));
}

Json explained_json(const Subject& subject, const Explained& explained) {
  Json json;
  json["format"] = "slotlab-explain/1";
  json["subject"] = subject.name;
  json["title"] = subject.title;
  json["dialect"] = subject.dialect.empty() ? Json() : Json(subject.dialect);
  json["property"] =
      explained.property ? Json(subject.space->property_name(*explained.property)) : Json();
  json["gave_up"] = explained.gave_up.empty() ? Json() : Json(explained.gave_up);
  json["states"] = explained.search.states;
  json["transitions"] = explained.search.transitions;
  if (!explained.why) {
    for (const char* key : {"question", "violation", "summary", "events", "point_of_no_return",
                            "deciding_orderings", "unavoidable_steps", "nearest_safe_run"}) {
      json[key] = Json();
    }
    return json;
  }
  const EventWords words(subject);
  const Teller tell{explained, words};
  const sim::Explanation& why = *explained.why;
  json["question"] = question_word(why.question);
  json["violation"] = explained.what;
  json["summary"] = why_text(explained, words);
  json["exact"] = why.exact ? Json(*why.exact) : Json();
  json["all_fault_sets_tried"] = why.cases_complete;
  json["events"] = story_json(explained.run);
  json["point_of_no_return"] = no_return_json(explained, tell);
  json["deciding_orderings"] = cases_json(explained, tell);
  json["unavoidable_steps"] = Json::array();
  for (const sim::Label label : why.unavoidable) {
    json["unavoidable_steps"].push_back(label_json(tell, label));
  }
  json["nearest_safe_run"] = safe_json(explained, tell);
  return json;
}

}  // namespace slotlab::cli
