// `slotlab conform`: virtual nodes held to what real servers did, or do now. Each transcript is run
// in the dialect of the server (or in one given), and every reply and view is compared.
//
// What virtual nodes cannot run yet is named and counted, never passed over: a transcript that
// needs a command they do not know is not run, and says so.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/conform/runner.h"
#include "cli/conform/transcript.h"
#include "models/protocol/dialect.h"

namespace slotlab::conform {

// Transcripts drawn from seeds instead of read from files; they need real servers to answer them.
struct RandomScripts {
  std::uint64_t first_seed = 1;
  std::size_t count = 1;       // seeds first_seed, first_seed + 1 and so on
  std::size_t steps = 30;      // commands and faults of each
};

struct ConformOptions {
  std::vector<std::string> paths;      // transcripts, or folders of them (with folders in them)
  std::optional<RandomScripts> random; // besides
  std::optional<std::string> dialect;  // instead of the one of the transcript's server
  std::optional<std::string> live;     // a server binary to compare with, not what was recorded
  std::uint64_t seed = 1;              // of latencies and timers; the outcome must not depend on it
  // Live: how often the servers are asked again if something differs. A machine that stalls longer
  // than the node timeout shows differences that nobody can repeat.
  unsigned takes = 3;
  unsigned jobs = 1;                   // transcripts at a time
  const std::atomic<bool>* interrupt = nullptr;  // ends the run between steps; may be null
};

enum class Verdict : std::uint8_t {
  passed,
  differs,
  not_run,   // it uses commands that virtual nodes do not know
};

struct Outcome {
  std::string file, name, server, dialect;
  Verdict verdict = Verdict::passed;
  std::size_t steps = 0;
  std::size_t compared = 0;                      // replies and views
  unsigned takes = 1;                            // live: how often the servers were asked
  std::vector<Difference> differences;           // if it differs
  std::vector<std::string> unknown_commands;     // if it was not run, ascending
  std::string recorded;                          // live: the transcript with the servers' answers
};

struct ConformReport {
  std::vector<Outcome> outcomes;                 // in the order of the paths, then of the seeds
  bool interrupted = false;                      // the rest was not run
  std::size_t count(Verdict verdict) const;
};

// ERRORS: throws cli::InputError for an unknown dialect, a file that is no transcript, or servers
// that cannot be started.
Outcome conform_one(const Transcript& transcript, const ConformOptions& options);
// Shows each outcome to `done`, which may be empty, in the order of the report and as soon as it
// and all before it are there.
ConformReport conform(const ConformOptions& options,
                      const std::function<void(const Outcome&)>& done = {});

// The files of `paths`: folders replaced by the *.json files in them, in the order of their names.
// ERRORS: throws cli::InputError for a path that is not there, or a folder without transcripts.
std::vector<std::string> transcript_files(const std::vector<std::string>& paths);

// The commands of the transcript that virtual nodes do not know but the recorded server did,
// ascending.
std::vector<std::string> unknown_commands(const Transcript& transcript,
                                          const protocol::Dialect& dialect);

// As a person reads it: each transcript that does not pass with its differences, then the sum.
std::string report_text(const ConformReport& report);
std::string outcome_text(const Outcome& outcome);
std::string totals_text(const ConformReport& report);
// "slotlab-conform/1"
Json report_json(const ConformReport& report);

}  // namespace slotlab::conform
