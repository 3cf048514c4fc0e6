// Traces in the Informal Trace Format of Apalache, a JSON object that trace viewers open. One state
// per event: the event's sentence and what each actor believes after it. What else our own format
// holds goes into "#meta", so that a file written here reads back to the same trace.
#pragma once

#include <string>
#include <string_view>

#include "cli/json_report.h"
#include "sim/export/told_run.h"
#include "sim/trace/trace.h"

namespace slotlab::cli {

Json itf_of(const sim::Trace& trace, const sim::Told& told);
// `file` is named in errors. ERRORS: throws InputError with place and expectation.
sim::Trace trace_of_itf(std::string_view text, const std::string& file);

}  // namespace slotlab::cli
