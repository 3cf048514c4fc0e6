// Runs as trace files: what --trace writes, so that `slotlab replay` needs nothing else.
#pragma once

#include <string>

#include "cli/verdict.h"
#include "sim/trace/trace.h"

namespace slotlab::cli {

// A trace of `subject` without events: scenario, dialect and settings.
sim::Trace empty_trace(const Subject& subject, const std::string& driver);

// Saves the first violation's run to `path`, or says on standard error that there is none to save.
// ERRORS: throws InputError if the file cannot be written.
void save_trace(const Subject& subject, const Judgement& judgement, const std::string& path);
// ERRORS: throws InputError if the file cannot be written.
void save_trace(const sim::Trace& trace, const std::string& path);

}  // namespace slotlab::cli
