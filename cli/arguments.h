// The command line as values: what was typed becomes one struct per verb, or one clear error.
// Nothing below this knows CLI11, so verbs can be called and tested without a command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace slotlab::cli {

// What bounds and steers a search; the same for every verb that searches.
struct SearchOptions {
  unsigned threads = 1;                       // 1..64; the default is the number of processors
  // See kReductions; "default": inert for scenarios, none for textbook models, whose counts are
  // published for the full search.
  std::string reductions = "default";
  std::optional<std::uint32_t> max_depth;     // events from the start
  std::optional<std::uint64_t> max_states;
  std::optional<std::uint64_t> memory_bytes;
  std::optional<double> seconds;
  std::optional<std::string> checkpoint;      // where to save the search; check only
  double checkpoint_seconds = 60;             // between two checkpoints
  std::optional<std::string> spill;           // folder for what does not fit into memory
  std::optional<std::string> resume;          // the checkpoint to go on from; check only
};

struct CheckOptions {
  std::string subject;                 // FILE or textbook:SPEC
  SearchOptions search;
  std::optional<std::string> dialect;  // instead of the scenario's own
  std::optional<std::string> trace;    // where to save the run
  std::optional<std::string> show;     // the property whose run to show; none: the first violated
  bool json = false;
  bool quiet = false;                  // verdicts only
};

struct RunOptions {
  std::string file;
  std::uint64_t seed = 1;
  std::uint64_t steps = 200;           // events at most
  std::string driver = "timed";        // see kDrivers
  std::optional<std::string> dialect;
  std::optional<std::string> trace;
  bool json = false;
};

struct ReplayOptions {
  std::string trace;
  bool json = false;
};

struct ShrinkOptions {
  std::string trace;
  std::optional<std::string> out;      // where to save the smaller run
  bool json = false;
};

struct ExplainOptions {
  std::string subject;                 // a trace, a scenario file, or textbook:SPEC
  std::optional<std::string> property; // none: the trace's, or the first that is violated
  std::optional<std::string> dialect;
  SearchOptions search;
  bool json = false;
};

struct HuntOptions {
  std::string file;
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 10'000;        // tried at most, 1 or more
  std::uint64_t steps = 300;           // events of a run at most
  std::optional<double> seconds;
  std::string driver = "both";         // see kHuntDrivers
  unsigned threads = 1;                // 1..64
  std::optional<std::string> property; // none: all
  std::optional<std::string> dialect;
  std::optional<std::string> trace;
  bool json = false;
};

struct ReachOptions {
  std::string file;
  std::string goal;                    // models/properties/goal.h
  SearchOptions search;
  std::optional<std::string> dialect;
  std::optional<std::string> trace;
  bool json = false;
};

struct OrdersOptions {
  std::string file;
  std::vector<std::string> keep;       // "1<2<4,3<5"
  SearchOptions search;
  std::optional<std::string> dialect;
  bool json = false;
};

struct CrashTableOptions {
  std::string file;
  std::string repair = "fix";          // see kRepairs in crash_table/repair.h
  std::optional<std::string> process;  // whose deaths; none: everybody's
  SearchOptions search;                // threads and max_states
  std::optional<std::string> dialect;
  bool json = false;
};

struct GraphOptions {
  std::string subject;                 // a trace, a scenario file, or textbook:SPEC
  std::string format = "dot";          // see kGraphFormats
  std::optional<std::string> out;      // none: standard output
  std::optional<std::string> dialect;
  SearchOptions search;
  bool json = false;
};

struct ExportOptions {
  std::string trace;
  std::string format;                  // see kExportFormats
  std::optional<std::string> out;      // none: standard output
};

struct TestOptions {
  std::vector<std::string> paths;      // files and folders; "scenarios" if none
  SearchOptions search;
  std::optional<std::string> junit, sarif;  // where to write these reports
  bool json = false;
};

struct StepOptions {
  std::string subject;                 // a scenario file, or a trace
  std::optional<std::string> commands; // parted by ';'; none: standard input
  std::optional<std::string> dialect;
};

struct ReportOptions {
  std::string subject;                 // a trace, or a scenario file
  std::string out;                     // the page
  std::optional<std::string> property; // whose violation to show and explain
  std::optional<std::string> dialect;
  SearchOptions search;
};

struct ListOptions {
  std::string topic;                   // see kTopics; empty: all
  bool json = false;
};

struct ConformOptions {
  std::vector<std::string> paths;      // transcripts, and folders of them
  std::optional<std::string> dialect;  // instead of that of the transcript's server
  std::optional<std::string> live;     // a server binary
  std::uint64_t seed = 1;              // of virtual time; the first of the drawn ones
  std::uint64_t random = 0;            // transcripts drawn from seeds; need live
  std::uint64_t steps = 30;            // of each drawn one
  unsigned jobs = 1;                   // transcripts at a time
  std::optional<std::string> save;     // folder for the servers' answers to drawn ones that differ
  bool json = false;
};

struct ImportOptions {
  std::vector<std::string> files;      // CLUSTER NODES texts, one per node
  std::string dialect = "redis-7.0";
  std::vector<std::string> slots;      // as typed: numbers and ranges; empty: chosen
  std::optional<std::string> out;      // standard output if none
};

// Text that answers the command line by itself: help, or the version.
struct Answer {
  std::string text;
};

using Arguments = std::variant<Answer, CheckOptions, RunOptions, ReplayOptions, TestOptions,
                               ListOptions, ShrinkOptions, ExplainOptions, HuntOptions,
                               ReachOptions, OrdersOptions, CrashTableOptions, GraphOptions,
                               ExportOptions,
                               StepOptions, ReportOptions,
                               ConformOptions, ImportOptions>;

extern const std::vector<std::string> kReductions;  // that can be combined
extern const std::vector<std::string> kDrivers;
extern const std::vector<std::string> kTopics;
extern const std::vector<std::string> kHuntDrivers;
extern const std::vector<std::string> kGraphFormats;
extern const std::vector<std::string> kExportFormats;

// ERRORS: throws InputError.
Arguments parse_arguments(const std::vector<std::string>& words);

// `word` as one argument that a shell reads back: quoted only if it must be.
std::string shell_word(const std::string& word);

}  // namespace slotlab::cli
