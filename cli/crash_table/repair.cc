// See repair.h.
#include "cli/crash_table/repair.h"

#include <algorithm>
#include <utility>

#include "models/scenario/build.h"
#include "sim/base/encoder.h"

namespace slotlab::cli {

const std::vector<std::string> kRepairs = {"none", "fix", "fix-replace", "fix-unreachable",
                                           "takeover", "manual"};

namespace {

oper::Flavour flavour_of(const std::string& dialect) {
  if (dialect.starts_with("redis-3.0")) return oper::Flavour::redis_trib_3_0;
  if (dialect.starts_with("valkey")) return oper::Flavour::valkey_cli_8_0;
  return oper::Flavour::redis_cli_7_0;
}

std::string unused_name(const scenario::Scenario& scenario) {
  std::string name = "repair";
  const auto taken = [&] {
    return scenario.node(name) != nullptr ||
           std::any_of(scenario.operators.begin(), scenario.operators.end(),
                       [&](const auto& op) { return op.name.value == name; });
  };
  while (taken()) name += "-";
  return name;
}

// The procedure again from its first step, over all that refuses or does not answer.
scenario::OperatorSpec manual_again(const scenario::OperatorSpec& procedure) {
  scenario::OperatorSpec again = procedure;
  again.may_stop = false;
  for (scenario::StepSpec& step : again.steps) {
    step.reaction.on_error = oper::OnError::carry_on;
    step.reaction.on_no_answer = oper::OnNoAnswer::skip;
  }
  return again;
}

scenario::OperatorSpec fix_of(protocol::Slot slot, const std::string& kind,
                              const std::string& dialect) {
  scenario::OperatorSpec fix;
  fix.fair = true;
  scenario::ToolSpec tool;
  tool.kind = oper::ToolKind::fix;
  tool.flavour = flavour_of(dialect);
  tool.slot.value = slot;
  tool.replace = kind == "fix-replace";
  tool.unreachable_masters = kind == "fix-unreachable" || kind == "takeover";
  fix.tool = std::move(tool);
  return fix;
}

// An administrator makes the first replica of each master that is gone its successor.
scenario::OperatorSpec takeovers(const scenario::Scenario& base, const AtRest& end) {
  scenario::OperatorSpec out;
  out.fair = true;
  for (const std::string& gone : end.picture.gone) {
    const auto replica =
        std::find_if(base.nodes.begin(), base.nodes.end(), [&](const scenario::NodeSpec& node) {
          return node.replica_of && node.replica_of->value == gone;
        });
    if (replica == base.nodes.end()) continue;
    scenario::StepSpec step;
    step.label.value = "takeover of " + gone;
    step.to = replica->name;
    scenario::CommandSpec send;
    send.typed.value = "CLUSTER FAILOVER TAKEOVER";
    for (const char* word : {"CLUSTER", "FAILOVER", "TAKEOVER"}) {
      send.words.push_back({.kind = scenario::CommandWord::Kind::plain, .text = word});
    }
    step.send = std::move(send);
    step.reaction = {.on_error = oper::OnError::carry_on, .on_no_answer = oper::OnNoAnswer::skip};
    out.steps.push_back(std::move(step));
  }
  return out;
}

// Canonical bytes: equal ends have equal bytes. Actors from `first_idle` on that can do nothing
// more do not count.
std::string bytes_of(const AtRest& end, std::size_t first_idle) {
  sim::Encoder out;
  for (std::size_t a = 0; a < end.actors.size(); ++a) {
    const bool idle = a >= first_idle && !end.actors[a]->can_stop();
    out.number(static_cast<std::uint8_t>(idle));
    if (!idle) end.actors[a]->encode(out);
  }
  sim::encode(out, end.environment.status);
  sim::encode(out, end.environment.steps_spent);
  return out.str();
}

// Replicas that take over speak up, whatever bounds the search of the procedure.
void lift_silence(scenario::Scenario& scenario, const AtRest& end) {
  const std::vector<std::string>& gone = end.picture.gone;
  std::erase_if(scenario.network.silent, [&](const scenario::SilenceSpec& silence) {
    const scenario::NodeSpec* node = scenario.node(silence.from.value);
    return node != nullptr && node->replica_of &&
           std::find(gone.begin(), gone.end(), node->replica_of->value) != gone.end();
  });
}

}  // namespace

Repair::Repair(scenario::Scenario base, std::string dialect, const std::string& kind,
               std::vector<protocol::Slot> slots)
    : base_(std::move(base)),
      dialect_(std::move(dialect)),
      kind_(kind),
      name_(unused_name(base_)) {
  if (kind == "manual") {
    const auto procedure = std::find_if(base_.operators.begin(), base_.operators.end(),
                                        [](const auto& op) { return !op.steps.empty(); });
    repairs_.push_back(manual_again(*procedure));
  } else {
    for (const protocol::Slot slot : slots) repairs_.push_back(fix_of(slot, kind, dialect_));
  }
}

std::vector<scenario::OperatorSpec> Repair::repairs_of(const AtRest& end) const {
  std::vector<scenario::OperatorSpec> repairs = repairs_;
  if (kind_ == "takeover") {
    scenario::OperatorSpec first = takeovers(base_, end);
    if (!first.steps.empty()) repairs.insert(repairs.begin(), std::move(first));
  }
  for (scenario::OperatorSpec& repair : repairs) repair.name.value = name_;
  return repairs;
}

// Operators that have ended make no difference to a repair.
std::string Repair::key_of(const AtRest& end) const { return bytes_of(end, base_.nodes.size()); }

std::vector<AtRest> Repair::run(const AtRest& end, const scenario::OperatorSpec& repair,
                                std::uint64_t states_max,
                                const std::atomic<bool>& interrupt) const {
  scenario::Scenario with = base_;
  with.operators.push_back(repair);
  if (kind_ == "takeover") lift_silence(with, end);
  const scenario::Built built = scenario::build(with, {.dialect = dialect_});
  sim::SystemSpec spec = built.system->spec();
  spec.initial_status = end.environment.status;
  const std::size_t before = spec.actors.size() - 1;  // all but the repair
  spec.initial_status.resize(before, sim::Status::up);
  spec.initial_status.push_back(sim::Status::up);
  for (std::size_t a = 0; a < before; ++a) spec.actors[a] = end.actors[a];
  const std::size_t budgets =
      std::min(spec.step_budgets.size(), end.environment.steps_spent.size());
  for (std::size_t b = 0; b < budgets; ++b) {
    spec.step_budgets[b].at_most -= end.environment.steps_spent[b];
  }
  AllRuns runs(std::make_shared<const sim::System>(std::move(spec)), built.cast);
  if (!runs.search(states_max, interrupt)) return {};
  std::vector<AtRest> ends = runs.ends({0});
  for (AtRest& each : ends) {  // what is spent stays spent for the repair of the next slot
    for (std::size_t b = 0; b < budgets; ++b) {
      each.environment.steps_spent[b] += end.environment.steps_spent[b];
    }
  }
  return ends;
}

const std::set<Repaired>& Repair::of(const AtRest& end, std::uint64_t states_max,
                                     const std::atomic<bool>& interrupt) {
  const auto [at, fresh] = known_.try_emplace(key_of(end));
  if (!fresh) return at->second;
  std::vector<AtRest> ends = {end};
  for (const scenario::OperatorSpec& repair : repairs_of(end)) {
    std::map<std::string, AtRest> next;
    for (const AtRest& each : ends) {
      std::vector<AtRest> after = run(each, repair, states_max, interrupt);
      if (after.empty()) return at->second;
      for (AtRest& one : after) next.emplace(bytes_of(one, SIZE_MAX), std::move(one));
    }
    ends.clear();
    for (auto& [bytes, one] : next) ends.push_back(std::move(one));
  }
  for (const AtRest& one : ends) {
    Repaired repaired{.said = one.picture.operators.back().second,
                      .picture = one.picture,
                      .broken = one.broken};
    repaired.picture.operators.clear();
    at->second.insert(std::move(repaired));
  }
  return at->second;
}

}  // namespace slotlab::cli
