// What a node says about the cluster, in the servers' formats: NODES, SLOTS, SHARDS, INFO and the
// like.
#include <gtest/gtest.h>

#include "tests/models/node/failover_bench.h"

namespace slotlab::node {
namespace {

using protocol::Reply;

Reply entry_of(NodeId node, std::int64_t port) {
  return Reply::array(
      {Reply::bulk("127.0.0.1"), Reply::integer(port), Reply::bulk(id_of(node)), Reply::array({})});
}

TEST(Slots, AreRunsOfOneOwnerWithItsReplicas) {
  Bench a(A);
  const Reply slots = a.run("CLUSTER SLOTS");
  ASSERT_EQ(slots.items.size(), 5u);
  EXPECT_EQ(slots.items[0],
            Reply::array({Reply::integer(1), Reply::integer(1), entry_of(A, 7001),
                          entry_of(A1, 7004)}));
  EXPECT_EQ(slots.items[3].items[0], Reply::integer(7));
  a.config().owner[kHomeB] = A;
  a.config().owner[kSeven] = kNoNode;
  a.record(A1).fail = true;
  const Reply changed = a.run("CLUSTER SLOTS");
  ASSERT_EQ(changed.items.size(), 3u);
  EXPECT_EQ(changed.items[0],
            Reply::array({Reply::integer(1), Reply::integer(2), entry_of(A, 7001)}));
}

TEST(Slots, AreGroupedByNodeAndShorterInRedis30) {
  LabOptions options = failing_lab("redis-3.0");
  options.replicas = false;
  Bench a(A, options);
  const Reply slots = a.run("CLUSTER SLOTS");
  ASSERT_EQ(slots.items.size(), 5u);
  EXPECT_EQ(slots.items[1], Reply::array({Reply::integer(7), Reply::integer(7),
                                          Reply::array({Reply::bulk("127.0.0.1"),
                                                        Reply::integer(7001)})}));
}

TEST(Shards, ListAMasterAndItsReplicas) {
  for (const std::string dialect : {"redis-7.0", "redis-7.2"}) {
    Bench a(A, failing_lab(dialect));
    a.record(B).fail = true;
    const Reply shards = a.run("CLUSTER SHARDS");
    ASSERT_EQ(shards.items.size(), 3u) << dialect;
    const Reply& first = shards.items[0];
    EXPECT_EQ(first.items[0], Reply::bulk("slots"));
    EXPECT_EQ(first.items[1], Reply::array({Reply::integer(1), Reply::integer(1),
                                            Reply::integer(7), Reply::integer(7)}));
    ASSERT_EQ(first.items[3].items.size(), 2u);
    EXPECT_EQ(first.items[3].items[1],
              Reply::array({Reply::bulk("id"), Reply::bulk(id_of(A1)), Reply::bulk("port"),
                            Reply::integer(7004), Reply::bulk("ip"), Reply::bulk("127.0.0.1"),
                            Reply::bulk("endpoint"), Reply::bulk("127.0.0.1"), Reply::bulk("role"),
                            Reply::bulk("replica"), Reply::bulk("replication-offset"),
                            Reply::integer(0), Reply::bulk("health"), Reply::bulk("online")}));
    EXPECT_EQ(shards.items[1].items[3].items[0].items.back(), Reply::bulk("fail"));
  }
}

TEST(Info, CountsSlotsByTheStateOfTheirOwner) {
  Bench a(A);
  a.record(B).pfail = true;
  a.record(C).fail = true;
  a.config().owner[kSeven] = kNoNode;
  EXPECT_EQ(a.run("CLUSTER INFO").text,
            "cluster_state:ok\r\ncluster_slots_assigned:4\r\ncluster_slots_ok:1\r\n"
            "cluster_slots_pfail:1\r\ncluster_slots_fail:2\r\ncluster_known_nodes:5\r\n"
            "cluster_size:3\r\ncluster_current_epoch:3\r\ncluster_my_epoch:1\r\n"
            "cluster_stats_messages_sent:0\r\ncluster_stats_messages_received:0\r\n"
            "total_cluster_links_buffer_limit_exceeded:0\r\n");
}

TEST(Info, OfAReplicaShowsItsMastersEpoch) {
  Bench b1(B1, failing_lab("redis-3.0"));
  const std::string text = b1.answer("CLUSTER INFO");
  EXPECT_NE(text.find("cluster_my_epoch:2\r\n"), std::string::npos);
  EXPECT_EQ(text.find("buffer_limit"), std::string::npos);
}

TEST(Replicas, AreLinesOfNodes) {
  Bench a(A);
  EXPECT_EQ(a.run("CLUSTER REPLICAS A"),
            Reply::array({Reply::bulk(id_of(A1) + " 127.0.0.1:7004@17004 slave " + id_of(A) +
                                      " 0 0 1 connected")}));
  EXPECT_EQ(a.run("CLUSTER SLAVES B").items.size(), 1u);
  EXPECT_EQ(a.answer("CLUSTER REPLICAS B1"), "ERR The specified node is not a master");
  EXPECT_EQ(a.answer("CLUSTER REPLICAS D"), "ERR Unknown node " + id_of(D));
}

TEST(Nodes, AnswersInOneText) {
  Bench a(A);
  const Reply reply = a.run("CLUSTER NODES");
  EXPECT_EQ(reply.type, Reply::Type::bulk);
  EXPECT_EQ(reply.text.substr(0, reply.text.find('\n')),
            id_of(A) + " 127.0.0.1:7001@17001 myself,master - 0 0 1 connected 1 7");
}

TEST(Ids, OfANodeAndItsShard) {
  Bench a1(A1, failing_lab("redis-7.2"));
  EXPECT_EQ(a1.run("CLUSTER MYID"), Reply::bulk(id_of(A1)));
  EXPECT_EQ(a1.run("CLUSTER MYSHARDID"), Reply::bulk(id_of(A)));
}

}  // namespace
}  // namespace slotlab::node
