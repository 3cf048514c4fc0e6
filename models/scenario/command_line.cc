// Taking a typed command apart. See command_line.h.
#include "models/scenario/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "models/protocol/key_slot.h"

namespace slotlab::scenario {

namespace {

using protocol::Slot;
using protocol::SlotRange;

struct Word {
  std::string text;
  bool verbatim = false;  // was in single quotes
};

std::string upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

bool is_id(const std::string& text) {
  return text.size() == 40 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Splits at blanks; quotes of either kind hold a word together.
std::vector<Word> split(const Value& value, const std::string& line) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == ' ' || line[i] == '\t' || line[i] == '\n') {
      ++i;
    } else if (line[i] == '\'' || line[i] == '"') {
      const std::size_t end = line.find(line[i], i + 1);
      if (end == std::string::npos) value.fail("a quote in the command is not closed");
      words.push_back({line.substr(i + 1, end - i - 1), line[i] == '\''});
      i = end + 1;
    } else {
      const std::size_t end = std::min(line.find_first_of(" \t\n", i), line.size());
      words.push_back({line.substr(i, end - i), false});
      i = end;
    }
  }
  return words;
}

class CommandParser {
 public:
  CommandParser(const Value& value, const std::vector<std::string>& nodes)
      : value_(value), nodes_(nodes), words_(split(value, value.text("a command"))) {
    out_.typed = {.value = value.text(), .at = value.at()};
    for (const Word& word : words_) {
      out_.words.push_back({.kind = CommandWord::Kind::plain, .text = word.text});
    }
  }

  CommandSpec parse() {
    if (words_.empty()) value_.expected("a command");
    if (words_.size() > 1000) value_.fail("a command of more than 1000 words");
    static const std::vector<std::string> kCommands = {"CLUSTER", "MIGRATE", "GET",  "SET",
                                                       "DEL",     "EXISTS",  "PING", "ASKING"};
    const std::string name = known(0, kCommands, "command");
    if (name == "CLUSTER") {
      cluster();
    } else if (name == "MIGRATE") {
      if (words_.size() > 1) node(1, CommandWord::Kind::node_address);
      migrate_keys();
    } else if (words_.size() > 1 && name != "PING") {
      key(1);
    }
    return std::move(out_);
  }

 private:
  void cluster() {
    static const std::vector<std::string> kSubcommands = {"SETSLOT",
                                                          "ADDSLOTS",
                                                          "DELSLOTS",
                                                          "ADDSLOTSRANGE",
                                                          "DELSLOTSRANGE",
                                                          "FLUSHSLOTS",
                                                          "BUMPEPOCH",
                                                          "FORGET",
                                                          "SET-CONFIG-EPOCH",
                                                          "REPLICATE",
                                                          "RESET",
                                                          "MEET",
                                                          "FAILOVER",
                                                          "COUNTKEYSINSLOT",
                                                          "GETKEYSINSLOT",
                                                          "KEYSLOT",
                                                          "NODES",
                                                          "SLOTS",
                                                          "SHARDS",
                                                          "INFO",
                                                          "COUNT-FAILURE-REPORTS",
                                                          "REPLICAS",
                                                          "SLAVES",
                                                          "MYID",
                                                          "SAVECONFIG"};
    if (words_.size() < 2) value_.fail("CLUSTER needs a subcommand, such as CLUSTER NODES");
    const std::string sub = known(1, kSubcommands, "subcommand of CLUSTER");
    if (sub == "SETSLOT") {
      setslot();
    } else if (sub == "ADDSLOTS" || sub == "DELSLOTS") {
      for (std::size_t i = 2; i < words_.size(); ++i) slot(i);
    } else if (sub == "ADDSLOTSRANGE" || sub == "DELSLOTSRANGE") {
      for (std::size_t i = 2; i + 1 < words_.size(); i += 2) slots(i);
    } else if (sub == "COUNTKEYSINSLOT" || sub == "GETKEYSINSLOT") {
      if (words_.size() > 2) slot(2);
    } else if (sub == "FORGET" || sub == "REPLICATE" || sub == "REPLICAS" || sub == "SLAVES" ||
               sub == "COUNT-FAILURE-REPORTS") {
      if (words_.size() > 2) node(2, CommandWord::Kind::node_id);
    } else if (sub == "MEET" && words_.size() == 3) {
      node(2, CommandWord::Kind::node_address);
    }
  }

