// A global state of a TupleSpace as properties see it, and what they say of it.
#include "sim/check/commuting.h"
#include "sim/check/symmetry.h"
#include "sim/check/tuple_tables.h"

namespace slotlab::sim {

const Actor& StateView::actor(ActorId id) const {
  return *tables_.actors[index(id)].locals[state_[tables_.local_component(id)]].actor;
}
const Environment& StateView::environment() const {
  return tables_.environments[state_[0]].environment;
}
const System& StateView::system() const { return *tables_.system; }

PropertyBits TupleSpace::Tables::bits_of(std::span<const std::uint32_t> state) const {
  const StateView seen = view(state);
  PropertyBits bits = 0;
  for (std::size_t p = 0; p < properties.size(); ++p) {
    if (properties[p].holds(seen)) bits |= PropertyBits{1} << p;
    if (properties[p].mood == Mood::leads_to && properties[p].then(seen)) {
      bits |= PropertyBits{1} << (32 + p);
    }
  }
  return bits;
}

void TupleSpace::Tables::compute_check(std::span<const std::uint32_t> state) {
  const PropertyBits bits = bits_of(state);
  checks.emplace(check_key(state), bits);
  if (symmetry) symmetry->computed_check(state, bits);
  if (commuting) commuting->computed_check(state);
}

std::uint64_t TupleSpace::Tables::check_key(std::span<const std::uint32_t> state) const {
  std::uint64_t key = 0;
  for (std::size_t c = 0; c < first_link; ++c) key ^= contributions[c][state[c]].low;
  return key;
}

}  // namespace slotlab::sim
