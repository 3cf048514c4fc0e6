// See shares.h.
#include "models/operator/shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "models/operator/planner.h"

namespace slotlab::oper {

namespace {

struct Balance {
  Share share;
  std::int64_t more = 0;  // slots that it has above what it should have; negative: it lacks some
};

std::int64_t slots_in(const std::vector<Share>& shares) {
  return std::accumulate(shares.begin(), shares.end(), std::int64_t{0},
                         [](std::int64_t sum, const Share& each) {
                           return sum + static_cast<std::int64_t>(each.slots.size());
                         });
}

bool over_threshold(const Balance& each, std::int64_t should, std::uint8_t threshold) {
  const auto has = static_cast<std::int64_t>(each.share.slots.size());
  if (has == 0) return should > 1;
  return std::abs(100 * has - 100 * should) > threshold * has;
}

// What is left over by rounding is given to those that lack something, one each in turn.
void hand_out_rest(std::vector<Balance>& nodes) {
  std::int64_t rest = 0;
  for (const Balance& each : nodes) rest += each.more;
  while (rest > 0) {
    for (Balance& each : nodes) {
      if (each.more > 0 || rest == 0) continue;
      --each.more;
      --rest;
    }
  }
}

// The lowest `count` slots of the giver.
void give(Balance& giver, Balance& taker, std::int64_t count, std::vector<SlotMove>& moves) {
  std::vector<protocol::Slot>& slots = giver.share.slots;
  for (std::int64_t i = 0; i < count; ++i) {
    moves.push_back({.slot = slots[static_cast<std::size_t>(i)],
                     .from = giver.share.node,
                     .to = taker.share.node});
  }
  slots.erase(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(count));
  giver.more -= count;
  taker.more += count;
}

std::vector<Share> shares_of(const Tool& tool, const std::vector<Seen>& seen) {
  std::vector<Share> shares;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!seen[i].answered || !seen[i].master) continue;
    Share share{.node = static_cast<std::uint8_t>(i), .slots = seen[i].slots};
    if (i < tool.weights.size()) share.weight = tool.weights[i];
    if (share.slots.empty() && !tool.use_empty) share.weight = 0;
    shares.push_back(std::move(share));
  }
  return shares;
}

}  // namespace

std::vector<SlotMove> reshard_moves(std::vector<Share> sources, std::uint8_t to,
                                    std::uint32_t count) {
  std::stable_sort(sources.begin(), sources.end(), [](const Share& a, const Share& b) {
    return a.slots.size() > b.slots.size();
  });
  const std::int64_t all = slots_in(sources);
  std::vector<SlotMove> moves;
  for (std::size_t i = 0; i < sources.size() && all > 0; ++i) {
    const std::int64_t part = count * static_cast<std::int64_t>(sources[i].slots.size());
    const std::int64_t gives = i == 0 ? (part + all - 1) / all : part / all;
    for (std::int64_t n = 0; n < gives && moves.size() < count; ++n) {
      if (n >= static_cast<std::int64_t>(sources[i].slots.size())) break;
      moves.push_back({.slot = sources[i].slots[static_cast<std::size_t>(n)],
                       .from = sources[i].node,
                       .to = to});
    }
  }
  return moves;
}

std::vector<SlotMove> rebalance_moves(std::vector<Share> nodes, std::uint8_t threshold) {
  std::int64_t weight = 0;
  for (const Share& each : nodes) weight += each.weight;
  std::vector<SlotMove> moves;
  if (weight == 0) return moves;
  const std::int64_t all = slots_in(nodes);
  std::vector<Balance> balances;
  bool any_over = false;
  for (Share& each : nodes) {
    Balance balance{.share = std::move(each)};
    const std::int64_t should = all * balance.share.weight / weight;
    any_over = any_over || over_threshold(balance, should, threshold);
    balance.more = static_cast<std::int64_t>(balance.share.slots.size()) - should;
    balances.push_back(std::move(balance));
  }
  if (!any_over) return moves;
  hand_out_rest(balances);
  std::stable_sort(balances.begin(), balances.end(),
                   [](const Balance& a, const Balance& b) { return a.more < b.more; });
  std::size_t taker = 0, giver = balances.size() - 1;
  while (taker < giver) {
    const std::int64_t count =
        std::min(std::abs(balances[taker].more), std::abs(balances[giver].more));
    give(balances[giver], balances[taker], count, moves);
    if (balances[taker].more == 0) ++taker;
    if (balances[giver].more == 0) --giver;
  }
  return moves;
}

ToolPlan plan_shares(const Tool& tool, const std::vector<Seen>& seen) {
  Planner planner(tool, seen);
  const bool open = std::any_of(seen.begin(), seen.end(),
                                [](const Seen& each) { return each.answered && each.open; });
  if (open) {
    planner.complain(fmt::format("Please fix your cluster problems before {}",
                                 tool.kind == ToolKind::rebalance ? "rebalancing" : "resharding"));
    return planner.take();
  }
  std::vector<Share> shares = shares_of(tool, seen);
  std::vector<SlotMove> moves;
  if (tool.kind == ToolKind::rebalance) {
    moves = rebalance_moves(std::move(shares), tool.threshold);
  } else if (!seen[tool.to].answered || !seen[tool.to].master) {
    planner.complain("The specified node is not known or not a master");
    return planner.take();
  } else {
    std::erase_if(shares, [&](const Share& each) {
      return each.node == tool.to || std::find(tool.sources.begin(), tool.sources.end(),
                                               each.node) == tool.sources.end();
    });
    moves = reshard_moves(std::move(shares), tool.to, tool.count);
  }
  for (const SlotMove& move : moves) {
    planner.work_on(move.slot);
    planner.move_slot(move.from, move.to, false);
  }
  return planner.take();
}

}  // namespace slotlab::oper
