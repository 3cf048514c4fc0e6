// See told_run.h. Messages are matched with their sending by position: a link is first in, first
// out, and what a fault empties is gone.
#include "sim/export/told_run.h"

#include <algorithm>
#include <deque>

#include "sim/base/assert.h"
#include "sim/drive/replay.h"

namespace slotlab::sim {

namespace {

class Teller {
 public:
  Teller(const std::shared_ptr<const System>& system, const Trace& trace)
      : system_(*system), trace_(trace), world_(system), senders_(system->link_count()) {
    told_.actors = system->spec().names;
    told_.actors.push_back("environment");
  }

  Told tell() {
    told_.beliefs.push_back(beliefs_of(world_));
    for (const TraceEvent& event : trace_.events) {
      const auto action = find_action(world_, event.sentence);
      SIM_ASSERT(action.has_value(), "an event of the trace is not possible: " + event.sentence);
      take(*action, event);
    }
    return std::move(told_);
  }

 private:
  void take(Action action, const TraceEvent& event) {
    ToldEvent told{.sentence = event.sentence, .what = what(event.sentence), .at = event.at};
    place(action, told);
    const std::size_t number = told_.events.size();
    if (action.kind() == ActionKind::deliver && !senders_[action.a()].empty()) {
      told.sent_by = senders_[action.a()].front();
      senders_[action.a()].pop_front();
    }
    const World::Event done = world_.take(action, true);
    told.gained = done.gained;
    told.lost = done.lost;
    for (const LinkId link : done.sent_on) senders_[link].push_back(number);
    for (LinkId link = 0; link < senders_.size(); ++link) {
      while (senders_[link].size() > world_.link(link).size()) senders_[link].pop_front();
    }
    told_.events.push_back(std::move(told));
    told_.beliefs.push_back(beliefs_of(world_));
  }

  void place(Action action, ToldEvent& told) const {
    switch (action.kind()) {
      case ActionKind::deliver: {
        const LinkSpec& link = system_.spec().links[action.a()];
        told.actor = index(link.to);
        told.from = index(link.from);
        return;
      }
      case ActionKind::step:
      case ActionKind::lose_reply: {
        told.actor = action.a();
        // "operator -> B: ...": the call happens at B.
        const auto callee = named_after_arrow(told.sentence);
        if (callee) {
          told.from = told.actor;
          told.actor = *callee;
          told.call = true;
        }
        return;
      }
      case ActionKind::restart:
      case ActionKind::resume: told.actor = action.a(); return;
      case ActionKind::crash:
      case ActionKind::pause:
      case ActionKind::stop:
        told.actor = index(system_.spec().faults[action.a()].actors[action.b()]);
        return;
      case ActionKind::cut:
      case ActionKind::heal: told.actor = told_.actors.size() - 1; return;
    }
  }

  std::optional<std::size_t> named_after_arrow(const std::string& sentence) const {
    const std::size_t arrow = sentence.find(" -> ");
    const std::size_t colon = sentence.find(": ");
    if (arrow == std::string::npos || colon == std::string::npos || colon < arrow) return {};
    const std::string name = sentence.substr(arrow + 4, colon - arrow - 4);
    const auto at = std::find(told_.actors.begin(), told_.actors.end(), name);
    if (at == told_.actors.end()) return {};
    return static_cast<std::size_t>(at - told_.actors.begin());
  }

  static std::string what(const std::string& sentence) {
    const std::size_t arrow = sentence.find(" -> ");
    const std::size_t colon = sentence.find(": ");
    if (arrow == std::string::npos || colon == std::string::npos || colon < arrow) return sentence;
    return sentence.substr(colon + 2);
  }

  const System& system_;
  const Trace& trace_;
  World world_;
  std::vector<std::deque<std::size_t>> senders_;  // by link: the events that sent what is in it
  Told told_;
};

}  // namespace

Told tell_run(const std::shared_ptr<const System>& system, const Trace& trace) {
  return Teller(system, trace).tell();
}

}  // namespace slotlab::sim
