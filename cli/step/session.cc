// See session.h.
#include "cli/step/session.h"

#include "sim/drive/random.h"
#include "sim/drive/replay.h"
#include "sim/drive/timed.h"

namespace slotlab::cli {

Session::Session(const Subject& subject) : subject_(subject), world_(subject.system) {}

void Session::forget_future() {
  actions_.resize(at_);
  story_.events.resize(at_);
}

void Session::record(const sim::World::Event& event) {
  actions_.push_back(event.action);
  story_.events.push_back(tell(*subject_.system, event));
  ++at_;
}

void Session::take(sim::Action action) {
  forget_future();
  record(world_.take(action, true));
}

void Session::go_to(std::size_t n) {
  if (n < at_) {
    world_ = sim::World(subject_.system);
    at_ = 0;
  }
  for (; at_ < n; ++at_) world_.take(actions_[at_]);
}

std::size_t Session::play(Player player, std::uint64_t events, std::uint64_t seed) {
  forget_future();
  const std::size_t before = at_;
  sim::RecordOptions record_options;
  record_options.record_beliefs = true;
  record_options.keep_steps = false;
  record_options.watch = [this](const sim::World&, const sim::RunStep& step) {
    record(step.event);
  };
  if (player == Player::timed) {
    sim::TimedOptions how;
    how.seed = seed;
    how.events_max = events;
    how.draw_faults = true;
    how.record = record_options;
    sim::run_timed(world_, how);
  } else {
    sim::RandomOptions how;
    how.seed = seed;
    how.steps_max = events;
    how.record = record_options;
    sim::run_random(world_, how);
  }
  return at_ - before;
}

std::size_t Session::follow(const std::vector<std::string>& sentences) {
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const auto action = sim::find_action(world_, sentences[i]);
    if (!action) return i;
    take(*action);
  }
  return sentences.size();
}

void Session::restart_at(const std::vector<sim::Action>& actions, std::size_t n) {
  world_ = sim::World(subject_.system);
  actions_.clear();
  story_.events.clear();
  at_ = 0;
  for (const sim::Action action : actions) record(world_.take(action, true));
  go_to(n);
}

void Session::mark(const std::string& name) {
  marks_[name] = {.actions = {actions_.begin(),
                              actions_.begin() + static_cast<std::ptrdiff_t>(at_)},
                  .at = at_};
}

bool Session::go_to_mark(const std::string& name) {
  const auto found = marks_.find(name);
  if (found == marks_.end()) return false;
  const Place place = found->second;
  restart_at(place.actions, place.at);
  return true;
}

std::vector<std::pair<std::string, std::size_t>> Session::marks() const {
  std::vector<std::pair<std::string, std::size_t>> list;
  for (const auto& [name, place] : marks_) list.emplace_back(name, place.at);
  return list;
}

std::vector<bool> Session::truths() const {
  std::vector<bool> truths;
  for (const sim::Property& property : subject_.properties) {
    truths.push_back(property.holds(world_));
  }
  return truths;
}

}  // namespace slotlab::cli