  void setslot() {
    static const std::vector<std::string> kActions = {"MIGRATING", "IMPORTING", "STABLE", "NODE"};
    if (words_.size() < 4) {
      value_.fail("CLUSTER SETSLOT needs a slot and an action: " + one_of(kActions));
    }
    slot(2);
    const std::string action = known(3, kActions, "action of SETSLOT");
    if (action == "STABLE") return;
    if (words_.size() < 5) value_.fail(fmt::format("SETSLOT {} needs a node", action));
    node(4, CommandWord::Kind::node_id);
  }

  // The word in capitals if it is one of `words`, or verbatim.
  std::string known(std::size_t i, const std::vector<std::string>& words, const char* what) {
    const std::string name = upper(words_[i].text);
    if (words_[i].verbatim || std::find(words.begin(), words.end(), name) != words.end()) {
      return name;
    }
    value_.fail(fmt::format("{} is no {} that virtual nodes know; expected {}{}",
                            in_quotes(words_[i].text), what, one_of(words),
                            did_you_mean(name, words)));
  }

  void slot(std::size_t i) {
    if (words_[i].verbatim) return;
    const Slot slot = parse_slot(value_, words_[i].text);
    out_.slots.push_back({slot, slot});
  }

  void slots(std::size_t i) {
    if (words_[i].verbatim || words_[i + 1].verbatim) return;
    const SlotRange range{parse_slot(value_, words_[i].text),
                          parse_slot(value_, words_[i + 1].text)};
    if (range.first > range.last) {
      value_.fail(fmt::format("the range {} {} ends before it begins", range.first, range.last));
    }
    out_.slots.push_back(range);
  }

  void node(std::size_t i, CommandWord::Kind kind) {
    const std::string& name = words_[i].text;
    if (words_[i].verbatim || is_id(name)) return;
    if (std::find(nodes_.begin(), nodes_.end(), name) == nodes_.end()) {
      // MIGRATE and MEET also take a host, which is then followed by a port.
      if (kind == CommandWord::Kind::node_address && i + 1 < words_.size() &&
          name.find('.') != std::string::npos) {
        return;
      }
      value_.fail(fmt::format("no node is called {}; nodes are {}{}", in_quotes(name),
                              one_of(nodes_), did_you_mean(name, nodes_)));
    }
    out_.words[i].kind = kind;
  }

  void key(std::size_t i) {
    const Slot slot = protocol::key_slot(words_[i].text);
    out_.slots.push_back({slot, slot});
  }

  // MIGRATE node key db timeout ..., or with an empty key the keys after KEYS.
  void migrate_keys() {
    const std::size_t shift = words_.size() > 1 && words_[1].text.find('.') != std::string::npos;
    if (words_.size() <= 2 + shift) return;
    if (!words_[2 + shift].text.empty()) key(2 + shift);
    bool after = false;
    for (std::size_t i = 5 + shift; i < words_.size(); ++i) {
      if (after) key(i);
      after = after || upper(words_[i].text) == "KEYS";
    }
  }

  const Value& value_;
  const std::vector<std::string>& nodes_;
  std::vector<Word> words_;
  CommandSpec out_;
};

}  // namespace

CommandSpec parse_command(const Value& value, const std::vector<std::string>& nodes) {
  return CommandParser(value, nodes).parse();
}

Slot parse_slot(const Value& value, const std::string& word) {
  unsigned slot = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), slot);
  if (error != std::errc() || end != word.data() + word.size() || slot >= protocol::kSlots ||
      (word.size() > 1 && word[0] == '0')) {
    value.fail(
        fmt::format("{}: {} is not a slot; slots are 0 to 16383", value.what(), in_quotes(word)));
  }
  return static_cast<Slot>(slot);
}

}  // namespace slotlab::scenario
