#include "models/textbook/migrate_core.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "sim/base/assert.h"

namespace slotlab::textbook {

namespace {

using sim::ActorId;
using sim::Effects;
using sim::Encoder;
using sim::Message;

constexpr std::uint8_t kNone = 255;  // "no node"
constexpr std::uint8_t kA = 0;       // the source
constexpr std::uint8_t kB = 1;       // the destination

ActorId actor(std::uint8_t node) { return ActorId{node}; }

struct Heartbeat final : Message {
  bool claims = false;
  std::uint8_t config_epoch = 0;
  std::uint8_t current_epoch = 0;
  auto members() const { return std::tie(claims, config_epoch, current_epoch); }
  void encode(Encoder& out) const override { sim::encode(out, members()); }
};

// One of the admin's steps 1 to 6 as its target receives it.
struct Order final : Message {
  std::uint8_t step = 0;
  void encode(Encoder& out) const override { out.number(step); }
};

struct Answer final : Message {
  bool accepted = true;
  void encode(Encoder& out) const override { out.number(static_cast<std::uint8_t>(accepted)); }
};

class Master final : public sim::Actor {
 public:
  Master(MigrateCore parameters, std::uint8_t me, std::vector<std::uint8_t> epochs)
      : parameters_(parameters),
        me_(me),
        current_(*std::max_element(epochs.begin(), epochs.end())),
        epoch_(std::move(epochs)) {}

  std::unique_ptr<sim::Actor> clone() const override { return std::make_unique<Master>(*this); }
  void encode(Encoder& out) const override {
    sim::encode(out, std::tie(current_, epoch_, owner_, migrating_, importing_));
  }

  // A heartbeat to any other node may leave whenever its buffer is empty.
  void offers(std::vector<sim::Offer>& out) const override {
    for (std::uint8_t to = 0; to < parameters_.nodes; ++to) {
      if (to == me_) continue;
      out.push_back({.code = to, .need = sim::Need::room, .peer = actor(to)});
    }
  }
  void take(sim::StepCode to, Effects& effects) override {
    Heartbeat heartbeat;
    heartbeat.claims = owner_ == me_;
    heartbeat.config_epoch = epoch_[me_];
    heartbeat.current_epoch = current_;
    effects.send(actor(static_cast<std::uint8_t>(to)), 0, std::make_shared<Heartbeat>(heartbeat));
  }

  void receive(ActorId from, std::uint8_t, const Message& message, Effects& effects) override {
    if (const auto* heartbeat = dynamic_cast<const Heartbeat*>(&message)) {
      on_heartbeat(static_cast<std::uint8_t>(sim::index(from)), *heartbeat);
    } else {
      Answer answer;
      answer.accepted = on_order(dynamic_cast<const Order&>(message).step);
      effects.reply(from, std::make_shared<Answer>(answer));
    }
  }

  std::uint8_t owner() const { return owner_; }
  bool claims() const { return owner_ == me_; }
  std::uint8_t config_epoch() const { return epoch_[me_]; }

  std::string step_text(sim::StepCode to) const override {
    return std::string("-> ") + name(static_cast<std::uint8_t>(to)) + ": heartbeat";
  }
  std::string message_text(const Message& message) const override {
    if (const auto* heartbeat = dynamic_cast<const Heartbeat*>(&message)) {
      return "heartbeat currentEpoch " + std::to_string(heartbeat->current_epoch) +
             " configEpoch " + std::to_string(heartbeat->config_epoch) +
             (heartbeat->claims ? " slots {s}" : " slots {}");
    }
    return "S" + std::to_string(dynamic_cast<const Order&>(message).step);
  }
  std::vector<std::string> beliefs() const override {
    std::vector<std::string> lines{"owner of the slot: " + name(owner_),
                                   "config epoch " + std::to_string(epoch_[me_]),
                                   "current epoch " + std::to_string(current_)};
    if (migrating_ != kNone) lines.push_back("migrating to " + name(migrating_));
    if (importing_ != kNone) lines.push_back("importing from " + name(importing_));
    return lines;
  }
  static std::string name(std::uint8_t node) {
    return std::string(1, static_cast<char>('A' + node));
  }

