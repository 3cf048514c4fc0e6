// The sections 'operator' and 'operators': who types which commands.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/scenario/command_line.h"
#include "models/scenario/load_parts.h"

namespace slotlab::scenario {

namespace {

constexpr std::size_t kStepsMax = 1000;

void read_reaction(const MapReader& map, oper::Reaction& reaction) {
  if (const auto value = map.find("on error")) {
    static constexpr oper::OnError kValues[] = {oper::OnError::stop, oper::OnError::carry_on,
                                                oper::OnError::retry};
    reaction.on_error = kValues[value->choice({"stop", "continue", "retry"})];
  }
  if (const auto value = map.find("on no answer")) {
    static constexpr oper::OnNoAnswer kValues[] = {oper::OnNoAnswer::wait, oper::OnNoAnswer::stop,
                                                   oper::OnNoAnswer::skip, oper::OnNoAnswer::retry};
    reaction.on_no_answer = kValues[value->choice({"wait", "stop", "skip", "retry"})];
  }
  if (const auto value = map.find("retries")) {
    reaction.retries_max = static_cast<std::uint8_t>(value->number(1, 254));
  }
}

std::string read_label(const Value& value) {
  const std::string label = value.text("a number or a short name");
  if (label.size() > 24) value.expected("a number or a name of at most 24 characters");
  return label;
}

StepSpec read_send(const MapReader& map, const Value& send, const std::vector<std::string>& nodes) {
  StepSpec step;
  if (const auto from = map.find("from")) from->fail("'from' belongs to a step with 'move keys'");
  if (const auto replace = map.find("replace")) {
    replace->fail("'replace' belongs to a step with 'move keys'");
  }
  step.to = read_reference(map.need("to"), nodes, "node");
  step.send = parse_command(send, nodes);
  return step;
}

StepSpec read_move(const MapReader& map, const Value& slot, const std::vector<std::string>& nodes) {
  StepSpec step;
  MoveSpec move;
  move.slot = {.value = static_cast<protocol::Slot>(slot.number(0, protocol::kSlots - 1)),
               .at = slot.at()};
  move.from = read_reference(map.need("from"), nodes, "node");
  move.to = read_reference(map.need("to"), nodes, "node");
  if (move.from == move.to) map.need("to").fail("keys cannot move from a node to itself");
  if (const auto replace = map.find("replace")) move.replace = replace->flag();
  step.to = move.from;
  step.move = std::move(move);
  return step;
}

StepSpec read_step(const Value& value, const std::vector<std::string>& nodes,
                   const oper::Reaction& reaction) {
  const MapReader map = value.map({"step", "to", "send", "move keys", "from", "replace", "on error",
                                   "on no answer", "retries"});
  const auto send = map.find("send");
  const auto move = map.find("move keys");
  if (send.has_value() == move.has_value()) {
    value.fail("a step: expected either 'send' or 'move keys'");
  }
  StepSpec step = send ? read_send(map, *send, nodes) : read_move(map, *move, nodes);
  const Value label = map.need("step");
  step.label = {.value = read_label(label), .at = label.at()};
  step.reaction = reaction;
  read_reaction(map, step.reaction);
  return step;
}

// "reshard 7.0", "fix 3.0", "controller": a tool and whose it is.
void read_tool_name(const Value& value, ToolSpec& tool) {
  std::vector<std::string> known;
  for (const char* kind : {"reshard", "fix", "controller"}) {
    for (const char* version : {"7.0", "3.0", "8.0"}) {
      known.push_back(fmt::format("{} {}", kind, version));
    }
  }
  static constexpr oper::Flavour kFlavours[] = {oper::Flavour::redis_cli_7_0,
                                                oper::Flavour::redis_trib_3_0,
                                                oper::Flavour::valkey_cli_8_0};
  const std::size_t which = value.choice(known);
  tool.kind = static_cast<oper::ToolKind>(which / 3);
  tool.flavour = kFlavours[which % 3];
}

ToolSpec read_tool(const MapReader& map, const Value& name, const std::vector<std::string>& nodes) {
  ToolSpec tool;
  read_tool_name(name, tool);
  const Value slot = map.need("slot");
  tool.slot = {.value = static_cast<protocol::Slot>(slot.number(0, protocol::kSlots - 1)),
               .at = slot.at()};
  if (const auto replace = map.find("replace")) tool.replace = replace->flag();
  if (tool.kind == oper::ToolKind::fix) {
    for (const char* key : {"from", "to"}) {
      if (const auto given = map.find(key)) given->fail("fix finds out by itself where keys go");
    }
    if (const auto flag = map.find("with unreachable masters")) {
      tool.unreachable_masters = flag->flag();
    }
    return tool;
  }
  if (const auto flag = map.find("with unreachable masters")) {
    flag->fail("'with unreachable masters' belongs to the tool fix");
  }
  tool.from = read_reference(map.need("from"), nodes, "node");
  tool.to = read_reference(map.need("to"), nodes, "node");
  if (tool.from == tool.to) map.need("to").fail("a slot cannot move from a node to itself");
  return tool;
}

OperatorSpec read_operator(const Value& value, Sourced<std::string> name,
                           const std::vector<std::string>& nodes) {
  OperatorSpec out;
  out.name = std::move(name);
  const MapReader map =
      value.map({"steps", "may stop", "fair", "on error", "on no answer", "retries", "tool",
                 "slot", "from", "to", "replace", "with unreachable masters"});
  if (const auto flag = map.find("may stop")) out.may_stop = flag->flag();
  if (const auto flag = map.find("fair")) out.fair = flag->flag();
  if (const auto tool = map.find("tool")) {
    for (const char* key : {"steps", "on error", "on no answer", "retries"}) {
      if (const auto given = map.find(key)) given->fail("a tool has its own steps and reactions");
    }
    out.tool = read_tool(map, *tool, nodes);
    return out;
  }
  for (const char* key : {"slot", "from", "to", "replace", "with unreachable masters"}) {
    if (const auto given = map.find(key)) given->fail(fmt::format("'{}' belongs to a tool", key));
  }
  oper::Reaction reaction;
  read_reaction(map, reaction);
  const Value steps = map.need("steps");
  for (const Value& item : steps.list("a step")) {
    if (out.steps.size() >= kStepsMax) item.fail(fmt::format("more than {} steps", kStepsMax));
    out.steps.push_back(read_step(item, nodes, reaction));
  }
  if (out.steps.empty()) steps.expected("at least one step");
  return out;
}

// Faults name steps by their labels alone, so a label is unique over all operators.
void check_labels(const std::string& file, const std::vector<OperatorSpec>& operators) {
  std::set<std::string> seen;
  for (const OperatorSpec& op : operators) {
    for (const StepSpec& step : op.steps) {
      if (!seen.insert(step.label.value).second) {
        throw InputError(file, step.label.at,
                         "another step is already called " + in_quotes(step.label.value));
      }
    }
  }
}

}  // namespace

std::vector<OperatorSpec> read_operators(const MapReader& top, const Scenario& so_far) {
  const auto one = top.find("operator");
  const auto several = top.find("operators");
  if (one && several) several->fail("give either 'operator' or 'operators', not both");
  std::vector<OperatorSpec> operators;
  const std::vector<std::string> nodes = so_far.node_names();
  if (one) {
    operators.push_back(read_operator(*one, {.value = "operator", .at = one->at()}, nodes));
  } else if (several) {
    const MapReader map = several->open_map();
    if (map.size() == 0) several->expected("at least one operator");
    if (map.size() > 8) several->fail("more than 8 operators");
    for (std::size_t i = 0; i < map.size(); ++i) {
      operators.push_back(read_operator(map.item(i), read_name(map.key(i), map, i), nodes));
    }
  }
  for (const OperatorSpec& op : operators) {
    if (std::find(nodes.begin(), nodes.end(), op.name.value) != nodes.end()) {
      throw InputError(so_far.file, op.name.at,
                       in_quotes(op.name.value) + " is both a node and an operator");
    }
  }
  check_labels(so_far.file, operators);
  return operators;
}

}  // namespace slotlab::scenario
