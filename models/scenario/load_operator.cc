// The sections 'operator' and 'operators': who types which commands.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/scenario/command_line.h"
#include "models/scenario/load_parts.h"

namespace slotlab::scenario {

namespace {

constexpr std::size_t kStepsMax = 1000;
constexpr std::uint16_t kSlotsToChooseMax = 64;

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
    reaction.retries_max = read_tries(*value, 254);
  }
}

std::string read_label(const Value& value) {
  const std::string label = value.text("a number or a short name");
  const auto starts = [](char c) { return (c & 0xc0) != 0x80; };  // of UTF-8 characters
  if (std::count_if(label.begin(), label.end(), starts) > 24) {
    value.expected("a number or a name of at most 24 characters");
  }
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

const char* const kConditions =
    "'is', 'is not', 'contains', 'lacks' or 'begins with' and a text, or 'failed' or 'succeeded'";

// "count is not 0": the name of an earlier step, and a condition. Names may contain blanks, so the
// longest that fits is meant.
IfSpec read_if(const Value& value, const std::vector<StepSpec>& earlier) {
  const std::string text = value.text("the name of an earlier step and a condition");
  const StepSpec* meant = nullptr;
  for (const StepSpec& step : earlier) {
    const std::string& label = step.label.value;
    const bool fits = text == label || text.starts_with(label + " ");
    if (fits && (meant == nullptr || label.size() > meant->label.value.size())) meant = &step;
  }
  if (meant == nullptr) {
    value.fail(fmt::format("'if': {} does not begin with the name of an earlier step",
                           in_quotes(text)));
  }
  const std::size_t after = std::min(meant->label.value.size() + 1, text.size());
  const auto condition = oper::condition_of(std::string_view(text).substr(after));
  if (!condition) {
    value.fail(fmt::format("'if': after {} expected {}", in_quotes(meant->label.value),
                           kConditions));
  }
  return {.step = {.value = meant->label.value, .at = value.at()}, .condition = *condition};
}

oper::Condition read_until(const Value& value, const StepSpec& step) {
  if (step.move) value.fail("'until' belongs to a step with 'send'");
  const auto condition = oper::condition_of(value.text("a condition"));
  if (!condition) value.expected(kConditions);
  if (condition->test == oper::Condition::Test::failed ||
      condition->test == oper::Condition::Test::succeeded) {
    value.fail("'until': an error is for 'on error' to deal with, expected a condition on a text");
  }
  return *condition;
}

StepSpec read_step(const Value& value, const std::vector<std::string>& nodes,
                   const oper::Reaction& reaction, const std::vector<StepSpec>& earlier) {
  const MapReader map = value.map({"step", "to", "send", "move keys", "from", "replace", "on error",
                                   "on no answer", "retries", "if", "until"});
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
  if (const auto only_if = map.find("if")) step.only_if = read_if(*only_if, earlier);
  if (const auto until = map.find("until")) step.until = read_until(*until, step);
  return step;
}

// "reshard 7.0", "fix 3.0", "controller": a tool and whose it is.
void read_tool_name(const Value& value, ToolSpec& tool) {
  std::vector<std::string> known;
  for (const char* kind : {"reshard", "fix", "controller", "rebalance"}) {
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

// Keys that belong to other tools than this one.
void refuse(const MapReader& map, std::initializer_list<const char*> keys, const char* why) {
  for (const char* key : keys) {
    if (const auto given = map.find(key)) given->fail(fmt::format("'{}': {}", key, why));
  }
}

// A tool that chooses slots itself may choose any of the file's, each of which is then one of its
// own; private ones would be chosen too.
void check_slots_to_choose(const Value& tool, const Scenario& so_far) {
  std::size_t slots = 0;
  for (const NodeSpec& node : so_far.nodes) {
    if (node.home) {
      tool.fail("a tool that chooses slots itself would choose a 'home' too; expected none");
    }
    for (const auto& range : node.slots) slots += range.value.last - range.value.first + 1u;
  }
  if (slots > kSlotsToChooseMax) {
    tool.fail(fmt::format("a tool that chooses slots itself has {} to choose from; expected at "
                          "most {}",
                          slots, kSlotsToChooseMax));
  }
}

void read_rebalance(const MapReader& map, const std::vector<std::string>& nodes, ToolSpec& tool) {
  refuse(map, {"slot", "slots", "from", "to"}, "rebalance finds out by itself what goes where");
  if (const auto weights = map.find("weights")) {
    const MapReader by_node = weights->open_map();
    for (std::size_t i = 0; i < by_node.size(); ++i) {
      const Sourced<std::string> node = read_name(by_node.key(i), by_node, i);
      if (std::find(nodes.begin(), nodes.end(), node.value) == nodes.end()) {
        by_node.fail_at_key(i, fmt::format("{} is no node; expected {}", in_quotes(node.value),
                                           one_of(nodes)));
      }
      tool.weights.emplace_back(node.value,
                                static_cast<std::uint16_t>(by_node.item(i).number(0, 1000)));
    }
  }
  if (const auto given = map.find("threshold")) {
    tool.threshold = static_cast<std::uint8_t>(given->number(0, 100));
  }
  if (const auto given = map.find("use empty masters")) tool.use_empty = given->flag();
}

// `slots: 2` of `from`, one node or several.
void read_reshard_of_many(const MapReader& map, const Value& slots,
                          const std::vector<std::string>& nodes, ToolSpec& tool) {
  if (tool.kind != oper::ToolKind::reshard) slots.fail("'slots' belongs to reshard and rebalance");
  refuse(map, {"slot"}, "expected either 'slot' or 'slots'");
  tool.count = static_cast<std::uint16_t>(slots.number(1, kSlotsToChooseMax));
  tool.to = read_reference(map.need("to"), nodes, "node");
  for (const Value& each : map.need("from").list_or_one("a node")) {
    const Sourced<std::string> source = read_reference(each, nodes, "node");
    if (source == tool.to) each.fail("slots cannot move from a node to itself");
    if (std::find(tool.sources.begin(), tool.sources.end(), source) != tool.sources.end()) {
      each.fail(fmt::format("{} is named twice", in_quotes(source.value)));
    }
    tool.sources.push_back(source);
  }
  if (tool.sources.empty()) map.need("from").expected("at least one node");
}

ToolSpec read_tool(const MapReader& map, const Value& name, const Scenario& so_far) {
  const std::vector<std::string> nodes = so_far.node_names();
  ToolSpec tool;
  read_tool_name(name, tool);
  if (const auto replace = map.find("replace")) tool.replace = replace->flag();
  if (tool.kind == oper::ToolKind::rebalance) {
    refuse(map, {"with unreachable masters"}, "belongs to the tool fix");
    read_rebalance(map, nodes, tool);
    check_slots_to_choose(name, so_far);
    return tool;
  }
  refuse(map, {"weights", "threshold", "use empty masters"}, "belongs to the tool rebalance");
  if (const auto slots = map.find("slots")) {
    read_reshard_of_many(map, *slots, nodes, tool);
    check_slots_to_choose(name, so_far);
    return tool;
  }
  const Value slot = map.need("slot");
  tool.slot = {.value = static_cast<protocol::Slot>(slot.number(0, protocol::kSlots - 1)),
               .at = slot.at()};
  if (tool.kind == oper::ToolKind::fix) {
    refuse(map, {"from", "to"}, "fix finds out by itself where keys go");
    if (const auto flag = map.find("with unreachable masters")) {
      tool.unreachable_masters = flag->flag();
    }
    return tool;
  }
  refuse(map, {"with unreachable masters"}, "belongs to the tool fix");
  tool.from = read_reference(map.need("from"), nodes, "node");
  tool.to = read_reference(map.need("to"), nodes, "node");
  if (tool.from == tool.to) map.need("to").fail("a slot cannot move from a node to itself");
  return tool;
}

OperatorSpec read_operator(const Value& value, Sourced<std::string> name,
                           const Scenario& so_far) {
  const std::vector<std::string> nodes = so_far.node_names();
  OperatorSpec out;
  out.name = std::move(name);
  const MapReader map =
      value.map({"steps", "may stop", "fair", "on error", "on no answer", "retries", "tool",
                 "slot", "slots", "from", "to", "replace", "with unreachable masters", "weights",
                 "threshold", "use empty masters"});
  if (const auto flag = map.find("may stop")) out.may_stop = flag->flag();
  if (const auto flag = map.find("fair")) out.fair = flag->flag();
  if (const auto tool = map.find("tool")) {
    refuse(map, {"steps", "on error", "on no answer", "retries"},
           "a tool has its own steps and reactions");
    out.tool = read_tool(map, *tool, so_far);
    return out;
  }
  refuse(map, {"slot", "slots", "from", "to", "replace", "with unreachable masters", "weights",
               "threshold", "use empty masters"},
         "belongs to a tool");
  oper::Reaction reaction;
  read_reaction(map, reaction);
  const Value steps = map.need("steps");
  for (const Value& item : steps.list("a step")) {
    if (out.steps.size() >= kStepsMax) item.fail(fmt::format("more than {} steps", kStepsMax));
    out.steps.push_back(read_step(item, nodes, reaction, out.steps));
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

bool is_cluster_command(const StepSpec& step, const char* subcommand) {
  return step.send && step.send->words.size() > 1 && step.send->words[0].text == "CLUSTER" &&
         step.send->words[1].text.starts_with(subcommand);
}

// The slots that somebody has, or is said to have, or is given by ADDSLOTS.
std::vector<protocol::SlotRange> slots_that_are_there(const Scenario& so_far,
                                                      const std::vector<OperatorSpec>& operators) {
  std::vector<protocol::SlotRange> there;
  for (const NodeSpec& node : so_far.nodes) {
    for (const auto& range : node.slots) there.push_back(range.value);
    for (const KeysInSlot& keys : node.keys) there.push_back({keys.slot.value, keys.slot.value});
  }
  for (const ViewSpec& view : so_far.views) {
    for (const auto* list : {&view.owners, &view.migrating, &view.importing}) {
      for (const auto& of : *list) there.push_back(of.slots.value);
    }
  }
  for (const OperatorSpec& op : operators) {
    for (const StepSpec& step : op.steps) {
      if (!is_cluster_command(step, "ADDSLOTS")) continue;
      there.insert(there.end(), step.send->slots.begin(), step.send->slots.end());
    }
  }
  return there;
}

// SETSLOT of a slot that is nobody's is mostly a slip of the pen, and then everything comes out
// wrong "as expected". Whoever means it puts the slot in quotes.
void check_setslots(const Scenario& so_far, const std::vector<OperatorSpec>& operators) {
  const std::vector<protocol::SlotRange> there = slots_that_are_there(so_far, operators);
  for (const OperatorSpec& op : operators) {
    for (const StepSpec& step : op.steps) {
      if (!is_cluster_command(step, "SETSLOT")) continue;
      for (const protocol::SlotRange& slot : step.send->slots) {
        const bool known = std::any_of(there.begin(), there.end(), [&](const auto& range) {
          return range.first <= slot.first && slot.last <= range.last;
        });
        if (known) continue;
        throw InputError(so_far.file, step.send->typed.at,
                         fmt::format("slot {0} is nobody's: no node has it in its 'slots', and no "
                                     "step adds it; if that is meant, write '{0}' in quotes",
                                     slot.first));
      }
    }
  }
}

}  // namespace

std::uint8_t read_tries(const Value& value, std::uint8_t max) {
  const std::string text = value.is_scalar() ? value.text() : std::string();
  if (text == "any number") return 0;
  if (text.empty() || text.find_first_not_of("-0123456789") != std::string::npos) {
    value.expected(fmt::format("a whole number from 1 to {}, or 'any number'", max));
  }
  return static_cast<std::uint8_t>(value.number(1, max));
}

std::vector<OperatorSpec> read_operators(const MapReader& top, const Scenario& so_far) {
  const auto one = top.find("operator");
  const auto several = top.find("operators");
  if (one && several) several->fail("give either 'operator' or 'operators', not both");
  std::vector<OperatorSpec> operators;
  const std::vector<std::string> nodes = so_far.node_names();
  if (one) {
    operators.push_back(read_operator(*one, {.value = "operator", .at = one->at()}, so_far));
  } else if (several) {
    const MapReader map = several->open_map();
    if (map.size() == 0) several->expected("at least one operator");
    if (map.size() > 8) several->fail("more than 8 operators");
    for (std::size_t i = 0; i < map.size(); ++i) {
      operators.push_back(read_operator(map.item(i), read_name(map.key(i), map, i), so_far));
    }
  }
  for (const OperatorSpec& op : operators) {
    if (std::find(nodes.begin(), nodes.end(), op.name.value) != nodes.end()) {
      throw InputError(so_far.file, op.name.at,
                       in_quotes(op.name.value) + " is both a node and an operator");
    }
  }
  check_labels(so_far.file, operators);
  check_setslots(so_far, operators);
  return operators;
}

}  // namespace slotlab::scenario
