// The registry of textbook models: every listed model can be made, and what cannot be made is
// refused with what was expected.
#include "models/textbook/textbook.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "sim/check/explorer.h"

namespace slotlab::textbook {
namespace {

std::string refusal(std::string_view spec) {
  try {
    make_textbook_space(spec);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Textbook, MakesModelsByName) {
  EXPECT_EQ(sim::explore(*make_textbook_space("two-phase-commit/3"), {}).states, 288u);
  EXPECT_EQ(sim::explore(*make_textbook_space("peterson"), {}).states, 20u);
  EXPECT_NE(make_textbook_space("migrate-core/3-right-0-0"), nullptr);
}

TEST(Textbook, RefusesWithWhatWasExpected) {
  EXPECT_EQ(refusal("paxos"),
            "'paxos' is no textbook model; expected one of migrate-core, peterson, "
            "two-phase-commit");
  EXPECT_EQ(refusal("two-phase-commit"),
            "two-phase-commit/: expected a number of resource managers, 1 to 12, as in "
            "two-phase-commit/3");
  EXPECT_NE(refusal("two-phase-commit/3x").find("expected a number"), std::string::npos);
  EXPECT_EQ(refusal("two-phase-commit/13"),
            "two-phase-commit: 13 resource managers, expected 1 to 12");
  EXPECT_EQ(refusal("peterson/2"), "peterson/2: peterson has no parameters");
}

TEST(Textbook, ListsEachModelWithALine) {
  for (const auto& model : textbook_models()) {
    EXPECT_FALSE(model.description.empty()) << model.name;
    EXPECT_EQ(refusal(model.name).find("is no textbook model"), std::string::npos) << model.name;
  }
}

}  // namespace
}  // namespace slotlab::textbook
