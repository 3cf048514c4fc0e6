#include "cli/conform/transcript.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "cli/conform/fields.h"

namespace slotlab::conform {
namespace {

bool yes_or_no(const Field& field) {
  const std::string text = field.text();
  if (text != "yes" && text != "no") field.expected("\"yes\" or \"no\"");
  return text == "yes";
}

std::uint32_t milliseconds_of(const Field& field) {
  const std::string digits = field.text();
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = error == std::errc{} && end == digits.data() + digits.size();
  if (!whole || value < 100 || value > 3'600'000) field.expected("\"100\" to \"3600000\"");
  return value;
}

ServerConfig parse_config(const Field& field) {
  ServerConfig config;
  for (const Field& setting : field.open_object()) {
    config.words[setting.key()] = setting.text();
    if (setting.key() == "cluster-require-full-coverage") {
      config.full_coverage = yes_or_no(setting);
    } else if (setting.key() == "cluster-allow-replica-migration") {
      config.allow_replica_migration = yes_or_no(setting);
    } else if (setting.key() == "cluster-replica-no-failover") {
      config.no_failover = yes_or_no(setting);
    } else if (setting.key() == "cluster-node-timeout") {
      config.node_timeout_ms = milliseconds_of(setting);
    } else {
      setting.fail(fmt::format(
          "the setting '{}' is unknown; there are: cluster-allow-replica-migration, "
          "cluster-node-timeout, cluster-replica-no-failover, cluster-require-full-coverage",
          setting.key()));
    }
  }
  return config;
}

bool is_node_name(const std::string& text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && text[0] >= 'A' && text[0] <= 'Z' &&
         std::all_of(text.begin() + 1, text.end(), digit);
}

bool is_id(const std::string& text) {
  const auto hexadecimal = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == 40 && std::all_of(text.begin(), text.end(), hexadecimal);
}

NodeSpec parse_node(const Field& field) {
  const Object object =
      field.object({"name", "id", "role", "of", "slots", "epoch", "alone", "config"});
  NodeSpec node;
  node.name = object.need("name").text();
  if (!is_node_name(node.name)) {
    object.need("name").expected("a capital letter and digits, as A or B1");
  }
  node.id = object.need("id").text();
  if (!is_id(node.id)) object.need("id").expected("40 lower-case hexadecimal digits");
  const bool replica = object.need("role").choice({"master", "replica"}) == 1;
  if (replica) {
    node.of = object.need("of").text();
    for (const char* key : {"slots", "epoch", "alone"}) {
      if (const auto found = object.find(key)) found->fail("only a master may have this");
    }
  } else if (const auto of = object.find("of")) {
    of->fail("only a replica has a master");
  }
  if (const auto slots = object.find("slots")) {
    const auto ranges = parse_slot_list(slots->text());
    if (!ranges) slots->expected("slots from 0 to 16383, as \"0-99,101\"");
    node.slots = *ranges;
  }
  if (const auto epoch = object.find("epoch")) {
    node.epoch = static_cast<protocol::Epoch>(epoch->number(0, INT64_MAX));
  }
  if (const auto alone = object.find("alone")) node.alone = alone->flag();
  if (const auto config = object.find("config")) node.config = parse_config(*config);
  return node;
}

// The nodes fit together: names and ids differ, masters exist, no slot has two owners.
void check_nodes(const Transcript& transcript, const Field& field) {
  std::set<std::string> names, ids;
  std::vector<std::string> owner(protocol::kSlots);
  const std::vector<Field> fields = field.list();
  for (std::size_t i = 0; i < transcript.nodes.size(); ++i) {
    const NodeSpec& node = transcript.nodes[i];
    if (!names.insert(node.name).second) fields[i].fail("two nodes are named " + node.name);
    if (!ids.insert(node.id).second) fields[i].fail("two nodes have this id");
    if (node.of) {
      const NodeSpec* master = transcript.node(*node.of);
      if (master == nullptr || master->of || master->alone) {
        fields[i].fail(fmt::format("'of': {} is no master that {} can know", *node.of, node.name));
      }
    }
    if (node.alone) continue;
    for (const protocol::SlotRange& range : node.slots) {
      for (std::size_t slot = range.first; slot <= range.last; ++slot) {
        if (!owner[slot].empty()) {
          fields[i].fail(fmt::format("slot {} belongs to {} as well", slot, owner[slot]));
        }
        owner[slot] = node.name;
      }
    }
  }
}

void check_node(const Transcript& transcript, const Field& field, const std::string& name) {
  if (transcript.node(name) == nullptr) field.fail(fmt::format("there is no node '{}'", name));
}

// Only that it is a reply; what is in it is compared, not understood.
void check_reply(const Field& field, Record record) {
  const Object object = field.object({"type", "value", "length"});
  const std::vector<std::string> types = {"status", "error", "int", "bulk", "array", "nil"};
  const std::string& type = types[object.need("type").choice(types)];
  const bool array = type == "array";
  if (record == Record::type || type == "nil") {
    if (const auto value = object.find("value")) value->fail("this reply has no value");
    return;
  }
  if (record == Record::length && array) {
    object.need("length").number(0, INT64_MAX);
    return;
  }
  if (const auto length = object.find("length")) length->fail("this reply has no length");
  const Field value = object.need("value");
  if (array) {
    for (const Field& item : value.list()) check_reply(item, Record::all);
  } else if (type == "int") {
    value.number(INT64_MIN, INT64_MAX);
  } else {
    value.text();
  }
}

CommandStep parse_command(const Transcript& transcript, const Field& field) {
  const Object object = field.object({"at", "cmd", "reply", "conn", "record"});
  CommandStep step;
  step.at = object.need("at").text();
  check_node(transcript, object.need("at"), step.at);
  for (const Field& word : object.need("cmd").list()) step.words.push_back(word.text());
  if (step.words.empty()) object.need("cmd").expected("a command and its arguments");
  if (const auto connection = object.find("conn")) step.connection = connection->text();
  if (const auto record = object.find("record")) {
    step.record = static_cast<Record>(1 + record->choice({"sorted", "length", "type"}));
  }
  check_reply(object.need("reply"), step.record);
  step.reply = object.need("reply").json();
  return step;
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::optional<protocol::Slot> parse_slot(std::string_view text) {
  unsigned slot = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), slot);
  if (error != std::errc{} || end != text.data() + text.size() || slot >= protocol::kSlots) {
    return std::nullopt;
  }
  return static_cast<protocol::Slot>(slot);
}

std::optional<Condition> parse_condition(const std::string& text) {
  using Kind = Condition::Kind;
  const std::vector<std::string> w = split(text);
  const auto made = [&](Kind kind, std::string other = {}, protocol::Slot slot = 0) {
    return Condition{.kind = kind, .node = w[0], .other = std::move(other), .slot = slot};
  };
  if (w == std::vector<std::string>{"converged"}) return Condition{};
  if (w.size() == 3 && w[1] == "is" && w[2] == "master") return made(Kind::is_master);
  if (w.size() == 3 && w[1] == "is" && w[2] == "ok") return made(Kind::is_ok);
  if (w.size() == 3 && w[1] == "is" && w[2] == "down") return made(Kind::is_down);
  if (w.size() == 3 && w[1] == "in" && w[2] == "sync") return made(Kind::in_sync);
  if (w.size() == 5 && w[1] == "is" && w[2] == "replica" && w[3] == "of") {
    return made(Kind::is_replica_of, w[4]);
  }
  if (w.size() == 4 && w[1] == "sees" && w[3] == "fail") return made(Kind::sees_fail, w[2]);
  if (w.size() == 4 && w[1] == "sees" && w[3] == "ok") return made(Kind::sees_ok, w[2]);
  if (w.size() == 5 && w[1] == "sees" && w[3] == "at") {
    const auto slot = parse_slot(w[2]);
    if (slot) return made(Kind::sees_slot_at, w[4], *slot);
  }
  return std::nullopt;
}

WaitStep parse_wait(const Transcript& transcript, const Field& field) {
  const Object object = field.object({"wait", "timeout_s"});
  const Field what = object.need("wait");
  WaitStep step;
  step.text = what.text();
  const auto condition = parse_condition(step.text);
  if (!condition) {
    what.expected("\"converged\", \"B1 is master\", \"A is replica of B\", \"A sees B fail\", "
                  "\"A sees B ok\", \"A sees 100 at B\", \"A is ok\", \"A is down\" or "
                  "\"B1 in sync\"");
  }
  step.condition = *condition;
  for (const std::string& name : {condition->node, condition->other}) {
    if (!name.empty()) check_node(transcript, what, name);
  }
  if (const auto timeout = object.find("timeout_s")) {
    step.timeout_s = static_cast<std::uint32_t>(timeout->number(1, 3600));
  }
  return step;
}

void check_view(const Field& field) {
  field.object({"down", "paused", "role", "state", "currentEpoch", "configEpoch", "owners",
                "unassigned", "epochs", "replicas", "failed", "migrating", "importing", "keys"});
}

LookStep parse_look(const Transcript& transcript, const Field& field) {
  const Object object = field.object({"look", "saw"});
  LookStep step;
  for (const Field& node : object.need("look").list()) {
    step.nodes.push_back(node.text());
    check_node(transcript, node, step.nodes.back());
  }
  const Field saw = object.need("saw");
  for (const Field& view : saw.open_object()) {
    check_view(view);
    if (std::find(step.nodes.begin(), step.nodes.end(), view.key()) == step.nodes.end()) {
      view.fail(fmt::format("'{}' is not among the nodes looked at", view.key()));
    }
  }
  step.saw = saw.json();
  for (const std::string& node : step.nodes) {
    if (!step.saw.contains(node)) saw.fail(fmt::format("the view of {} is missing", node));
  }
  return step;
}

Step parse_step(const Transcript& transcript, const Field& field) {
  Step step;
  step.line = field.line();
  step.script = field.json();
  step.script.erase("reply");
  step.script.erase("saw");
  const std::vector<std::string> faults = {"kill", "restart", "pause", "resume"};
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (!step.script.contains(faults[i])) continue;
    const Object object = field.object({faults[i]});
    const FaultStep fault{.kind = static_cast<FaultStep::Kind>(i),
                          .node = object.need(faults[i]).text()};
    check_node(transcript, object.need(faults[i]), fault.node);
    step.what = fault;
    return step;
  }
  if (step.script.contains("cmd")) {
    step.what = parse_command(transcript, field);
  } else if (step.script.contains("wait")) {
    step.what = parse_wait(transcript, field);
  } else if (step.script.contains("look")) {
    step.what = parse_look(transcript, field);
  } else {
    field.fail("a step has one of: cmd, wait, look, kill, restart, pause, resume");
  }
  return step;
}

