// Which slots a tool moves when it chooses them itself: the arithmetic of reshard and rebalance,
// apart from how a slot is moved. Whole numbers only; the servers' tools use floats where the
// results agree.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/protocol/words.h"

namespace slotlab::oper {

struct SlotMove {
  protocol::Slot slot = 0;
  std::uint8_t from = 0, to = 0;  // numbers of nodes
  bool operator==(const SlotMove&) const = default;
};

// What a node has, and what it should have.
struct Share {
  std::uint8_t node = 0;
  std::vector<protocol::Slot> slots;  // ascending
  std::uint16_t weight = 1;           // rebalance; 0: it should have none
};

// `count` slots to `to`: the source with most slots gives its part rounded up, the others theirs
// rounded down, each its lowest. With rounding there can be fewer than `count`.
// SOURCE: redis-cli 7.0.15, clusterManagerComputeReshardTable in src/redis-cli.c.
std::vector<SlotMove> reshard_moves(std::vector<Share> sources, std::uint8_t to,
                                    std::uint32_t count);

// Moves until every node has what its weight is worth of all slots. Nothing to do if no node is
// more than `threshold` per cent away from that.
// SOURCE: redis-cli 7.0.15, clusterManagerCommandRebalance in src/redis-cli.c.
std::vector<SlotMove> rebalance_moves(std::vector<Share> nodes, std::uint8_t threshold);

}  // namespace slotlab::oper
