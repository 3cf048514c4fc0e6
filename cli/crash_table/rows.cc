// See rows.h. One search serves all rows of a death: the fault is allowed anywhere, once, and where
// in the procedure it struck is read off the state that it struck in.
#include "cli/crash_table/rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "models/scenario/build.h"

namespace slotlab::cli {

namespace {

using protocol::Slot;

std::vector<Slot> slots_of(const CrashSubject& subject) {
  std::set<Slot> slots;
  for (const scenario::StepSpec& step : subject.steps()) {
    if (step.move) slots.insert(step.move->slot.value);
    if (!step.send) continue;
    for (const protocol::SlotRange& range : step.send->slots) slots.insert(range.first);
  }
  return {slots.begin(), slots.end()};
}

std::string role_of(const CrashSubject& subject, const scenario::NodeSpec& node) {
  if (node.replica_of) return "replica of " + node.replica_of->value;
  for (const scenario::StepSpec& step : subject.steps()) {
    if (!step.move) continue;
    if (step.move->from.value == node.name.value) return "source";
    if (step.move->to.value == node.name.value) return "destination";
  }
  return "bystander";
}

scenario::Built build_with(const CrashSubject& subject, const Death& death) {
  scenario::Scenario with = subject.scenario;
  scenario::FaultSpec fault;
  fault.kind = death.role == "operator" ? sim::FaultKind::stop : sim::FaultKind::crash;
  fault.actors.push_back({.value = death.process, .at = {}});
  fault.mends = death.comes_back;
  with.faults.push_back(std::move(fault));
  return scenario::build(with, {.dialect = subject.dialect});
}

// Where in the procedure each state is that no fault has touched.
class Points {
 public:
  Points(const AllRuns& runs, sim::ActorId op, std::size_t steps)
      : runs_(runs), graph_(runs.graph()), op_(op), steps_(steps) {
    flags_.assign(graph_.state_count(), 0);
    std::vector<std::uint32_t> waiting;
    const auto mark = [&](std::uint32_t state, std::uint8_t flags) {
      if ((flags_[state] | flags) == flags_[state]) return;
      flags_[state] |= flags;
      waiting.push_back(state);
    };
    for (std::uint32_t s = 0; s < graph_.initial_count; ++s) mark(s, kFresh);
    while (!waiting.empty()) {
      const std::uint32_t s = waiting.back();
      waiting.pop_back();
      for (std::uint32_t e = graph_.first_edge[s]; e < graph_.first_edge[s + 1]; ++e) {
        if (graph_.fault[graph_.label[e]] == 0) mark(graph_.target[e], flags_after(s, e));
      }
    }
  }

  // One, or two where a step that was begun looks as if it were not.
  std::vector<Point> of(std::uint32_t state) {
    const std::uint32_t phase = phase_of(state);
    if (phase >= steps_) return {{.step = steps_ - 1, .when = When::after}};
    std::vector<Point> points;
    if ((flags_[state] & kFresh) != 0) points.push_back({.step = phase, .when = When::before});
    if ((flags_[state] & kBegun) != 0) points.push_back({.step = phase, .when = When::within});
    return points;
  }

 private:
  static constexpr std::uint8_t kFresh = 1, kBegun = 2;

  std::uint8_t flags_after(std::uint32_t state, std::uint32_t edge) {
    if (phase_of(graph_.target[edge]) != phase_of(state)) return kFresh;
    const sim::Action action = graph_.action[edge];
    const bool own = action.kind() == sim::ActionKind::step && action.a() == index(op_);
    return own ? kBegun : flags_[state];
  }

  std::uint32_t phase_of(std::uint32_t state) {
    const std::uint32_t local = graph_.state(state)[1 + index(op_)];
    const auto [at, fresh] = phases_.try_emplace(local, 0);
    if (fresh) {
      runs_.space().show(graph_.state(state), [&, phase = &at->second](const auto& view) {
        *phase = view.actor(op_).phase();
      });
    }
    return at->second;
  }

