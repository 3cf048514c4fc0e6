// `slotlab orders`: every order of the operator's commands, checked like a scenario of its own.
// Says which orders are safe, which end states each leads to, and, where two steps alone decide
// it, which of them must come first.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/end_states.h"
#include "cli/input_error.h"
#include "cli/interrupt.h"
#include "cli/json_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/suggest.h"
#include "cli/verbs.h"
#include "cli/verdict.h"
#include "models/scenario/build.h"
#include "models/scenario/load.h"
#include "models/scenario/tree.h"
#include "sim/check/tuple_space.h"
#include "sim/check/worker_pool.h"

namespace slotlab::cli {
namespace {

constexpr std::size_t kOrdersMax = 5040;
constexpr std::size_t kShownMax = 6;  // orders of a group that the page lists
constexpr std::size_t kBlock = 16;    // orders between two looks at Ctrl-C
constexpr std::uint64_t kStatesMax = 1'000'000;  // of one order, unless the command line says more

using Order = std::vector<std::size_t>;  // step numbers of the file, in the order of sending

struct Ordered {
  Order order;
  std::vector<sim::Verdict> verdicts;  // by property
  std::set<std::string> ends, ends_with_faults;
  std::uint64_t states = 0;
  bool complete = false;
};

enum class Safety : std::uint8_t { safe, unsafe, unknown };

struct Procedure {
  scenario::Scenario scenario;
  std::size_t which = 0;  // of the operators
  std::vector<std::pair<std::size_t, std::size_t>> keep;  // the first before the second

  const std::vector<scenario::StepSpec>& steps() const { return scenario.operators[which].steps; }
  const std::string& label(std::size_t step) const { return steps()[step].label.value; }
  std::string text(const Order& order) const {
    std::vector<std::string> labels;
    for (const std::size_t step : order) labels.push_back(label(step));
    return fmt::format("{}", fmt::join(labels, " "));
  }
};

std::size_t step_named(const Procedure& procedure, const std::string& label) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < procedure.steps().size(); ++i) {
    if (procedure.label(i) == label) return i;
    labels.push_back(procedure.label(i));
  }
  throw InputError(fmt::format("--keep: there is no step '{}'{}", label,
                               suggestion(label, labels)));
}

// "1<2<4,3<5" as pairs.
void add_keep(const std::string& text, Procedure& procedure) {
  std::size_t begin = 0;
  std::optional<std::size_t> before;
  std::size_t pairs = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find_first_of("<,", begin), text.size());
    const std::size_t step = step_named(procedure, text.substr(begin, end - begin));
    if (before) {
      procedure.keep.emplace_back(*before, step);
      ++pairs;
    }
    before = end < text.size() && text[end] == '<' ? std::optional(step) : std::nullopt;
    begin = end + 1;
  }
  if (pairs == 0) {
    throw InputError(fmt::format("--keep: '{}' is not usable, expected steps such as 1<2 or "
                                 "1<2<4,3<5",
                                 text));
  }
}

Procedure load_procedure(const OrdersOptions& options) {
  Procedure procedure{.scenario = scenario::load_file(options.file), .which = 0, .keep = {}};
  const auto& operators = procedure.scenario.operators;
  while (procedure.which < operators.size() && operators[procedure.which].steps.size() < 2) {
    ++procedure.which;
  }
  if (procedure.which == operators.size()) {
    throw InputError(fmt::format("orders: '{}' has no operator with two steps or more",
                                 options.file));
  }
  for (const std::string& keep : options.keep) add_keep(keep, procedure);
  return procedure;
}

