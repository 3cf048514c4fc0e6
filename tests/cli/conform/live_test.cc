// Real servers as a target. Skipped, with the reason, where no redis-server is installed.
#include <gtest/gtest.h>

#include "cli/conform/conform.h"
#include "cli/conform/live/live_cluster.h"
#include "tests/cli/conform/small_transcript.h"

namespace slotlab::conform {
namespace {

constexpr const char* kServer = "redis-server";

bool installed() {
  try {
    version_of(kServer);
  } catch (const cli::InputError&) {
    return false;
  }
  return true;
}

TEST(Live, RefusesWhatIsNoServer) {
  EXPECT_THROW(version_of("no-such-server"), cli::InputError);
  EXPECT_THROW(version_of("true"), cli::InputError);
}

TEST(Live, RangesAreWrittenAsTheServersDo) {
  std::vector<bool> slots(protocol::kSlots);
  EXPECT_EQ(ranges_text(slots), "");
  for (const std::size_t slot : {0u, 1u, 2u, 7u, 16383u}) slots[slot] = true;
  EXPECT_EQ(ranges_text(slots), "0-2,7,16383");
}

TEST(Live, FreePortsDifferAndLeaveRoomForTheBus) {
  const std::vector<std::uint16_t> ports = free_ports(5);
  ASSERT_EQ(ports.size(), 5u);
  for (std::size_t i = 1; i < ports.size(); ++i) EXPECT_LT(ports[i - 1], ports[i]);
  EXPECT_LT(ports.back(), 65535 - 10000);
}

TEST(Live, ServersDoWhatTheTranscriptSays) {
  if (!installed()) GTEST_SKIP() << "redis-server is not installed";
  const Transcript transcript = parse_transcript(small_transcript(), "small.json");
  Recording recording;
  {
    LiveCluster cluster(transcript, kServer);
    recording = run_steps(transcript, cluster);
    cluster.fault({.kind = FaultStep::Kind::pause, .node = "A"});
    EXPECT_EQ(cluster.view("A").dump(), R"({"paused":true})");
    cluster.fault({.kind = FaultStep::Kind::kill, .node = "A"});
    EXPECT_EQ(cluster.view("A").dump(), R"({"down":true})");
    EXPECT_EQ(cluster.command({.at = "A", .words = {"PING"}, .reply = {}})["type"], "none");
  }
  EXPECT_TRUE(differences(transcript, expected_of(transcript), recording).empty());
}

TEST(Live, AgreesWithVirtualNodes) {
  if (!installed()) GTEST_SKIP() << "redis-server is not installed";
  ConformOptions options;
  options.live = kServer;
  // What the file says does not count, only what the servers do: this reply in it is wrong.
  const Transcript transcript =
      parse_transcript(small_with("\"value\": \"OK\"", "\"value\": \"KO\""), "small.json");
  const Outcome outcome = conform_one(transcript, options);
  EXPECT_EQ(outcome.verdict, Verdict::passed) << outcome_text(outcome);
}

}  // namespace
}  // namespace slotlab::conform
