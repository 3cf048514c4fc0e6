#include "sim/property/property.h"

namespace slotlab::sim {

std::vector<std::string> beliefs_of(const SystemView& view) {
  std::vector<std::string> lines;
  const System& system = view.system();
  for (std::size_t a = 0; a < system.actor_count(); ++a) {
    const std::string& name = system.spec().names[a];
    switch (view.environment().status[a]) {
      case Status::up: break;
      case Status::paused: lines.push_back(name + ": paused"); break;
      case Status::down: lines.push_back(name + ": down"); break;
      case Status::gone: lines.push_back(name + ": down for good"); break;
    }
    for (const std::string& line : view.actor(ActorId{static_cast<std::uint8_t>(a)}).beliefs()) {
      lines.push_back(name + ": " + line);
    }
  }
  return lines;
}

}  // namespace slotlab::sim
