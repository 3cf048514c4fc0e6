// BUMPEPOCH and SET-CONFIG-EPOCH. SOURCE: Redis 7.0.15, clusterCommand in src/cluster.c; node.md
// 2.6 and 2.7.
#include "models/node/commands/epoch_commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/node/ownership/epochs.h"

namespace slotlab::node {

Reply bump_epoch(Context& context) {
  const bool bumped = bump_config_epoch_without_consensus(context);
  return Reply::status(
      fmt::format("{} {}", bumped ? "BUMPED" : "STILL", context.my_record().config_epoch));
}

Reply set_config_epoch(Context& context, const Words& words) {
  const auto epoch = read_integer(words[2]);
  if (!epoch) return not_an_integer();
  if (*epoch < 0) return err(fmt::format("Invalid config epoch specified: {}", *epoch));
  if (context.config().nodes.size() > 1) {
    return err(
        "The user can assign a config epoch only when the node does not know any other node.");
  }
  if (context.my_record().config_epoch != 0) return err("Node config epoch is already non-zero");
  context.my_record().config_epoch = static_cast<Epoch>(*epoch);
  context.config().current_epoch =
      std::max(context.config().current_epoch, context.my_record().config_epoch);
  context.todo.update_state = true;
  context.todo.save = true;
  return Reply::ok();
}

}  // namespace slotlab::node
