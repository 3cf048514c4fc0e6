// All runs of a system as a Space. Each actor's local state, each link's content and the
// environment are interned: stored once and numbered, and a global state is the tuple of the
// numbers. A local transition (this local state, this input) runs its handler once and is looked up
// ever after.
//
// The tuple: component 0 the environment, then one per actor, then one per link.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sim/check/space.h"
#include "sim/system/renaming.h"
#include "sim/system/world.h"

namespace slotlab::sim {

struct TupleSpaceOptions {
  // Each is argued for in docs/reductions.md.
  bool drop_inert = false;  // drop messages that can no longer change their receiver
  // Of states that differ by one of these only, look at one; null: of none. For always and
  // sometimes only. Those that do not fit are left out.
  std::shared_ptr<const RenamingGroup> symmetry = nullptr;
  // Where a delivery commutes with all else that its receiver may get, look at no other action.
  // For always and sometimes only. With drop_inert, and without symmetry.
  bool deliver_early = false;
  // What was sent once can be delivered again and again, in any order, until its link is emptied.
  // More can happen then than in the system, never less. For always only, with drop_inert, and with
  // none of the others.
  bool lasting = false;
  // What counts as one, with lasting messages; null: nothing. See similar.h.
  std::shared_ptr<const struct Merging> merging = nullptr;
  // So many states are looked at beforehand, without folding, to find renamings that do not fit. It
  // spares rounds that would have to be given up, and nothing else depends on it.
  std::size_t probe_states = 1000;
};

class TupleSpace : public Space {
 public:
  TupleSpace(std::shared_ptr<const System> system, std::vector<Property> properties,
             TupleSpaceOptions options = {});
  ~TupleSpace() override;

  std::size_t width() const override;
  std::vector<std::vector<std::uint32_t>> initial() const override;
  Fingerprint fingerprint(std::span<const std::uint32_t> state) const override;
  void expand(std::span<const std::uint32_t> state, const Fingerprint& fingerprint,
              Successors& out) const override;
  PropertyBits check(std::span<const std::uint32_t> state) const override;
  std::size_t property_count() const override;
  const std::string& property_name(std::size_t property) const override;
  Mood property_mood(std::size_t property) const override;
  std::string explain(std::size_t property, std::span<const std::uint32_t> state) const override;
  std::string describe(std::span<const std::uint32_t> state, Action action) const override;
  std::vector<std::string> beliefs(std::span<const std::uint32_t> state) const override;
  std::vector<Bound> bounds() const override;
  std::vector<std::string> fairness_classes() const override;
  bool needs_another_round() override;
  bool round_is_void() const override;
  // Whether what the present round assumed is wrong by what it has seen so far. Nobody may expand.
  bool assumed_wrong() const;
  bool shows_cuts(ActorId a, ActorId b) const override;
  std::vector<Figure> figures() const override;
  std::uint64_t memory_bytes() const override;
  std::string save() const override;
  bool restore(std::string_view saved) override;

  const System& system() const;
  // Shows the state to `look`, as properties see it; what it sees is valid while it looks.
  void show(std::span<const std::uint32_t> state,
            const std::function<void(const SystemView&)>& look) const;
  // The state that a World is in, for tests of the law that every run is a path of this graph.
  std::vector<std::uint32_t> state_of(const World& world) const;

  // The renamings in use and what they exchange; fewer after a search than before it.
  std::size_t renamings() const;
  std::string renamings_text() const;
  // As expand(), but successors are left as they are, and the state that stands for one of them.
  void expand_unfolded(std::span<const std::uint32_t> state, const Fingerprint& fingerprint,
                       Successors& out) const;
  std::vector<std::uint32_t> folded(const std::vector<std::uint32_t>& state) const;

  struct Tables;  // sim/check/tuple_tables.h
  const Tables& tables() const { return *tables_; }

 private:
  void expand_some(std::span<const std::uint32_t> state, const Fingerprint& fingerprint,
                   Successors& out, bool fold) const;
  void find_symmetry();
  void saturate(std::vector<std::uint32_t>& state) const;
  std::unique_ptr<Tables> tables_;
};

}  // namespace slotlab::sim
