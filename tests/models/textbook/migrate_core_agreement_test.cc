// MigrateCore's liveness, `eventually always all agree`, against what TLC and a search of the whole
// graph by strongly connected components found: with the admin fair or not, in both orders, from
// all starting epochs, with each rule off; and the same with inert messages dropped.
#include <gtest/gtest.h>

#include "models/textbook/migrate_core.h"
#include "sim/check/explorer.h"

namespace slotlab::textbook {
namespace {

// '+' holds, '-' violated: for an admin that is not fair, and for one that is.
struct Row {
  bool right_order;
  InitialEpochs epochs;
  const char* all_on;
  const char* collision_off;
  const char* pins_off;
  const char* bump_off;
};

constexpr Row kRows[] = {
    {true, InitialEpochs::distinct, "++", "++", "++", "++"},
    {true, InitialEpochs::bc_equal, "++", "++", "++", "++"},
    {true, InitialEpochs::ab_equal, "--", "++", "--", "--"},
    {true, InitialEpochs::all_equal, "--", "-+", "--", "--"},
    {false, InitialEpochs::distinct, "-+", "-+", "-+", "-+"},
    {false, InitialEpochs::bc_equal, "-+", "-+", "-+", "-+"},
    {false, InitialEpochs::ab_equal, "--", "-+", "--", "--"},
    {false, InitialEpochs::all_equal, "--", "-+", "--", "--"},
};

char agreement(const MigrateCore& core) {
  const auto space = make_migrate_core(core);
  const sim::ExploreResult result = sim::explore(*space, {});
  switch (result.properties[2].verdict) {
    case sim::Verdict::holds: return '+';
    case sim::Verdict::violated: return '-';
    case sim::Verdict::inconclusive: break;
  }
  return '?';
}

void expect_table(bool drop_inert) {
  for (const Row& row : kRows) {
    // The full graphs of all-equal have more than a million states each.
    if (!drop_inert && row.epochs == InitialEpochs::all_equal) continue;
    MigrateCore core;
    core.right_order = row.right_order;
    core.epochs = row.epochs;
    core.drop_inert = drop_inert;
    const auto both = [&](MigrateCore variant) {
      std::string text;
      for (const bool fair : {false, true}) {
        variant.fair_admin = fair;
        text += agreement(variant);
      }
      return text;
    };
    MigrateCore no_collision = core, no_pins = core, no_bump = core;
    no_collision.collision = false;
    no_pins.importing_pins = false;
    no_bump.bump = false;
    const std::string where = std::string(row.right_order ? "right" : "wrong") + " order, epochs " +
                              std::to_string(static_cast<int>(row.epochs)) +
                              (drop_inert ? ", inert dropped" : "");
    EXPECT_EQ(both(core), row.all_on) << where;
    EXPECT_EQ(both(no_collision), row.collision_off) << where;
    EXPECT_EQ(both(no_pins), row.pins_off) << where;
    EXPECT_EQ(both(no_bump), row.bump_off) << where;
  }
}

TEST(MigrateCoreAgreement, FullSearch) { expect_table(false); }
TEST(MigrateCoreAgreement, WithInertMessagesDropped) { expect_table(true); }

TEST(MigrateCoreAgreement, FaultsChangeNothing) {
  for (const bool right : {true, false}) {
    for (const std::uint8_t crashes : {std::uint8_t{0}, std::uint8_t{1}}) {
      for (const std::uint8_t stops : {std::uint8_t{0}, std::uint8_t{1}}) {
        for (const bool fair : {false, true}) {
          MigrateCore core;
          core.right_order = right;
          core.crashes_max = crashes;
          core.admin_stops_max = stops;
          core.fair_admin = fair;
          const bool holds = right || (stops == 0 && fair);
          EXPECT_EQ(agreement(core), holds ? '+' : '-');
          core.drop_inert = true;
          EXPECT_EQ(agreement(core), holds ? '+' : '-');
        }
      }
    }
  }
}

}  // namespace
}  // namespace slotlab::textbook
