// The program `slotlab`. All it does is in the library, where tests can reach it.
#include "cli/verbs.h"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  return static_cast<int>(slotlab::cli::program(words));
}
