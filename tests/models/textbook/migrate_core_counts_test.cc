// The rows that take no time.
#include "tests/models/textbook/migrate_core_rows.h"

namespace slotlab::textbook {
namespace {

class MigrateCoreCounts : public testing::TestWithParam<MigrateCoreRow> {};

TEST_P(MigrateCoreCounts, CountsWhatOtherCheckersCount) { expect_row(GetParam(), 1); }

constexpr MigrateCoreRow kRows[] = {
    {"3-right-0-0-safety", 8368, 55379, 18, 0, 0, 0, 0},
    {"3-right-0-1-safety", 12442, 84993, 18, 0, 0, 0, 0},
    {"3-right-1-0-safety", 17205, 137468, 20, 0, 0, 0, 0},
    {"3-right-1-1-safety", 25595, 209962, 20, 0, 0, 0, 0},
    {"3-wrong-0-0-safety", 5956, 38915, 16, 144, 4, 0, 0},
    {"3-wrong-0-1-safety", 9070, 60777, 16, 288, 4, 0, 0},
    {"3-wrong-1-0-safety", 12260, 96867, 18, 304, 4, 0, 0},
    {"3-wrong-1-1-safety", 18682, 150721, 18, 608, 4, 0, 0},
    {"3-wrong-0-0-ab-equal-safety", 141057, 916242, 26, 3761, 4, 0, 0},
    {"3-right-0-0-bc-equal-safety", 39825, 270180, 20, 0, 0, 0, 0},
    {"3-right-0-1-bc-equal-safety", 62664, 438443, 20, 0, 0, 0, 0},
    {"3-right-1-0-bc-equal-safety", 81395, 665995, 22, 0, 0, 0, 0},
    {"3-right-1-1-bc-equal-safety", 128151, 1075778, 22, 0, 0, 0, 0},
    {"3-wrong-0-0-bc-equal-safety", 32594, 219274, 19, 3918, 4, 0, 0},
    {"3-wrong-0-1-bc-equal-safety", 54691, 375565, 20, 7836, 4, 0, 0},
    {"3-wrong-1-0-bc-equal-safety", 66542, 541036, 21, 8013, 4, 0, 0},
    {"3-wrong-1-1-bc-equal-safety", 111722, 923980, 22, 16026, 4, 0, 0},
    {"3-right-1-1-no-collision-safety", 25595, 209962, 20, 0, 0, 0, 0},
    {"3-right-1-1-no-importing-pins-safety", 25595, 209962, 20, 0, 0, 0, 0},
    {"3-right-1-1-no-bump-safety", 5663, 47048, 16, 0, 0, 0, 0},
    {"3-right-1-1-ab-equal-no-collision-safety", 25595, 209962, 20, 0, 0, 0, 0},
    {"3-right-1-1-ab-equal-no-bump-safety", 132852, 1086118, 24, 30510, 9, 588, 4},
};
INSTANTIATE_TEST_SUITE_P(Rows, MigrateCoreCounts, testing::ValuesIn(kRows), row_name);

}  // namespace
}  // namespace slotlab::textbook
