// A transcript's cluster as real servers, started on loopback ports in a temporary folder, with the
// settings under which the transcripts were recorded. They are ended by their process ids and the
// folder is removed when this object goes.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/conform/live/server.h"
#include "cli/conform/live/table.h"
#include "cli/conform/target.h"
#include "cli/input_error.h"

namespace slotlab::conform {

// The servers did not start or settle: most likely the machine is too busy. Worth another try.
struct ServersStalled : cli::InputError {
  using InputError::InputError;
};

class LiveCluster final : public Target {
 public:
  // The servers have started, found each other and settled. `transcript` must outlive it.
  // ERRORS: throws ServersStalled if they do not, and Interrupted here and later as soon as
  // `*interrupt`, which may be null.
  LiveCluster(const Transcript& transcript, const std::string& binary,
              const std::atomic<bool>* interrupt = nullptr);

  Json command(const CommandStep& step) override;
  Json view(const std::string& node) override;
  std::optional<std::string> wait(const WaitStep& step) override;
  void fault(const FaultStep& step) override;

 private:
  // A folder of its own under the system's, removed with all that is in it.
  struct TemporaryFolder {
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::filesystem::path path;
  };
  struct Snapshot {
    std::string signature;  // everything that views show, and links besides
    bool calm = false;      // nothing is visibly under way
  };
  Server& server(const std::string& name) { return *servers_.at(name); }
  void start_all(const ServerVersion& version);
  void write_files(const NodeSpec& node, const ServerVersion& version) const;
  std::string config_text(const NodeSpec& node, const ServerVersion& version) const;
  std::string nodes_text(const NodeSpec& me, const ServerVersion& version) const;
  Snapshot snapshot();
  bool settle(Milliseconds limit);
  bool in_sync(const std::string& replica, const std::string& master);
  bool holds(const Condition& condition);

  const Transcript& transcript_;
  std::string binary_;
  const std::atomic<bool>* interrupt_;
  TemporaryFolder folder_;  // before the servers, so that it goes after them
  Names names_;
  std::map<std::string, std::unique_ptr<Server>> servers_;  // by name
};

}  // namespace slotlab::conform
