// The CLUSTER NODES texts of a real cluster, as collected in an incident, become the start of a
// scenario: who there is, who owns what in whose eyes, which slots are open. What the texts cannot
// tell is filled in, and every such guess is listed for the reader of the file.
#pragma once

#include <string>
#include <vector>

#include "models/protocol/words.h"
#include "models/scenario/scenario.h"

namespace slotlab::scenario {

struct NodesDump {
  std::string file;  // for errors and notes
  std::string text;  // CLUSTER NODES, or nodes.conf
};

struct ImportChoices {
  std::string dialect;
  // Slots to tell apart besides those that are open or that the texts disagree about.
  std::vector<protocol::SlotRange> slots = {};
};

struct Imported {
  Scenario scenario;
  std::vector<std::string> filled_in;  // sentences
};

// ERRORS: throws InputError with file and line for a text that is none, has no line with `myself`
// or two, is of the same node as another, or names more than 100 nodes.
Imported import_dumps(const std::vector<NodesDump>& dumps, const ImportChoices& choices);

// The scenario file, with what was filled in as comments above it.
std::string imported_text(const Imported& imported);

}  // namespace slotlab::scenario
