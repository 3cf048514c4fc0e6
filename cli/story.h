// A run as people read it: one sentence per event, and what the event changed in anybody's belief.
// Runs come from a search (through its Space) or from a living World; both are told alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/check/explorer.h"
#include "sim/system/world.h"

namespace slotlab::cli {

struct StoryEvent {
  std::string text;                  // "operator -> B: CLUSTER SETSLOT 7 IMPORTING A"
  std::vector<std::string> gained;   // lines of belief that it added: "B: importing 7 from A"
  std::vector<std::string> lost;     // lines that it took away
  std::vector<std::string> notes;    // named reasons given by handlers
  std::vector<std::string> replies;  // "B answers -ERR ..."
  std::optional<sim::Instant> at;    // virtual time, if the run has one
};

struct Story {
  std::vector<StoryEvent> events;
  std::optional<std::size_t> cycle_start;  // the events from here on repeat for ever
};

// REQUIRES: `run` is a path of `space`.
Story tell(const sim::Space& space, const sim::Run& run);
// REQUIRES: each action of `run` is possible in turn. Notes and replies are known only here.
Story tell(const std::shared_ptr<const sim::System>& system, const sim::Run& run);
StoryEvent tell(const sim::System& system, const sim::World::Event& event);

// The state after one event. REQUIRES: `action` is possible in `state`.
std::vector<std::uint32_t> successor(const sim::Space& space,
                                     const std::vector<std::uint32_t>& state, sim::Action action);

// Numbered lines; the changes stand to the right of the sentence, or below it if it is long.
std::string story_text(const Story& story);
// What an event changed, one short line per fact: gained lines, and those lost without a successor
// ("B: no longer ..."). Left out is what goes without saying: that an operator is a step further,
// and what a process that has crashed no longer believes.
std::vector<std::string> change_lines(const StoryEvent& event);
// The replies but for plain +OK: that all went well is what a reader assumes.
std::vector<std::string> replies_worth_telling(const StoryEvent& event);
// The sentences alone.
std::vector<std::string> sentences(const Story& story);

}  // namespace slotlab::cli
