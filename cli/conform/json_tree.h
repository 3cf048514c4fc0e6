// JSON text as a plain tree in which every value knows its line, so that an error in a transcript
// can say where it is. Transcripts are written one step a line, so a line is place enough. The
// grammar is left to the JSON library; what transcripts have no use for (fractions, keys that occur
// twice, deep nesting) is refused here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/input_error.h"

namespace slotlab::conform {

using Json = nlohmann::ordered_json;

struct JsonTree {
  enum class Kind : std::uint8_t { null, boolean, integer, text, list, object };
  Kind kind = Kind::null;
  std::size_t line = 0;           // counted from 1; of a list or object: where it begins
  bool flag = false;              // boolean
  std::int64_t number = 0;        // integer
  std::string text = {};          // text
  std::vector<std::string> keys = {};  // object: the key of each item
  std::vector<JsonTree> items = {};    // list, object

  const JsonTree* find(std::string_view key) const;  // object; nullptr if there is none
  Json json() const;                                 // the same without lines
};

// On one line, with blanks after commas and colons as transcripts have them. Bytes that are not
// UTF-8 are replaced.
std::string spaced_text(const Json& json);

// "FILE:LINE: MESSAGE" as an error of the user's.
[[noreturn]] void fail_at(const std::string& file, std::size_t line, const std::string& message);

// ERRORS: throws cli::InputError, "FILE:LINE: ...".
JsonTree parse_json(std::string_view text, const std::string& file);

}  // namespace slotlab::conform
