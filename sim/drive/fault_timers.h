// The faults that a timed run draws for itself, and the mendings that follow: part of the timed
// driver. A fault is aimed only when it is due, at one of the targets that are possible just then,
// so a rule never misses because its target happened to be down.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sim/drive/agenda.h"
#include "sim/system/world.h"

namespace slotlab::sim {

class FaultTimers {
 public:
  struct Options {
    bool draw_faults = false;
    Duration fault_span;
    bool mend = true;
    Duration mend_min, mend_max;
  };
  FaultTimers(const World& world, const Options& options, const Random& faults,
              const Random& mendings, Agenda& agenda);

  // The environment changed: arms the mendings and the rules that it made possible.
  void refresh_all(Instant now);
  // Handlers of `touched` ran: opens and closes the windows that look at them.
  void refresh_windows(const std::vector<ActorId>& touched, Instant now);

  // A use of the rule is due. Returns the fault to take; nothing if no target is possible (the use
  // waits for the next change of the environment or opening of its window), or if the rule loses a
  // reply, which befalls the next call of the caller that was chosen.
  std::optional<Action> fault_due(std::uint32_t rule);
  // Whether the step loses its reply because such a fault was due. Clears the mark if so.
  bool loses_reply(Action step);
  // The mending, if it is still possible.
  std::optional<Action> mending_due(Action mending);

  // A fault or a mending is on the agenda.
  bool pending() const;

 private:
  struct Rule {
    std::uint32_t uses_left = 0;
    bool open = false;
    Ticket due;
    Random random{0};
  };
  bool window_open(std::size_t rule) const;
  void set_open(std::size_t rule, bool open, Instant now);
  void arm(std::size_t rule, Instant now);
  std::vector<Action> possible() const;
  void refresh_mendings(Instant now);
  void choose_caller(std::uint32_t rule);

  const World& world_;
  Options options_;
  Random mendings_random_;
  Agenda& agenda_;
  std::vector<Rule> rules_;
  std::map<Action, Ticket> mendings_;
  std::vector<bool> loses_next_reply_;  // by actor
};

}  // namespace slotlab::sim