 private:
  // 1. epochs are learned; 2. the slot is rebound to a claimer with a greater epoch than its owner;
  // 3. of two nodes with one epoch the smaller moves on.
  void on_heartbeat(std::uint8_t n, const Heartbeat& heartbeat) {
    const std::uint8_t cfg = heartbeat.config_epoch;
    current_ = std::max({current_, heartbeat.current_epoch, cfg});
    epoch_[n] = std::max(epoch_[n], cfg);
    const bool pinned = parameters_.importing_pins && importing_ != kNone;
    if (heartbeat.claims && owner_ != n && !pinned && (owner_ == kNone || epoch_[owner_] < cfg)) {
      if (owner_ == me_) migrating_ = kNone;
      owner_ = n;
    }
    if (parameters_.collision && cfg == epoch_[me_] && me_ < n) {
      epoch_[me_] = ++current_;
    }
  }

  bool on_order(std::uint8_t step) {
    switch (step) {
      case 1:
        if (owner_ == me_) return false;
        importing_ = kA;
        return true;
      case 2:
        if (owner_ != me_) return false;
        migrating_ = kB;
        return true;
      case 4: {
        const std::uint8_t greatest =
            std::max(current_, *std::max_element(epoch_.begin(), epoch_.end()));
        if (parameters_.bump && importing_ != kNone &&
            (epoch_[me_] == 0 || epoch_[me_] != greatest)) {
          epoch_[me_] = ++current_;
        }
        owner_ = me_;
        importing_ = kNone;
        return true;
      }
      case 5:
        migrating_ = kNone;
        owner_ = kB;
        return true;
      default:  // 6
        if (owner_ == me_) return false;
        owner_ = kB;
        return true;
    }
  }

  MigrateCore parameters_;
  std::uint8_t me_ = 0;
  std::uint8_t current_ = 0;
  std::vector<std::uint8_t> epoch_;
  std::uint8_t owner_ = kA;
  std::uint8_t migrating_ = kNone;
  std::uint8_t importing_ = kNone;
};

// Steps 1..6, step 6 once per bystander; a refusal stops the admin for good.
class Admin final : public sim::Actor {
 public:
  explicit Admin(MigrateCore parameters) : parameters_(parameters) {}
  std::unique_ptr<sim::Actor> clone() const override { return std::make_unique<Admin>(*this); }
  void encode(Encoder& out) const override { out.number(next_); }

  void offers(std::vector<sim::Offer>& out) const override {
    if (!can_stop()) return;
    out.push_back({.code = next_,
                   .need = sim::Need::reachable,
                   .peer = actor(target()),
                   .also_reachable = step() == 3 ? actor(kB) : sim::kNoActor,
                   .fair = parameters_.fair_admin});
  }
  void take(sim::StepCode, Effects& effects) override {
    if (step() == 3) {  // the keys move, of which this core knows nothing
      ++next_;
      return;
    }
    Order order;
    order.step = step();
    effects.call(actor(target()), std::make_shared<Order>(order));
  }
  void receive(ActorId, std::uint8_t, const Message& message, Effects&) override {
    next_ = dynamic_cast<const Answer&>(message).accepted ? static_cast<std::uint8_t>(next_ + 1)
                                                          : kStopped;
  }
  bool can_stop() const override { return next_ != kStopped && next_ <= parameters_.nodes + 3; }
  void stop() override { next_ = kStopped; }
  std::uint32_t phase() const override { return next_; }

