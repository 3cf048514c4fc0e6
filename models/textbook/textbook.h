// The textbook models by name, for the command line, the tests and the benchmarks. They know
// nothing of Redis: they show that the engine does not either, and their known state counts check
// it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/check/space.h"

namespace slotlab::textbook {

struct TextbookOptions {
  // For models of actors and links; others have no messages.
  bool drop_inert = false;
  bool deliver_early = false;
};

// "two-phase-commit/9", "peterson", "migrate-core/3-right-1-1": a name, and parameters behind a
// slash where the model has any.
// ERRORS: throws std::invalid_argument that says what is wrong and what was expected.
std::unique_ptr<sim::Space> make_textbook_space(std::string_view spec,
                                                const TextbookOptions& options = {});

struct TextbookModel {
  std::string name;
  std::string parameters;   // how to write them, "" if there are none
  std::string description;  // one line
};
// All of them, by name.
std::vector<TextbookModel> textbook_models();

}  // namespace slotlab::textbook
