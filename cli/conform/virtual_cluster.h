// A transcript's cluster as virtual nodes: the timed driver in virtual time, two streams for each
// ordered pair, PING and PONG as the servers send them, failure detection, and the settings under
// which the transcripts were recorded. Commands follow each other within milliseconds, so that only
// what a node sends at once comes between them; gossip comes while the transcript waits.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/conform/client.h"
#include "cli/conform/settle.h"
#include "cli/conform/target.h"
#include "models/node/config.h"
#include "models/protocol/dialect.h"
#include "sim/drive/run.h"
#include "sim/system/world.h"

namespace slotlab::conform {

struct VirtualOptions {
  protocol::Dialect dialect;
  std::uint64_t seed = 1;
  sim::Watch watch = {};   // is shown every event that happens while time passes; may be empty
};

class VirtualCluster final : public Target {
 public:
  // The cluster has started and settled. `transcript` must outlive it.
  // ERRORS: throws cli::InputError if the transcript asks for more than virtual nodes can do.
  VirtualCluster(const Transcript& transcript, const VirtualOptions& options);

  Json command(const CommandStep& step) override;
  Json view(const std::string& node) override;
  std::optional<std::string> wait(const WaitStep& step) override;
  void fault(const FaultStep& step) override;

  const sim::World& world() const { return *world_; }

 private:
  const Client& client() const;
  const node::Node& node(const std::string& name) const;
  // Lets at most `time` pass, until `until` holds; it may be empty.
  void let_pass(sim::Duration time, const sim::Until& until = {});
  bool holds(const Condition& condition) const;

  const Transcript& transcript_;
  sim::Watch watch_;
  NodeActors actors_;                              // in the order of the transcript
  std::map<std::string, sim::ActorId> actor_of_;   // by name
  sim::ActorId client_ = sim::kNoActor;
  std::unique_ptr<sim::World> world_;
  std::unique_ptr<sim::TimedDriver> driver_;       // of world_
};

}  // namespace slotlab::conform
