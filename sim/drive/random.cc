#include "sim/drive/random.h"

#include <memory>

#include "sim/base/assert.h"

namespace slotlab::sim {
namespace {

std::unique_ptr<Chooser> make_chooser(const RandomOptions& options) {
  switch (options.choice) {
    case Choice::by_kind: return std::make_unique<KindChooser>(options.seed, options.weights);
    case Choice::uniform: return std::make_unique<UniformChooser>(options.seed);
    case Choice::pct: return std::make_unique<PctChooser>(options.seed, options.pct);
  }
  SIM_ASSERT(false, std::string("a choice that is none"));
}

}  // namespace

RunResult run_random(World& world, const RandomOptions& options) {
  return run_chosen(world, *make_chooser(options), options.steps_max, options.record);
}

RunResult run_chosen(World& world, Chooser& chooser, std::uint64_t steps_max,
                     const RecordOptions& record) {
  Recorder recorder(world, record, Clock::none);
  while (true) {
    if (recorder.should_stop()) return recorder.finish(StopReason::until);
    if (recorder.events() >= steps_max) return recorder.finish(StopReason::steps);
    const std::vector<Action> possible = world.possible();
    if (possible.empty()) return recorder.finish(StopReason::nothing_possible);
    const std::size_t chosen = chooser.choose(world, possible);
    SIM_ASSERT(chosen < possible.size());
    recorder.take(possible[chosen]);
  }
}

}  // namespace slotlab::sim
