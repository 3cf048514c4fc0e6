// A run as viewers need it: who acts in each event, which event sent what another received, and
// what everybody believes in between. Every format that shows a run is written from this.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/system/world.h"
#include "sim/trace/trace.h"

namespace slotlab::sim {

struct ToldEvent {
  std::string sentence;
  std::string what = {};               // the sentence without the names in front of it
  std::optional<Instant> at = {};
  std::size_t actor = 0;          // where it happens: an index into Told::actors
  std::optional<std::size_t> from = {};     // a message's sender, or who called
  std::optional<std::size_t> sent_by = {};  // the event that put the message on its way
  bool call = false;              // `from` calls `actor` within the same event
  std::vector<std::string> gained = {}, lost = {};
};

struct Told {
  std::vector<std::string> actors;  // the last one, "environment", suffers what befalls no actor
  std::vector<ToldEvent> events;
  std::vector<std::vector<std::string>> beliefs;  // of all actors, by state, one more than events
};

// REQUIRES: the trace is a run of the system.
Told tell_run(const std::shared_ptr<const System>& system, const Trace& trace);

std::string to_shiviz(const Told& told);
std::string to_mermaid(const Told& told, const std::string& title);
std::string to_perfetto(const Told& told, const std::string& title);

}  // namespace slotlab::sim
