// `slotlab import`: the CLUSTER NODES texts of a real cluster become the start of a scenario file.
#include <fmt/format.h>

#include "cli/input_error.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "models/protocol/dialect.h"
#include "models/scenario/import.h"
#include "models/scenario/tree.h"

namespace slotlab::cli {
namespace {

// "7" or "100-103".
protocol::SlotRange slots_of(const std::string& typed) {
  const auto number = [&](const std::string& digits) {
    const bool plain = !digits.empty() && digits.size() <= 5 &&
                       digits.find_first_not_of("0123456789") == std::string::npos;
    const int slot = plain ? std::stoi(digits) : protocol::kSlots;
    if (slot >= protocol::kSlots) {
      throw InputError(
          fmt::format("--slots: expected a slot from 0 to 16383 or a range such as "
                      "100-103, found '{}'",
                      typed));
    }
    return static_cast<protocol::Slot>(slot);
  };
  const std::size_t dash = typed.find('-');
  if (dash == std::string::npos) return {number(typed), number(typed)};
  const protocol::SlotRange range{number(typed.substr(0, dash)), number(typed.substr(dash + 1))};
  if (range.first > range.last) {
    throw InputError(fmt::format("--slots: the range '{}' ends before it begins", typed));
  }
  return range;
}

}  // namespace

ExitStatus import_nodes(const ImportOptions& options) {
  if (!protocol::dialect_named(options.dialect)) {
    throw InputError(fmt::format(
        "--dialect: there is no '{}'; `slotlab list --dialects` shows them", options.dialect));
  }
  scenario::ImportChoices choices{.dialect = options.dialect};
  for (const std::string& typed : options.slots) choices.slots.push_back(slots_of(typed));
  if (options.out) require_writable("--out", *options.out);
  std::vector<scenario::NodesDump> dumps;
  for (const std::string& file : options.files) dumps.push_back({file, scenario::read_file(file)});
  const std::string text = scenario::imported_text(scenario::import_dumps(dumps, choices));
  write_result(options.out, text);
  return ExitStatus::as_expected;
}

}  // namespace slotlab::cli
