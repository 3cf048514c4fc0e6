// How a TupleSpace is saved: not its tables, whose actors cannot be read back, but the list of what
// was computed to fill them. Handlers are pure, so computing it again fills the same tables with
// the same numbers, in a small part of the time that the search took. A digest of the result tells
// whether it did.
#include <cstring>

#include "sim/check/tuple_tables.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace slotlab::sim {

namespace {

// A miss on disk.
struct Line {
  std::uint8_t kind = 0;
  std::uint8_t actor = 0;
  std::uint16_t unused = 0;
  Id a = 0;
  Id b = 0;
  LinkId link = 0;
};
static_assert(sizeof(Line) == 16);

class Rest {
 public:
  explicit Rest(std::string_view bytes) : rest_(bytes) {}
  template <class T>
  bool take(T* to, std::size_t count) {
    if (rest_.size() / sizeof(T) < count) return false;
    std::memcpy(to, rest_.data(), count * sizeof(T));
    rest_.remove_prefix(count * sizeof(T));
    return true;
  }
  std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

template <class T>
void put(std::string& out, const T* from, std::size_t count) {
  out.append(reinterpret_cast<const char*>(from), count * sizeof(T));
}

}  // namespace

std::vector<std::size_t> TupleSpace::Tables::fault_components() const {
  std::vector<std::size_t> components{0};
  for (const ActorId id : watched) components.push_back(local_component(id));
  return components;
}

void TupleSpace::Tables::note(const Miss& miss, std::span<const std::uint32_t> state) {
  if (miss.kind == Miss::Kind::check || miss.kind == Miss::Kind::none) return;  // numbers nothing
  journal.push_back(miss);
  if (miss.kind != Miss::Kind::faults) return;
  for (const std::size_t component : fault_components()) {
    journal_states.push_back(state[component]);
  }
}

std::uint64_t TupleSpace::Tables::digest() const {
  std::uint64_t sum = 0;
  for (const auto& shares : contributions) {
    sum = XXH3_64bits_withSeed(shares.data(), shares.size() * sizeof(Fingerprint), sum);
  }
  return sum;
}

std::string TupleSpace::save() const {
  Tables& t = *tables_;
  const std::lock_guard lock(t.mutex);
  std::string out;
  std::vector<std::uint8_t> hit;
  for (const auto& flag : t.bound_hit) hit.push_back(flag ? 1 : 0);
  const std::uint64_t head[] = {t.journal.size(), t.journal_states.size(), hit.size(),
                                t.lookups.sum(), t.digest()};
  put(out, head, std::size(head));
  for (const Miss& miss : t.journal) {
    const Line line{static_cast<std::uint8_t>(miss.kind), static_cast<std::uint8_t>(miss.actor), 0,
                    miss.a, miss.b, miss.link};
    put(out, &line, 1);
  }
  put(out, t.journal_states.data(), t.journal_states.size());
  put(out, hit.data(), hit.size());
  return out;
}

bool TupleSpace::restore(std::string_view saved) {
  Tables& t = *tables_;
  const std::lock_guard lock(t.mutex);
  Rest in(saved);
  std::uint64_t head[5];
  if (!in.take(head, std::size(head))) return false;
  if (head[0] > in.left() / sizeof(Line) || head[1] > in.left() || head[2] != t.bound_hit.size()) {
    return false;
  }
  std::vector<Line> lines(head[0]);
  std::vector<std::uint32_t> states(head[1]);
  std::vector<std::uint8_t> hit(head[2]);
  if (!in.take(lines.data(), lines.size()) || !in.take(states.data(), states.size()) ||
      !in.take(hit.data(), hit.size()) || in.left() != 0) {
    return false;
  }
  const auto components = t.fault_components();
  std::vector<std::uint32_t> state(t.width, 0);
  std::size_t at = 0;
  for (const Line& line : lines) {
    const Miss miss{static_cast<Miss::Kind>(line.kind), ActorId{line.actor}, line.a, line.b,
                    line.link};
    if (miss.kind == Miss::Kind::faults) {
      if (states.size() - at < components.size()) return false;
      for (const std::size_t component : components) state[component] = states[at++];
    }
    if (!t.can_resolve(miss, state)) return false;
    t.resolve(miss, state);
  }
  for (std::size_t i = 0; i < hit.size(); ++i) t.bound_hit[i] = hit[i] != 0;
  t.lookups.reset(head[3]);
  return t.digest() == head[4];
}

// Whether all numbers in it are those of something that has been computed before it.
bool TupleSpace::Tables::can_resolve(const Miss& miss, std::span<const std::uint32_t> state) const {
  const auto local_exists = [&](std::size_t a, Id local) {
    return a < actors.size() && local < actors[a].locals.size();
  };
  const std::size_t a = index(miss.actor);
  switch (miss.kind) {
    case Miss::Kind::effect:
      return local_exists(a, miss.a) && miss.b < actors[a].inputs.size();
    case Miss::Kind::menu:
      return local_exists(a, miss.a) && miss.b < environments.size();
    case Miss::Kind::plan:
      return a < actors.size() && miss.a < actors[a].menus.size() &&
             miss.b < actors[a].menus[miss.a].items.size();
    case Miss::Kind::says:
      return a < actors.size() && miss.a < actors[a].menus.size();
    case Miss::Kind::tell:
    case Miss::Kind::settle:
      return miss.link < links.size() && miss.a < links[miss.link].contents.size() &&
             local_exists(index(receivers[miss.link]), miss.b);
    case Miss::Kind::faults:
      for (const ActorId id : watched) {
        if (!local_exists(index(id), state[local_component(id)])) return false;
      }
      return state[0] < environments.size();
    case Miss::Kind::push:
      return miss.link < links.size() && miss.a < links[miss.link].contents.size() &&
             miss.b < actors[index(receivers[miss.link])].inputs.size();
    case Miss::Kind::filter:
      return miss.link < links.size() && miss.a < links[miss.link].contents.size() &&
             local_exists(index(receivers[miss.link]), miss.b);
    case Miss::Kind::commute:
      return commuting != nullptr && miss.link < links.size() &&
             local_exists(index(receivers[miss.link]), miss.a) &&
             miss.b < actors[index(receivers[miss.link])].inputs.size();
    case Miss::Kind::freeze:
      return options.drop_inert || options.symmetry != nullptr;
    case Miss::Kind::none:
    case Miss::Kind::check:
      break;
  }
  return false;
}

}  // namespace slotlab::sim
