// The text of CLUSTER NODES and nodes.conf: each column, each dialect's form, each error; and the
// property that what was written is read back as a restart would have it.
#include "models/node/persistence/nodes_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/models/node/failover_bench.h"
#include "models/node/persistence/persistence.h"

namespace slotlab::node {
namespace {

std::string line_of(const Bench& bench, NodeId node) {
  return node_line(bench.state.config, *bench.settings, node);
}

TEST(NodeLine, HasTheColumnsOfAServer) {
  Bench a(A);
  EXPECT_EQ(line_of(a, A), id_of(A) + " 127.0.0.1:7001@17001 myself,master - 0 0 1 connected 1 7");
  EXPECT_EQ(line_of(a, B1),
            id_of(B1) + " 127.0.0.1:7005@17005 slave " + id_of(B) + " 0 0 2 connected");
  a.record(B1).fail = true;
  a.record(B1).no_failover = true;
  EXPECT_EQ(line_of(a, B1), id_of(B1) + " 127.0.0.1:7005@17005 slave,fail,nofailover " + id_of(B) +
                                " 0 0 2 disconnected");
  a.record(C).no_addr = true;
  a.record(C).pfail = true;
  EXPECT_EQ(line_of(a, C), id_of(C) + " :0@0 master,fail?,noaddr - 0 0 3 disconnected 3 8");
}

TEST(NodeLine, OfRedis30HasNoBusPortAndTheReplicasOwnEpoch) {
  Bench a(A, failing_lab("redis-3.0"));
  a.record(B1).config_epoch = 0;
  EXPECT_EQ(line_of(a, B1), id_of(B1) + " 127.0.0.1:7005 slave " + id_of(B) + " 0 0 0 connected");
}

TEST(NodeLine, ShowsOpenSlotsOfMyselfAndMigratingHidesImporting) {
  Bench a(A);
  a.config().migrating_to[kSeven] = B;
  a.config().importing_from[kSeven] = C;
  a.config().importing_from[kEight] = C;
  EXPECT_EQ(line_of(a, A), id_of(A) +
                               " 127.0.0.1:7001@17001 myself,master - 0 0 1 connected 1 7 [7->-" +
                               id_of(B) + "] [8-<-" + id_of(C) + "]");
}

TEST(NodeLine, JoinsAdjacentSlots) {
  Bench a(A);
  a.config().owner.assign(a.config().owner.size(), A);
  EXPECT_TRUE(line_of(a, A).ends_with("connected 1-3 7-8"));
}

TEST(NodesConf, EndsWithTheEpochsAndLeavesHandshakesOut) {
  Bench a(A);
  ASSERT_EQ(a.answer("CLUSTER MEET 127.0.0.1 7006"), "OK");
  EXPECT_NE(nodes_text(a.state.config, *a.settings).find(" handshake "), std::string::npos);
  const std::string file = nodes_conf_text(a.state.config, *a.settings);
  EXPECT_EQ(file.find("handshake"), std::string::npos);
  EXPECT_TRUE(file.ends_with("vars currentEpoch 3 lastVoteEpoch 0\n"));
}

TEST(NodesConf, NamesTheShardSinceRedis72) {
  Bench a(A, failing_lab("redis-7.2"));
  const std::string file = nodes_conf_text(a.state.config, *a.settings);
  EXPECT_NE(file.find("127.0.0.1:7005@17005,,tls-port=0,shard-id=" + id_of(B) + " slave"),
            std::string::npos);
}

std::string error_of(const std::string& text, const NodeSettings& settings) {
  const auto read = read_nodes_conf(text, settings);
  const auto* wrong = std::get_if<NodesTextError>(&read);
  return wrong == nullptr ? "read without error" : wrong->text();
}

TEST(NodesConf, SaysWhatIsWrongWithIt) {
  const Bench a(A);
  const std::string good = id_of(A) + " 127.0.0.1:7001@17001 myself,master - 0 0 1 connected";
  const auto error = [&](const std::string& text) { return error_of(text, *a.settings); };
  EXPECT_EQ(error(good + " 1 7"), "read without error");
  EXPECT_EQ(error(""), "expected at least one node, found none");
  EXPECT_EQ(error("abc"), "line 1: expected at least 8 columns, found 1");
  EXPECT_EQ(error(good + "\nx 127.0.0.1:1 master - 0 0 1 connected"),
            "line 2: expected a node id of 40 letters and digits, found 'x'");
  EXPECT_EQ(error(id_of(A) + " 127.0.0.1 myself,master - 0 0 1 connected"),
            "line 1: expected an address ip:port, found '127.0.0.1'");
  EXPECT_EQ(error(id_of(A) + " 127.0.0.1:1 myself,king - 0 0 1 connected"),
            "line 1: expected a flag, found 'king'");
  EXPECT_EQ(error(id_of(A) + " 127.0.0.1:1 myself,slave B 0 0 1 connected"),
            "line 1: expected '-' or a master's id, found 'B'");
  EXPECT_EQ(error(id_of(A) + " 127.0.0.1:1 myself - 0 0 -1 connected"),
            "line 1: expected a config epoch, found '-1'");
  EXPECT_EQ(error(good + " 7-6"),
            "line 1: expected a slot or a range of slots within 0-16383, found '7-6'");
  EXPECT_EQ(error(good + " [7->-B]"),
            "line 1: expected an open slot [slot->-id] or [slot-<-id]");
  EXPECT_EQ(error(good + "\nvars currentEpoch x"),
            "line 2: expected a number after 'currentEpoch'");
  EXPECT_EQ(error(std::string(40, '9') + " 127.0.0.1:1 myself,master - 0 0 1 connected"),
            "line 1: expected a node of this scenario, found " + std::string(40, '9'));
  EXPECT_EQ(error(id_of(A) + " 127.0.0.1:1 master - 0 0 1 connected"),
            "expected one line flagged myself");
  EXPECT_EQ(error(good + "\n" + id_of(B) + " 127.0.0.1:1 myself - 0 0 1 connected"),
            "line 2: expected one myself, found two");
}

TEST(NodesConf, MustNotCutASlotClass) {
  const Bench a(A);
  auto changed = std::make_shared<NodeSettings>(*a.settings);
  changed->slots = protocol::SlotClasses::cut({{0, 99}});
  const std::string good = id_of(A) + " 127.0.0.1:7001@17001 myself,master - 0 0 1 connected";
  EXPECT_EQ(error_of(good + " 0-99", *changed), "read without error");
  EXPECT_EQ(error_of(good + " 0-98", *changed),
            "line 1: expected slots 0-99 together, found 0-98");
  EXPECT_EQ(error_of(good + " [5->-" + id_of(B) + "]", *changed),
            "line 1: expected slots 0-99 open together");
}

TEST(NodesConf, TheFirstLineKeepsASlotAndTheEpochIsAtLeastEachConfigEpoch) {
  const Bench a(A);
  const auto read = read_nodes_conf(
      id_of(A) + " 127.0.0.1:7001@17001 myself,master - 0 0 1 connected 7\r\n" + id_of(B) +
          " 127.0.0.1:7002@17002 master - 0 0 5 connected 7-8\r\nvars currentEpoch 3 "
          "lastVoteEpoch 2\r\n",
      *a.settings);
  const auto& config = std::get<Durable>(read);
  EXPECT_EQ(config.owner[kSeven], A);
  EXPECT_EQ(config.owner[kEight], B);
  EXPECT_EQ(config.current_epoch, 5u);
  EXPECT_EQ(config.last_vote_epoch, 2u);
}

TEST(NodesText, OfAnyClusterIsTakenApart) {
  const auto parsed = parse_nodes_text(
      "07c37dfeb235213a872192d90877d0cd55635b91 10.0.0.1:30004@31004,host-1 slave "
      "e7d1eecce10fd6bb5eb35b9f99a514335d9ba9ca 0 1426238317239 4 connected\n"
      "e7d1eecce10fd6bb5eb35b9f99a514335d9ba9ca 10.0.0.2:30001@31001,,tls-port=0,shard-id=abc "
      "myself,master,fail? - 0 0 1 disconnected 0-5460 5999 "
      "[93->-07c37dfeb235213a872192d90877d0cd55635b91]\n");
  const auto& text = std::get<NodesText>(parsed);
  ASSERT_EQ(text.nodes.size(), 2u);
  EXPECT_EQ(text.nodes[0].master_id, "e7d1eecce10fd6bb5eb35b9f99a514335d9ba9ca");
  EXPECT_EQ(text.nodes[0].bus_port, 31004);
  EXPECT_EQ(text.nodes[1].shard_id, "abc");
  EXPECT_TRUE(text.nodes[1].pfail);
  EXPECT_FALSE(text.nodes[1].connected);
  EXPECT_EQ(text.nodes[1].slots, (std::vector<protocol::SlotRange>{{0, 5460}, {5999, 5999}}));
  ASSERT_EQ(text.nodes[1].migrating.size(), 1u);
  EXPECT_EQ(text.nodes[1].migrating[0].slot, 93);
  EXPECT_FALSE(text.current_epoch.has_value());
}

// Some configuration of a node that a run could reach.
Durable some_config(const NodeSettings& settings) {
  const auto below = [](int n) { return *rc::gen::inRange(0, n); };
  const auto flag = [&] { return below(4) == 0; };
  Durable config;
  const int count = 1 + below(5);
  std::vector<NodeId> nodes;
  for (int i = 0; i < count; ++i) nodes.push_back(NodeId{static_cast<std::uint8_t>(i)});
  const auto some_node = [&] { return nodes[static_cast<std::size_t>(below(count))]; };
  config.me = nodes[0];
  for (const NodeId node : nodes) {
    NodeRecord& record = config.nodes[node];
    record.replica = node != nodes[0] && flag();
    record.config_epoch = static_cast<Epoch>(below(6));
    record.fail = flag();
    record.pfail = !record.fail && flag();
    record.no_addr = node != nodes[0] && flag();
    record.no_failover = flag();
    if (record.replica && below(3) != 0) record.master = nodes[0];
    if (settings.dialect.has(protocol::Rule::shard_ids)) record.shard = some_node();
  }
  config.current_epoch = static_cast<Epoch>(below(9));
  config.last_vote_epoch = static_cast<Epoch>(below(9));
  for (std::size_t c = 0; c < settings.slots.count(); ++c) {
    config.owner.push_back(flag() ? kNoNode : some_node());
    config.migrating_to.push_back(flag() ? some_node() : kNoNode);
    config.importing_from.push_back(flag() ? some_node() : kNoNode);
  }
  return config;
}

RC_GTEST_PROP(NodesConfProperty, IsReadBackAsARestartHasIt, ()) {
  const std::string dialect = *rc::gen::elementOf(protocol::dialect_names());
  Bench bench(A, failing_lab(dialect));
  const Durable config = some_config(*bench.settings);
  const auto read = read_nodes_conf(nodes_conf_text(config, *bench.settings), *bench.settings);
  const auto* back = std::get_if<Durable>(&read);
  RC_ASSERT(back != nullptr);
  // The same by the other way: the file as a value, then the start.
  bench.state.config = as_saved(config, *bench.settings);
  sim::Effects effects;
  Context context{bench.state, *bench.settings, effects};
  load_config(context);
  RC_ASSERT(*back == bench.state.config);
}

RC_GTEST_PROP(NodesConfProperty, WritingWhatWasReadChangesNothingMore, ()) {
  const std::string dialect = *rc::gen::elementOf(protocol::dialect_names());
  const Bench bench(A, failing_lab(dialect));
  const std::string once = nodes_conf_text(some_config(*bench.settings), *bench.settings);
  const Durable first = std::get<Durable>(read_nodes_conf(once, *bench.settings));
  const std::string twice = nodes_conf_text(first, *bench.settings);
  RC_ASSERT(std::get<Durable>(read_nodes_conf(twice, *bench.settings)) == first);
}

}  // namespace
}  // namespace slotlab::node
