// Times are printed exactly and read strictly, since traces and settings carry them. Anything that
// is never printed is refused, so that one instant has one text.
#include "sim/time/time_text.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

namespace slotlab::sim {
namespace {

TEST(InstantText, HasMillisecondsWithThreeDecimals) {
  EXPECT_EQ(to_text(Instant{0}), "+0.000ms");
  EXPECT_EQ(to_text(Instant{1204}), "+1.204ms");
  EXPECT_EQ(to_text(Instant{1'204'050}), "+1204.050ms");
  EXPECT_EQ(to_text(Instant{UINT64_MAX}), "+18446744073709551.615ms");
}

TEST(InstantText, RefusesWhatIsNeverPrinted) {
  for (const char* text : {"", "+", "+ms", "1.204ms", "+1.2ms", "+1.2045ms", "+01.204ms", "+1.204",
                           "+1.204us", "+-1.204ms", "+1.20xms", "+1,204ms", " +1.204ms", "+.204ms",
                           "+18446744073709551.616ms", "+99999999999999999999.000ms"}) {
    EXPECT_EQ(parse_instant(text), std::nullopt) << text;
  }
}

TEST(DurationText, HasTheLargestUnitThatIsExact) {
  EXPECT_EQ(to_text(microseconds(0)), "0us");
  EXPECT_EQ(to_text(microseconds(200)), "200us");
  EXPECT_EQ(to_text(microseconds(1500)), "1500us");
  EXPECT_EQ(to_text(milliseconds(2)), "2ms");
  EXPECT_EQ(to_text(seconds(15)), "15s");
}

TEST(DurationText, RefusesWhatIsNoWholeNumberWithAUnit) {
  for (const char* text : {"", "us", "s", "5", "5 ms", "-5ms", "+5ms", "1.5s", "5m", "5MS",
                           "18446744073709551616us", "18446744073710s"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_duration("18446744073709s"), seconds(18446744073709));
}

RC_GTEST_PROP(InstantText, PrintsAndParsesToTheSame, (std::uint64_t us)) {
  RC_ASSERT(parse_instant(to_text(Instant{us})) == Instant{us});
}

RC_GTEST_PROP(DurationText, PrintsAndParsesToTheSame, (std::uint32_t count, std::uint8_t unit)) {
  const std::uint64_t factor = unit % 3 == 0 ? 1 : unit % 3 == 1 ? 1000 : 1'000'000;
  const Duration length{count * factor};
  RC_ASSERT(parse_duration(to_text(length)) == length);
}

}  // namespace
}  // namespace slotlab::sim
