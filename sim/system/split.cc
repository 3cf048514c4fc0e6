#include "sim/system/split.h"

namespace slotlab::sim {

std::optional<std::size_t> one_cut_rule(const System& system) {
  std::optional<std::size_t> found;
  for (std::size_t r = 0; r < system.spec().faults.size(); ++r) {
    const FaultRule& rule = system.spec().faults[r];
    if (rule.kind != FaultKind::cut) continue;
    if (found || rule.at_most != 1) return std::nullopt;
    found = r;
  }
  return found;
}

std::shared_ptr<const System> with_only(const System& system, std::size_t rule,
                                        std::uint32_t target) {
  SystemSpec spec = system.spec();
  spec.faults[rule].only = target;
  return std::make_shared<const System>(std::move(spec));
}

std::vector<Part> split_by_crash(const std::shared_ptr<const System>& system) {
  std::vector<Part> parts{{"", system}};
  for (std::size_t r = 0; r < system->spec().faults.size(); ++r) {
    const FaultRule& rule = system->spec().faults[r];
    if (rule.kind != FaultKind::crash || rule.at_most != 1 || rule.actors.size() < 2) continue;
    std::vector<Part> finer;
    for (const Part& part : parts) {
      for (std::uint32_t target = 0; target < rule.actors.size(); ++target) {
        finer.push_back({(part.name.empty() ? "" : part.name + ", ") + "crash of " +
                             system->name(rule.actors[target]),
                         with_only(*part.system, r, target)});
      }
    }
    parts = std::move(finer);
  }
  return parts;
}

}  // namespace slotlab::sim
