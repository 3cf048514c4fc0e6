// Searches a textbook model and loads a scenario with nothing but what was installed: it links the
// engine and the models, and its includes are those of the tree.
#include <cstdio>

#include "models/scenario/load.h"
#include "models/textbook/textbook.h"
#include "sim/check/explorer.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto space = slotlab::textbook::make_textbook_space("two-phase-commit/3");
  const auto found = slotlab::sim::explore(*space, {});
  const auto scenario = slotlab::scenario::load_file(argv[1]);
  std::printf("%llu states, %s\n", static_cast<unsigned long long>(found.states),
              scenario.title.c_str());
  return 0;
}
