// What `check` is asked to search: a scenario file, or a textbook model. Both become a Space with
// expectations, so that everything after this point treats them alike.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "models/properties/registry.h"
#include "sim/check/explorer.h"
#include "sim/system/system.h"

namespace slotlab::cli {

struct Subject {
  std::string name;                             // as typed
  std::string title;
  std::string dialect;                          // empty for textbook models
  std::string reductions;                       // one of kReductions, never "default"
  std::unique_ptr<sim::Space> space;
  // Makes the same space again without reductions.
  std::function<std::unique_ptr<sim::Space>()> full_space;
  // The same with all reductions but those that fold; null if nothing folds.
  std::function<std::unique_ptr<sim::Space>()> unfolded_space;
  // Searches to be made instead of one of `space`, which is then the ordinary one: `lasting`
  // messages, `similar` states, or `split` by crashes. Empty otherwise.
  struct Part {
    std::string name;  // "crash of B"; empty if there is one part only
    // `go_on` is asked now and then while the space is made, and may end that early.
    std::function<std::unique_ptr<sim::Space>(const std::function<bool()>& go_on)> make;
    // Further parts that there are by what the search of this one has seen; null: none.
    std::function<std::vector<Part>(const sim::Space& searched)> more = nullptr;
  };
  std::vector<Part> parts;
  // The ordinary space with these properties alone; see `parts`.
  std::function<std::unique_ptr<sim::Space>(const std::vector<std::size_t>& properties)> ordinary;
  std::shared_ptr<const sim::System> system;    // null for textbook models
  std::vector<sim::Property> properties;        // as the space has them; empty for textbook models
  properties::CastPtr cast;                     // null for textbook models
  bool expects_something = false;
  // Whether a `sometimes` that is never reached spoils the overall verdict. A scenario asks for it;
  // a textbook model only reports whether it is.
  bool must_reach = true;
  std::vector<sim::Verdict> expected;           // by property; meaningful if expects_something
  // What was assumed, in the order of printing: {"heartbeats", "merged"}.
  std::vector<std::pair<std::string, std::string>> settings;
  std::string scenario_text;                    // the file as read; empty for textbook models

  bool reduces(const std::string& reduction) const {
    return reductions.find(reduction) != std::string::npos;
  }
  // States stand for their likes, so that names may change from one state of a run to the next.
  bool folds = false;
};

// `what` is FILE or textbook:SPEC. `reductions` is one of kReductions.
// ERRORS: throws InputError or scenario::InputError.
Subject load_subject(const std::string& what, const std::optional<std::string>& dialect,
                     const std::string& reductions);
// As load_subject of a file `name` with this text.
Subject scenario_subject(const std::string& name, const std::string& text,
                         const std::optional<std::string>& dialect, const std::string& reductions);
// The dialects that a scenario file names. ERRORS: throws scenario::InputError.
std::vector<std::string> dialects_of(const std::string& file);
// For verbs that show states and orders as the search sees them. ERRORS: throws InputError if the
// reductions fold states or leave out orders.
void require_names(const std::string& reductions, const std::string& verb);
bool is_textbook(const std::string& what);

}  // namespace slotlab::cli
