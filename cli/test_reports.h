// What `slotlab test` found, for machines that collect test results: JUnit XML and SARIF.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_status.h"
#include "cli/json_report.h"

namespace slotlab::cli {

struct TestedCase {
  std::string file;
  std::string dialect;
  ExitStatus status = ExitStatus::as_expected;
  std::string text;     // what to show if it is not as expected, or the error of a bad file
};

// The times are left out, so that the same results give the same bytes.
std::string junit_xml(const std::vector<TestedCase>& cases);
Json sarif_json(const std::vector<TestedCase>& cases);

}  // namespace slotlab::cli
