// The list of properties with their meaning. See registry.h.
#include "models/properties/registry.h"

#include <algorithm>
#include <string>
#include <utility>

#include "models/properties/clients.h"
#include "models/properties/keys.h"
#include "models/properties/ownership.h"
#include "models/properties/situations.h"
#include "models/properties/succession.h"
#include "models/properties/view.h"
#include "sim/base/assert.h"

namespace slotlab::properties {

namespace {

using sim::Mood;

std::vector<Entry> make_registry() {
  return {
      {"owned",
       "For every slot some node claims it for itself; a down node counts as long as it can come "
       "back.",
       Mood::always, owned, explain_owned, Sees::claims},
      {"one-owner",
       "No two live masters claim one slot with the same config epoch, so that neither claim "
       "beats the other.",
       Mood::always, one_owner, explain_one_owner, Sees::claims},
      {"unique-epochs", "No two live masters have one config epoch.", Mood::eventually_always,
       unique_epochs, explain_unique_epochs, Sees::claims},
      {"agreed", "All live nodes name one owner for each slot, and that owner claims it.",
       Mood::eventually_always, agreed, explain_agreed},
      {"closed", "No slot is marked migrating or importing.", Mood::eventually_always, closed,
       explain_closed},
      {"no-stray-key", "No live master holds a key of a slot that it does not own.",
       Mood::eventually_always, no_stray_key, explain_no_stray_key},
      {"keys-kept",
       "Every key of the start lies at some node that is there or can come back.",
       Mood::always, keys_kept, explain_keys_kept},
      {"state-ok", "Every live node's cluster state is ok.", Mood::eventually_always, state_ok,
       explain_state_ok},
      {"marks-name-masters",
       "Every migrating or importing mark names a node that the marked node holds for a master.",
       Mood::eventually_always, marks_name_masters, explain_marks_name_masters},
      {"replaceable",
       "Every master that is gone for good has a successor, or no replica, or one that enough "
       "voters would vote for.",
       Mood::eventually_always, replaceable, explain_replaceable},
      {"keys-safe",
       "No acknowledged write is lost, no read is told what its key cannot hold, no deleted key "
       "comes back; what died with nodes that never return is excused.",
       Mood::always, keys_safe, explain_keys_safe},
      {"linearizable", "All that clients were told of one key fits a single register.",
       Mood::always, linearizable, explain_linearizable},
      {"bounded-redirects",
       "No command of a client is redirected more often than the scenario allows.", Mood::always,
       bounded_redirects, explain_bounded_redirects},
      {"clients-end", "Every client has come to the end of its program.", Mood::eventually_always,
       clients_end, explain_clients_end},
      {"procedure-ends", "Every operator's procedure has ended: done, stopped or refused.",
       Mood::eventually_always, procedure_ends, explain_procedure_ends, Sees::operators},
      {"procedure-done", "Every operator has finished every step.", Mood::sometimes, procedure_done,
       explain_nothing, Sees::done},
      {"operator-stopped", "An operator has walked away with steps left.", Mood::sometimes,
       operator_stopped, explain_nothing, Sees::stopped},
      {"command-refused", "An operator has ended with an error from a node.", Mood::sometimes,
       command_refused, explain_nothing, Sees::refused},
      {"client-error", "A command of a client has ended without a result.", Mood::sometimes,
       client_error, explain_nothing},
      {"two-copies", "Two masters that are there or can come back hold one key.", Mood::sometimes,
       two_copies, explain_nothing},
      {"crashed", "A node is down.", Mood::sometimes, crashed, explain_nothing, Sees::statuses},
      {"paused", "A node is paused.", Mood::sometimes, paused, explain_nothing, Sees::statuses},
      {"link-cut", "A link is cut.", Mood::sometimes, link_cut, explain_nothing, Sees::cuts},
      {"owner-changed", "A live node claims a slot that was not its own at the start.",
       Mood::sometimes, owner_changed, explain_nothing, Sees::claims},
      {"unowned", "Some slot is claimed by no node that can still act.", Mood::sometimes, unowned,
       explain_nothing, Sees::claims},
      {"irreplaceable", "The opposite of replaceable.", Mood::sometimes, irreplaceable,
       explain_nothing},
      {"two-claim", "Two live masters claim one slot, with whatever epochs.", Mood::sometimes,
       two_claim, explain_nothing, Sees::claims},
      {"collision", "Two live masters have one config epoch.", Mood::sometimes, collision,
       explain_nothing, Sees::claims},
      {"marked-failed", "A live node holds another for failed.", Mood::sometimes, marked_failed,
       explain_nothing},
      {"promoted", "A node serves the private slot of another master: it took that master's place.",
       Mood::sometimes, promoted, explain_nothing, Sees::claims},
      {"promoted-and-unowned", "A node took a master's place, and some slot is nobody's.",
       Mood::sometimes, promoted_and_unowned, explain_nothing, Sees::claims},
      {"demoted", "A node that owned slots at the start is a replica now.", Mood::sometimes,
       demoted, explain_nothing, Sees::claims},
  };
}

// Appends what a predicate of this kind looks at in the actor.
void look(Sees sees, const sim::Actor& actor, sim::Encoder& out) {
  const auto* node = dynamic_cast<const node::Node*>(&actor);
  const auto* op = dynamic_cast<const oper::Operator*>(&actor);
  switch (sees) {
    case Sees::anything:
      actor.encode(out);
      break;
    case Sees::claims:
      if (node == nullptr) break;
      for (const node::Durable* config : {&node->state().config, &node->state().written}) {
        if (!config->nodes.contains(config->me)) continue;  // nothing is ever read back
        for (std::size_t slot = 0; slot < config->owner.size(); ++slot) {
          sim::encode(out, claims(*config, static_cast<protocol::SlotClass>(slot)));
        }
        sim::encode(out, std::pair(is_master(*config), own_epoch(*config)));
      }
      break;
    case Sees::operators:
      if (op != nullptr) actor.encode(out);
      break;
    case Sees::done:
      if (op != nullptr) sim::encode(out, op->done());
      break;
    case Sees::stopped:
      if (op != nullptr) sim::encode(out, op->stopped());
      break;
    case Sees::refused:
      if (op != nullptr) sim::encode(out, op->refused());
      break;
    case Sees::statuses:
    case Sees::cuts:
      break;
  }
}

}  // namespace

const std::vector<Entry>& registry() {
  static const std::vector<Entry> kRegistry = make_registry();
  return kRegistry;
}

const Entry* find(std::string_view name) {
  const std::vector<Entry>& all = registry();
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Entry& e) { return e.name == name; });
  return at == all.end() ? nullptr : &*at;
}

