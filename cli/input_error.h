// What a user did wrong, said once: where, and what was expected instead. Thrown from wherever it
// is noticed; the program prints the one line and ends with status 2.
#pragma once

#include <stdexcept>
#include <string>

namespace slotlab::cli {

class InputError : public std::runtime_error {
 public:
  // `text` is the whole line after "slotlab: error: ".
  explicit InputError(const std::string& text) : std::runtime_error(text) {}
};

}  // namespace slotlab::cli
