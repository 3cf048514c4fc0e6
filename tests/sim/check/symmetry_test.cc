// Tries to refute the folding of likes: drawn systems of two twins and a third actor, in which the
// twins mostly are what they seem and sometimes are not.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/check/explorer.h"
#include "sim/check/real_path.h"
#include "tests/sim/check/folded_graph.h"
#include "tests/sim/check/random_system.h"
#include "tests/sim/check/reached.h"

namespace slotlab::sim {
namespace {

using testing::Number;

// What an actor does on one input in one state. Peers are named by their place: to a twin, 0 is the
// other twin and 1 the third actor; to the third, 0 and 1 are the twins.
struct Deed {
  std::uint8_t next = 0;
  bool to_first = false, to_second = false;
  std::uint8_t message = 0;
};

struct Role {
  std::uint8_t states = 2;
  bool knows_sender = false;       // what comes from the second peer is another input
  std::vector<Deed> on_message;    // by (state * 2 + message) * 2 + peer, or 0
  std::vector<Deed> on_step;       // by state
  std::vector<std::uint8_t> after_crash;
};

class Member final : public Actor {
 public:
  Member(std::shared_ptr<const Role> role, std::vector<ActorId> peers, std::uint8_t state = 0)
      : role_(std::move(role)), peers_(std::move(peers)), state_(state) {}
  std::unique_ptr<Actor> clone() const override { return std::make_unique<Member>(*this); }
  void encode(Encoder& out) const override { out.number(state_); }
  void offers(std::vector<Offer>& out) const override {
    const Deed& deed = role_->on_step[state_];
    if (deed.next == state_ && !deed.to_first && !deed.to_second) return;
    Offer offer;
    offer.code = 5;
    if (deed.to_first != deed.to_second) {
      offer.need = Need::room;
      offer.peer = peers_[deed.to_first ? 0 : 1];
    }
    out.push_back(offer);
  }
  void take(StepCode, Effects& effects) override { act(role_->on_step[state_], effects); }
  void receive(ActorId from, std::uint8_t, const Message& message, Effects& effects) override {
    const std::size_t value = dynamic_cast<const Number&>(message).value;
    const std::size_t peer = role_->knows_sender && from == peers_[1] ? 1 : 0;
    act(role_->on_message[(state_ * 2u + value) * 2 + peer], effects);
  }
  void crash(CrashKind) override { state_ = role_->after_crash[state_]; }
  std::string step_text(StepCode) const override { return "acts"; }
  std::vector<std::string> beliefs() const override { return {"state " + std::to_string(state_)}; }
  std::uint8_t state() const { return state_; }

 private:
  void act(const Deed& deed, Effects& effects) {
    auto number = std::make_shared<Number>();
    number->value = deed.message;
    if (deed.to_first) effects.send(peers_[0], 0, number);
    if (deed.to_second) effects.send(peers_[1], 0, number);
    state_ = deed.next;
  }
  std::shared_ptr<const Role> role_;
  std::vector<ActorId> peers_;
  std::uint8_t state_ = 0;
};

constexpr ActorId kTwin{0}, kOtherTwin{1}, kThird{2};

std::vector<ActorId> peers_of(ActorId id) {
  if (id == kTwin) return {kOtherTwin, kThird};
  if (id == kOtherTwin) return {kTwin, kThird};
  return {kTwin, kOtherTwin};
}

class TwinsChange final : public Renaming {
 public:
  explicit TwinsChange(std::shared_ptr<const Role> twins) : twins_(std::move(twins)) {}
  std::string text() const override { return "the twins"; }
  ActorId actor(ActorId id) const override {
    return id == kThird ? id : id == kTwin ? kOtherTwin : kTwin;
  }
  std::unique_ptr<Actor> local(ActorId whose, const Actor& value) const override {
    if (whose == kThird) return value.clone();
    return std::make_unique<Member>(twins_, peers_of(actor(whose)),
                                    dynamic_cast<const Member&>(value).state());
  }
  MessagePtr message(ActorId, ActorId, const MessagePtr& value) const override { return value; }
  StepCode step(ActorId, StepCode code) const override { return code; }