  const AllRuns& runs_;
  const sim::EventGraph& graph_;
  const sim::ActorId op_;
  const std::size_t steps_;
  std::vector<std::uint8_t> flags_;               // by state
  std::map<std::uint32_t, std::uint32_t> phases_;  // by local state of the operator
};

// By point, the states right after the death.
std::map<Point, std::vector<std::uint32_t>> struck(const AllRuns& runs, Points& points) {
  const sim::EventGraph& graph = runs.graph();
  std::map<Point, std::vector<std::uint32_t>> out;
  for (std::uint32_t s = 0; s < graph.state_count(); ++s) {
    for (std::uint32_t e = graph.first_edge[s]; e < graph.first_edge[s + 1]; ++e) {
      if (graph.fault[graph.label[e]] == 0) continue;
      for (const Point& point : points.of(s)) out[point].push_back(graph.target[e]);
    }
  }
  return out;
}

std::string operators_text(const properties::Picture& picture) {
  std::vector<std::string> parts;
  for (const auto& [name, text] : picture.operators) parts.push_back(name + ": " + text);
  return fmt::format("{}", fmt::join(parts, "; "));
}

// Ends that look alike are one end; false: a repair was cut short.
bool add_end(AtRest end, Repair* repair, std::uint64_t states_max,
             const std::atomic<bool>& interrupt, std::vector<CrashEnd>& ends) {
  std::set<Repaired> repaired;
  if (repair != nullptr) {
    repaired = repair->of(end, states_max, interrupt);
    if (repaired.empty()) return false;
  }
  const std::string operators = operators_text(end.picture);
  end.picture.operators.clear();
  const auto alike = std::find_if(ends.begin(), ends.end(), [&](const CrashEnd& each) {
    return each.picture == end.picture && each.broken == end.broken;
  });
  if (alike != ends.end()) {
    alike->repaired.insert(repaired.begin(), repaired.end());
    alike->operators.insert(operators);
  } else {
    ends.push_back({.picture = std::move(end.picture),
                    .operators = {operators},
                    .broken = std::move(end.broken),
                    .repaired = std::move(repaired)});
  }
  return true;
}

}  // namespace

std::vector<Death> deaths_of(const CrashSubject& subject) {
  std::vector<Death> deaths = {
      {.process = subject.scenario.operators[subject.procedure].name.value, .role = "operator"}};
  for (const scenario::NodeSpec& node : subject.scenario.nodes) {
    for (const bool comes_back : {false, true}) {
      deaths.push_back({.process = node.name.value,
                        .role = role_of(subject, node),
                        .comes_back = comes_back});
    }
  }
  return deaths;
}

DeathRows rows_of(const CrashSubject& subject, const Death& death, std::uint64_t states_max,
                  const std::atomic<bool>& interrupt) {
  DeathRows out{.death = death, .rows = {}, .complete = false};
  const scenario::Built built = build_with(subject, death);
  AllRuns runs(built.system, built.cast);
  if (!runs.search(states_max, interrupt)) return out;
  std::optional<Repair> repair;
  if (subject.repair != "none") {
    repair.emplace(subject.scenario, subject.dialect, subject.repair, slots_of(subject));
  }
  Points points(runs, built.cast->operators[subject.procedure], subject.steps().size());
  for (const auto& [point, states] : struck(runs, points)) {
    std::vector<CrashEnd>& ends = out.rows[point];
    for (AtRest& end : runs.ends(states)) {
      if (!add_end(std::move(end), repair ? &*repair : nullptr, states_max, interrupt, ends)) {
        out.rows.clear();
        return out;
      }
    }
    std::sort(ends.begin(), ends.end(), [](const CrashEnd& a, const CrashEnd& b) {
      return std::tie(a.picture, a.broken) < std::tie(b.picture, b.broken);
    });
  }
  out.complete = true;
  return out;
}

std::vector<std::string> lost(const properties::Picture& picture) {
  std::vector<std::string> out;
  for (const auto& slot : picture.slots) {
    if (!slot.owned) out.push_back("slot " + slot.slot);
  }
  for (const auto& key : picture.keys) {
    if (key.at.empty()) out.push_back("key " + key.key);
  }
  return out;
}

}  // namespace slotlab::cli
