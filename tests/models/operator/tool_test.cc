// What fix and reshard plan for the states in which a move can be left. The expected orders are
// those that redis-cli 7.0.15 was seen to send; A is the source, B the destination, C a third.
#include "models/operator/tool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/operator/shares.h"

namespace slotlab::oper {
namespace {

constexpr std::uint8_t kA = 0, kB = 1;

Tool tool_of(ToolKind kind, Flavour flavour = Flavour::redis_cli_7_0) {
  Tool tool;
  tool.kind = kind;
  tool.flavour = flavour;
  tool.slot = 3300;
  tool.from = kA;
  tool.to = kB;
  for (std::uint8_t i = 0; i < 3; ++i) {
    const std::string name(1, static_cast<char>('A' + i));
    tool.nodes.push_back({name, std::string(40, static_cast<char>('a' + i)), sim::ActorId{i},
                          "127.0.0.1", static_cast<std::uint16_t>(7001 + i)});
  }
  return tool;
}

// A owns the slot and is moving it to B; both ends are open.
std::vector<Seen> open_slot(std::uint16_t keys_a, std::uint16_t keys_b) {
  std::vector<Seen> seen(3, Seen{.answered = true, .master = true, .slots = {}});
  seen[kA].owns = true;
  seen[kA].migrating_to = kB;
  seen[kA].keys = keys_a;
  seen[kB].importing_from = kA;
  seen[kB].keys = keys_b;
  return seen;
}

std::vector<std::string> texts(const ToolPlan& plan) {
  std::vector<std::string> out;
  for (const Step& step : plan.steps) {
    std::string text = step.move ? "MIGRATE to " + step.move->to_name : step.typed;
    for (const std::string_view prefix : {"CLUSTER SETSLOT 3300 ", "CLUSTER "}) {
      if (text.rfind(prefix, 0) == 0) text = text.substr(prefix.size());
    }
    out.push_back(step.target_name + " " + text);
  }
  return out;
}

using Texts = std::vector<std::string>;

TEST(Fix, ContinuesWhileTheDestinationHasNoKey) {
  EXPECT_EQ(texts(plan_of(tool_of(ToolKind::fix), open_slot(3, 0))),
            (Texts{"B IMPORTING A", "A MIGRATING B", "A MIGRATE to B", "B NODE B", "A NODE B",
                   "C NODE B"}));
}

TEST(Fix, GoesBackToTheSourceIfItHasMoreKeys) {
  EXPECT_EQ(texts(plan_of(tool_of(ToolKind::fix), open_slot(2, 1))),
            (Texts{"A STABLE", "A MULTI", "A DELSLOTS 3300", "A ADDSLOTS 3300", "A BUMPEPOCH",
                   "A EXEC", "B DELSLOTS 3300", "B NODE A", "B IMPORTING A", "B MIGRATE to A",
                   "B STABLE", "B NODE A", "C NODE A"}));
}

TEST(Fix, GoesToTheDestinationIfItHasMoreKeys) {
  const Texts steps = texts(plan_of(tool_of(ToolKind::fix), open_slot(1, 2)));
  EXPECT_EQ(steps.front(), "B STABLE");
  EXPECT_NE(std::find(steps.begin(), steps.end(), "A MIGRATE to B"), steps.end());
}

TEST(Fix, ATieGoesToTheFirstOfTheList) {
  EXPECT_EQ(texts(plan_of(tool_of(ToolKind::fix), open_slot(1, 1))).front(), "A STABLE");
}

TEST(Fix, TheOldToolKeepsTheDirection) {
  EXPECT_EQ(
      texts(plan_of(tool_of(ToolKind::fix, Flavour::redis_trib_3_0), open_slot(2, 1))),
      (Texts{"B IMPORTING A", "A MIGRATING B", "A MIGRATE to B", "A NODE B", "B NODE B",
             "C NODE B"}));
}

TEST(Fix, ClosesAMarkAtTheOwner) {
  std::vector<Seen> seen = open_slot(2, 0);
  seen[kB].importing_from = kNobody;
  EXPECT_EQ(texts(plan_of(tool_of(ToolKind::fix), seen)), (Texts{"A STABLE"}));
}

TEST(Fix, ClosesAnImportThatNobodyBegan) {
  std::vector<Seen> seen = open_slot(0, 0);
  seen[kA].migrating_to = kNobody;
  EXPECT_EQ(texts(plan_of(tool_of(ToolKind::fix), seen)),
            (Texts{"B MIGRATE to A", "B STABLE", "B NODE A", "C NODE A"}));
}

TEST(Fix, HasNothingToDoInAHealthySlot) {
  std::vector<Seen> seen(3, Seen{.answered = true, .master = true, .slots = {}});
  seen[kA].owns = true;
  const ToolPlan plan = plan_of(tool_of(ToolKind::fix), seen);
  EXPECT_TRUE(plan.steps.empty());
  EXPECT_TRUE(plan.complaint.empty());
}

TEST(Fix, WillNotWorkWhileAMasterThatIsListedDoesNotAnswer) {
  Tool tool = tool_of(ToolKind::fix);
  std::vector<Seen> seen = open_slot(2, 0);
  for (Seen& each : seen) each.listed = true;
  seen[2].answered = false;
  EXPECT_NE(plan_of(tool, seen).complaint.find("cannot be reached"), std::string::npos);
  EXPECT_TRUE(plan_of(tool, seen).steps.empty());
  tool.unreachable_masters = true;
  EXPECT_EQ(texts(plan_of(tool, seen)),
            (Texts{"B IMPORTING A", "A MIGRATING B", "A MIGRATE to B", "B NODE B", "A NODE B"}));
  tool.unreachable_masters = false;
  seen[2].listed = false;  // a replica
  EXPECT_EQ(plan_of(tool, seen).complaint, "");
  seen[2].listed = true;
  tool.flavour = Flavour::redis_trib_3_0;
  EXPECT_EQ(plan_of(tool, seen).complaint, "");
}

// The only node with keys is taken for the owner and told nothing by case 2; the coverage that is
// checked afterwards finds the slot unowned and gives it to that node.
TEST(Fix, CoversASlotWhoseOwnerIsGone) {
  Tool tool = tool_of(ToolKind::fix);
  tool.unreachable_masters = true;
  std::vector<Seen> seen(3, Seen{.answered = true, .master = true, .slots = {}});
  seen[kA].answered = false;
  seen[kB].importing_from = kA;
  seen[kB].keys = 1;
  EXPECT_EQ(texts(plan_of(tool, seen)), (Texts{"C NODE B", "B MULTI", "B DELSLOTS 3300",
                                               "B ADDSLOTS 3300", "B BUMPEPOCH", "B EXEC"}));
  tool.flavour = Flavour::redis_trib_3_0;
  seen[kB].importing_from = kNobody;
  EXPECT_EQ(texts(plan_of(tool, seen)), (Texts{"B ADDSLOTS 3300"}));
}

TEST(Reshard, RefusesAnOpenSlot) {
  EXPECT_FALSE(plan_of(tool_of(ToolKind::reshard), open_slot(1, 0)).complaint.empty());
}

TEST(Controller, DoesOneStepAtATime) {
  std::vector<Seen> seen(3, Seen{.answered = true, .master = true, .slots = {}});
  seen[kA].owns = true;
  seen[kA].keys = 1;
  const Tool tool = tool_of(ToolKind::controller);
  EXPECT_EQ(texts(plan_of(tool, seen)), (Texts{"B IMPORTING A"}));
  EXPECT_EQ(texts(plan_of(tool, open_slot(1, 0))), (Texts{"A MIGRATE to B"}));
  EXPECT_EQ(texts(plan_of(tool, open_slot(0, 1))), (Texts{"B NODE B"}));
}

TEST(Look, ReadsANodesOwnLine) {
  const Tool tool = tool_of(ToolKind::fix);
  std::vector<Seen> seen;
  const std::string b(40, 'b');
  read_answer(tool, 0,
              std::string(40, 'a') +
                  " 127.0.0.1:7001@17001 myself,master - 0 0 1 connected 0-5460 [3300->-" + b +
                  "]\n" + b + " 127.0.0.1:7002@17002 master - 0 0 2 connected 5461-10922\n",
              0, seen);
  read_answer(tool, 1, "", 4, seen);
  EXPECT_EQ(seen[kA], (Seen{.answered = true,
                            .master = true,
                            .owns = true,
                            .migrating_to = kB,
                            .keys = 4,
                            .open = true,
                            .slots = {}}));
  EXPECT_FALSE(seen[kB].answered);
  EXPECT_TRUE(seen[kB].listed);
  // What the second node says of others does not count.
  read_answer(tool, 2,
              b + " 127.0.0.1:7002@17002 myself,master - 0 0 2 connected 5461-10922\n" +
                  std::string(40, 'c') + " 127.0.0.1:7003@17003 master - 0 0 3 connected\n",
              0, seen);
  EXPECT_TRUE(seen[kB].answered);
  EXPECT_FALSE(seen[2].listed);
}

Share share(std::uint8_t node, protocol::Slot first, std::size_t count, std::uint16_t weight = 1) {
  Share out{.node = node, .slots = {}, .weight = weight};
  for (std::size_t i = 0; i < count; ++i) {
    out.slots.push_back(static_cast<protocol::Slot>(first + i));
  }
  return out;
}

// "7:0>1 8:0>1"
std::string text(const std::vector<SlotMove>& moves) {
  std::string out;
  for (const SlotMove& move : moves) {
    out += (out.empty() ? "" : " ") + std::to_string(move.slot) + ":" + std::to_string(move.from) +
           ">" + std::to_string(move.to);
  }
  return out;
}

TEST(Shares, ReshardTakesTheLowestOfEachAndRoundsDownButForTheFirst) {
  // Three equal sources, 5 asked: 2 + 1 + 1.
  EXPECT_EQ(text(reshard_moves({share(0, 0, 9), share(1, 10, 9), share(2, 20, 9)}, 3, 5)),
            "0:0>3 1:0>3 10:1>3 20:2>3");
  // The one with most slots is the first, whatever the order of the list.
  EXPECT_EQ(text(reshard_moves({share(0, 0, 2), share(1, 10, 6)}, 2, 3)), "10:1>2 11:1>2 12:1>2");
  EXPECT_EQ(text(reshard_moves({share(0, 0, 2)}, 1, 9)), "0:0>1 1:0>1");
  EXPECT_EQ(text(reshard_moves({share(0, 0, 0)}, 1, 9)), "");
  EXPECT_EQ(text(reshard_moves({}, 1, 9)), "");
}

TEST(Shares, RebalanceEvensOut) {
  EXPECT_EQ(text(rebalance_moves({share(0, 0, 4), share(1, 10, 0)}, 2)), "0:0>1 1:0>1");
  EXPECT_EQ(text(rebalance_moves({share(0, 0, 2), share(1, 10, 2)}, 2)), "");
  // A weight of 3 is worth three quarters.
  EXPECT_EQ(text(rebalance_moves({share(0, 0, 4), share(1, 10, 4, 3)}, 2)), "0:0>1 1:0>1");
  // A weight of nothing empties a node; what does not divide is given to those that lack something.
  EXPECT_EQ(text(rebalance_moves({share(0, 0, 3, 0), share(1, 10, 1), share(2, 20, 1)}, 2)),
            "0:0>1 1:0>1 2:0>2");
  EXPECT_EQ(text(rebalance_moves({share(0, 0, 3, 0)}, 2)), "");
}

TEST(Shares, RebalanceMindsItsThreshold) {
  const std::vector<Share> uneven = {share(0, 0, 52), share(1, 100, 48)};
  EXPECT_EQ(rebalance_moves(uneven, 5).size(), 0u);
  EXPECT_EQ(rebalance_moves(uneven, 3).size(), 2u);
}

TEST(Shares, RebalanceLeavesEverybodyWithTheirShareWhateverTheyHad) {
  for (std::size_t a = 0; a < 12; ++a) {
    for (std::size_t b = 0; b < 12; ++b) {
      for (const unsigned each : {1u, 2u, 5u}) {
        const auto weight = static_cast<std::uint16_t>(each);
        const std::vector<Share> before = {share(0, 0, a), share(1, 100, b, weight),
                                           share(2, 200, 7)};
        std::vector<std::size_t> has = {a, b, 7};
        const auto moves = rebalance_moves(before, 0);
        for (const SlotMove& move : moves) {
          ASSERT_NE(move.from, move.to);
          --has[move.from];
          ++has[move.to];
        }
        if (moves.empty()) continue;
        const std::size_t all = a + b + 7, weights = 2u + weight;
        for (std::size_t i = 0; i < 3; ++i) {
          const std::size_t should = all * (i == 1 ? weight : 1u) / weights;
          EXPECT_GE(has[i], should) << a << " " << b << " " << weight;
          EXPECT_LE(has[i], should + 2) << a << " " << b << " " << weight;
        }
      }
    }
  }
}

TEST(Rebalance, MovesSlotAfterSlotAndRefusesOpenOnes) {
  Tool tool = tool_of(ToolKind::rebalance);
  tool.use_empty = true;
  std::vector<Seen> seen(3, Seen{.answered = true, .master = true, .slots = {}});
  seen[kA].slots = {1, 2, 3};
  const ToolPlan plan = plan_of(tool, seen);
  ASSERT_EQ(plan.complaint, "");
  std::vector<std::string> sent;
  for (const Step& step : plan.steps) {
    sent.push_back(step.target_name + " " + (step.move ? "move" : step.typed.substr(16)));
  }
  EXPECT_EQ(sent, (Texts{"B 1 IMPORTING A", "A 1 MIGRATING B", "A move", "B 1 NODE B", "A 1 NODE B",
                         "C 1 NODE B", "C 2 IMPORTING A", "A 2 MIGRATING C", "A move",
                         "C 2 NODE C", "A 2 NODE C", "B 2 NODE C"}));
  EXPECT_EQ(plan.steps[2].move->slot, 1);
  EXPECT_EQ(plan.steps[8].move->slot, 2);
  tool.use_empty = false;
  EXPECT_TRUE(plan_of(tool, seen).steps.empty());
  seen[2].open = true;
  EXPECT_EQ(plan_of(tool, seen).complaint, "Please fix your cluster problems before rebalancing");
}

TEST(Reshard, OfANumberTakesFromTheSourcesOnly) {
  Tool tool = tool_of(ToolKind::reshard);
  tool.count = 1;
  tool.sources = {2};
  std::vector<Seen> seen(3, Seen{.answered = true, .master = true, .slots = {}});
  seen[kA].slots = {1, 2, 3};
  seen[2].slots = {9};
  EXPECT_EQ(plan_of(tool, seen).steps.front().typed, "CLUSTER SETSLOT 9 IMPORTING C");
  seen[kB].master = false;
  EXPECT_EQ(plan_of(tool, seen).complaint, "The specified node is not known or not a master");
}

TEST(Look, OfAToolThatChoosesReadsAllSlots) {
  Tool tool = tool_of(ToolKind::rebalance);
  EXPECT_EQ(look_steps(tool).size(), 3u);
  std::vector<Seen> seen;
  read_answer(tool, 1,
              std::string(40, 'b') +
                  " 127.0.0.1:7002@17002 myself,master - 0 0 2 connected 5-7 9 [9->-" +
                  std::string(40, 'a') + "]\n",
              0, seen);
  EXPECT_EQ(seen[kB].slots, (std::vector<protocol::Slot>{5, 6, 7, 9}));
  EXPECT_TRUE(seen[kB].open);
  EXPECT_FALSE(seen[kA].answered);
}

}  // namespace
}  // namespace slotlab::oper
