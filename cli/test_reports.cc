// See test_reports.h.
#include "cli/test_reports.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/export/text_forms.h"

namespace slotlab::cli {
namespace {

const char* rule_of(ExitStatus status) {
  switch (status) {
    case ExitStatus::bad_input: return "bad-input";
    case ExitStatus::inconclusive: return "inconclusive";
    default: return "not-as-expected";
  }
}

std::string name_of(const TestedCase& one) {
  return one.dialect.empty() ? one.file : fmt::format("{} ({})", one.file, one.dialect);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// "FILE:LINE:COLUMN: ..." names the line of a bad file.
int line_of(const TestedCase& one) {
  if (!one.text.starts_with(one.file + ":")) return 1;
  int line = 0;
  for (std::size_t at = one.file.size() + 1; at < one.text.size(); ++at) {
    const char c = one.text[at];
    if (c < '0' || c > '9' || line > 100'000'000) break;
    line = line * 10 + (c - '0');
  }
  return std::max(line, 1);
}

}  // namespace

std::string junit_xml(const std::vector<TestedCase>& cases) {
  const auto count = [&](ExitStatus status) {
    return std::count_if(cases.begin(), cases.end(),
                         [&](const TestedCase& one) { return one.status == status; });
  };
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites>\n  <testsuite name=\"slotlab\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "skipped=\"{}\">\n",
      cases.size(), count(ExitStatus::violated), count(ExitStatus::bad_input),
      count(ExitStatus::inconclusive));
  for (const TestedCase& one : cases) {
    text += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", sim::xml_escaped(one.file),
                        sim::xml_escaped(name_of(one)));
    if (one.status == ExitStatus::as_expected) {
      text += "/>\n";
      continue;
    }
    const char* element = one.status == ExitStatus::bad_input      ? "error"
                          : one.status == ExitStatus::inconclusive ? "skipped"
                                                                   : "failure";
    text += fmt::format(">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n", element,
                        sim::xml_escaped(rule_of(one.status)), sim::xml_escaped(one.text));
  }
  return text + "  </testsuite>\n</testsuites>\n";
}

Json sarif_json(const std::vector<TestedCase>& cases) {
  Json rules = Json::array();
  const auto add_rule = [&](const char* id, const char* sentence) {
    rules.push_back({{"id", id}, {"shortDescription", {{"text", sentence}}}});
  };
  add_rule("not-as-expected", "A property did not come out as the scenario expects.");
  add_rule("bad-input", "The scenario file cannot be used.");
  add_rule("inconclusive", "A bound ended the search before an answer was found.");
  Json results = Json::array();
  for (const TestedCase& one : cases) {
    if (one.status == ExitStatus::as_expected) continue;
    Json place;
    place["physicalLocation"] = {{"artifactLocation", {{"uri", one.file}}},
                                 {"region", {{"startLine", line_of(one)}}}};
    results.push_back(
        {{"ruleId", rule_of(one.status)},
         {"level", one.status == ExitStatus::inconclusive ? "warning" : "error"},
         {"message",
          {{"text", fmt::format("{}: {}", name_of(one), one.text.empty() ? rule_of(one.status)
                                                                         : first_line(one.text))}}},
         {"locations", Json::array({place})}});
  }
  Json run;
  run["tool"] = {{"driver", {{"name", "slotlab"}, {"rules", rules}}}};
  run["results"] = results;
  Json json;
  json["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  json["version"] = "2.1.0";
  json["runs"] = Json::array({run});
  return json;
}

}  // namespace slotlab::cli
