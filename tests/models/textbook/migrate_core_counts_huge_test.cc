// The rows with four masters: 16 to 75 million states each.
#include "tests/models/textbook/migrate_core_rows.h"

namespace slotlab::textbook {
namespace {

class MigrateCoreCountsHuge : public testing::TestWithParam<MigrateCoreRow> {};

TEST_P(MigrateCoreCountsHuge, CountsWhatOtherCheckersCount) { expect_row(GetParam(), 2); }

constexpr MigrateCoreRow kRows[] = {
    {"4-right-0-0-safety", 25579012, 325050137, 27, 0, 0, 0, 0},
    {"4-right-0-1-safety", 37603852, 487450209, 27, 0, 0, 0, 0},
    {"4-right-1-0-safety", 51347662, 753843782, 29, 0, 0, 0, 0},
    {"4-right-1-1-safety", 75489733, 1127527055, 29, 0, 0, 0, 0},
    {"4-wrong-0-0-safety", 16311748, 206625545, 25, 13824, 4, 0, 0},
    {"4-wrong-0-1-safety", 24354628, 314024673, 25, 27648, 4, 0, 0},
    {"4-wrong-1-0-safety", 32754196, 479476055, 27, 28144, 4, 0, 0},
    {"4-wrong-1-1-safety", 48905896, 726995051, 27, 56288, 4, 0, 0},
};
INSTANTIATE_TEST_SUITE_P(Rows, MigrateCoreCountsHuge, testing::ValuesIn(kRows), row_name);

}  // namespace
}  // namespace slotlab::textbook
