// From a run of a reduced search back to a run of the system itself. A search that drops inert
// messages (docs/reductions.md) finds runs in which those messages were never sent; for people,
// traces and replay they are delivered again, which changes nothing but makes every event possible
// as it stands.
#pragma once

#include "sim/check/explorer.h"
#include "sim/check/real_path.h"

namespace slotlab::cli {

// The run of `full` that passes through the same local states as `run` does in `reduced`: its
// events, with deliveries that change nothing put in where a later event needs the room or the
// place at the head of a link. REQUIRES: `run` is a path of `reduced`, which folds nothing; both
// spaces are of one system.
sim::Run full_run(const sim::Space& reduced, const sim::Space& full, const sim::Run& run);
// The same of a run whose states are not folded, if those of `reduced` are.
sim::Run full_run(const sim::Space& reduced, const sim::Space& full, const sim::RealPath& path);

}  // namespace slotlab::cli
