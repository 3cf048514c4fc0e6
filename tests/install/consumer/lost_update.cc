// Two processes count up one number without a lock: each reads it, adds one, and writes it back. A
// model of one's own, searched with nothing but what was installed.
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "sim/check/explorer.h"
#include "sim/check/model_space.h"

namespace sim = slotlab::sim;

class LostUpdate {
 public:
  enum Step : std::uint32_t { begins, has_read, is_done };
  struct Process {
    Step step = begins;
    std::uint32_t read = 0;
    bool operator==(const Process&) const = default;
  };
  struct State {
    std::uint32_t number = 0;
    std::array<Process, 2> processes{};
    bool operator==(const State&) const = default;
  };

  explicit LostUpdate(std::uint32_t first) : first_(first) {}

  std::vector<State> initial_states() const { return {State{first_, {}}}; }

  // What can happen: either process takes its next step.
  template <class Emit>
  void successors(const State& now, Emit&& emit) const {
    for (std::uint32_t i = 0; i < now.processes.size(); ++i) {
      if (now.processes[i].step == is_done) continue;
      State next = now;
      Process& process = next.processes[i];
      if (process.step == begins) {
        process = {has_read, now.number};
      } else {
        next.number = process.read + 1;
        process = {is_done, 0};  // forget what is of no use: fewer states
      }
      emit(sim::Action{i}, next);
    }
  }

  std::string describe(const State& now, sim::Action action) const {
    const bool reads = now.processes[action.bits].step == begins;
    return "process " + std::to_string(action.bits + 1) + (reads ? " reads" : " writes");
  }

  std::vector<sim::StateProperty<State>> properties() const {
    const auto done = [](const State& s) {
      return s.processes[0].step == is_done && s.processes[1].step == is_done;
    };
    const std::uint32_t right = first_ + 2;
    return {sim::always<State>(
                "nothing-lost", [=](const State& s) { return !done(s) || s.number == right; },
                [](const State& s) { return "both wrote " + std::to_string(s.number); }),
            sim::sometimes<State>("all-done", done)};
  }

 private:
  std::uint32_t first_;
};

int main() {
  const LostUpdate model(5);
  sim::ModelSpace<LostUpdate> space(model);
  const sim::ExploreResult found = sim::explore(space, {});
  std::printf("%llu states\n", static_cast<unsigned long long>(found.states));
  for (const sim::PropertyResult& property : found.properties) {
    const bool holds = property.verdict == sim::Verdict::holds;
    std::printf("%s: %s%s\n", property.name.c_str(), holds ? "holds" : "VIOLATED, ",
                property.explanation.c_str());
    if (holds || !property.run) continue;
    LostUpdate::State state = model.initial_states()[property.run->initial];
    for (const sim::Action action : property.run->actions) {
      const LostUpdate::State before = state;
      std::printf("  %s\n", model.describe(before, action).c_str());
      model.successors(before, [&](sim::Action possible, const LostUpdate::State& next) {
        if (possible == action) state = next;
      });
    }
  }
  return 0;
}
