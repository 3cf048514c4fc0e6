// From a file that holds a run to the run itself: what replay, shrink, explain, graph and export
// begin with. A trace that no longer fits its scenario is refused with what was possible instead.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/subject.h"
#include "sim/check/explorer.h"
#include "sim/trace/trace.h"

namespace slotlab::cli {

// Whether the file begins as a trace does, in our own form or in ITF. False for what cannot be
// read.
bool is_trace_file(const std::string& path);

// ERRORS: throws InputError.
sim::Trace read_trace_file(const std::string& path);

// What the trace is a run of. ERRORS: throws InputError or scenario::InputError.
Subject subject_of(const sim::Trace& trace, const std::string& reductions);

// The actions of the trace. REQUIRES: `space` is the trace's own, without reductions.
// ERRORS: throws InputError that names `path` and the event that is not possible.
sim::Run run_of(const sim::Space& space, const sim::Trace& trace, const std::string& path);

// The same run as a space that drops inert messages has it: without the deliveries of what was
// dropped. REQUIRES: the trace is a run of the system; the space's rounds are over.
sim::Run reduced_run_of(const sim::Space& reduced, const sim::Trace& trace);

// The property whose violation the trace shows: the one that it names, else the first that it
// breaks. ERRORS: throws InputError that names `path` if it breaks none.
std::size_t property_of(const sim::Space& space, const sim::Run& run, const sim::Trace& trace,
                        const std::string& path);

// The number of the property called `name`. ERRORS: throws InputError that names `flag`.
std::size_t property_named(const sim::Space& space, const std::string& name,
                           const std::string& flag);

}  // namespace slotlab::cli
