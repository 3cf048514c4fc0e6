#include "sim/drive/timed.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/base/assert.h"
#include "sim/drive/agenda.h"
#include "sim/drive/fault_timers.h"
#include "sim/drive/link_clocks.h"
#include "sim/drive/replay.h"
#include "sim/drive/step_timers.h"

namespace slotlab::sim {
namespace {

void require(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(std::string("timed run: ") + what);
}

TimedOptions checked(TimedOptions options) {
  require(options.latency_min <= options.latency_max, "latency_min exceeds latency_max");
  require(options.mend_min <= options.mend_max, "mend_min exceeds mend_max");
  require(options.fault_span.us >= 1, "fault_span is 1 us or more");
  return options;
}

// Whether anything has changed, by the canonical bytes of the actors that were touched.
class ChangeDetector {
 public:
  explicit ChangeDetector(const World& world) : world_(world) {
    for (std::size_t a = 0; a < world.system().actor_count(); ++a) {
      seen_.push_back(bytes(ActorId{static_cast<std::uint8_t>(a)}));
    }
  }

  bool changed(const std::vector<ActorId>& touched) {
    bool any = false;
    for (const ActorId id : touched) {
      std::string now = bytes(id);
      any = any || now != seen_[index(id)];
      seen_[index(id)] = std::move(now);
    }
    return any;
  }

 private:
  std::string bytes(ActorId id) const {
    Encoder out;
    world_.actor(id).encode(out);
    return out.str();
  }
  const World& world_;
  std::vector<std::string> seen_;  // by actor
};

}  // namespace

class TimedDriver::Impl {
 public:
  Impl(World& world, const TimedOptions& options)
      : options_(checked(options)),
        world_(world),
        links_(world, {options.latency_min, options.latency_max}, stream("latency"), agenda_),
        steps_(world, std::max(options.latency_min, microseconds(1)), stream("steps"), agenda_),
        faults_(world,
                {.draw_faults = options.draw_faults,
                 .fault_span = options.fault_span,
                 .mend = options.mend,
                 .mend_min = options.mend_min,
                 .mend_max = options.mend_max},
                stream("faults"), stream("mendings"), agenda_) {
    for (std::uint32_t i = 0; i < options_.plan.size(); ++i) {
      schedule(agenda_, options_.plan[i].at, {.what = Due::What::planned, .a = i});
    }
    planned_left_ = options_.plan.size();
    for (std::size_t a = 0; a < world.system().actor_count(); ++a) {
      busy_.push_back(world.actor(ActorId{static_cast<std::uint8_t>(a)}).busy());
    }
    look_everywhere();
    if (options_.quiet_for) {
      changes_.emplace(world);
      steps_.mark();
      note_turns();
    }
  }

  RunResult run(Duration length, const RecordOptions& record) {
    Recorder recorder(world_, record, Clock::virtual_time);
    recorder_ = &recorder;
    const StopReason reason = go_on(after(now_, length));
    recorder_ = nullptr;
    RunResult result = recorder.finish(reason, now_);
    result.unused = std::exchange(unused_, {});
    return result;
  }

  void act(Action action) {
    const Before before = prepare(action);
    follow(action, before, world_.take(action));
  }

  Instant now() const { return now_; }

 private:
  StopReason go_on(Instant horizon) {
    while (true) {
      if (recorder_->should_stop()) return StopReason::until;
      if (recorder_->events() >= options_.events_max) return StopReason::steps;
      if (agenda_.empty()) return StopReason::nothing_possible;
      const auto quiet = quiet_from();
      if (quiet && *quiet <= horizon && *quiet < agenda_.next_time()) {
        now_ = *quiet;
        return StopReason::quiet;
      }
      if (agenda_.next_time() > horizon) {
        now_ = horizon;
        return StopReason::horizon;
      }
      const auto [ticket, due] = agenda_.pop();
      now_ = ticket.at;
      if (const std::optional<Action> action = resolve(due)) {
        const Before before = prepare(*action);
        follow(*action, before, recorder_->take(*action, now_));
      }
    }
  }

  Random stream(std::string_view name) const { return Random(options_.seed).stream(name); }

  // The action that is due; nothing if it is not possible after all.
  std::optional<Action> resolve(const Due& due) {
    switch (due.what) {
      case Due::What::planned: return planned(options_.plan[due.a]);
      case Due::What::delivery: {
        // A receiver that was paused meanwhile: the message waits, and sync_all() wakes it.
        const Action deliver = Action::make(ActionKind::deliver, due.a);
        return world_.is_possible(deliver) ? std::optional(deliver) : std::nullopt;
      }
      case Due::What::step: return step(ActorId{static_cast<std::uint8_t>(due.a)}, due.b);
      case Due::What::fault: return faults_.fault_due(due.a);
      case Due::What::mending: return faults_.mending_due(Action{due.a});
    }
    SIM_ASSERT(false, std::string("nothing that can be due"));
  }

