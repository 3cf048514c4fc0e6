// A transcript: what real servers answered, command by command, and what each node saw. As plain
// structs, read from the JSON files that the recorder writes (docs/conformance.md has the format).
// The parser is strict: a field, a wait or a setting that it does not know is an error with its
// place, since a transcript that is half understood proves nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/conform/json_tree.h"
#include "models/protocol/words.h"

namespace slotlab::conform {

// Server settings that a transcript may change; the rest is the recorder's own and fixed here.
struct ServerConfig {
  std::optional<bool> full_coverage;             // cluster-require-full-coverage
  std::optional<bool> allow_replica_migration;   // cluster-allow-replica-migration
  std::optional<bool> no_failover;               // cluster-replica-no-failover
  std::optional<std::uint32_t> node_timeout_ms;  // cluster-node-timeout
  std::map<std::string, std::string> words;      // all of them as written, for real servers
};

struct NodeSpec {
  std::string name;
  std::string id;                        // 40 hexadecimal digits
  std::optional<std::string> of;         // a replica's master; none: a master
  std::vector<protocol::SlotRange> slots;
  protocol::Epoch epoch = 0;             // masters
  bool alone = false;                    // knows no other node yet
  ServerConfig config;
};

// How much of a reply counts.
enum class Record : std::uint8_t { all, sorted, length, type };

struct CommandStep {
  std::string at;
  std::vector<std::string> words;        // with @B, %B and the like
  std::string connection = "main";
  Record record = Record::all;
  Json reply;
};

// What a wait waits for.
struct Condition {
  enum class Kind : std::uint8_t {
    converged,
    is_master,      // node
    is_replica_of,  // node, other
    sees_fail,      // node, other
    sees_ok,        // node, other
    sees_slot_at,   // node, slot, other
    is_ok,          // node
    is_down,        // node
    in_sync,        // node
  };
  Kind kind = Kind::converged;
  std::string node, other;
  protocol::Slot slot = 0;
};

struct WaitStep {
  Condition condition;
  std::string text;                      // as written
  std::uint32_t timeout_s = 40;
};

struct LookStep {
  std::vector<std::string> nodes;
  Json saw;                              // by node
};

struct FaultStep {
  enum class Kind : std::uint8_t { kill, restart, pause, resume };
  Kind kind = Kind::kill;
  std::string node;
};

struct Step {
  std::variant<CommandStep, WaitStep, LookStep, FaultStep> what;
  std::size_t line = 0;
  Json script;                           // the step as written, without its reply or views
};

struct Transcript {
  std::string file;
  std::string name, about, rule;
  std::string server;                    // "redis 7.0.15"
  ServerConfig config;
  bool persistent = false;               // keys survive a restart
  std::vector<protocol::Slot> watch;
  std::vector<NodeSpec> nodes;
  std::vector<Step> steps;
  Json final_views;                      // by node
  Json json;                             // all of it as written

  const NodeSpec* node(std::string_view name) const;  // nullptr if there is none
};

// `file` is the name to print. ERRORS: throws cli::InputError, "FILE:LINE: ...".
Transcript parse_transcript(std::string_view text, const std::string& file);
// ERRORS: as well if the file cannot be read.
Transcript load_transcript(const std::string& path);

// "0-99,101": ascending or not, empty for none. Nothing if it is not such a list.
std::optional<std::vector<protocol::SlotRange>> parse_slot_list(std::string_view text);

// The dialect of a server, by its name and the first two parts of its version: "redis 7.0.15" is
// redis-7.0. The text may name none that exists.
std::string dialect_of_server(std::string_view server);

}  // namespace slotlab::conform
