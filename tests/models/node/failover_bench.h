// The workbench of lab.h for the rooms above ownership: whole commands with names for ids, handlers
// of the failover room as events of their own, and the node's own steps.
#pragma once

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/models/node/lab.h"
#include "models/node/before_sleep.h"
#include "models/node/commands/dispatch.h"
#include "models/node/failover/peer_memory.h"
#include "models/node/failover/steps.h"
#include "models/node/heartbeat.h"
#include "models/node/step_codes.h"

namespace slotlab::node {

// The lab's options with failure detection on, which this room is about.
inline LabOptions failing_lab(std::string dialect = "redis-7.0") {
  LabOptions options;
  options.dialect = std::move(dialect);
  options.replicas = true;
  options.failure_detection = true;
  return options;
}

class Bench : public Lab {
 public:
  explicit Bench(NodeId me, const LabOptions& options = failing_lab(), bool timed_guards = false)
      : Lab(me, options) {
    auto changed = std::make_shared<NodeSettings>(*settings);
    changed->timed_guards = timed_guards;
    changed->directory.after_reset[protocol::index(C)] = D;
    settings = changed;
  }

  // Runs `handler` as one event, with the work before sleep.
  template <class Handler>
  void act(Handler handler) {
    effects = {};
    Context context{state, *settings, effects};
    handler(context);
    asked = context.todo;
    finish(context);
  }

  // "CLUSTER FORGET B": names stand for ids.
  protocol::Reply run(std::string_view text) {
    protocol::Command command;
    std::istringstream in{std::string(text)};
    for (std::string word; in >> word;) {
      const NodeId node = settings->directory.by_name(word);
      command.words.push_back(node == kNoNode ? word : settings->directory[node].id);
    }
    protocol::Reply reply;
    act([&](Context& context) {
      context.caller = {.actor = sim::ActorId{100}};
      reply = serve(context, command.words);
    });
    return reply;
  }
  std::string answer(std::string_view text) { return run(text).text; }

  std::vector<sim::Offer> offers() const {
    std::vector<sim::Offer> out;
    failover_offers(state, *settings, out);
    return out;
  }
  const sim::Offer* offered(sim::StepCode code) const {
    last_offers_ = offers();
    const auto at = std::find_if(last_offers_.begin(), last_offers_.end(),
                                 [&](const sim::Offer& offer) { return offer.code == code; });
    return at == last_offers_.end() ? nullptr : &*at;
  }
  void take(sim::StepCode code) {
    act([&](Context& context) { take_failover_step(context, code); });
  }

  PeerMemory remembers(NodeId node) const { return peer_memory(state, node); }
  std::size_t packets_of(protocol::PacketType type) const {
    std::size_t count = 0;
    for (const sim::Output& output : effects.outputs) {
      const auto* packet = dynamic_cast<const protocol::Packet*>(output.message.get());
      count += packet != nullptr && packet->header.type == type ? 1u : 0u;
    }
    return count;
  }

 private:
  mutable std::vector<sim::Offer> last_offers_;
};

}  // namespace slotlab::node
