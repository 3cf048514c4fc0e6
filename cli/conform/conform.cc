#include "cli/conform/conform.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/conform/live/live_cluster.h"
#include "cli/conform/virtual_cluster.h"
#include "cli/conform/words.h"
#include "models/node/initial.h"
#include "models/node/node.h"

namespace slotlab::conform {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnknownCommand = "ERR unknown command";

protocol::Dialect dialect_for(const Transcript& transcript, const std::string& server,
                              const ConformOptions& options) {
  const std::string name = options.dialect.value_or(dialect_of_server(server));
  const auto dialect = protocol::dialect_named(name);
  if (dialect) return *dialect;
  const std::string known = fmt::format("{}", fmt::join(protocol::dialect_names(), ", "));
  if (options.dialect) {
    throw cli::InputError(
        fmt::format("--dialect: unknown dialect '{}'; there are: {}", name, known));
  }
  throw cli::InputError(fmt::format(
      "{}: the server '{}' has no dialect here; choose one with --dialect: {}", transcript.file,
      server, known));
}

// A node that knows only itself, to be asked what it understands.
class Probe {
 public:
  explicit Probe(const protocol::Dialect& dialect) {
    node::NodeSettings settings;
    settings.dialect = dialect;
    protocol::Identity identity;
    identity.name = "A";
    identity.id = std::string(40, 'a');
    identity.actor = sim::ActorId{0};
    identity.port = 7600;
    settings.directory.identities = {identity};
    settings.directory.after_reset = {protocol::kNoNode};
    settings.slots = protocol::SlotClasses::cut({});
    node::InitialCluster cluster;
    cluster.alone = true;
    cluster.nodes[me()] = {};
    state_ = node::initial_state(settings, me(), cluster);
    settings_ = std::make_shared<const node::NodeSettings>(std::move(settings));
  }

  bool knows(const std::vector<std::string>& words) const {
    node::Node node(settings_, state_);
    protocol::Command command;
    command.words = words;
    sim::Effects effects;
    node.receive(sim::ActorId{1}, 0, command, effects);
    for (const sim::Output& output : effects.outputs) {
      const auto* answer = dynamic_cast<const protocol::ReplyMessage*>(output.message.get());
      if (answer != nullptr && answer->reply.text.starts_with(kUnknownCommand)) return false;
    }
    return true;
  }

 private:
  static protocol::NodeId me() { return protocol::NodeId{0}; }
  node::Settings settings_;
  node::NodeState state_;
};

bool server_knew(const CommandStep& step) {
  const Json value = step.reply.value("value", Json());
  return !value.is_string() || !value.get<std::string>().starts_with(kUnknownCommand);
}

Recording run_live(const Transcript& transcript, const std::string& binary) {
  LiveCluster cluster(transcript, binary);
  return run_steps(transcript, cluster);
}

std::size_t compared_in(const Transcript& transcript) {
  std::size_t count = transcript.nodes.size();
  for (const Step& step : transcript.steps) {
    if (const auto* look = std::get_if<LookStep>(&step.what)) count += look->nodes.size();
    if (std::holds_alternative<CommandStep>(step.what)) ++count;
  }
  return count;
}

}  // namespace

std::size_t ConformReport::count(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(),
                    [&](const Outcome& outcome) { return outcome.verdict == verdict; }));
}

std::vector<std::string> unknown_commands(const Transcript& transcript,
                                          const protocol::Dialect& dialect) {
  const Probe probe(dialect);
  std::set<std::string> unknown;
  for (const Step& step : transcript.steps) {
    const auto* command = std::get_if<CommandStep>(&step.what);
    if (command == nullptr || is_cluster_command(command->words)) continue;
    if (server_knew(*command) && !probe.knows(command->words)) {
      unknown.insert(upper(command->words[0]));
    }
  }
  return {unknown.begin(), unknown.end()};
}

Outcome conform_one(const Transcript& transcript, const ConformOptions& options) {
  const std::string server = options.live ? version_of(*options.live).text : transcript.server;
  const protocol::Dialect dialect = dialect_for(transcript, server, options);
  Outcome outcome{.file = transcript.file,
                  .name = transcript.name,
                  .server = server,
                  .dialect = dialect.name,
                  .steps = transcript.steps.size(),
                  .differences = {},
                  .unknown_commands = unknown_commands(transcript, dialect)};
  if (!outcome.unknown_commands.empty()) {
    outcome.verdict = Verdict::needs_data_path;
    return outcome;
  }
  VirtualCluster cluster(transcript, {.dialect = dialect, .seed = options.seed});
  const Recording expected =
      options.live ? run_live(transcript, *options.live) : expected_of(transcript);
  outcome.compared = compared_in(transcript);
  outcome.differences = differences(transcript, expected, run_steps(transcript, cluster));
  if (!outcome.differences.empty()) outcome.verdict = Verdict::differs;
  return outcome;
}

std::vector<std::string> transcript_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      if (!fs::exists(path, error)) throw cli::InputError(fmt::format("{}: there is none", path));
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(path, error)) {
      if (entry.path().extension() == ".json") found.push_back(entry.path().string());
    }
    if (error) throw cli::InputError(fmt::format("{}: {}", path, error.message()));
    if (found.empty()) {
      throw cli::InputError(fmt::format("{}: no transcripts (*.json) in it", path));
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

ConformReport conform(const ConformOptions& options) {
  ConformReport report;
  for (const std::string& file : transcript_files(options.paths)) {
    report.outcomes.push_back(conform_one(load_transcript(file), options));
  }
  return report;
}

}  // namespace slotlab::conform