std::vector<Order> orders_of(const Procedure& procedure) {
  Order order(procedure.steps().size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (order.size() > 10) {
    throw InputError(fmt::format("orders: {} steps have too many orders, expected at most 10 steps",
                                 order.size()));
  }
  std::vector<Order> all;
  do {
    std::vector<std::size_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    const bool kept = std::all_of(procedure.keep.begin(), procedure.keep.end(), [&](const auto& k) {
      return place[k.first] < place[k.second];
    });
    if (kept) all.push_back(order);
    if (all.size() > kOrdersMax) {
      throw InputError(fmt::format("orders: more than {} orders, expected fewer; --keep 1<2 leaves "
                                   "out those that break it",
                                   kOrdersMax));
    }
  } while (std::next_permutation(order.begin(), order.end()));
  if (all.empty()) throw InputError("--keep: no order keeps all of these");
  return all;
}

Ordered check_order(const Procedure& procedure, const Order& order, const OrdersOptions& options,
                    const std::atomic<bool>& interrupt) {
  scenario::Scenario permuted = procedure.scenario;
  auto& steps = permuted.operators[procedure.which].steps;
  for (std::size_t i = 0; i < order.size(); ++i) steps[i] = procedure.steps()[order[i]];
  const scenario::Built built =
      scenario::build(permuted, {.dialect = options.dialect.value_or("")});
  sim::TupleSpace space(built.system, built.properties, {.drop_inert = true});
  sim::ExploreOptions how;
  how.states_max = options.search.max_states.value_or(kStatesMax);
  if (options.search.memory_bytes) how.memory_max_bytes = *options.search.memory_bytes;
  if (options.search.seconds) how.seconds_max = *options.search.seconds;
  how.interrupt = &interrupt;
  const sim::ExploreResult result = sim::explore(space, how);
  Ordered ordered{.order = order, .verdicts = {}, .ends = {}, .ends_with_faults = {}};
  for (const auto& property : result.properties) ordered.verdicts.push_back(property.verdict);
  ordered.states = result.states;
  ordered.complete = result.complete;
  if (!result.complete) return ordered;
  const EndStates ends = end_states(space, *built.cast, interrupt);
  ordered.ends = ends.without_faults;
  ordered.ends_with_faults = ends.with_faults;
  return ordered;
}

Safety safety(const Procedure& procedure, const Ordered& ordered) {
  bool open = ordered.verdicts.empty();
  for (std::size_t i = 0; i < ordered.verdicts.size(); ++i) {
    if (procedure.scenario.checks[i].mood == sim::Mood::sometimes) continue;
    if (ordered.verdicts[i] == sim::Verdict::violated) return Safety::unsafe;
    open = open || ordered.verdicts[i] == sim::Verdict::inconclusive;
  }
  return open ? Safety::unknown : Safety::safe;
}

// Which two steps alone decide: the first before the second in all safe orders, and in no unsafe
// one.
std::vector<std::pair<std::size_t, std::size_t>> deciding(const Procedure& procedure,
                                                          const std::vector<Ordered>& all) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  const std::size_t steps = procedure.steps().size();
  for (std::size_t a = 0; a < steps; ++a) {
    for (std::size_t b = 0; b < steps; ++b) {
      bool separates = a != b;
      bool any_safe = false;
      bool any_unsafe = false;
      for (const Ordered& one : all) {
        const auto place = [&](std::size_t step) {
          return std::find(one.order.begin(), one.order.end(), step);
        };
        const Safety is = safety(procedure, one);
        if (is == Safety::unknown) continue;
        any_safe = any_safe || is == Safety::safe;
        any_unsafe = any_unsafe || is == Safety::unsafe;
        separates = separates && (place(a) < place(b)) == (is == Safety::safe);
      }
      if (separates && any_safe && any_unsafe) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

// In all safe orders, the first before the second, though some order has it otherwise.
std::vector<std::pair<std::size_t, std::size_t>> needed(const Procedure& procedure,
                                                        const std::vector<Ordered>& all) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  const std::size_t steps = procedure.steps().size();
  for (std::size_t a = 0; a < steps; ++a) {
    for (std::size_t b = 0; b < steps; ++b) {
      bool in_all_safe = a != b;
      bool any_safe = false;
      bool otherwise = false;
      for (const Ordered& one : all) {
        const auto place = [&](std::size_t step) {
          return std::find(one.order.begin(), one.order.end(), step);
        };
        const bool first = place(a) < place(b);
        otherwise = otherwise || !first;
        if (safety(procedure, one) != Safety::safe) continue;
        any_safe = true;
        in_all_safe = in_all_safe && first;
      }
      if (in_all_safe && any_safe && otherwise) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

const char* word(Safety safety) {
  switch (safety) {
    case Safety::safe: return "safe";
    case Safety::unsafe: return "UNSAFE";
    case Safety::unknown: return "inconclusive";
  }
  return "";
}

std::string verdicts_text(const Procedure& procedure, const Ordered& ordered) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < ordered.verdicts.size(); ++i) {
    const scenario::CheckSpec& check = procedure.scenario.checks[i];
    if (check.mood == sim::Mood::sometimes) continue;
    parts.push_back(fmt::format("{} {}", check.name(), verdict_word(ordered.verdicts[i])));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string pairs_text(const Procedure& procedure,
                       const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
  std::vector<std::string> parts;
  for (const auto& [a, b] : pairs) {
    parts.push_back(fmt::format("step {} before step {}", procedure.label(a), procedure.label(b)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string conclusion(const Procedure& procedure, const std::vector<Ordered>& all) {
  const auto decides = deciding(procedure, all);
  if (!decides.empty()) return "safe exactly with " + pairs_text(procedure, decides);
  const auto needs = needed(procedure, all);
  if (!needs.empty()) return "safe only with " + pairs_text(procedure, needs);
  return "";
}

std::string text_of(const Procedure& procedure, const std::vector<Ordered>& all,
                    std::size_t orders) {
  std::map<std::string, std::vector<const Ordered*>> groups;
  std::vector<std::string> names;
  for (const Ordered& one : all) {
    std::string name = fmt::format("{:<13} {}\n", word(safety(procedure, one)),
                                   verdicts_text(procedure, one));
    for (const std::string& end : one.ends) name += fmt::format("    ends      {}\n", end);
    for (const std::string& end : one.ends_with_faults) {
      if (!one.ends.contains(end)) name += fmt::format("    or        {} (with faults)\n", end);
    }
    auto& group = groups[name];
    if (group.empty()) names.push_back(name);
    group.push_back(&one);
  }
  std::string text = fmt::format("{}\n{} of {} checked\n\n", procedure.scenario.title,
                                 counted(all.size(), "order"), orders);
  for (const std::string& name : names) {
    const auto& group = groups[name];
    text += fmt::format("{}", name);
    for (std::size_t i = 0; i < group.size() && i < kShownMax; ++i) {
      text += fmt::format("    {:<9} {}\n", i == 0 ? "orders" : "",
                          procedure.text(group[i]->order));
    }
    if (group.size() > kShownMax) {
      text += fmt::format("              and {} more\n", group.size() - kShownMax);
    }
    text += "\n";
  }
  const std::string end = conclusion(procedure, all);
  return end.empty() ? text : text + end + "\n";
}

Json json_of(const Procedure& procedure, const std::vector<Ordered>& all, std::size_t orders) {
  Json json;
  json["format"] = "slotlab-orders/1";
  json["subject"] = procedure.scenario.file;
  json["title"] = procedure.scenario.title;
  json["orders_possible"] = orders;
  json["complete"] = all.size() == orders;
  json["conclusion"] = conclusion(procedure, all);
  json["orders"] = Json::array();
  for (const Ordered& one : all) {
    Json steps = Json::array();
    for (const std::size_t step : one.order) steps.push_back(procedure.label(step));
    Json verdicts = Json::object();
    for (std::size_t i = 0; i < one.verdicts.size(); ++i) {
      verdicts[procedure.scenario.checks[i].name()] = verdict_word(one.verdicts[i]);
    }
    json["orders"].push_back({{"steps", steps},
                              {"safety", word(safety(procedure, one))},
                              {"verdicts", verdicts},
                              {"ends", one.ends},
                              {"ends_with_faults", one.ends_with_faults},
                              {"states", one.states}});
  }
  return json;
}

}  // namespace

ExitStatus orders(const OrdersOptions& options) {
  if (is_textbook(options.file)) {
    throw InputError(fmt::format("orders: '{}' is a textbook model, expected a scenario file",
                                 options.file));
  }
  static_cast<void>(load_subject(options.file, options.dialect, "inert"));  // judges the dialect
  const Procedure procedure = load_procedure(options);
  const std::vector<Order> wanted = orders_of(procedure);
  std::vector<Ordered> all;
  const Interrupt interrupt;
  {
    ProgressLine line(true);
    sim::WorkerPool pool(options.search.threads);
    for (std::size_t first = 0; first < wanted.size() && !interrupt.flag(); first += kBlock) {
      std::vector<Ordered> block(std::min(kBlock, wanted.size() - first));
      pool.run(block.size(), [&](std::size_t i) {
        block[i] = check_order(procedure, wanted[first + i], options, interrupt.flag());
      });
      if (!interrupt.flag()) all.insert(all.end(), block.begin(), block.end());
      line.show_text(fmt::format("{} of {}", counted(all.size(), "order"), wanted.size()));
    }
  }
  write_out(options.json ? json_text(json_of(procedure, all, wanted.size()))
                         : text_of(procedure, all, wanted.size()));
  const bool open = std::any_of(all.begin(), all.end(), [&](const Ordered& one) {
    return safety(procedure, one) == Safety::unknown;
  });
  return open || all.size() < wanted.size() ? ExitStatus::inconclusive : ExitStatus::as_expected;
}

}  // namespace slotlab::cli
