// The verbs of the program. Each prints its result to standard output and returns the exit status.
// ERRORS: each throws InputError, scenario::InputError or sim::InternalError, which the program
// turns into one line on standard error and a status.
#pragma once

#include "cli/arguments.h"
#include "cli/exit_status.h"

namespace slotlab::cli {

ExitStatus check(const CheckOptions& options);
ExitStatus run(const RunOptions& options);
ExitStatus replay(const ReplayOptions& options);
ExitStatus test(const TestOptions& options);
ExitStatus list(const ListOptions& options);
ExitStatus hunt(const HuntOptions& options);
ExitStatus reach(const ReachOptions& options);
ExitStatus orders(const OrdersOptions& options);
ExitStatus crash_table(const CrashTableOptions& options);
ExitStatus graph(const GraphOptions& options);
ExitStatus export_trace(const ExportOptions& options);
ExitStatus conform(const ConformOptions& options);
ExitStatus import_nodes(const ImportOptions& options);
ExitStatus shrink(const ShrinkOptions& options);
ExitStatus explain(const ExplainOptions& options);
ExitStatus step(const StepOptions& options);
ExitStatus report_page(const ReportOptions& options);

// The whole program: words of the command line (without its name) to exit status. Never throws.
ExitStatus program(const std::vector<std::string>& words);

}  // namespace slotlab::cli