sim::Property make(std::string_view name, sim::Mood mood, CastPtr cast) {
  const Entry* entry = find(name);
  SIM_ASSERT(entry != nullptr, std::string(name));
  SIM_ASSERT(mood != Mood::leads_to);
  sim::Property property;
  property.name = name;
  property.mood = mood;
  property.holds = [cast, holds = entry->holds](const sim::SystemView& view) {
    return holds(*cast, view);
  };
  property.explain = [cast, explain = entry->explain](const sim::SystemView& view) {
    return explain(*cast, view);
  };
  property.sees_cuts = entry->sees == Sees::cuts || entry->sees == Sees::anything;
  property.sees = [sees = entry->sees](sim::ActorId, const sim::Actor& actor,
                                       sim::Encoder& out) { look(sees, actor, out); };
  return property;
}

sim::Property make_leads_to(std::string_view from, std::string_view to, CastPtr cast) {
  const Entry* then = find(to);
  SIM_ASSERT(then != nullptr, std::string(to));
  sim::Property property = make(from, Mood::always, cast);
  property.name = std::string(from) + " leads to " + std::string(to);
  property.mood = Mood::leads_to;
  property.sees = nullptr;
  property.sees_cuts = true;
  property.then = [cast, holds = then->holds](const sim::SystemView& view) {
    return holds(*cast, view);
  };
  property.explain = [cast, explain = then->explain](const sim::SystemView& view) {
    return explain(*cast, view);
  };
  return property;
}

const node::NodeState& node_state(const sim::SystemView& view, sim::ActorId id) {
  const auto* node = dynamic_cast<const node::Node*>(&view.actor(id));
  SIM_ASSERT(node != nullptr);
  return node->state();
}

const oper::Operator& operator_of(const sim::SystemView& view, sim::ActorId id) {
  const auto* op = dynamic_cast<const oper::Operator*>(&view.actor(id));
  SIM_ASSERT(op != nullptr);
  return *op;
}

const node::Durable* lasting(const sim::SystemView& view, sim::ActorId id) {
  switch (status(view, id)) {
    case sim::Status::up:
    case sim::Status::paused:
      return &node_state(view, id).config;
    case sim::Status::down:
      return &node_state(view, id).written;
    case sim::Status::gone:
      break;
  }
  return nullptr;
}

std::string slot_text(const Cast& cast, protocol::SlotClass slot) {
  const protocol::SlotRange range = cast.slots.range(slot);
  return range.first == range.last
             ? "slot " + std::to_string(range.first)
             : "slots " + std::to_string(range.first) + "-" + std::to_string(range.last);
}

}  // namespace slotlab::properties
