// Draws scripts for real servers and virtual nodes alike; see random_script.h. What is a matter of
// chance on real servers would differ from run to run, and is therefore not drawn:
// - more than one node down or paused at a time, and slots that change hands while one is: which of
//   two heirs an old master follows when it returns depends on who speaks to it first;
// - commands in the moment between a change of ownership and the gossip that undoes it: after every
//   command that can change an owner or an epoch the cluster settles;
// - two replicas of one master, whose election either may win;
// - CLUSTER FORGET, which a real server takes back after 60 s;
// - three masters with one config epoch, which end with different ones in an order of chance.
#include "cli/conform/random_script.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/random/random.h"

namespace slotlab::conform {
namespace {

constexpr std::array<int, 5> kSlots = {100, 101, 6000, 6001, 12000};  // two of A's, two of B's

struct Drawn {
  std::string name;
  bool replica = false;
  std::string of;
};

class Script {
 public:
  explicit Script(const ScriptOptions& options)
      : options_(options), random_(sim::Random(options.seed).stream("differential")) {}

  Json draw() {
    draw_nodes();
    add({{"wait", "converged"}});
    for (std::size_t i = 0; i < options_.steps; ++i) draw_step();
    if (gone_) bring_back();
    settle();
    return whole();
  }

 private:
  using Words = std::vector<std::string>;

  void draw_nodes() {
    constexpr std::array<std::array<int, 3>, 6> kEpochs = {
        {{1, 2, 3}, {3, 1, 2}, {2, 3, 1}, {1, 1, 2}, {5, 2, 2}, {0, 1, 4}}};
    const auto& epochs = kEpochs[random_.below(kEpochs.size())];
    const std::array<std::string, 3> names = {"A", "B", "C"};
    const std::array<std::string, 3> slots = {"0-5460", "5461-10922", "10923-16383"};
    for (std::size_t i = 0; i < 3; ++i) {
      nodes_.push_back({.name = names[i], .of = {}});
      node_lines_.push_back({{"name", names[i]},
                             {"id", std::string(40, static_cast<char>('a' + i))},
                             {"role", "master"},
                             {"slots", slots[i]},
                             {"epoch", epochs[i]}});
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (random_.chance(1, 3)) continue;
      const std::string name = names[i] + "1";
      nodes_.push_back({.name = name, .replica = true, .of = names[i]});
      node_lines_.push_back({{"name", name},
                             {"id", std::string(38, static_cast<char>('a' + i)) + "f1"},
                             {"role", "replica"},
                             {"of", names[i]}});
    }
  }

  void draw_step() {
    if (gone_ && random_.chance(1, 3)) return bring_back();
    const std::uint64_t dice = random_.below(100);
    if (dice < 30) return setslot_mark();
    if (dice < 50) return gone_ ? ask() : setslot_node();
    if (dice < 62) return gone_ ? ask() : slots_command();
    if (dice < 72) return epoch_command();
    if (dice < 80) return gone_ ? ask() : failover();
    if (dice < 88) return ask();
    return gone_ ? bring_back() : take_away();
  }

  // Marks change no owner, so that the next command may follow at once.
  void setslot_mark() {
    const std::uint64_t kind = random_.below(5);
    Words words = {"CLUSTER", "SETSLOT", slot()};
    if (kind == 0) {
      words.push_back("STABLE");
    } else {
      words.insert(words.end(), {kind < 3 ? "IMPORTING" : "MIGRATING", id()});
    }
    command(live(), words);
  }

  void setslot_node() {
    command(live(), {"CLUSTER", "SETSLOT", slot(), "NODE", id()});
    settle();
  }

  void slots_command() {
    static const std::array<const char*, 4> kWords = {"ADDSLOTS", "DELSLOTS", "ADDSLOTSRANGE",
                                                      "DELSLOTSRANGE"};
    const std::uint64_t kind = random_.below(kWords.size());
    const std::string first = slot();
    Words words = {"CLUSTER", kWords[kind], first};
    if (kind >= 2 || random_.chance(1, 4)) words.push_back(random_.chance(1, 2) ? first : slot());
    command(live(), words);
    settle();
  }

  void epoch_command() {
    if (random_.chance(2, 3)) {
      command(live(), {"CLUSTER", "BUMPEPOCH"});
    } else {
      command(live(), {"CLUSTER", "SET-CONFIG-EPOCH", std::to_string(random_.below(9))});
    }
    settle();
  }

