// Symmetry: of all states that differ only in which of interchangeable things is which, a search
// looks at one. Private to TupleSpace. docs/reductions.md has the argument.
//
// Nothing is assumed of a renaming. Each local state, message and link content is renamed as soon
// as it gets its number, and whatever the search relies on is tried for the renamed value as well:
// the steps it offers, every local transition, every property. A renaming that fails is refuted;
// the round is then void, and the search starts over with none.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sim/check/tuple_tables.h"
#include "sim/system/renaming.h"

namespace slotlab::sim {

class Symmetry {
 public:
  Symmetry(TupleSpace::Tables& tables, std::shared_ptr<const RenamingGroup> group);

  // Called as soon as these have got their numbers.
  void added_environment(Id id);
  void added_local(ActorId actor, Id id);
  void added_input(ActorId actor, Id id);
  void added_content(LinkId link, Id id);
  // Called when these have been computed. The effect's edge of the local graph is renamed with it.
  void computed_effect(ActorId actor, Id local, Id input);
  void computed_check(std::span<const std::uint32_t> state, PropertyBits bits);

  // `inert` of every renaming of (actor, local, input), itself apart.
  template <class Judge>
  bool all_images(ActorId actor, Id local, Id input, Judge judge) const {
    for (const Images& images : images_) {
      if (!usable(images)) continue;
      const std::size_t a = index(actor);
      if (!judge(images.actor[a], images.ids[1 + a][local], images.inputs[a][input])) return false;
    }
    return true;
  }

  // Leaves out the renamings that do not leave `initial` as it is.
  void keep_those_that_fix(std::span<const std::uint32_t> initial);
  // Leaves out the renamings that have been refuted, and as many others as make the rest a group.
  void keep_unrefuted();
  // Something was refuted since the round began, so that what the round finds is of no use.
  bool refuted() const { return refuted_.load(std::memory_order_relaxed); }
  void give_up();

  bool in_use() const { return used_ != 0; }
  std::size_t size() const { return used_; }  // renamings in use
  std::string text() const;                   // of those in use, "" if there are none

  // Replaces each of the entries from `first` on by the state that stands for its likes.
  void fold(std::span<const std::uint32_t> state, Successors& out, std::size_t first) const;
  // The state that stands for `state` and its likes.
  std::vector<std::uint32_t> folded(const std::vector<std::uint32_t>& state) const;
  // Whether a bound was hit that is a renaming of this one.
  bool likes_hit(std::size_t bound) const;

 private:
  struct Images {
    std::shared_ptr<const Renaming> renaming;
    bool used = true;
    bool wrong = false;
    std::string why;                         // wrong
    std::vector<ActorId> actor;              // by actor
    std::vector<LinkId> link;                // by link
    std::vector<std::size_t> component;      // by component
    std::vector<std::size_t> rule;           // by fault rule
    std::vector<std::vector<Id>> ids;        // by component, by number: a number of component[c]
    std::vector<std::vector<Id>> inputs;     // by actor, by number: of actor[a]
  };
  static bool usable(const Images& images) { return images.used && !images.wrong; }
  bool fits_system(Images& images) const;
  bool maps_rules(Images& images) const;
  void refute(Images& images, const std::string& why);
  void keep_subgroup();
  Environment renamed(const Images& images, const Environment& environment) const;
  Id renamed_message(Images& images, ActorId from, ActorId to, Id message);
  bool same_offers(const Images& images, ActorId actor, const Local& from, const Local& to) const;
  bool same_outputs(const Images& images, ActorId actor, Id from, Id to) const;
  std::vector<std::uint32_t> image(const Images& images,
                                   std::span<const std::uint32_t> state) const;
  const Fingerprint& share(const Images& images, std::size_t component, Id id) const {
    return t_.contributions[images.component[component]][images.ids[component][id]];
  }

  TupleSpace::Tables& t_;
  std::shared_ptr<const RenamingGroup> group_;
  std::vector<Images> images_;  // parallel to the group's elements
  std::size_t used_ = 0;
  std::atomic<bool> refuted_{false};
};

}  // namespace slotlab::sim
