// The larger rows with three masters.
#include "tests/models/textbook/migrate_core_rows.h"

namespace slotlab::textbook {
namespace {

class MigrateCoreCountsSlow : public testing::TestWithParam<MigrateCoreRow> {};

TEST_P(MigrateCoreCountsSlow, CountsWhatOtherCheckersCount) { expect_row(GetParam(), 2); }

constexpr MigrateCoreRow kRows[] = {
    {"3-right-0-0-ab-equal-safety", 248314, 1629583, 26, 39164, 11, 3240, 6},
    {"3-right-0-1-ab-equal-safety", 378984, 2553301, 26, 58519, 11, 6480, 6},
    {"3-right-1-0-ab-equal-safety", 505341, 4033660, 28, 79411, 11, 6555, 6},
    {"3-right-1-1-ab-equal-safety", 771483, 6292758, 28, 118651, 11, 13110, 6},
    {"3-wrong-0-1-ab-equal-safety", 209344, 1395863, 26, 7522, 4, 0, 0},
    {"3-wrong-1-0-ab-equal-safety", 287544, 2273756, 28, 7699, 4, 0, 0},
    {"3-wrong-1-1-ab-equal-safety", 426830, 3448834, 28, 15398, 4, 0, 0},
    {"3-right-0-0-all-equal-safety", 1147453, 7604297, 32, 135265, 9, 8724, 4},
    {"3-right-0-1-all-equal-safety", 1765595, 12032727, 32, 200465, 9, 17448, 4},
    {"3-right-1-0-all-equal-safety", 2324921, 18753761, 34, 273456, 9, 17599, 4},
    {"3-right-1-1-all-equal-safety", 3578463, 29537695, 34, 405237, 9, 35198, 4},
    {"3-wrong-0-0-all-equal-safety", 1017922, 6704705, 32, 164332, 4, 0, 0},
    {"3-wrong-0-1-all-equal-safety", 1580764, 10678929, 32, 286336, 4, 0, 0},
    {"3-wrong-1-0-all-equal-safety", 2061925, 16551574, 34, 333496, 4, 0, 0},
    {"3-wrong-1-1-all-equal-safety", 3202903, 26251395, 34, 581037, 4, 0, 0},
    {"3-right-1-1-ab-equal-no-importing-pins-safety", 771483, 6292758, 28, 118651, 11, 13110, 6},
};
INSTANTIATE_TEST_SUITE_P(Rows, MigrateCoreCountsSlow, testing::ValuesIn(kRows), row_name);

}  // namespace
}  // namespace slotlab::textbook
