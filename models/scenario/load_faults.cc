// The section 'faults': which ones may happen, to whom, how often, and where in the operator's
// work.
#include <fmt/format.h>

#include <algorithm>

#include "models/scenario/load_parts.h"

namespace slotlab::scenario {

namespace {

const std::vector<std::string> kKinds = {"crash", "cut", "pause", "stop", "lose reply"};
constexpr sim::FaultKind kKindValues[] = {sim::FaultKind::crash, sim::FaultKind::cut,
                                          sim::FaultKind::pause, sim::FaultKind::stop,
                                          sim::FaultKind::lose_reply};

std::vector<std::string> operator_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const OperatorSpec& op : scenario.operators) names.push_back(op.name.value);
  return names;
}

// The index into kKinds of what the fault is.
std::size_t read_kind(const Value& value) {
  const MapReader map = value.open_map();
  std::optional<std::size_t> kind;
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    const auto found = map.find(kKinds[i]);
    if (found && kind) {
      found->fail(
          fmt::format("a fault is one thing; this is '{}' and '{}'", kKinds[*kind], kKinds[i]));
    }
    if (found) kind = i;
  }
  if (kind) return *kind;
  std::string hint;
  for (std::size_t i = 0; i < map.size() && hint.empty(); ++i) {
    hint = did_you_mean(map.key(i).text, kKinds);
  }
  value.fail(
      fmt::format("a fault: expected one of {}, found {}{}", one_of(kKinds), value.found(), hint));
}

std::vector<std::string> keys_of(sim::FaultKind kind) {
  std::vector<std::string> keys = {"at most", "between steps", "after step", "before step"};
  switch (kind) {
    case sim::FaultKind::crash:
      keys.insert(keys.begin(), {"crash", "restart", "power loss"});
      break;
    case sim::FaultKind::cut:
      keys.insert(keys.begin(), {"cut", "both ways", "heals"});
      break;
    case sim::FaultKind::pause:
      keys.insert(keys.begin(), "pause");
      break;
    case sim::FaultKind::stop:
      keys.insert(keys.begin(), "stop");
      break;
    case sim::FaultKind::lose_reply:
      keys.insert(keys.begin(), "lose reply");
      break;
  }
  return keys;
}

// "any time" or "never".
void read_mends(const MapReader& map, const char* key, bool& mends) {
  if (const auto value = map.find(key)) mends = value->choice({"any time", "never"}) == 0;
}

bool is_any(const Value& value) { return value.is_scalar() && value.text() == "any"; }

void read_targets(const Value& value, const std::vector<std::string>& names,
                  const std::string& what, FaultSpec& fault) {
  fault.any = is_any(value);
  if (fault.any) return;
  for (const Value& item : value.list_or_one(value.what())) {
    Sourced<std::string> target = read_reference(item, names, what);
    if (std::find(fault.actors.begin(), fault.actors.end(), target) != fault.actors.end()) {
      item.fail(in_quotes(target.value) + " is given twice");
    }
    fault.actors.push_back(std::move(target));
  }
  if (fault.actors.empty()) value.expected("at least one " + what);
}

void read_cut(const Value& value, const Scenario& so_far, FaultSpec& fault) {
  std::vector<std::string> names = so_far.node_names();
  for (const std::string& name : operator_names(so_far)) names.push_back(name);
  if (!is_any(value) && !value.is_list()) value.expected("a pair such as [A, B], or 'any'");
  read_targets(value, names, "node or operator", fault);
  if (fault.any && so_far.nodes.size() < 2) value.fail("'cut: any' needs two nodes");
  if (!fault.any && fault.actors.size() != 2) value.expected("a pair such as [A, B], or 'any'");
}

struct Place {
  const OperatorSpec* op = nullptr;
  std::size_t step = 0;
};

Place find_step(const Value& value, const Scenario& so_far, Sourced<std::string>& label) {
  label = {.value = value.text("the name of a step"), .at = value.at()};
  std::vector<std::string> labels;
  for (const OperatorSpec& op : so_far.operators) {
    for (std::size_t i = 0; i < op.steps.size(); ++i) {
      if (op.steps[i].label == label) return {&op, i};
      labels.push_back(op.steps[i].label.value);
    }
  }
  if (labels.empty()) value.fail(value.what() + ": the scenario has no operator with steps");
  value.fail(fmt::format("{}: no step is called {}; steps are {}", value.what(),
                         in_quotes(label.value), one_of(labels)));
}

std::optional<WindowSpec> read_window(const MapReader& map, const Scenario& so_far) {
  std::optional<Value> after = map.find("after step");
  std::optional<Value> before = map.find("before step");
  if (const auto between = map.find("between steps")) {
    if (after || before) between->fail("'between steps' stands for 'after step' and 'before step'");
    const std::vector<Value> pair = between->list("'between steps'");
    if (pair.size() != 2) between->expected("two steps such as [5, 4]");
    after = pair[0];
    before = pair[1];
  }
  if (!after && !before) return std::nullopt;
  WindowSpec window;
  Place first, last;
  if (after) first = find_step(*after, so_far, window.after.emplace());
  if (before) last = find_step(*before, so_far, window.before.emplace());
  if (after && before && first.op != last.op) {
    before->fail("the two steps belong to different operators");
  }
  if (after && before && first.step >= last.step) {
    before->fail(fmt::format("step {} does not come after step {}", in_quotes(window.before->value),
                             in_quotes(window.after->value)));
  }
  window.operator_name = (after ? first : last).op->name.value;
  return window;
}

void read_what_it_hits(const MapReader& map, const Value& value, const Scenario& so_far,
                       FaultSpec& fault) {
  std::vector<std::string> operators = operator_names(so_far);
  const bool clients = !so_far.clients.sessions.empty();
  if (fault.kind == sim::FaultKind::lose_reply && clients) operators.emplace_back("clients");
  const bool of_operator =
      fault.kind == sim::FaultKind::stop || fault.kind == sim::FaultKind::lose_reply;
  if (fault.kind == sim::FaultKind::cut) {
    read_cut(value, so_far, fault);
  } else if (of_operator && operators.empty()) {
    value.fail(value.what() + ": the scenario has no operator");
  } else {
    read_targets(value, of_operator ? operators : so_far.node_names(),
                 of_operator ? "operator" : "node", fault);
  }
  read_mends(map, "restart", fault.mends);
  read_mends(map, "heals", fault.mends);
  if (const auto flag = map.find("both ways")) fault.both_ways = flag->flag();
  if (const auto flag = map.find("power loss")) fault.power_loss = flag->flag();
}

}  // namespace

std::vector<FaultSpec> read_faults(const MapReader& top, const Scenario& so_far) {
  std::vector<FaultSpec> faults;
  const auto value = top.find("faults");
  if (!value) return faults;
  for (const Value& item : value->list("a fault")) {
    if (faults.size() >= 100) item.fail("more than 100 faults");
    FaultSpec fault;
    fault.at = item.at();
    const std::size_t kind = read_kind(item);
    fault.kind = kKindValues[kind];
    const MapReader map = item.map(keys_of(fault.kind));
    read_what_it_hits(map, map.need(kKinds[kind]), so_far, fault);
    if (const auto n = map.find("at most")) {
      fault.at_most = static_cast<std::uint8_t>(n->number(1, 254));
    }
    fault.window = read_window(map, so_far);
    faults.push_back(std::move(fault));
  }
  return faults;
}

}  // namespace slotlab::scenario
