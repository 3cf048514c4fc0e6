// The objects that --json prints. Their keys are an interface: docs/json.md describes them, and a
// change that a reader could notice changes the version in "format".
#pragma once

#include <nlohmann/json.hpp>

#include "cli/verdict.h"

namespace slotlab::cli {

using Json = nlohmann::ordered_json;

// "slotlab-check/1"
Json check_json(const Subject& subject, const Judgement& judgement);
// The events of a story as objects: text, and what is not empty of at_us, gained, lost, notes,
// replies.
Json story_json(const Story& story);
// The text to print: indented, with a newline at the end. Bytes that are not UTF-8 are replaced.
std::string json_text(const Json& json);

}  // namespace slotlab::cli