  std::string step_text(sim::StepCode) const override {
    return "-> " + Master::name(target()) + ": S" + std::to_string(step());
  }
  std::vector<std::string> beliefs() const override {
    if (next_ == kStopped) return {"stopped"};
    return {can_stop() ? "S" + std::to_string(step()) + " next" : std::string("done")};
  }

 private:
  static constexpr std::uint8_t kStopped = 0;
  // The step's number in the manual; 4 and 5 change places in the wrong order.
  std::uint8_t step() const {
    if (next_ >= 6) return 6;
    if (!parameters_.right_order && (next_ == 4 || next_ == 5)) {
      return static_cast<std::uint8_t>(9 - next_);
    }
    return next_;
  }
  std::uint8_t target() const {
    switch (step()) {
      case 1:
      case 4:
        return kB;
      case 6:
        return static_cast<std::uint8_t>(next_ - 4);  // C for the 6th command, then D, ...
      default:
        return kA;
    }
  }
  MigrateCore parameters_;
  std::uint8_t next_ = 1;
};

std::uint8_t initial_epoch(InitialEpochs epochs, std::uint8_t node) {
  switch (epochs) {
    case InitialEpochs::distinct:
      return static_cast<std::uint8_t>(node + 1);
    case InitialEpochs::ab_equal:
      return node == 0 ? 1 : node;
    case InitialEpochs::bc_equal:
      return static_cast<std::uint8_t>(node <= 1 ? node + 1 : node);
    case InitialEpochs::all_equal:
      return 1;
  }
  return 0;
}

const Master& master(const sim::SystemView& view, std::uint8_t node) {
  return dynamic_cast<const Master&>(view.actor(actor(node)));
}

std::vector<sim::Property> properties_of(std::uint8_t nodes) {
  const auto owned = [nodes](const sim::SystemView& view) {
    for (std::uint8_t n = 0; n < nodes; ++n) {
      if (master(view, n).claims()) return true;
    }
    return false;
  };
  const auto two_owners = [nodes](const sim::SystemView& view) {
    for (std::uint8_t n = 0; n < nodes; ++n) {
      for (std::uint8_t m = 0; m < n; ++m) {
        const auto claims = [&](std::uint8_t x) {
          return view.system().up(view.environment(), actor(x)) && master(view, x).claims();
        };
        if (claims(n) && claims(m) &&
            master(view, n).config_epoch() == master(view, m).config_epoch()) {
          return true;
        }
      }
    }
    return false;
  };
  const auto agreed = [nodes](const sim::SystemView& view) {
    for (std::uint8_t n = 1; n < nodes; ++n) {
      if (master(view, n).owner() != master(view, 0).owner()) return false;
    }
    return true;
  };
  const auto say = [](const char* text) {
    return [text](const sim::SystemView&) { return std::string(text); };
  };
  return {{"owned", sim::Mood::always, owned, {}, say("the slot has no owner")},
          {"two-owners-one-epoch", sim::Mood::sometimes, two_owners, {}, {}},
          {"agreement",
           sim::Mood::eventually_always,
           agreed,
           {},
           say("the nodes do not agree on one owner")}};
}

}  // namespace

std::unique_ptr<sim::TupleSpace> make_migrate_core(const MigrateCore& parameters) {
  SIM_ASSERT(parameters.nodes >= 3 && parameters.nodes <= 8);
  sim::SystemSpec spec;
  std::vector<std::uint8_t> epochs;
  std::vector<ActorId> masters;
  for (std::uint8_t n = 0; n < parameters.nodes; ++n) {
    epochs.push_back(initial_epoch(parameters.epochs, n));
    masters.push_back(actor(n));
  }
  for (std::uint8_t n = 0; n < parameters.nodes; ++n) {
    spec.names.push_back(Master::name(n));
    spec.actors.push_back(std::make_shared<Master>(parameters, n, epochs));
    for (std::uint8_t m = 0; m < parameters.nodes; ++m) {
      if (m != n)
        spec.links.push_back({.from = actor(n), .to = actor(m), .room = 1, .capacity = 1});
    }
  }
  const ActorId admin{parameters.nodes};
  spec.names.push_back("admin");
  spec.actors.push_back(std::make_shared<Admin>(parameters));
  sim::FaultRule crash;
  crash.kind = sim::FaultKind::crash;
  crash.name = "crash(es) of any node";
  crash.actors = masters;
  crash.at_most = parameters.crashes_max;
  sim::FaultRule stop;
  stop.kind = sim::FaultKind::stop;
  stop.name = "stop(s) of the admin";
  stop.actors = {admin};
  stop.at_most = parameters.admin_stops_max;
  spec.faults = {crash, stop};
  std::vector<sim::Property> properties = properties_of(parameters.nodes);
  if (parameters.safety_only) properties.pop_back();
  return std::make_unique<sim::TupleSpace>(
      std::make_shared<const sim::System>(std::move(spec)), std::move(properties),
      sim::TupleSpaceOptions{.drop_inert = parameters.drop_inert,
                             .deliver_early = parameters.deliver_early});
}

namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& expected) {
  throw std::invalid_argument("migrate-core/" + std::string(text) + ": expected " + expected);
}