 private:
  std::shared_ptr<const Role> twins_;
};

int below(int n) { return *rc::gen::inRange(0, n); }

std::shared_ptr<const Role> drawn_role(bool to_both_alike) {
  auto role = std::make_shared<Role>();
  role->states = static_cast<std::uint8_t>(2 + below(2));
  role->knows_sender = !to_both_alike || below(16) == 0;
  const auto deed = [&](std::uint8_t state, int silent_percent) {
    Deed d;
    d.next = below(100) < silent_percent ? state : static_cast<std::uint8_t>(below(role->states));
    if (below(100) >= silent_percent) {
      d.to_first = below(2) == 0;
      d.to_second = to_both_alike && below(16) != 0 ? d.to_first : below(2) == 0;
    }
    d.message = static_cast<std::uint8_t>(below(2));
    return d;
  };
  for (std::uint8_t s = 0; s < role->states; ++s) {
    for (int input = 0; input < 4; ++input) role->on_message.push_back(deed(s, 60));
    role->on_step.push_back(deed(s, 30));
    role->after_crash.push_back(static_cast<std::uint8_t>(below(role->states)));
  }
  return role;
}

struct Twins {
  std::shared_ptr<const System> system;
  std::shared_ptr<const RenamingGroup> group;
};

Twins drawn_twins() {
  const auto twin = drawn_role(false), third = drawn_role(true);
  SystemSpec spec;
  for (std::uint8_t a = 0; a < 3; ++a) {
    const ActorId id{a};
    spec.names.push_back(std::string(1, static_cast<char>('A' + a)));
    spec.actors.push_back(
        std::make_shared<Member>(id == kThird ? third : twin, peers_of(id)));
    for (std::uint8_t b = 0; b < 3; ++b) {
      if (a != b) spec.links.push_back({.from = id, .to = ActorId{b}, .room = 1, .capacity = 1});
    }
  }
  FaultRule crash;
  crash.name = "crash(es)";
  crash.actors = {kTwin, kOtherTwin};
  crash.at_most = static_cast<std::uint8_t>(below(2));
  crash.mends = below(2) == 0;
  FaultRule cut;
  cut.kind = FaultKind::cut;
  cut.name = "cut(s)";
  cut.pairs = {{kTwin, kThird}, {kThird, kOtherTwin}};
  cut.at_most = static_cast<std::uint8_t>(below(2));
  cut.both_ways = below(10) != 0;  // one way, the rule itself tells the twins apart
  spec.faults = {crash, cut};
  auto group = std::make_shared<RenamingGroup>();
  group->elements = {std::make_shared<TwinsChange>(twin)};
  group->product = {{1}};
  return {std::make_shared<const System>(std::move(spec)), group};
}

Property some_property(Mood mood) {
  const int wanted = below(3);
  const bool of_one = below(10) == 0;  // such a property tells the twins apart
  const auto at = [wanted](const SystemView& view, ActorId id) {
    return dynamic_cast<const Member&>(view.actor(id)).state() == wanted;
  };
  return {.name = "p",
          .mood = mood,
          .holds = [at, of_one](const SystemView& view) {
            return at(view, kTwin) || (!of_one && at(view, kOtherTwin));
          },
          .then = nullptr,
          .explain = nullptr};
}

RC_GTEST_PROP(Symmetry, FoldsTheStatesOfTheSystemAndNoOthers, ()) {
  const Twins twins = drawn_twins();
  TupleSpace space(twins.system, {some_property(Mood::always)},
                   {.symmetry = twins.group, .probe_states = below(2) == 0 ? 0u : 1000u});
  const testing::Graph folded = testing::folded_graph(space);
  const testing::Graph all = testing::unfolded_graph(space);
  RC_PRE(!folded.too_large && !all.too_large);
  RC_ASSERT(folded.states == testing::each_folded(space, all.states));
  RC_ASSERT(folded.ends == testing::each_folded(space, all.ends));
  RC_CLASSIFY(space.renamings() == 0, "told apart");
  RC_CLASSIFY(folded.states.size() * 10 <= all.states.size() * 6, "at most 60 percent");
}

// With inert messages dropped as well: the combinations of local states, which are what is kept.
RC_GTEST_PROP(Symmetry, ReachesTheSameCombinationsWithoutInertMessages, ()) {
  const Twins twins = drawn_twins();
  const testing::Reached full =
      testing::explore_all(twins.system, {}, testing::kGraphStatesMax);
  // A message lost at a full link is where dropping stops (docs/reductions.md).
  RC_PRE(!full.too_large && !full.capacity_hit);
  const testing::Reached folded =
      testing::explore_all(twins.system, {.drop_inert = true, .symmetry = twins.group});
  std::set<std::vector<std::string>> likes = folded.combinations;
  TupleSpace space(twins.system, {}, {.drop_inert = true, .symmetry = twins.group});
  testing::folded_graph(space);
  if (space.renamings() > 0) {
    for (std::vector<std::string> lines : folded.combinations) {
      for (std::string& line : lines) {
        if (line[0] != 'C') line[0] = line[0] == 'A' ? 'B' : 'A';
      }
      std::sort(lines.begin(), lines.end());
      likes.insert(lines);
    }
  }
  std::set<std::vector<std::string>> sorted;
  for (std::vector<std::string> lines : full.combinations) {
    std::sort(lines.begin(), lines.end());
    sorted.insert(lines);
  }
  std::set<std::vector<std::string>> likes_sorted;
  for (std::vector<std::string> lines : likes) {
    std::sort(lines.begin(), lines.end());
    likes_sorted.insert(lines);
  }
  RC_ASSERT(likes_sorted == sorted);
}

RC_GTEST_PROP(Symmetry, ComesToTheSameVerdictsByRunsOfTheSystem, ()) {
  const Twins twins = drawn_twins();
  const std::vector<Property> properties = {some_property(Mood::always),
                                            some_property(Mood::sometimes)};
  TupleSpace full(twins.system, properties);
  const ExploreResult wanted = explore(full, {.states_max = 4 * testing::kGraphStatesMax});
  RC_PRE(wanted.complete);
  for (const bool inert : {false, true}) {
    TupleSpace space(twins.system, properties,
                     {.drop_inert = inert, .symmetry = twins.group,
                      .probe_states = below(2) == 0 ? 0u : 1000u});
    const ExploreResult found = explore(space, {.threads = 2});
    if (inert && !wanted.bounds.empty() && wanted.bounds.back().hit) continue;
    for (std::size_t p = 0; p < properties.size(); ++p) {
      RC_ASSERT(found.properties[p].verdict == wanted.properties[p].verdict);
      RC_ASSERT(found.properties[p].run.has_value() == wanted.properties[p].run.has_value());
      if (!found.properties[p].run) continue;
      const auto path = real_path(space, *found.properties[p].run);
      RC_ASSERT(path.has_value());
      if (!inert) {  // a run of the system as it is, and as short
        const auto states = states_along(full, path->run);
        const bool holds = (full.check(states.back()) >> p & 1) != 0;
        RC_ASSERT(holds == (properties[p].mood == Mood::sometimes));
        RC_ASSERT(path->run.actions.size() == wanted.properties[p].run->actions.size());
      }
    }
  }
}

}  // namespace
}  // namespace slotlab::sim
