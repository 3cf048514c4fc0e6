// The work before sleep; see the header for its order.
#include "models/node/before_sleep.h"

#include <utility>

#include "models/node/failover/cluster_state.h"
#include "models/node/failover/election.h"
#include "models/node/failover/manual.h"
#include "models/node/persistence/persistence.h"

namespace slotlab::node {
namespace {

using protocol::Rule;

bool any(const Todo& todo) {
  return todo.save || todo.update_state || todo.handle_failover || todo.handle_manual_failover;
}

void run(Context& context, const Todo& todo) {
  if (todo.handle_manual_failover && context.my_record().replica) {
    manual_failover_step(context);
    election_step(context);
  } else if (todo.handle_failover) {
    election_step(context);
  }
}

// 3.0: the flags are looked at one after the other as they are at that moment, then all are
// cleared.
void finish_live(Context& context) {
  run(context, context.todo);
  if (context.todo.update_state) update_state(context);
  if (context.todo.save) save_config(context, context.todo.fsync);
  context.todo = {};
}

}  // namespace

void finish(Context& context) {
  if (context.rule(Rule::todo_read_live)) {
    finish_live(context);
    return;
  }
  // Flags raised by a pass wait for the next one. The passes end because each of an election's acts
  // is done once; the bound is for a manual failover, which asks for one more try each time.
  constexpr int kPasses = 8;
  for (int pass = 0; pass < kPasses && any(context.todo); ++pass) {
    const Todo todo = std::exchange(context.todo, Todo{});
    run(context, todo);
    if (todo.update_state) update_state(context);
    if (todo.save) save_config(context, todo.fsync);
  }
  context.todo = {};
}

}  // namespace slotlab::node