  std::optional<Action> planned(const PlannedEvent& event) {
    --planned_left_;
    const std::optional<Action> action = find_action(world_, event.sentence);
    if (!action) unused_.push_back(event.sentence);
    return action;
  }

  std::optional<Action> step(ActorId id, StepCode code) {
    const auto actor = static_cast<std::uint32_t>(index(id));
    const Action action = Action::make(ActionKind::step, actor, code);
    if (!world_.is_possible(action)) {
      steps_.retry(id, code, now_);
      note_turns();
      return std::nullopt;
    }
    return faults_.loses_reply(action) ? Action::make(ActionKind::lose_reply, actor, code) : action;
  }

  struct Before {
    bool own_step = false;
    std::vector<std::uint8_t> budgets;
  };

  // What is due is due no more.
  Before prepare(Action action) {
    const bool own_step =
        action.kind() == ActionKind::step || action.kind() == ActionKind::lose_reply;
    if (action.kind() == ActionKind::deliver) links_.take_head(action.a());
    if (own_step) steps_.remove(ActorId{static_cast<std::uint8_t>(action.a())}, action.b());
    return {.own_step = own_step, .budgets = world_.environment().steps_spent};
  }

  // What follows from the event for all that may become due.
  void follow(Action action, const Before& before, const World::Event& event) {
    touched_ = event.touched;
    if (before.own_step) touched_.push_back(ActorId{static_cast<std::uint8_t>(action.a())});
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());

    const bool paid = world_.environment().steps_spent != before.budgets;
    // A lost reply is a step and a fault.
    const bool fault =
        action.kind() != ActionKind::deliver && action.kind() != ActionKind::step;
    if (fault || paid) {
      look_everywhere();
    } else {
      if (action.kind() == ActionKind::deliver) links_.sync(action.a(), now_);
      for (const LinkId id : event.sent_on) links_.sync(id, now_);
      for (const ActorId id : touched_) steps_.refresh(id, now_);
      note_idle();
      faults_.refresh_windows(touched_, now_);
    }
    for (const auto& [id, code] : event.rearmed) steps_.rearm(id, code, now_);
    if (changes_ && (changes_->changed(touched_) || fault || paid)) {
      steps_.mark();
      settled_since_.reset();
    }
    note_turns();
  }

  // After a change of the environment, when anybody's steps and links may be affected.
  void look_everywhere() {
    links_.sync_all(now_);
    steps_.refresh_all(now_);
    faults_.refresh_all(now_);
  }

  // What waited for a busy actor is delivered once it is idle again.
  void note_idle() {
    for (const ActorId id : touched_) {
      const bool busy = world_.actor(id).busy();
      if (busy_[index(id)] && !busy) links_.sync_all(now_);
      busy_[index(id)] = busy;
    }
  }

  void note_turns() {
    if (changes_ && !settled_since_ && steps_.all_had_their_turn()) settled_since_ = now_;
  }

  // The instant from which on the run counts as quiet, if nothing comes in between.
  std::optional<Instant> quiet_from() const {
    if (!settled_since_ || planned_left_ > 0 || faults_.pending()) return std::nullopt;
    return after(*settled_since_, std::max(*options_.quiet_for, options_.latency_max));
  }

  const TimedOptions options_;
  World& world_;
  Recorder* recorder_ = nullptr;  // while run() runs
  Instant now_;
  Agenda agenda_;
  LinkClocks links_;
  StepTimers steps_;
  FaultTimers faults_;
  std::size_t planned_left_ = 0;
  std::vector<std::string> unused_;
  std::vector<ActorId> touched_;
  std::vector<bool> busy_;  // by actor, as last seen
  std::optional<ChangeDetector> changes_;  // only if the run may end by being quiet
  std::optional<Instant> settled_since_;   // all fair timers had their turn since the last change
};

TimedDriver::TimedDriver(World& world, const TimedOptions& options)
    : impl_(std::make_unique<Impl>(world, options)) {}

TimedDriver::~TimedDriver() = default;

RunResult TimedDriver::run(Duration length, const RecordOptions& record) {
  return impl_->run(length, record);
}

void TimedDriver::take(Action action) { impl_->act(action); }

Instant TimedDriver::now() const { return impl_->now(); }

RunResult run_timed(World& world, const TimedOptions& options) {
  return TimedDriver(world, options).run(options.horizon, options.record);
}

}  // namespace slotlab::sim
