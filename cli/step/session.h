// A run that a person walks through: where they are, how they came there, what lies ahead if they
// went back, and the places that they named. It knows nothing of commands or printing. The state is
// recomputed from the start whenever the person jumps, so that any point can be returned to and
// branched from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/story.h"
#include "cli/subject.h"
#include "sim/system/world.h"

namespace slotlab::cli {

class Session {
 public:
  // REQUIRES: `subject` has a system and outlives the session.
  explicit Session(const Subject& subject);

  const Subject& subject() const { return subject_; }
  const sim::World& world() const { return world_; }
  std::size_t at() const { return at_; }                      // events before the present
  std::size_t known() const { return story_.events.size(); }  // at() or more: what can be gone to
  const Story& story() const { return story_; }               // of all that is known

  // Takes the event; what was known beyond the present is forgotten. REQUIRES: it is possible.
  void take(sim::Action action);
  // REQUIRES: n <= known().
  void go_to(std::size_t n);
  enum class Player : std::uint8_t { timed, random };
  // Lets a driver take `events` events at most; returns how many it took.
  std::size_t play(Player player, std::uint64_t events, std::uint64_t seed);
  // Takes the events of these sentences. Returns how many were possible in turn.
  std::size_t follow(const std::vector<std::string>& sentences);

  // Names the present, with the way that led to it. A name that exists moves here.
  void mark(const std::string& name);
  // False if nothing bears the name.
  bool go_to_mark(const std::string& name);
  // Name and number of events, by name.
  std::vector<std::pair<std::string, std::size_t>> marks() const;

  // What each property says of the present: by property, true or false.
  std::vector<bool> truths() const;

 private:
  void forget_future();
  void record(const sim::World::Event& event);
  void restart_at(const std::vector<sim::Action>& actions, std::size_t n);

  const Subject& subject_;
  sim::World world_;
  std::vector<sim::Action> actions_;
  Story story_;
  std::size_t at_ = 0;
  struct Place {
    std::vector<sim::Action> actions;
    std::size_t at = 0;
  };
  std::map<std::string, Place> marks_;
};

}  // namespace slotlab::cli
