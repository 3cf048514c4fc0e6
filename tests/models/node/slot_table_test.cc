// The primitive operations on the slot table and on roles.
#include "models/node/ownership/slot_table.h"

#include <gtest/gtest.h>

#include "tests/models/node/lab.h"

namespace slotlab::node {
namespace {

template <class Handler>
auto at(Lab& lab, Handler handler) {
  lab.effects = {};
  Context context{lab.state, *lab.settings, lab.effects};
  return handler(context);
}

TEST(SlotTable, ABoundSlotIsNotBoundAgainAndAFreeOneNotFreed) {
  Lab c(C);
  EXPECT_FALSE(at(c, [](Context& context) { return add_slot(context, B, kSeven); }));
  EXPECT_EQ(c.owner(kSeven), A);
  EXPECT_TRUE(at(c, [](Context& context) { return del_slot(context, kSeven); }));
  EXPECT_FALSE(at(c, [](Context& context) { return del_slot(context, kSeven); }));
  EXPECT_TRUE(at(c, [](Context& context) { return add_slot(context, B, kSeven); }));
  EXPECT_EQ(c.owner(kSeven), B);
}

TEST(SlotTable, BindingForgetsThatAnOwnerStoppedClaimingInValkeyOnly) {
  for (const auto& [dialect, kept] :
       {std::pair{"redis-7.2", true}, std::pair{"valkey-8.0", false}}) {
    Lab c(C, {.dialect = dialect, .of_a = {}});
    c.state.memory.not_claiming.add(kSeven);
    at(c, [](Context& context) { return add_slot(context, B, kSeven); });
    EXPECT_EQ(c.state.memory.not_claiming.has(kSeven), kept) << dialect;
  }
}

TEST(SlotTable, AForgottenNodeLeavesNoTrace) {
  Lab c(C, {.replicas = true});
  c.config().migrating_to[kEight] = A;
  c.config().importing_from[kSeven] = A;
  c.state.memory.peers[B].fail_reports = {A};
  c.state.memory.peers[A].fail_is_old = true;
  at(c, [](Context& context) { del_node(context, A); });
  EXPECT_EQ(c.config().nodes.count(A), 0u);
  EXPECT_EQ(c.owner(kSeven), kNoNode);
  EXPECT_EQ(c.config().migrating_to[kEight], kNoNode);
  EXPECT_EQ(c.config().importing_from[kSeven], kNoNode);
  EXPECT_EQ(c.record(A1).master, kNoNode);
  EXPECT_TRUE(c.state.memory.peers.empty());
}

TEST(SlotTable, ANodeWithSlotsDoesNotBecomeAReplica) {
  Lab a(A);
  at(a, [](Context& context) { set_my_master(context, {.master = B}); });
  EXPECT_FALSE(a.mine().replica);
  EXPECT_TRUE(a.noted("the server would abort here: a replica must not own slots"));
}

TEST(SlotTable, ANewMasterEndsAnElectionInValkeyOnly) {
  for (const auto& [dialect, goes_on] :
       {std::pair{"redis-7.2", true}, std::pair{"valkey-8.0", false}}) {
    Lab a1(A1, {.dialect = dialect, .replicas = true});
    a1.state.memory.election.scheduled = true;
    at(a1, [](Context& context) { set_my_master(context, {.master = B}); });
    EXPECT_EQ(a1.state.memory.election.scheduled, goes_on) << dialect;
    EXPECT_EQ(a1.mine().shard, B);
  }
}

TEST(SlotTable, TheTopOfAShardIsFoundAlsoInARingOfRecords) {
  Lab c(C, {.replicas = true});
  EXPECT_EQ(top_master(c.state, A1), A);
  EXPECT_EQ(top_master(c.state, B), B);
  c.record(A).master = A1;
  c.record(A).replica = true;
  (void)top_master(c.state, A);  // comes back
}

TEST(SlotTable, WithoutShardIdsAShardIsAMasterAndItsReplicas) {
  Lab c(C, {.replicas = true});
  at(c, [](Context& context) {
    EXPECT_TRUE(same_shard(context, A, A1));
    EXPECT_FALSE(same_shard(context, B, A1));
  });
}

}  // namespace
}  // namespace slotlab::node
