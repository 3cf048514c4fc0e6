// One entry per model. A new textbook model is a file of its own and a line in each function here.
#include "models/textbook/textbook.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

#include "models/textbook/migrate_core.h"
#include "models/textbook/peterson.h"
#include "models/textbook/two_phase_commit.h"

namespace slotlab::textbook {

namespace {

unsigned parse_count(std::string_view model, std::string_view text) {
  unsigned count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument(fmt::format(
        "{}/{}: expected a number of resource managers, 1 to 12, as in {}/3", model, text, model));
  }
  return count;
}

}  // namespace

std::vector<TextbookModel> textbook_models() {
  return {
      {"migrate-core", "NODES-ORDER-CRASHES-STOPS[-...]",
       "the core of one slot's migration, by nodes, admin and heartbeats"},
      {"peterson", "", "Peterson's lock for two processes"},
      {"two-phase-commit", "RESOURCE-MANAGERS", "two-phase commit, with 1 to 12 resource managers"},
  };
}

std::unique_ptr<sim::Space> make_textbook_space(std::string_view spec,
                                                const TextbookOptions& options) {
  const std::size_t slash = spec.find('/');
  const std::string_view name = spec.substr(0, slash);
  const std::string_view parameters =
      slash == std::string_view::npos ? std::string_view{} : spec.substr(slash + 1);
  if (name == "migrate-core") {
    return make_migrate_core_space(parameters, options.drop_inert, options.deliver_early);
  }
  if (name == "two-phase-commit") {
    return make_two_phase_commit_space(parse_count(name, parameters));
  }
  if (name == "peterson") {
    if (slash == std::string_view::npos) return make_peterson_space();
    throw std::invalid_argument(fmt::format("{}: peterson has no parameters", spec));
  }
  std::string known;
  for (const auto& model : textbook_models()) known += (known.empty() ? "" : ", ") + model.name;
  throw std::invalid_argument(
      fmt::format("'{}' is no textbook model; expected one of {}", name, known));
}

}  // namespace slotlab::textbook
