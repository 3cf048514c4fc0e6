#include "cli/conform/runner.h"

#include <set>

#include "sim/base/assert.h"

namespace slotlab::conform {
namespace {

WaitStep until_settled() { return {.condition = {}, .text = "converged"}; }

struct RunOne {
  Target& target;
  Recording& recording;

  Json operator()(const CommandStep& step) { return target.command(step); }
  Json operator()(const WaitStep& step) {
    recording.stuck = target.wait(step);
    return nullptr;
  }
  Json operator()(const LookStep& step) {
    Json saw = Json::object();
    for (const std::string& node : step.nodes) saw[node] = target.view(node);
    return saw;
  }
  Json operator()(const FaultStep& step) {
    target.fault(step);
    return nullptr;
  }
};

struct ExpectedOf {
  Json operator()(const CommandStep& step) const { return recorded(step.reply, step.record); }
  Json operator()(const WaitStep&) const { return nullptr; }
  Json operator()(const LookStep& step) const { return step.saw; }
  Json operator()(const FaultStep&) const { return nullptr; }
};

// Equal but for the order of keys.
bool same(const Json& a, const Json& b) { return nlohmann::json(a) == nlohmann::json(b); }

Json member(const Json& object, const std::string& key) {
  return object.is_object() && object.contains(key) ? object[key] : Json(nullptr);
}

std::set<std::string> keys_of(const Json& a, const Json& b) {
  std::set<std::string> keys;
  for (const Json* object : {&a, &b}) {
    if (!object->is_object()) continue;
    for (const auto& [key, value] : object->items()) keys.insert(key);
  }
  return keys;
}

// Field by field, so that a reader sees what differs and not two long lines.
void compare_views(const Json& expected, const Json& got, Difference frame,
                   std::vector<Difference>& out) {
  for (const std::string& node : keys_of(expected, got)) {
    const Json wanted = member(expected, node), seen = member(got, node);
    for (const std::string& field : keys_of(wanted, seen)) {
      frame.where = node + "." + field;
      frame.expected = member(wanted, field);
      frame.got = member(seen, field);
      if (!same(frame.expected, frame.got)) out.push_back(frame);
    }
  }
}

void compare_step(const Step& step, Difference frame, const Json& expected, const Json& got,
                  std::vector<Difference>& out) {
  if (same(expected, got)) return;
  if (std::holds_alternative<LookStep>(step.what)) {
    compare_views(expected, got, std::move(frame), out);
    return;
  }
  frame.where = "reply";
  frame.expected = expected;
  frame.got = got;
  out.push_back(std::move(frame));
}

}  // namespace

Recording run_steps(const Transcript& transcript, Target& target) {
  Recording recording;
  for (const Step& step : transcript.steps) {
    Json came = std::visit(RunOne{target, recording}, step.what);
    recording.steps.push_back(std::move(came));
    if (recording.stuck) return recording;
  }
  recording.stuck = target.wait(until_settled());
  if (recording.stuck) return recording;
  recording.final_views = Json::object();
  for (const NodeSpec& node : transcript.nodes) {
    recording.final_views[node.name] = target.view(node.name);
  }
  return recording;
}

Recording expected_of(const Transcript& transcript) {
  Recording recording;
  for (const Step& step : transcript.steps) {
    recording.steps.push_back(std::visit(ExpectedOf{}, step.what));
  }
  recording.final_views = transcript.final_views;
  return recording;
}

std::vector<Difference> differences(const Transcript& transcript, const Recording& expected,
                                    const Recording& got) {
  std::vector<Difference> out;
  const auto frame = [&](std::size_t i) {
    return Difference{.step = i + 1,
                      .line = transcript.steps[i].line,
                      .where = {},
                      .script = transcript.steps[i].script,
                      .expected = nullptr,
                      .got = nullptr};
  };
  const std::size_t both = std::min(expected.steps.size(), got.steps.size());
  for (std::size_t i = 0; i < both; ++i) {
    compare_step(transcript.steps[i], frame(i), expected.steps[i], got.steps[i], out);
  }
  // How a wait is worded depends on the target.
  if (expected.stuck.has_value() != got.stuck.has_value()) {
    const bool at_end = got.steps.size() == transcript.steps.size() && got.final_views.is_null();
    const std::size_t last = both == 0 ? 0 : both - 1;
    const bool in_wait =
        both > 0 && std::holds_alternative<WaitStep>(transcript.steps[last].what);
    Difference difference = at_end && !in_wait ? Difference{} : frame(last);
    difference.where = "wait";
    difference.expected = expected.stuck.value_or("it ends");
    difference.got = got.stuck.value_or("it ends");
    out.push_back(std::move(difference));
  }
  if (!expected.final_views.is_null() && !got.final_views.is_null()) {
    compare_views(expected.final_views, got.final_views, Difference{}, out);
  }
  return out;
}

}  // namespace slotlab::conform