// Faults make sense in this order only: what is down can be restarted, what is up can be killed.
void check_faults(const Transcript& transcript, const Field& field) {
  std::set<std::string> down, paused;
  const std::vector<Field> fields = field.list();
  for (std::size_t i = 0; i < transcript.steps.size(); ++i) {
    const auto* fault = std::get_if<FaultStep>(&transcript.steps[i].what);
    if (fault == nullptr) continue;
    const std::string& node = fault->node;
    switch (fault->kind) {
      case FaultStep::Kind::kill:
        if (!down.insert(node).second) fields[i].fail(node + " is down already");
        paused.erase(node);
        break;
      case FaultStep::Kind::restart:
        if (down.erase(node) == 0) fields[i].fail(node + " is not down");
        break;
      case FaultStep::Kind::pause:
        if (down.contains(node)) fields[i].fail(node + " is down");
        if (!paused.insert(node).second) fields[i].fail(node + " is paused already");
        break;
      case FaultStep::Kind::resume:
        if (paused.erase(node) == 0) fields[i].fail(node + " is not paused");
        break;
    }
  }
}

void parse_final(Transcript& transcript, const Field& field) {
  for (const Field& view : field.open_object()) {
    check_node(transcript, view, view.key());
    check_view(view);
  }
  transcript.final_views = field.json();
  for (const NodeSpec& node : transcript.nodes) {
    if (!transcript.final_views.contains(node.name)) {
      field.fail(fmt::format("the view of {} is missing", node.name));
    }
  }
}

}  // namespace

