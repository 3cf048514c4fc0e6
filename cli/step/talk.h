// The conversation of `slotlab step`: a line is read as a command, the session does it, and what a
// person wants to read comes back as text. No input or output happens here, so that every command
// is tested by its text alone.
#pragma once

#include <string>
#include <vector>

#include "cli/explain_words.h"
#include "cli/step/session.h"

namespace slotlab::cli {

struct Heard {
  std::string text;      // what to print; whole lines
  bool wrong = false;    // the line was not understood, or cannot be done: `text` says why
  bool quit = false;
};

class Talk {
 public:
  // REQUIRES: `session` outlives it.
  explicit Talk(Session& session);

  // What to show before the first command.
  std::string greeting() const;
  Heard hear(const std::string& line);

 private:
  using Words = std::vector<std::string>;
  Heard take_number(const std::string& number);
  Heard take_words(const std::string& words);
  Heard take(sim::Action action);
  Heard back(const Words& words);
  Heard go_to(const Words& words);
  Heard play(const Words& words);
  Heard believe(const Words& words) const;
  Heard why(const std::string& words) const;
  Heard save(const Words& words) const;
  Heard go_to_mark(const Words& words);
  Heard mark(const Words& words);

  std::string here() const;              // number of events, what just changed, properties
  std::string choices(bool all) const;   // the numbered list
  std::string changed_properties(const std::vector<bool>& before) const;
  std::string properties() const;
  std::vector<std::string> beliefs() const;
  std::string event_words(sim::Action action) const;

  Session& session_;
  EventWords words_;
};

}  // namespace slotlab::cli
