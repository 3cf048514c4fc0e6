// `slotlab conform`: virtual nodes held to what real servers did, or do now. Each transcript is run
// in the dialect of the server (or in one given), and every reply and view is compared.
//
// What virtual nodes cannot run yet is named and counted, never passed over: a transcript that
// needs a command they do not know is not run, and says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/conform/runner.h"
#include "cli/conform/transcript.h"
#include "models/protocol/dialect.h"

namespace slotlab::conform {

struct ConformOptions {
  std::vector<std::string> paths;      // transcripts, or folders of them (with folders in them)
  std::optional<std::string> dialect;  // instead of the one of the transcript's server
  std::optional<std::string> live;     // a server binary to compare with, not what was recorded
  std::uint64_t seed = 1;              // of latencies and timers; the outcome must not depend on it
};

enum class Verdict : std::uint8_t {
  passed,
  differs,
  needs_data_path,   // not run: it uses commands that virtual nodes do not know
};

struct Outcome {
  std::string file, name, server, dialect;
  Verdict verdict = Verdict::passed;
  std::size_t steps = 0;
  std::size_t compared = 0;                      // replies and views
  std::vector<Difference> differences;           // if it differs
  std::vector<std::string> unknown_commands;     // if it needs the data path, ascending
};

struct ConformReport {
  std::vector<Outcome> outcomes;                 // in the order of the paths
  std::size_t count(Verdict verdict) const;
};

// ERRORS: throws cli::InputError for an unknown dialect, or a file that is no transcript.
Outcome conform_one(const Transcript& transcript, const ConformOptions& options);
ConformReport conform(const ConformOptions& options);

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
// "slotlab-conform/1"
Json report_json(const ConformReport& report);

}  // namespace slotlab::conform
