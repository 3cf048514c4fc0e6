// Numbers as typed and as shown.
#include "cli/quantities.h"

#include <gtest/gtest.h>

#include <string>

#include "cli/input_error.h"

namespace slotlab::cli {
namespace {

TEST(ParseBytes, TakesUnitsOf1024) {
  EXPECT_EQ(parse_bytes("--memory", "7"), 7u);
  EXPECT_EQ(parse_bytes("--memory", "2K"), 2048u);
  EXPECT_EQ(parse_bytes("--memory", "512M"), 512ull << 20);
  EXPECT_EQ(parse_bytes("--memory", "4GB"), 4ull << 30);
}

TEST(ParseBytes, RefusesWhatIsNoSizeAndNamesTheFlag) {
  for (const char* text : {"", "0", "G", "4X", "-1", "1.5G", " 1G", "18446744073709551615K"}) {
    try {
      parse_bytes("--memory", text);
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("--memory: ")) << error.what();
    }
  }
}

TEST(ParseSeconds, TakesSecondsMinutesAndHours) {
  EXPECT_EQ(parse_seconds("--time", "90s"), 90.0);
  EXPECT_EQ(parse_seconds("--time", "5m"), 300.0);
  EXPECT_EQ(parse_seconds("--time", "2h"), 7200.0);
  EXPECT_THROW(parse_seconds("--time", "1d"), InputError);
  EXPECT_THROW(parse_seconds("--time", "0s"), InputError);
  EXPECT_THROW(parse_seconds("--time", "90"), InputError);
}

TEST(ParseCount, HoldsItsRange) {
  EXPECT_EQ(parse_count("--threads", "64", 1, 64), 64u);
  EXPECT_EQ(parse_count("--max-states", "3M", 1, UINT64_MAX), 3'000'000u);
  EXPECT_EQ(parse_count("--seed", "18446744073709551615", 0, UINT64_MAX), UINT64_MAX);
  EXPECT_THROW(parse_count("--threads", "0", 1, 64), InputError);
  EXPECT_THROW(parse_count("--threads", "65", 1, 64), InputError);
  EXPECT_THROW(parse_count("--seed", "18446744073709551616", 0, UINT64_MAX), InputError);
  EXPECT_THROW(parse_count("--seed", "0x10", 0, UINT64_MAX), InputError);
}

TEST(Grouped, PutsACommaBeforeEachThreeDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1127527055), "1,127,527,055");
}

TEST(Texts, AreAsPeopleReadThem) {
  EXPECT_EQ(counted(1, "state"), "1 state");
  EXPECT_EQ(counted(2500, "state"), "2,500 states");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(3 << 20), "3.0 MB");
  EXPECT_EQ(seconds_text(0.0042), "0.004 s");
  EXPECT_EQ(seconds_text(12.34), "12.3 s");
  EXPECT_EQ(seconds_text(200), "3 min 20 s");
}

}  // namespace
}  // namespace slotlab::cli
