// The cluster of virtual nodes that a transcript runs on: how it starts, fails and settles.
#include "cli/conform/virtual_cluster.h"

#include <gtest/gtest.h>

#include "cli/conform/build_system.h"
#include "models/node/node.h"
#include "tests/cli/conform/small_transcript.h"

namespace slotlab::conform {
namespace {

VirtualOptions options(std::uint64_t seed = 1) {
  return {.dialect = *protocol::dialect_named("redis-7.0"), .seed = seed};
}

TEST(SlotClassesOf, TellApartWhatTheTranscriptNames) {
  const Transcript transcript = parse_transcript(small_transcript(), "t");
  const protocol::SlotClasses classes = slot_classes_of(transcript);
  // 0-99, 100, 101-8191, 8192-16383
  EXPECT_EQ(classes.count(), 4u);
  EXPECT_EQ(classes.size(*classes.of(100)), 1u);
}

TEST(VirtualCluster, ShowsWhatIsDownAndWhatIsPaused) {
  const Transcript transcript = parse_transcript(small_transcript(), "t");
  VirtualCluster cluster(transcript, options());
  cluster.fault({.kind = FaultStep::Kind::pause, .node = "A"});
  EXPECT_EQ(cluster.view("A").dump(), R"({"paused":true})");
  cluster.fault({.kind = FaultStep::Kind::kill, .node = "A"});
  EXPECT_EQ(cluster.view("A").dump(), R"({"down":true})");
}

TEST(VirtualCluster, SuspectsWhoIsKilledAndSettlesAfterTheRestart) {
  const Transcript transcript = parse_transcript(small_transcript(), "t");
  VirtualCluster cluster(transcript, options());
  const WaitStep settled{.condition = {}, .text = "converged"};
  cluster.fault({.kind = FaultStep::Kind::kill, .node = "A"});
  ASSERT_EQ(cluster.wait(settled), std::nullopt);
  EXPECT_EQ(cluster.view("B")["failed"].dump(), R"({"A":"fail?"})");
  EXPECT_EQ(cluster.view("B")["state"], "fail");
  cluster.fault({.kind = FaultStep::Kind::restart, .node = "A"});
  ASSERT_EQ(cluster.wait(settled), std::nullopt);
  EXPECT_EQ(cluster.view("B")["failed"].dump(), "{}");
  EXPECT_EQ(cluster.view("A")["state"], "ok");
}

TEST(VirtualCluster, RunsAlikeFromOneSeed) {
  const Transcript transcript = parse_transcript(small_transcript(), "t");
  const auto bytes = [&](std::uint64_t seed) {
    VirtualCluster cluster(transcript, options(seed));
    cluster.fault({.kind = FaultStep::Kind::kill, .node = "A"});
    cluster.wait({.condition = {}, .text = "converged"});
    return cluster.world().canonical();
  };
  EXPECT_EQ(bytes(7), bytes(7));
}

// A process that starts pings all at once; the others have no connection to it until their next
// tick, so what they would tell it before is lost.
TEST(VirtualCluster, ARestartedNodePingsFirst) {
  const Transcript transcript = parse_transcript(small_transcript(), "t");
  std::vector<std::string> seen;
  VirtualOptions watched = options();
  watched.watch = [&](const sim::World& world, const sim::RunStep& step) {
    if (step.event.action.kind() != sim::ActionKind::deliver) return;
    const auto& link = world.system().spec().links[step.event.action.a()];
    seen.push_back(world.system().name(link.from) + ">" + world.system().name(link.to));
  };
  VirtualCluster cluster(transcript, watched);
  cluster.fault({.kind = FaultStep::Kind::kill, .node = "A"});
  cluster.wait({.condition = {}, .text = "converged"});
  seen.clear();
  cluster.fault({.kind = FaultStep::Kind::restart, .node = "A"});
  cluster.wait({.condition = {}, .text = "converged"});
  ASSERT_GE(seen.size(), 4u);
  EXPECT_EQ(seen[0], "A>B");  // PING
  EXPECT_EQ(seen[1], "B>A");  // its PONG
  EXPECT_EQ(seen[2], "B>A");  // the PING of B when it has connected
  EXPECT_EQ(seen[3], "A>B");
}

}  // namespace
}  // namespace slotlab::conform
