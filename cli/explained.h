// What `explain` found, between the search and the page: the graph, the explanation read off it and
// the runs told.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "cli/arguments.h"
#include "cli/explain_words.h"
#include "cli/json_report.h"
#include "cli/progress.h"
#include "cli/story.h"
#include "cli/subject.h"
#include "sim/explain/explain.h"
#include "sim/trace/trace.h"

namespace slotlab::cli {

struct Explained {
  std::optional<std::size_t> property;  // none: nothing is violated
  std::string what;                     // "slot 7 has no owner"
  std::optional<sim::Explanation> why;
  sim::EventGraph graph;
  Story run, safe_run;
  std::string gave_up;                  // why there is no explanation; empty: there is
  sim::ExploreResult search;
};

// Searches all runs and reads the explanation off their graph. `trace` may be null: then a run is
// chosen. REQUIRES: `trace` is a run of the subject; options.property is set if there is a trace.
Explained explain_subject(const Subject& subject, const sim::Trace* trace,
                          const ExplainOptions& options, const std::atomic<bool>& interrupt,
                          ProgressLine& line);
// The run explained, as a path of subject.space. REQUIRES: there is an explanation.
sim::Run run_explained(const Explained& explained);

std::string explained_text(const Subject& subject, const Explained& explained);
Json explained_json(const Subject& subject, const Explained& explained);

// What the cases say, one clause each: "B crashes after step 5 reaches A and before step 4 reaches
// B".
std::string case_text(const Explained& explained, const EventWords& words,
                      const sim::FaultCase& one);
// "exactly when", or what could be said instead.
std::string exactness_text(const sim::Explanation& why);
// "slot 7 has no owner, for good, exactly when ...", a line for each case.
std::string why_text(const Explained& explained, const EventWords& words);
// "slot 7 has no owner for good".
std::string violation_clause(const Explained& explained);

}  // namespace slotlab::cli
