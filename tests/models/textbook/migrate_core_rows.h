// Counts of MigrateCore that three independent checkers agree on: what a full search must find.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "models/textbook/migrate_core.h"
#include "sim/check/explorer.h"

namespace slotlab::textbook {

struct MigrateCoreRow {
  const char* spec;
  std::uint64_t states;
  std::uint64_t transitions;   // the initial state counts as one
  std::uint32_t depth;
  std::uint64_t not_owned;
  std::uint32_t not_owned_at;  // steps to the nearest; 0 if there is none
  std::uint64_t two_owners;
  std::uint32_t two_owners_at;
};

inline std::ostream& operator<<(std::ostream& out, const MigrateCoreRow& row) {
  return out << row.spec;
}

inline std::string row_name(const testing::TestParamInfo<MigrateCoreRow>& info) {
  std::string name = info.param.spec;
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

inline void expect_row(const MigrateCoreRow& row, unsigned threads) {
  const auto space = make_migrate_core_space(row.spec);
  sim::ExploreOptions options;
  options.threads = threads;
  const sim::ExploreResult result = sim::explore(*space, options);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.states, row.states);
  EXPECT_EQ(result.transitions + 1, row.transitions);
  EXPECT_EQ(result.depth, row.depth);
  EXPECT_EQ(result.properties[0].states, row.not_owned);
  EXPECT_EQ(result.properties[0].depth.value_or(0), row.not_owned_at);
  EXPECT_EQ(result.properties[1].states, row.two_owners);
  EXPECT_EQ(result.properties[1].depth.value_or(0), row.two_owners_at);
}

}  // namespace slotlab::textbook
