// See parts.h.
#include "cli/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "cli/full_run.h"
#include "sim/check/real_path.h"
#include "sim/check/stopwatch.h"

namespace slotlab::cli {
namespace {

using sim::ExploreResult;
using sim::PropertyResult;
using sim::Verdict;

// One state decides: found in one part, it is found.
bool found(const PropertyResult& property) {
  const bool sometimes = property.mood == sim::Mood::sometimes;
  return property.verdict == (sometimes ? Verdict::holds : Verdict::violated);
}

void join_property(PropertyResult& all, PropertyResult&& part) {
  const std::uint64_t states = all.states + part.states;
  const bool nearer = found(part) && (!found(all) || part.depth < all.depth);
  const bool open = !found(all) && part.verdict == Verdict::inconclusive;
  if (nearer || open) all = std::move(part);
  all.states = states;
}

void join(ExploreResult& all, ExploreResult&& part) {
  all.complete = all.complete && part.complete;
  if (all.stopped_by.empty()) all.stopped_by = part.stopped_by;
  all.states += part.states;
  all.transitions += part.transitions;
  all.depth = std::max(all.depth, part.depth);
  all.rounds = std::max(all.rounds, part.rounds);
  all.peak_memory_bytes = std::max(all.peak_memory_bytes, part.peak_memory_bytes);
  all.spilled_bytes = std::max(all.spilled_bytes, part.spilled_bytes);
  all.visited_bytes = std::max(all.visited_bytes, part.visited_bytes);
  all.waiting += part.waiting;
  all.states_left.reset();  // nothing is known of the parts to come
  all.collision_probability += part.collision_probability;
  for (std::size_t i = 0; i < all.properties.size(); ++i) {
    join_property(all.properties[i], std::move(part.properties[i]));
  }
  for (std::size_t i = 0; i < all.bounds.size(); ++i) {
    all.bounds[i].hit = all.bounds[i].hit || part.bounds[i].hit;
  }
  for (const sim::Space::Figure& figure : part.figures) {
    const auto same = std::ranges::find(all.figures, figure.name, &sim::Space::Figure::name);
    if (same == all.figures.end()) {
      all.figures.push_back(figure);
    } else {
      same->value += figure.value;
    }
  }
}

class Parts {
 public:
  Parts(const Subject& subject, const sim::ExploreOptions& options)
      : subject_(subject), options_(options) {}

  PartsResult run() {
    PartsResult all;
    std::deque<Subject::Part> waiting(subject_.parts.begin(), subject_.parts.end());
    for (bool first = true; !waiting.empty(); first = false) {
      const Subject::Part next = std::move(waiting.front());
      waiting.pop_front();
      std::vector<Subject::Part> more;
      ExploreResult part = search(next, all.result.states, more);
      waiting.insert(waiting.begin(), more.begin(), more.end());
      if (first) {
        all.result = std::move(part);
      } else {
        join(all.result, std::move(part));
      }
      if (!all.result.complete) {
        all.result.waiting += waiting.size();  // their first states
        break;
      }
    }
    if (subject_.reduces("lasting")) find_real_runs(all);
    for (PropertyResult& property : all.result.properties) {
      if (found(property) || all.result.complete) continue;
      property.verdict = Verdict::inconclusive;
    }
    all.result.seconds = watch_.seconds();
    all.result.cpu_seconds = watch_.cpu_seconds();
    return all;
  }

 private:
  bool interrupted() const { return options_.interrupt != nullptr && *options_.interrupt; }
  double seconds_left() const {
    return std::max(options_.seconds_max - watch_.seconds(), 0.001);
  }

  sim::ExploreOptions options_now(std::uint64_t states_before) const {
    sim::ExploreOptions options = options_;
    if (options.seconds_max > 0) options.seconds_max = seconds_left();
    if (options.states_max != UINT64_MAX) {
      options.states_max -= std::min(options.states_max - 1, states_before);
    }
    return options;
  }

  ExploreResult search(const Subject::Part& part, std::uint64_t states_before,
                       std::vector<Subject::Part>& more) {
    const auto go_on = [this] {
      // What is worked out before a search must leave some memory to it.
      return !interrupted() && (options_.seconds_max == 0 || seconds_left() > 0.001) &&
             (options_.memory_max_bytes == 0 ||
              sim::resident_bytes() < options_.memory_max_bytes / 4 * 3);
    };
    const std::unique_ptr<sim::Space> space = part.make(go_on);
    sim::ExploreOptions options = options_now(states_before);
    if (subject_.reduces("lasting")) options.skip_long_run = true;
    ExploreResult result = sim::explore(*space, options);
    if (!subject_.reduces("lasting")) lift(*space, result);
    if (result.complete && part.more) more = part.more(*space);
    return result;
  }

  // Actions of a part are those of the whole.
  void lift(const sim::Space& space, ExploreResult& result) const {
    const std::unique_ptr<sim::Space> full = subject_.full_space();
    for (PropertyResult& property : result.properties) {
      if (!property.run) continue;
      property.run = full_run(space, *full, {.run = *property.run,
                                             .states = states_along(space, *property.run)});
    }
  }

  // What a search with lasting messages has found need not be possible. An ordinary search for it
  // decides.
  void find_real_runs(PartsResult& all) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < all.result.properties.size(); ++i) {
      PropertyResult& property = all.result.properties[i];
      const bool sees_cuts = property.mood == sim::Mood::sometimes &&
                             subject_.properties[i].sees_cuts;
      if (found(property) || sees_cuts) open.push_back(i);
      property.run.reset();
    }
    if (open.empty()) return;
    const std::unique_ptr<sim::Space> space = subject_.ordinary(open);
    sim::ExploreOptions options = options_now(all.result.states);
    options.stop_when_decided = true;
    all.real = sim::explore(*space, options);
    lift(*space, *all.real);
    for (std::size_t i = 0; i < open.size(); ++i) {
      PropertyResult& property = all.result.properties[open[i]];
      property = all.real->properties[i];
      if (property.verdict != Verdict::inconclusive) continue;
      property.explanation =
          "possible if messages last; the search for a real run ended before it had found one";
    }
  }

  const Subject& subject_;
  const sim::ExploreOptions& options_;
  const sim::Stopwatch watch_;
};

}  // namespace

PartsResult explore_parts(const Subject& subject, const sim::ExploreOptions& options) {
  return Parts(subject, options).run();
}

}  // namespace slotlab::cli
