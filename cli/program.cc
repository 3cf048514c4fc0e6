// From words to an exit status: which verb, and what becomes of whatever it throws. Three
// audiences, three kinds of failure: a violated property is a result and never gets here; bad input
// is the user's to mend (2); anything else is ours (70).
#include <fmt/format.h>

#include <csignal>
#include <new>

#include "cli/input_error.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "models/scenario/error.h"
#include "sim/base/assert.h"
#include "sim/check/checkpoint_file.h"

namespace slotlab::cli {
namespace {

ExitStatus answer(const Answer& answer) {
  write_out(answer.text);
  return ExitStatus::as_expected;
}

struct Dispatch {
  ExitStatus operator()(const Answer& text) const { return answer(text); }
  ExitStatus operator()(const CheckOptions& options) const { return check(options); }
  ExitStatus operator()(const RunOptions& options) const { return run(options); }
  ExitStatus operator()(const ReplayOptions& options) const { return replay(options); }
  ExitStatus operator()(const TestOptions& options) const { return test(options); }
  ExitStatus operator()(const ListOptions& options) const { return list(options); }
  ExitStatus operator()(const HuntOptions& options) const { return hunt(options); }
  ExitStatus operator()(const ReachOptions& options) const { return reach(options); }
  ExitStatus operator()(const OrdersOptions& options) const { return orders(options); }
  ExitStatus operator()(const CrashTableOptions& options) const { return crash_table(options); }
  ExitStatus operator()(const GraphOptions& options) const { return graph(options); }
  ExitStatus operator()(const ExportOptions& options) const { return export_trace(options); }
  ExitStatus operator()(const ConformOptions& options) const { return conform(options); }
  ExitStatus operator()(const ImportOptions& options) const { return import_nodes(options); }
  ExitStatus operator()(const ShrinkOptions& options) const { return shrink(options); }
  ExitStatus operator()(const ExplainOptions& options) const { return explain(options); }
  ExitStatus operator()(const StepOptions& options) const { return step(options); }
  ExitStatus operator()(const ReportOptions& options) const { return report_page(options); }
};

ExitStatus bad_input(const char* text) {
  write_err(fmt::format("slotlab: error: {}\n", text));
  return ExitStatus::bad_input;
}

}  // namespace

ExitStatus program(const std::vector<std::string>& words) {
  // A reader that goes away shows up as an error of write(), which write_out() deals with.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return std::visit(Dispatch{}, parse_arguments(words));
  } catch (const InputError& error) {
    return bad_input(error.what());
  } catch (const scenario::InputError& error) {
    return bad_input(error.what());
  } catch (const sim::CheckpointError& error) {
    return bad_input(error.what());
  } catch (const std::bad_alloc&) {
    write_err("slotlab: out of memory; --memory ends a search in time and keeps what it found\n");
    return ExitStatus::inconclusive;
  } catch (const std::exception& error) {
    write_err(fmt::format("slotlab: internal error: {}\nThis is a fault of slotlab's own; please "
                          "report it with the command line.\n",
                          error.what()));
    return ExitStatus::internal;
  }
}

}  // namespace slotlab::cli