  void failover() {
    static const std::array<const char*, 3> kWords = {"", "FORCE", "TAKEOVER"};
    Words words = {"CLUSTER", "FAILOVER"};
    const std::uint64_t kind = random_.below(kWords.size());
    if (kind > 0) words.push_back(kWords[kind]);
    std::vector<std::string> replicas;
    for (const Drawn& node : nodes_) {
      if (node.of != "") replicas.push_back(node.name);
    }
    const bool at_replica = !replicas.empty() && random_.chance(4, 5);
    command(at_replica ? replicas[random_.below(replicas.size())] : live(), words);
    settle();
  }

  void ask() {
    switch (random_.below(6)) {
      case 0: return command(live(), {"CLUSTER", "COUNTKEYSINSLOT", slot()});
      case 1: return command(live(), {"CLUSTER", "KEYSLOT", slot()});
      case 2: return command(live(), {"CLUSTER", "MYID"});
      case 3: return command(live(), {"CLUSTER", "SAVECONFIG"});
      case 4: return command(live(), {"CLUSTER", "SETSLOT", slot(), "NODE"});
      default: return command(live(), {"CLUSTER", "REPLICAS", id()}, "type");
    }
  }

  void take_away() {
    gone_ = nodes_[random_.below(nodes_.size())].name;
    paused_ = random_.chance(1, 3);
    add({{paused_ ? "pause" : "kill", *gone_}});
    settle();
  }

  void bring_back() {
    add({{paused_ ? "resume" : "restart", *gone_}});
    gone_.reset();
    settle();
  }

  void settle() {
    if (steps_.back().contains("wait")) return;
    add({{"wait", "converged"}});
  }

  void command(const std::string& at, const Words& words, const char* record = nullptr) {
    Json step = {{"at", at}, {"cmd", words}};
    if (record != nullptr) step["record"] = record;
    step["reply"] = {{"type", "nil"}};
    add(std::move(step));
  }

  void add(Json step) { steps_.push_back(std::move(step)); }

  std::string slot() { return std::to_string(kSlots[random_.below(kSlots.size())]); }
  std::string id() { return "@" + nodes_[random_.below(nodes_.size())].name; }
  std::string live() {
    std::string name;
    do {
      name = nodes_[random_.below(nodes_.size())].name;
    } while (name == gone_);
    return name;
  }

  Json whole() const {
    Json script;
    script["name"] = fmt::format("random-{}", options_.seed);
    script["about"] = fmt::format("{} steps drawn from seed {}", options_.steps, options_.seed);
    script["rule"] = "random";
    script["server"] = "";
    // Longer than in recorded transcripts: a machine that stalls for a second changes nothing.
    script["config"] = {{"cluster-node-timeout", "2500"}};
    script["watch"] = Json::array();
    for (const int slot : kSlots) script["watch"].push_back(slot);
    script["nodes"] = node_lines_;
    script["steps"] = steps_;
    for (const Drawn& node : nodes_) script["final"][node.name] = {{"down", true}};
    return script;
  }

  ScriptOptions options_;
  sim::Random random_;
  std::vector<Drawn> nodes_;
  std::vector<Json> node_lines_;
  std::vector<Json> steps_;
  std::optional<std::string> gone_;  // the node that is down or paused
  bool paused_ = false;
};

std::string lines_of_list(const Json& items) {
  std::string text;
  for (const auto& item : items) {
    text += fmt::format("{}    {}", text.empty() ? "" : ",\n", spaced_text(item));
  }
  return text;
}

std::string lines_of_views(const Json& views, const std::string& indent) {
  std::string text;
  for (const auto& [name, view] : views.items()) {
    text += fmt::format("{}{}{}: {}", text.empty() ? "" : ",\n", indent, Json(name).dump(),
                        spaced_text(view));
  }
  return text;
}

}  // namespace

Json random_script(const ScriptOptions& options) { return Script(options).draw(); }

std::string script_text(const Json& script) {
  std::string text;
  for (const auto& [key, value] : script.items()) {
    text += text.empty() ? "{\n" : ",\n";
    if (key == "nodes" || key == "steps") {
      text += fmt::format("  \"{}\": [\n{}\n  ]", key, lines_of_list(value));
    } else if (key == "final") {
      text += fmt::format("  \"final\": {{\n{}\n  }}", lines_of_views(value, "    "));
    } else {
      text += fmt::format("  {}: {}", Json(key).dump(), spaced_text(value));
    }
  }
  return text + "\n}\n";
}

}  // namespace slotlab::conform
