// Asserts that stay on in every build. They are for our own mistakes only: no scenario file, trace
// or flag may ever reach one. A failed assert throws InternalError, which the program turns into
// exit status 70 and a test can catch cheaply.
#pragma once

#include <stdexcept>
#include <string>

namespace slotlab::sim {

// Thrown when Slotlab itself is wrong. The text names the place and the belief that failed.
class InternalError : public std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_assert(const char* file, int line, const char* belief,
                              const std::string& detail = {});

}  // namespace slotlab::sim

// Asserts `belief`; an optional second argument (a std::string) is printed with it.
#define SIM_ASSERT(belief, ...)                                                             \
  (static_cast<bool>(belief) ? static_cast<void>(0)                                         \
                             : ::slotlab::sim::fail_assert(__FILE__, __LINE__, #belief      \
                                                           __VA_OPT__(, ) __VA_ARGS__))
