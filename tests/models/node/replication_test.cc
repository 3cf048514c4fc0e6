// A replica's copy: what it follows, what it ignores, and how it notices that it missed something.
#include "models/node/replication.h"

#include <gtest/gtest.h>

#include "tests/models/node/lab.h"
#include "models/node/ownership/slot_table.h"

namespace slotlab::node {
namespace {

using protocol::Replicated;

// Runs `handler` at the lab's node; what it did is in lab.effects.
template <class Handler>
auto at(Lab& lab, Handler handler) {
  lab.effects = {};
  Context context{lab.state, *lab.settings, lab.effects};
  return handler(context);
}

Replicated write(const std::string& key, std::uint64_t offset, NodeId master = A) {
  Replicated command;
  command.master = master;
  command.offset = offset;
  command.slot = kSeven;
  command.key = key;
  command.value = "v";
  return command;
}

TEST(Replication, AWriteGoesToEveryAttachedReplicaWithTheNextOffset) {
  Lab a(A, {.replicas = true});
  at(a, [](Context& context) { propagate_set(context, kSeven, "apple", {.value = "red"}); });
  ASSERT_EQ(a.effects.outputs.size(), 1u);
  EXPECT_EQ(a.effects.outputs[0].to, actor_of(A1));
  EXPECT_EQ(a.effects.outputs[0].stream, protocol::kReplication);
  EXPECT_EQ(a.state.memory.offset, 1u);
}

TEST(Replication, WithoutReplicasAWriteLeavesNoTrace) {
  Lab a(A);
  const NodeState before = a.state;
  at(a, [](Context& context) { propagate_set(context, kSeven, "apple", {.value = "red"}); });
  EXPECT_TRUE(a.effects.outputs.empty());
  EXPECT_EQ(a.state, before);
}

TEST(Replication, AReplicaAppliesWritesInOrder) {
  Lab a1(A1, {.replicas = true});
  EXPECT_EQ(at(a1, [](Context& c) { return on_replicated(c, write("apple", 1)); }),
            Arrival::applied);
  EXPECT_EQ(a1.state.keys[kSeven].count("apple"), 1u);
  Replicated removal = write("apple", 2);
  removal.kind = Replicated::Kind::remove;
  at(a1, [&](Context& c) { return on_replicated(c, removal); });
  EXPECT_TRUE(a1.state.keys[kSeven].empty());
  EXPECT_EQ(a1.state.memory.offset, 2u);
}

TEST(Replication, AMissingCommandBreaksIt) {
  Lab a1(A1, {.replicas = true});
  EXPECT_EQ(at(a1, [](Context& c) { return on_replicated(c, write("apple", 2)); }),
            Arrival::ignored);
  EXPECT_TRUE(a1.noted("replication broken: a command is missing"));
  EXPECT_TRUE(wants_copy(a1.state));
  EXPECT_TRUE(a1.state.keys[kSeven].empty());
}

TEST(Replication, AFormerMasterIsIgnoredAndTold) {
  Lab a1(A1, {.replicas = true});
  EXPECT_EQ(at(a1, [](Context& c) { return on_replicated(c, write("apple", 1, B)); }),
            Arrival::ignored);
  EXPECT_TRUE(a1.noted("replicated command ignored: not from my master"));
  ASSERT_EQ(a1.effects.outputs.size(), 1u);
  EXPECT_EQ(a1.effects.outputs[0].to, actor_of(B));
}

TEST(Replication, AReplicaThatChangesItsMasterTellsTheFormerOne) {
  Lab a1(A1, {.replicas = true});
  at(a1, [](Context& context) { set_my_master(context, {.master = B}); });
  ASSERT_EQ(a1.effects.outputs.size(), 1u);
  EXPECT_EQ(a1.effects.outputs[0].to, actor_of(A));
  EXPECT_EQ(a1.effects.outputs[0].stream, protocol::kReplication);
  EXPECT_TRUE(wants_copy(a1.state));

  Lab a(A, {.replicas = true});
  at(a, [](Context& context) { on_detached(context, A1); });
  EXPECT_TRUE(a.state.memory.attached.empty());
  EXPECT_TRUE(a.noted("a replica has left"));
}

TEST(Replication, ADemotedMasterHasNoReplicasToWriteTo) {
  Lab a(A, {.replicas = true, .of_a = {}});
  at(a, [](Context& context) { set_my_master(context, {.master = B}); });
  EXPECT_TRUE(a.state.memory.attached.empty());
}

TEST(Copy, ReplacesTheReplicasKeys) {
  Lab a(A, {.replicas = true});
  a.put_key(kSeven, "apple");
  a.state.memory.offset = 4;
  a.state.memory.attached.clear();
  at(a, [](Context& context) {
    protocol::SyncRequest request;
    request.replica = A1;
    request.master = A;
    on_sync_request(context, actor_of(A1), request);
  });
  EXPECT_EQ(a.state.memory.attached, std::set<NodeId>{A1});
  ASSERT_EQ(a.effects.outputs.size(), 1u);
  const auto data =
      std::dynamic_pointer_cast<const protocol::SyncData>(a.effects.outputs[0].message);
  ASSERT_NE(data, nullptr);

  Lab a1(A1, {.replicas = true});
  a1.put_key(kSeven, "stale");
  a1.state.memory.replicating_from = kNoNode;
  at(a1, [&](Context& context) { on_sync_data(context, *data); });
  EXPECT_EQ(a1.state.keys[kSeven], a.state.keys[kSeven]);
  EXPECT_EQ(a1.state.memory.offset, 4u);
  EXPECT_FALSE(wants_copy(a1.state));
}

TEST(Copy, IsRefusedByANodeThatIsNoMaster) {
  Lab a1(A1, {.replicas = true});
  at(a1, [](Context& context) {
    protocol::SyncRequest request;
    request.replica = B1;
    request.master = A1;
    on_sync_request(context, actor_of(B1), request);
  });
  EXPECT_TRUE(a1.noted("copy refused: not a master"));
  EXPECT_TRUE(a1.effects.outputs.empty());
}

TEST(Copy, ThatComesTooLateIsIgnored) {
  Lab a1(A1, {.replicas = true});
  protocol::SyncData data;
  data.master = B;
  data.keys.resize(a1.state.keys.size());
  at(a1, [&](Context& context) { on_sync_data(context, data); });
  EXPECT_TRUE(a1.noted("copy ignored: no longer its replica"));
  EXPECT_EQ(a1.state.memory.replicating_from, A);
}

TEST(Copy, MarksTravelOnlyWhereReplicasHaveThem) {
  for (const auto& [dialect, travels] :
       {std::pair{"redis-7.2", false}, std::pair{"valkey-8.0", true}}) {
    Lab a(A, {.dialect = dialect, .replicas = true});
    a.config().migrating_to[kSeven] = B;
    at(a, [](Context& context) {
      protocol::SyncRequest request;
      request.replica = A1;
      request.master = A;
      on_sync_request(context, actor_of(A1), request);
    });
    Lab a1(A1, {.dialect = dialect, .replicas = true});
    const auto data =
        std::dynamic_pointer_cast<const protocol::SyncData>(a.effects.outputs[0].message);
    at(a1, [&](Context& context) { on_sync_data(context, *data); });
    EXPECT_EQ(a1.config().migrating_to[kSeven] == B, travels) << dialect;
  }
}

}  // namespace
}  // namespace slotlab::node
