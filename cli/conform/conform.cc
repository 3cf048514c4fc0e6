#include "cli/conform/conform.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/conform/live/live_cluster.h"
#include "cli/conform/random_script.h"
#include "cli/conform/virtual_cluster.h"
#include "cli/conform/words.h"
#include "models/node/initial.h"
#include "models/node/node.h"
#include "sim/check/worker_pool.h"

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
  throw cli::InputError(
      fmt::format("{}: the server '{}' has no dialect here; choose one with --dialect: {}",
                  transcript.file, server, known));
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

// What the transcript is held to.
Recording expected_from(const Transcript& transcript, const ConformOptions& options) {
  if (!options.live) return expected_of(transcript);
  LiveCluster cluster(transcript, *options.live, options.interrupt);
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

// The transcript again with what a run gave for replies and views; empty if the run got stuck.
std::string recorded_text(const Transcript& transcript, const std::string& server,
                          const Recording& recording) {
  if (recording.stuck || recording.steps.size() != transcript.steps.size()) return {};
  Json script = transcript.json;
  script["server"] = server;
  for (std::size_t i = 0; i < transcript.steps.size(); ++i) {
    Json& step = script["steps"][i];
    if (step.contains("reply")) step["reply"] = recording.steps[i];
    if (step.contains("saw")) step["saw"] = recording.steps[i];
  }
  script["final"] = recording.final_views;
  return script_text(script);
}

// A transcript to be had when its turn comes.
struct Source {
  std::string file;
  std::optional<ScriptOptions> drawn;

  Transcript transcript() const {
    return drawn ? parse_transcript(script_text(random_script(*drawn)), file)
                 : load_transcript(file);
  }
};

std::vector<Source> sources_of(const ConformOptions& options) {
  std::vector<Source> sources;
  for (const std::string& file : transcript_files(options.paths)) sources.push_back({file, {}});
  if (!options.random) return sources;
  for (std::size_t i = 0; i < options.random->count; ++i) {
    const std::uint64_t seed = options.random->first_seed + i;
    sources.push_back({fmt::format("seed {}", seed),
                       ScriptOptions{.seed = seed, .steps = options.random->steps}});
  }
  return sources;
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
                  .unknown_commands = unknown_commands(transcript, dialect),
                  .recorded = {}};
  if (!outcome.unknown_commands.empty()) {
    outcome.verdict = Verdict::not_run;
    return outcome;
  }
  outcome.compared = compared_in(transcript);
  for (outcome.takes = 1;; ++outcome.takes) {
    const bool last = !options.live || outcome.takes >= options.takes;
    try {
      const Recording expected = expected_from(transcript, options);
      VirtualCluster cluster(transcript, {.dialect = dialect, .seed = options.seed});
      outcome.differences = differences(transcript, expected, run_steps(transcript, cluster));
      if (options.live) outcome.recorded = recorded_text(transcript, server, expected);
      if (outcome.differences.empty() || last) break;
    } catch (const ServersStalled&) {
      if (last) throw;
    }
  }
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

ConformReport conform(const ConformOptions& options,
                      const std::function<void(const Outcome&)>& done) {
  const std::vector<Source> sources = sources_of(options);
  std::vector<std::optional<Outcome>> outcomes(sources.size());
  std::mutex lock;        // of all below
  std::size_t shown = 0;  // as many were shown
  ConformReport report;
  const auto run = [&](std::size_t i) {
    std::optional<Outcome> outcome;
    try {
      if (!options.interrupt || !*options.interrupt) {
        outcome = conform_one(sources[i].transcript(), options);
      }
    } catch (const Interrupted&) {
      outcome.reset();
    }
    const std::lock_guard hold(lock);
    report.interrupted = report.interrupted || !outcome;
    outcomes[i] = std::move(outcome);
    for (; shown < outcomes.size() && outcomes[shown]; ++shown) {
      if (done) done(*outcomes[shown]);
    }
  };
  sim::WorkerPool(options.jobs).run(sources.size(), run);
  for (std::optional<Outcome>& outcome : outcomes) {
    if (outcome) report.outcomes.push_back(std::move(*outcome));
  }
  return report;
}

}  // namespace slotlab::conform
