// What the page of `slotlab report` shows, as numbers and interned strings: the states that the run
// passes through and those near it, the events that lead from each to the next, what every node
// believes and what each property says. The page in cli/report_page/web/ reads it; nothing is
// computed there that the simulator knows better.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/json_report.h"
#include "cli/subject.h"
#include "sim/system/world.h"

namespace slotlab::cli {

// What an explanation says, placed in the run of the page.
struct PageExplanation {
  std::string property;
  std::string violation;                 // "slot 7 has no owner"
  std::string why;                       // several lines
  std::optional<std::size_t> no_return;  // events of the page's run; 0: from the start
  struct Ordering {
    std::string before, after;           // sentences of events
    std::string text;
  };
  std::vector<Ordering> orderings;
};

struct PageOptions {
  // States that are kept besides those of the run, so that branches can be followed: 0 or more.
  std::size_t branch_states_max = 700;
  std::optional<PageExplanation> explanation;
  std::string origin;                    // "a shortest run in which 'owned' is violated"
};

// REQUIRES: each action of `run` is possible in turn; the subject has a system.
Json page_data(const Subject& subject, const std::vector<sim::Action>& run,
               const PageOptions& options);

// The page with the data in it. `<` is escaped, so that no text can end the script element.
std::string page_text(const Json& data);

}  // namespace slotlab::cli
