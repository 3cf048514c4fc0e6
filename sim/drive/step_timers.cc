#include "sim/drive/step_timers.h"

#include <algorithm>
#include <iterator>

#include "sim/base/assert.h"

namespace slotlab::sim {
namespace {

bool by_code(const Offer& a, const Offer& b) { return a.code < b.code; }

}  // namespace

StepTimers::StepTimers(const World& world, Duration retry_min, Random random, Agenda& agenda)
    : world_(world),
      retry_min_(retry_min),
      random_(random),
      agenda_(agenda),
      actors_(world.system().actor_count()) {}

void StepTimers::arm(Timer& timer, ActorId id, Duration delay_floor, Instant now) {
  SIM_ASSERT(timer.offer.delay_min <= timer.offer.delay_max,
             "the delays of step " + std::to_string(timer.offer.code));
  const Duration delay =
      std::max(delay_floor, draw(random_, timer.offer.delay_min, timer.offer.delay_max));
  arm_at(timer, id, after(now, delay));
}

void StepTimers::arm_at(Timer& timer, ActorId id, Instant due) {
  timer.overdue = false;
  timer.due = schedule(agenda_, due,
                       {.what = Due::What::step,
                        .a = static_cast<std::uint32_t>(index(id)),
                        .b = timer.offer.code});
  timer.marks = marks_;
  if (timer.offer.fair) ++fair_;
}

void StepTimers::disarm(const Timer& timer) {
  if (timer.overdue) return;
  agenda_.cancel(timer.due);
  if (!timer.offer.fair) return;
  --fair_;
  if (timer.marks < marks_) --waiting_;
}

StepTimers::Timer* StepTimers::find(ActorId id, StepCode code) {
  std::vector<Timer>& armed = actors_[index(id)].armed;
  const auto at = std::lower_bound(armed.begin(), armed.end(), code,
                                   [](const Timer& t, StepCode c) { return t.offer.code < c; });
  return at != armed.end() && at->offer.code == code ? &*at : nullptr;
}

bool StepTimers::paused(ActorId id) const {
  return world_.environment().status[index(id)] == Status::paused;
}

void StepTimers::refresh(ActorId id, Instant now) {
  Timers& timers = actors_[index(id)];
  // The process stands still, its clock does not: countdowns go on.
  if (paused(id)) return;
  static const std::vector<Offer> kNone;
  const bool up = world_.system().up(world_.environment(), id);
  const std::vector<Offer>& offers = up ? world_.offers(id) : kNone;
  if (!timers.must_look && offers == timers.offers) {
    arm_taken(id, now);
  } else {
    timers.offers = offers;
    timers.must_look = false;
    arm_all(id, now);
  }
  timers.taken.clear();
}

// The common case, made cheap: a heartbeat was sent, and all else is as it was.
void StepTimers::arm_taken(ActorId id, Instant now) {
  Timers& timers = actors_[index(id)];
  for (const StepCode code : timers.taken) {
    const auto offer = std::find_if(timers.offers.begin(), timers.offers.end(),
                                    [&](const Offer& o) { return o.code == code; });
    if (offer == timers.offers.end() || find(id, code) != nullptr) continue;
    if (!world_.system().grants(world_.environment(), id, *offer)) continue;
    const auto place = std::find_if(timers.armed.begin(), timers.armed.end(),
                                    [&](const Timer& t) { return t.offer.code > code; });
    arm(*timers.armed.insert(place, {.offer = *offer}), id, Duration{}, now);
  }
}

void StepTimers::arm_all(ActorId id, Instant now) {
  Timers& timers = actors_[index(id)];
  std::vector<Offer> granted = timers.offers;
  std::erase_if(granted, [&](const Offer& offer) {
    return !world_.system().grants(world_.environment(), id, offer);
  });
  if (!std::is_sorted(granted.begin(), granted.end(), by_code)) {
    std::sort(granted.begin(), granted.end(), by_code);
  }
  // Both lists are sorted by code: what is in both and equal stays armed.
  std::vector<Timer> armed;
  armed.reserve(granted.size());
  auto old = timers.armed.begin();
  for (const Offer& offer : granted) {
    for (; old != timers.armed.end() && old->offer.code < offer.code; ++old) disarm(*old);
    if (old != timers.armed.end() && old->offer == offer) {
      armed.push_back(*old++);
      if (armed.back().overdue) arm_at(armed.back(), id, now);
      continue;
    }
    armed.push_back({.offer = offer});
    arm(armed.back(), id, Duration{}, now);
  }
  for (; old != timers.armed.end(); ++old) disarm(*old);
  timers.armed = std::move(armed);
}

void StepTimers::refresh_all(Instant now) {
  for (std::size_t a = 0; a < actors_.size(); ++a) {
    actors_[a].must_look = true;
    refresh(ActorId{static_cast<std::uint8_t>(a)}, now);
  }
}

void StepTimers::remove(ActorId id, StepCode code) {
  Timer* timer = find(id, code);
  if (timer == nullptr) return;
  disarm(*timer);
  Timers& timers = actors_[index(id)];
  timers.armed.erase(timers.armed.begin() + (timer - timers.armed.data()));
  timers.taken.push_back(code);
}

void StepTimers::rearm(ActorId id, StepCode code, Instant now) {
  Timer* timer = find(id, code);
  if (timer == nullptr) return;
  disarm(*timer);
  arm(*timer, id, Duration{}, now);
}

void StepTimers::retry(ActorId id, StepCode code, Instant now) {
  Timer* timer = find(id, code);
  SIM_ASSERT(timer != nullptr);
  disarm(*timer);
  if (paused(id)) {
    timer->overdue = true;
  } else {
    arm(*timer, id, retry_min_, now);
  }
}

void StepTimers::mark() {
  ++marks_;
  waiting_ = fair_;
}

}  // namespace slotlab::sim
