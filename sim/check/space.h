// The waist between models and searches. A Space presents a model as a graph whose states are
// tuples of 32-bit components of one fixed width; a search knows nothing else. Textbook models come
// through ModelSpace, actor systems through TupleSpace (whose components are numbers of interned
// local states and link contents).
//
// A successor is given as its fingerprint and the few components in which it differs from the state
// it came from, so that the search builds it only if it is new. Fingerprints depend on what a state
// contains, never on the order in which anything was interned: they are the same in every run,
// build and number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/check/flat_vector.h"
#include "sim/property/property.h"
#include "sim/system/action.h"

namespace slotlab::sim {

// 128 bits, of which a search uses the first 64 (`low`) unless it was asked for more. A search with
// 64 bits passes `high` as 0 to expand(); the `high` of the entries is then of no meaning. The top
// bits of `low` choose the place in the visited set, so they must be as well mixed as the
// rest.
struct Fingerprint {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  auto operator<=>(const Fingerprint&) const = default;
};

struct Change {
  std::uint32_t component = 0;
  std::uint32_t value = 0;
};

inline constexpr std::uint16_t kUnfair = UINT16_MAX;

// The successors of one or more states, in order. Flat, so that it is refilled without allocation.
struct Successors {
  struct Entry {
    Fingerprint fingerprint;
    Action action;
    std::uint32_t first_change = 0;  // index into changes
    std::uint16_t change_count = 0;
    std::uint16_t fairness = kUnfair;  // weak-fairness class of the action
  };
  FlatVector<Entry> entries;
  FlatVector<Change> changes;

  // What a plain search can do without. A space may take the hint or ignore it.
  bool wide = true;              // false: the upper halves of fingerprints are not looked at
  bool list_self_loops = true;   // false: a successor equal to its state may be counted instead
  std::uint64_t self_loops = 0;  // those that were counted instead of listed

  void clear() {
    entries.clear();
    changes.clear();
    self_loops = 0;
  }
};

// Bit p tells whether property p's predicate P holds; bit 32 + p, for leads_to, whether Q does.
using PropertyBits = std::uint64_t;
inline constexpr std::size_t kPropertiesMax = 32;

class Space {
 public:
  virtual ~Space() = default;

  virtual std::size_t width() const = 0;  // components per state
  // The initial states, width() components each, without duplicates, in a fixed order.
  virtual std::vector<std::vector<std::uint32_t>> initial() const = 0;
  virtual Fingerprint fingerprint(std::span<const std::uint32_t> state) const = 0;
  // Appends all successors of `state`, one per possible action, in the fixed order of actions,
  // self-loops included (see Successors::list_self_loops). Safe to call from several threads at
  // once.
  virtual void expand(std::span<const std::uint32_t> state, const Fingerprint& fingerprint,
                      Successors& out) const = 0;
  // Safe to call from several threads at once.
  virtual PropertyBits check(std::span<const std::uint32_t> state) const = 0;

  virtual std::size_t property_count() const = 0;
  virtual const std::string& property_name(std::size_t property) const = 0;
  virtual Mood property_mood(std::size_t property) const = 0;
  // One sentence on how the state violates the property, or empty.
  virtual std::string explain(std::size_t property, std::span<const std::uint32_t> state) const = 0;

  // The action's sentence. REQUIRES: possible in `state`.
  virtual std::string describe(std::span<const std::uint32_t> state, Action action) const = 0;
  virtual std::vector<std::string> beliefs(std::span<const std::uint32_t> state) const = 0;

  virtual std::vector<Bound> bounds() const = 0;  // as far as hit until now
  virtual std::vector<std::string> fairness_classes() const { return {}; }

  // Called by a search between rounds; true if the search must be repeated because what was assumed
  // in it (inert messages) no longer holds. The default never repeats.
  virtual bool needs_another_round() { return false; }
  // What the present round found is of no use, whatever it was; needs_another_round() will say so.
  virtual bool round_is_void() const { return false; }
  // Called by a search between two levels, while nobody expands, with how many states it has found:
  // a space that assumes something may find out early that the round is void.
  virtual void review(std::uint64_t) {}
  // What a search that goes on in another process needs of the space besides states: the meaning of
  // components that were numbered as they came. Empty if there is nothing.
  virtual std::string save() const { return {}; }
  // Takes over what save() gave in another process. REQUIRES: initial() was called, and nothing
  // else. False if it does not fit this space, which must then not be used.
  virtual bool restore(std::string_view saved) { return saved.empty(); }

  // Whether somebody in the system could tell, as far as was seen, that these two are cut off from
  // each other.
  virtual bool shows_cuts(ActorId, ActorId) const { return true; }

  // Figures of the space's own for the report: ("local states", 19), ("memo hits", 1234) ...
  struct Figure {
    std::string name;
    std::uint64_t value = 0;
  };
  virtual std::vector<Figure> figures() const { return {}; }
  virtual std::uint64_t memory_bytes() const { return 0; }  // tables of the space itself
};

}  // namespace slotlab::sim
