// Ways of choosing the next of the possible actions by a seed. A chooser sees nothing but the world
// and the list; the random driver does the rest.
//
//   UniformChooser   every possible action alike
//   KindChooser      first a kind, by weights, then uniformly within it, so that few faults are not
//                    drowned by many deliveries
//   PctChooser       probabilistic concurrency testing: the highest priority first, with a few
//                    sudden changes
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "sim/random/random.h"
#include "sim/system/world.h"

namespace slotlab::sim {

class Chooser {
 public:
  virtual ~Chooser() = default;
  // An index into `possible`. REQUIRES: `possible` is not empty.
  virtual std::size_t choose(const World& world, const std::vector<Action>& possible) = 0;
};

class UniformChooser : public Chooser {
 public:
  explicit UniformChooser(std::uint64_t seed);
  std::size_t choose(const World& world, const std::vector<Action>& possible) override;

 private:
  Random random_;
};

// How often a kind is chosen compared to the others of which an action is possible just then.
// A kind of weight 0 is chosen only if no other is possible.
struct KindWeights {
  std::uint32_t deliver = 20;
  std::uint32_t step = 20;
  std::uint32_t crash = 1;
  std::uint32_t restart = 2;
  std::uint32_t cut = 1;
  std::uint32_t heal = 2;
  std::uint32_t pause = 1;
  std::uint32_t resume = 2;
  std::uint32_t stop = 1;
  std::uint32_t lose_reply = 1;

  std::uint32_t of(ActionKind kind) const;
};

class KindChooser : public Chooser {
 public:
  KindChooser(std::uint64_t seed, KindWeights weights);
  std::size_t choose(const World& world, const std::vector<Action>& possible) override;

 private:
  Random random_;
  KindWeights weights_;
};

struct PctOptions {
  std::uint32_t depth = 3;              // orderings that a bug needs, 1 or more; depth - 1 changes
  std::uint64_t steps_expected = 1000;  // the changes fall within this many events, 1 or more
  // A thread that ran this many events since it was last put last is put last again. Heartbeats go
  // on for ever, and without this the first sender would be the only one ever to run.
  std::uint64_t patience = 20;
};

// The threads of PCT are here: each link, each actor's own steps, each fault rule, and the
// mendings.
// SOURCE: Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs, ASPLOS 2010; `patience` is ours, so their bound on the probability
// holds for runs shorter than it.
class PctChooser : public Chooser {
 public:
  // ERRORS: throws std::invalid_argument for options outside their ranges.
  PctChooser(std::uint64_t seed, PctOptions options);
  std::size_t choose(const World& world, const std::vector<Action>& possible) override;

 private:
  struct Thread {
    std::int64_t priority = 0;  // the largest runs
    std::uint64_t turns = 0;    // since it was last put last
  };
  Thread& thread(std::uint32_t key);
  void put_last(Thread& thread);

  Random priorities_;
  Random choices_;
  PctOptions options_;
  std::vector<std::uint64_t> changes_;  // numbers of the events before which one thread is put last
  std::uint64_t events_ = 0;
  std::int64_t lowest_ = 0;
  std::map<std::uint32_t, Thread> threads_;
};

}  // namespace slotlab::sim
