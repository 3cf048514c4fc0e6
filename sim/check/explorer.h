// The exhaustive driver: breadth first over a Space, so that the first violation found is a
// shortest one. The verdict, every count, the depth and the reported run are the same at any number
// of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/check/space.h"

namespace slotlab::sim {

// Where a search saves itself and from where it is taken up again.
struct CheckpointOptions {
  std::string file;     // empty: nowhere
  double seconds = 60;  // between two checkpoints; one more is made when a bound ends the search
  std::string resume;   // the file to go on from; empty: start anew
  // What is searched, as a line for people. A checkpoint of another subject is refused.
  std::string subject;
};

enum class FingerprintWidth : std::uint8_t { bits64, bits128, exact };

struct Progress {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint32_t depth = 0;
  std::uint64_t frontier = 0;  // states of the level being expanded that are still waiting
  std::uint64_t memory_bytes = 0;
  double seconds = 0;
  std::uint32_t round = 1;
};

struct ExploreOptions {
  unsigned threads = 1;                   // 1..64
  std::uint64_t memory_max_bytes = 0;     // 0: no budget
  double seconds_max = 0;                 // 0: no budget
  std::uint32_t depth_max = UINT32_MAX;   // states at this depth are not expanded
  std::uint64_t states_max = UINT64_MAX;  // looked at between every 4096 states expanded, so
                                          // a search may end with somewhat more
  bool stop_when_decided = false;         // end at the end of a level once every always-property is
                                   // violated and every sometimes-property seen, if there are any
                                   // and nothing needs the whole graph
  // Leave eventually_always and leads_to inconclusive: deciding them takes a second pass and some
  // 10 bytes for every transition.
  bool skip_long_run = false;
  FingerprintWidth width = FingerprintWidth::bits64;
  // Where to put waiting states and the log of parents when three quarters of the memory budget are
  // used; empty: nowhere.
  std::string spill_folder = {};
  CheckpointOptions checkpoint = {};  // not with FingerprintWidth::exact
  // Set from a signal handler: end soon and keep what is known.
  const std::atomic<bool>* interrupt = nullptr;
  // Called about twice a second from the calling thread.
  std::function<void(const Progress&)> progress = nullptr;
};

// The memory budget is that of the whole process. Where a
// time or memory budget or an interrupt ends a search is the only thing that may differ between
// runs and numbers of threads; the verdict is then inconclusive unless a violation was found.

// A run: the initial state's number and the actions taken from it.
struct Run {
  std::size_t initial = 0;
  std::vector<Action> actions;
  std::size_t cycle_start = SIZE_MAX;  // lasso: actions from here on lead back to the state before
                                       // them and repeat for ever; SIZE_MAX: none
  bool operator==(const Run&) const = default;
};

enum class Verdict : std::uint8_t { holds, violated, inconclusive };

struct PropertyResult {
  std::string name;
  Mood mood = Mood::always;
  Verdict verdict = Verdict::inconclusive;
  // always: states in which P is false. sometimes: states in which it is true. eventually_always:
  // states without P in which a fair run can stay for ever or end. leads_to: states with P and
  // without Q from which a fair run can avoid Q for ever.
  std::uint64_t states = 0;
  std::optional<std::uint32_t> depth;  // steps from the start to the nearest of them
  // always: a shortest run to it. sometimes: the witness. Else a lasso with a shortest stem, or a
  // run without a cycle, at whose end nothing is possible any more.
  std::optional<Run> run;
  std::string explanation;  // one sentence, may be empty
};

struct ExploreResult {
  bool complete = false;  // everything within the bounds was seen
  // Why not: "memory", "time", "depth", "states", "interrupt" or "decided"; empty if complete.
  std::string stopped_by;
  std::uint64_t states = 0;       // distinct
  std::uint64_t transitions = 0;  // actions possible over all expanded states
  std::uint32_t depth = 0;        // steps to the farthest state
  std::uint32_t rounds = 1;
  double seconds = 0;
  double cpu_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;  // of the whole process
  std::uint64_t spilled_bytes = 0;      // on disk
  std::uint64_t waiting = 0;            // states found but not expanded
  // How many states more there would be if levels went on shrinking as the last did; none if they
  // do not shrink, or nothing is left.
  std::optional<std::uint64_t> states_left;
  std::uint64_t visited_bytes = 0;      // of the visited set alone
  double collision_probability = 0;     // that two states shared a fingerprint unnoticed
  std::vector<PropertyResult> properties;
  std::vector<Bound> bounds;
  std::vector<Space::Figure> figures;
};

// ERRORS: throws std::invalid_argument for options outside their ranges, CheckpointError
// (checkpoint_file.h) if a checkpoint cannot be written, read or resumed.
ExploreResult explore(Space& space, const ExploreOptions& options);

}  // namespace slotlab::sim