const NodeSpec* Transcript::node(std::string_view wanted) const {
  const auto at = std::find_if(nodes.begin(), nodes.end(),
                               [&](const NodeSpec& spec) { return spec.name == wanted; });
  return at == nodes.end() ? nullptr : &*at;
}

std::optional<std::vector<protocol::SlotRange>> parse_slot_list(std::string_view text) {
  std::vector<protocol::SlotRange> ranges;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const std::size_t dash = part.find('-');
    const auto first = parse_slot(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_slot(part.substr(dash + 1));
    if (!first || !last || *first > *last) return std::nullopt;
    ranges.push_back({*first, *last});
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) return std::nullopt;
  }
  return ranges;
}

std::string dialect_of_server(std::string_view server) {
  std::string name(server.substr(0, server.rfind('.')));
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

Transcript parse_transcript(std::string_view text, const std::string& file) {
  const JsonTree tree = parse_json(text, file);
  const Field root(tree, file, "the file");
  const Object object = root.object({"name", "about", "rule", "server", "config", "persistence",
                                     "watch", "nodes", "steps", "final"});
  Transcript transcript;
  transcript.file = file;
  transcript.json = tree.json();
  transcript.name = object.need("name").text();
  if (const auto about = object.find("about")) transcript.about = about->text();
  if (const auto rule = object.find("rule")) transcript.rule = rule->text();
  transcript.server = object.need("server").text();
  if (const auto config = object.find("config")) transcript.config = parse_config(*config);
  if (const auto persistence = object.find("persistence")) {
    persistence->choice({"aof"});
    transcript.persistent = true;
  }
  if (const auto watch = object.find("watch")) {
    for (const Field& slot : watch->list()) {
      transcript.watch.push_back(static_cast<protocol::Slot>(slot.number(0, protocol::kSlots - 1)));
    }
  }
  for (const Field& node : object.need("nodes").list()) {
    transcript.nodes.push_back(parse_node(node));
  }
  if (transcript.nodes.empty()) object.need("nodes").expected("at least one node");
  check_nodes(transcript, object.need("nodes"));
  for (const Field& step : object.need("steps").list()) {
    transcript.steps.push_back(parse_step(transcript, step));
  }
  check_faults(transcript, object.need("steps"));
  parse_final(transcript, object.need("final"));
  return transcript;
}

Transcript load_transcript(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  if (!stream) throw cli::InputError(fmt::format("{}: cannot be read", path));
  return parse_transcript(text.str(), path);
}

}  // namespace slotlab::conform
