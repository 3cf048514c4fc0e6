// The one line that a long search keeps rewriting on a terminal. In a pipe or a file it says
// nothing, so that output can be compared.
#pragma once

#include <string>

#include "sim/check/explorer.h"

namespace slotlab::cli {

class ProgressLine {
 public:
  // Shows nothing unless `wanted` and standard error is a terminal.
  explicit ProgressLine(bool wanted);
  ~ProgressLine();  // clears the line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const sim::Progress& progress);
  void show_text(const std::string& text);

 private:
  bool active_;
  bool shown_ = false;
};

// "1,234,567 states, 2,000,000/s, depth 17, 30,000 waiting, 1.2 GB, 0.6 s"
std::string progress_text(const sim::Progress& progress);

}  // namespace slotlab::cli
