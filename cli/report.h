// The page that `check` prints for people: verdicts, the shortest run, what was searched within
// which bounds, what it cost, and the command that brings it all back.
#pragma once

#include <string>

#include "cli/verdict.h"

namespace slotlab::cli {

std::string report_text(const Subject& subject, const Judgement& judgement,
                        const CheckOptions& options);
// One line per property, nothing else.
std::string verdicts_text(const Subject& subject, const Judgement& judgement);
// "the shortest run to ...", and its events; empty if no violation has a run.
std::string violation_text(const Judgement& judgement);

}  // namespace slotlab::cli
