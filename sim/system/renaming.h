// Things that may be interchangeable: a renaming exchanges some of them (two clients, two keys, two
// replicas) everywhere in a system at once. A model says how its values are renamed; whether the
// system really cannot tell the things apart is not taken on trust, but checked by the search that
// uses the renaming (sim/check/symmetry.h).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sim/system/actor.h"

namespace slotlab::sim {

class Renaming {
 public:
  virtual ~Renaming() = default;
  virtual std::string text() const = 0;  // what is exchanged: "sessions c and d"
  virtual ActorId actor(ActorId id) const = 0;
  // The local state of `whose`, renamed: a local state of actor(whose).
  // ERRORS: null if this value cannot be renamed; the renaming is then given up.
  virtual std::unique_ptr<Actor> local(ActorId whose, const Actor& value) const = 0;
  // A message between the two. ERRORS: null, as above.
  virtual MessagePtr message(ActorId from, ActorId to, const MessagePtr& value) const = 0;
  virtual StepCode step(ActorId whose, StepCode code) const = 0;
};

// A finite group of renamings.
struct RenamingGroup {
  std::vector<std::shared_ptr<const Renaming>> elements;  // without the one that changes nothing
  // product[i][j]: what i and then j come to; elements.size() stands for no change at all.
  std::vector<std::vector<std::size_t>> product;
};

}  // namespace slotlab::sim
