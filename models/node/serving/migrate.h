// MIGRATE as what it is: a connection to the target, one RESTORE-ASKING for each key, one answer
// for each, and the deletion of a key as soon as its answer is read. The node is busy from the
// command to its end and does nothing else. Whatever ends it returns the reply, and the caller goes
// on with what waits. SOURCE: Redis 7.0.15, migrateCommand in src/cluster.c.
#pragma once

#include <optional>
#include <vector>

#include "models/node/words.h"

namespace slotlab::node {

// Begins: raises reply_later and sets the node's migration, or answers at once (errors, NOKEY).
Reply migrate(Context& context, const Words& words);

// What may happen to the migration next. REQUIRES: there is one.
void offer_migration(const NodeState& state, const NodeSettings& settings,
                     std::vector<sim::Offer>& out);

// Each returns the reply of the MIGRATE if it has ended with this; the caller takes the migration
// out of the state. REQUIRES: there is one (take); others ignore what belongs to none.
std::optional<Reply> take_migration_step(Context& context, sim::StepCode code);
std::optional<Reply> on_target_answer(Context& context, sim::ActorId from,
                                      const protocol::ReplyMessage& answer);
std::optional<Reply> on_target_gone(Context& context, sim::ActorId from);

std::string migration_step_text(const Migration& migration, sim::StepCode code);

}  // namespace slotlab::node
