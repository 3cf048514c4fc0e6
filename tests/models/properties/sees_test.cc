// Properties look at no more than they say, which is what lets a search merge states.
#include <map>

#include "sim/random/random.h"
#include "tests/models/properties/by_hand.h"

namespace slotlab::properties {
namespace {

// Whatever a property says that it looks at: a change that does not show in that changes no answer.
TEST_F(Properties, LookAtNothingButWhatTheySay) {
  sim::Random random = sim::Random(7).stream("states");
  const auto any_node = [&] { return NodeId{static_cast<std::uint8_t>(random.below(3))}; };
  const auto change = [&](NodeState& state) {
    node::Durable& durable = random.chance(1, 2) ? state.config : state.written;
    const std::size_t slot = random.below(4);
    switch (random.below(9)) {
      case 0:
        durable.owner[slot] = any_node();
        break;
      case 1:
        durable.owner[slot] = kNoNode;
        break;
      case 2:
        durable.nodes[any_node()].config_epoch = random.below(4);
        break;
      case 3: {
        node::NodeRecord& record = durable.nodes[any_node()];
        record.replica = !record.replica;
        break;
      }
      case 4:
        durable.migrating_to[slot] = any_node();
        break;
      case 5:
        durable.importing_from[slot] = any_node();
        break;
      case 6:
        durable.current_epoch = random.below(9);
        break;
      case 7:
        durable.nodes[any_node()].fail = random.chance(1, 2);
        break;
      default:
        state.memory.state_ok = !state.memory.state_ok;
    }
  };
  std::map<std::string, int> asked, told_apart;
  for (int trial = 0; trial < 4000; ++trial) {
    NodeState& state = states[random.below(3)];
    for (Status& status : env_.status) status = static_cast<Status>(random.below(4));
    env_.cut[random.below(16)] = random.chance(1, 2) ? sim::Cut::cut : sim::Cut::open;
    make_nodes();
    struct Before {
      bool holds = false;
      std::string seen;
    };
    std::vector<Before> before;
    const auto look = [&](const sim::Property& property) {
      sim::Encoder out;
      for (std::uint8_t a = 0; a < 3; ++a) property.sees(ActorId{a}, actor(ActorId{a}), out);
      return Before{property.holds(*this), out.str()};
    };
    std::vector<sim::Property> properties;
    for (const Entry& entry : registry()) {
      if (entry.sees == Sees::anything) continue;
      properties.push_back(property_named(entry.name));
      before.push_back(look(properties.back()));
    }
    change(state);
    make_nodes();
    for (std::size_t p = 0; p < properties.size(); ++p) {
      const Before after = look(properties[p]);
      if (after.seen != before[p].seen) {
        ++told_apart[properties[p].name];
        continue;
      }
      ++asked[properties[p].name];
      ASSERT_EQ(after.holds, before[p].holds) << properties[p].name << ", trial " << trial;
    }
    // Neither do they look at cuts, unless they say so.
    for (const sim::Property& property : properties) {
      if (property.sees_cuts) continue;
      const bool holds = property.holds(*this);
      std::swap(env_.cut[1], env_.cut[6]);
      EXPECT_EQ(property.holds(*this), holds) << property.name;
      std::swap(env_.cut[1], env_.cut[6]);
    }
  }
  EXPECT_GT(asked["owned"], 500);
  EXPECT_GT(told_apart["owned"], 500);
  EXPECT_GT(asked["link-cut"], 3900);
}

}  // namespace
}  // namespace slotlab::properties
