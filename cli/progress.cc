// See progress.h.
#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/quantities.h"

namespace slotlab::cli {

std::string progress_text(const sim::Progress& progress) {
  const double rate =
      progress.seconds > 0 ? static_cast<double>(progress.states) / progress.seconds : 0;
  std::string text = fmt::format(
      "{}, {}/s, depth {}, {} waiting, {}, {}", counted(progress.states, "state"),
      grouped(static_cast<std::uint64_t>(rate)), progress.depth, grouped(progress.frontier),
      bytes_text(progress.memory_bytes), seconds_text(progress.seconds));
  if (progress.round > 1) text += fmt::format(", round {}", progress.round);
  return text;
}

ProgressLine::ProgressLine(bool wanted) : active_(wanted && ::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_) write_err("\r\x1b[K");
}

void ProgressLine::show(const sim::Progress& progress) {
  if (active_) show_text(progress_text(progress));
}

void ProgressLine::show_text(const std::string& text) {
  if (!active_) return;
  shown_ = true;
  write_err(fmt::format("\r\x1b[K{}", text));
}

}  // namespace slotlab::cli
