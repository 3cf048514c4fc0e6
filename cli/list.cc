// `slotlab list`: what there is to work with, each with a line: scenarios, properties, faults,
// rules and dialects, textbook models.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "cli/json_report.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cli/verdict.h"
#include "models/properties/registry.h"
#include "models/protocol/dialect.h"
#include "models/scenario/error.h"
#include "models/scenario/load.h"
#include "models/textbook/textbook.h"

namespace slotlab::cli {
namespace {

constexpr const char* kScenarioFolder = "scenarios";

struct Item {
  std::string name;
  std::string line;
};
using Items = std::vector<Item>;

Items scenarios() {
  Items items;
  std::error_code error;
  std::filesystem::recursive_directory_iterator it(kScenarioFolder, error);
  for (; !error && it != std::filesystem::recursive_directory_iterator(); it.increment(error)) {
    if (it->path().extension() != ".yaml") continue;
    const std::string file = it->path().string();
    try {
      items.push_back({file, scenario::load_file(file).title});
    } catch (const scenario::InputError& broken) {
      items.push_back({file, fmt::format("(cannot be read: {})", broken.what())});
    }
  }
  std::sort(items.begin(), items.end(),
            [](const Item& a, const Item& b) { return a.name < b.name; });
  return items;
}

Items properties() {
  Items items;
  for (const properties::Entry& entry : properties::registry()) {
    items.push_back({std::string(entry.name),
                     fmt::format("{} (mostly: {})", entry.sentence, mood_word(entry.mood))});
  }
  return items;
}

// The words are those of scenario files; docs/scenario-format.md says more of each.
Items faults() {
  return {
      {"crash", "A node's process ends; what was on its way to or from it is lost. It may restart "
                "from what it had written."},
      {"cut", "A link between two carries nothing, one way or both; what was on it is lost. It may "
              "heal."},
      {"pause", "A node stands still for a while; messages to it wait."},
      {"stop", "An operator gives up for ever, between any two commands."},
      {"lose reply", "A command is executed, but its answer never arrives."},
  };
}

Items textbook_models() {
  Items items;
  for (const textbook::TextbookModel& model : textbook::textbook_models()) {
    const std::string parameters = model.parameters.empty() ? "" : "/" + model.parameters;
    items.push_back({"textbook:" + model.name + parameters, model.description});
  }
  return items;
}

std::string items_text(const std::string& title, const Items& items) {
  std::size_t columns = 0;
  for (const Item& item : items) columns = std::max(columns, item.name.size());
  std::string text = title + "\n";
  for (const Item& item : items) {
    text += fmt::format("  {:<{}}  {}\n", item.name, columns, item.line);
  }
  return text;
}

Json items_json(const Items& items) {
  Json json = Json::array();
  for (const Item& item : items) json.push_back({{"name", item.name}, {"line", item.line}});
  return json;
}

std::vector<protocol::Dialect> dialects() {
  std::vector<protocol::Dialect> all;
  for (const std::string& name : protocol::dialect_names()) {
    all.push_back(*protocol::dialect_named(name));
  }
  return all;
}

protocol::Rule rule(std::size_t index) { return static_cast<protocol::Rule>(index); }

// The matrix: one row per rule, one column per dialect, the rule's sentence to the right.
std::string dialects_text() {
  const std::vector<protocol::Dialect> all = dialects();
  std::size_t columns = 0;
  for (std::size_t r = 0; r < protocol::kRules; ++r) {
    columns = std::max(columns, protocol::rule_name(rule(r)).size());
  }
  std::string text = fmt::format("rules by dialect\n  {:<{}}", "", columns);
  for (const protocol::Dialect& dialect : all) text += "  " + dialect.name;
  text += "\n";
  for (std::size_t r = 0; r < protocol::kRules; ++r) {
    text += fmt::format("  {:<{}}", protocol::rule_name(rule(r)), columns);
    for (const protocol::Dialect& dialect : all) {
      text += fmt::format("  {:^{}}", dialect.has(rule(r)) ? "x" : "-", dialect.name.size());
    }
    text += fmt::format("  {}\n", protocol::rule_sentence(rule(r)));
  }
  return text;
}

Json dialects_json() {
  const std::vector<protocol::Dialect> all = dialects();
  Json json = Json::array();
  for (std::size_t r = 0; r < protocol::kRules; ++r) {
    Json row{{"rule", protocol::rule_name(rule(r))},
             {"line", protocol::rule_sentence(rule(r))},
             {"decides_ownership", protocol::rule_decides_ownership(rule(r))}};
    for (const protocol::Dialect& dialect : all) row["in"][dialect.name] = dialect.has(rule(r));
    json.push_back(row);
  }
  return json;
}

struct Topic {
  const char* name;
  const char* title;
  Items (*items)();
};

constexpr Topic kListed[] = {{"scenarios", "scenarios", scenarios},
                             {"properties", "properties", properties},
                             {"faults", "faults", faults},
                             {"textbook", "textbook models", textbook_models}};

}  // namespace

ExitStatus list(const ListOptions& options) {
  const auto wanted = [&](const char* topic) {
    return options.topic.empty() || options.topic == topic;
  };
  Json json;
  json["format"] = "slotlab-list/1";
  std::vector<std::string> pages;
  for (const Topic& topic : kListed) {
    if (!wanted(topic.name)) continue;
    const Items items = topic.items();
    json[topic.name] = items_json(items);
    pages.push_back(items_text(topic.title, items));
  }
  if (wanted("dialects")) {
    json["dialects"] = dialects_json();
    // All topics at once name the dialects only; the matrix is wide.
    pages.push_back(options.topic.empty()
                        ? fmt::format("dialects (--dialects shows their rules)\n  {}\n",
                                      fmt::join(protocol::dialect_names(), ", "))
                        : dialects_text());
  }
  write_out(options.json ? json_text(json) : fmt::format("{}", fmt::join(pages, "\n")));
  return ExitStatus::as_expected;
}

}  // namespace slotlab::cli
