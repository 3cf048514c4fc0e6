// Situations a search may reach. See situations.h.
#include "models/properties/situations.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/properties/ownership.h"
#include "models/properties/view.h"

namespace slotlab::properties {

namespace {

template <class Is>
bool any_operator(const Cast& cast, const sim::SystemView& view, Is is) {
  return std::any_of(cast.operators.begin(), cast.operators.end(),
                     [&](sim::ActorId id) { return is(operator_of(view, id)); });
}

template <class Is>
bool any_node(const Cast& cast, const sim::SystemView& view, Is is) {
  return std::any_of(cast.nodes.begin(), cast.nodes.end(),
                     [&](sim::ActorId id) { return is(id, node_state(view, id)); });
}

}  // namespace

bool procedure_ends(const Cast& cast, const sim::SystemView& view) {
  return !any_operator(cast, view, [](const oper::Operator& op) { return op.working(); });
}

std::string explain_procedure_ends(const Cast& cast, const sim::SystemView& view) {
  for (sim::ActorId id : cast.operators) {
    const oper::Operator& op = operator_of(view, id);
    if (!op.working()) continue;
    return fmt::format("{} is still at step {}", view.system().name(id),
                       op.procedure().steps[op.phase()].label);
  }
  return "";
}

bool procedure_done(const Cast& cast, const sim::SystemView& view) {
  return !cast.operators.empty() &&
         !any_operator(cast, view, [](const oper::Operator& op) { return !op.done(); });
}

bool operator_stopped(const Cast& cast, const sim::SystemView& view) {
  return any_operator(cast, view, [](const oper::Operator& op) { return op.stopped(); });
}

bool command_refused(const Cast& cast, const sim::SystemView& view) {
  return any_operator(cast, view, [](const oper::Operator& op) { return op.refused(); });
}

bool crashed(const Cast& cast, const sim::SystemView& view) {
  return std::any_of(cast.nodes.begin(), cast.nodes.end(),
                     [&](sim::ActorId id) { return !alive(view, id); });
}

bool paused(const Cast& cast, const sim::SystemView& view) {
  return std::any_of(cast.nodes.begin(), cast.nodes.end(),
                     [&](sim::ActorId id) { return status(view, id) == sim::Status::paused; });
}

bool link_cut(const Cast&, const sim::SystemView& view) {
  const auto& cuts = view.environment().cut;
  return std::any_of(cuts.begin(), cuts.end(), [](sim::Cut cut) { return cut != sim::Cut::open; });
}

// Some live node claims a slot that was another's, or nobody's, at the start.
bool owner_changed(const Cast& cast, const sim::SystemView& view) {
  return any_node(cast, view, [&](sim::ActorId id, const node::NodeState& state) {
    if (!alive(view, id)) return false;
    for (std::size_t slot = 0; slot < cast.slots.count(); ++slot) {
      if (claims(state.config, static_cast<protocol::SlotClass>(slot)) &&
          cast.first_owner[slot] != state.config.me) {
        return true;
      }
    }
    return false;
  });
}

bool unowned(const Cast& cast, const sim::SystemView& view) { return !owned(cast, view); }

bool two_claim(const Cast& cast, const sim::SystemView& view) {
  const auto both = [&](const node::Durable& a, const node::Durable& b) {
    for (std::size_t slot = 0; slot < cast.slots.count(); ++slot) {
      const auto each = static_cast<protocol::SlotClass>(slot);
      if (claims(a, each) && claims(b, each)) return true;
    }
    return false;
  };
  return clashing_pair(cast, view, both).first != nullptr;
}

bool collision(const Cast& cast, const sim::SystemView& view) { return !unique_epochs(cast, view); }

bool marked_failed(const Cast& cast, const sim::SystemView& view) {
  return any_node(cast, view, [&](sim::ActorId id, const node::NodeState& state) {
    const auto& nodes = state.config.nodes;
    return alive(view, id) && std::any_of(nodes.begin(), nodes.end(), [](const auto& known) {
             return known.second.fail;
           });
  });
}

// A live master claims the private slot of another node.
bool promoted(const Cast& cast, const sim::SystemView& view) {
  for (const sim::ActorId id : cast.nodes) {
    if (!alive(view, id)) continue;
    const node::Durable& config = node_state(view, id).config;
    for (std::size_t c = 0; c < cast.home_of.size(); ++c) {
      const bool of_another = cast.home_of[c] != sim::kNoActor && cast.home_of[c] != id;
      if (of_another && is_master(config) && claims(config, static_cast<protocol::SlotClass>(c))) {
        return true;
      }
    }
  }
  return false;
}

bool promoted_and_unowned(const Cast& cast, const sim::SystemView& view) {
  return promoted(cast, view) && unowned(cast, view);
}

// A live node that owned slots at the start is a replica now.
bool demoted(const Cast& cast, const sim::SystemView& view) {
  return any_node(cast, view, [&](sim::ActorId id, const node::NodeState& state) {
    const auto& first = cast.first_owner;
    return alive(view, id) && !is_master(state.config) &&
           std::find(first.begin(), first.end(), state.config.me) != first.end();
  });
}

std::string explain_nothing(const Cast&, const sim::SystemView&) { return ""; }

}  // namespace slotlab::properties