// Takes `word` (with its leading '-') off the front of `rest`.
bool take_word(std::string_view& rest, std::string_view word) {
  if (!rest.starts_with(word)) return false;
  const std::string_view after = rest.substr(word.size());
  if (!after.empty() && after.front() != '-') return false;
  rest = after;
  return true;
}

}  // namespace

MigrateCore parse_migrate_core(std::string_view text) {
  MigrateCore core;
  std::string_view rest = text;
  unsigned nodes = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), nodes);
  if (error != std::errc() || nodes < 3 || nodes > 8) refuse(text, "3 to 8 nodes first");
  core.nodes = static_cast<std::uint8_t>(nodes);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  core.right_order = take_word(rest, "-right");
  if (!core.right_order && !take_word(rest, "-wrong")) {
    refuse(text, "'-right' or '-wrong' after the number of nodes");
  }
  const auto zero_or_one = [&](const char* what) -> std::uint8_t {
    if (take_word(rest, "-0")) return 0;
    if (take_word(rest, "-1")) return 1;
    refuse(text, std::string("'-0' or '-1' for the number of ") + what);
  };
  core.crashes_max = zero_or_one("crashes");
  core.admin_stops_max = zero_or_one("stops of the admin");
  while (!rest.empty()) {
    if (take_word(rest, "-ab-equal"))
      core.epochs = InitialEpochs::ab_equal;
    else if (take_word(rest, "-bc-equal"))
      core.epochs = InitialEpochs::bc_equal;
    else if (take_word(rest, "-all-equal"))
      core.epochs = InitialEpochs::all_equal;
    else if (take_word(rest, "-distinct"))
      core.epochs = InitialEpochs::distinct;
    else if (take_word(rest, "-no-collision"))
      core.collision = false;
    else if (take_word(rest, "-no-importing-pins"))
      core.importing_pins = false;
    else if (take_word(rest, "-no-bump"))
      core.bump = false;
    else if (take_word(rest, "-fair-admin"))
      core.fair_admin = true;
    else if (take_word(rest, "-safety"))
      core.safety_only = true;
    else {
      refuse(text,
             "ab-equal, bc-equal, all-equal, no-collision, no-importing-pins, no-bump, "
             "fair-admin or safety, found '" +
                 std::string(rest.substr(1)) + "'");
    }
  }
  return core;
}

std::unique_ptr<sim::Space> make_migrate_core_space(std::string_view parameters, bool drop_inert,
                                                    bool deliver_early) {
  MigrateCore core = parse_migrate_core(parameters);
  core.drop_inert = drop_inert;
  core.deliver_early = deliver_early;
  return make_migrate_core(core);
}

}  // namespace slotlab::textbook
