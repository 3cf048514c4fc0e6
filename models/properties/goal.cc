// A recursive-descent parser that builds predicates as it goes.
#include "models/properties/goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>

#include "models/properties/view.h"

namespace slotlab::properties {
namespace {

using protocol::NodeId;
using sim::ActorId;
using sim::Predicate;
using sim::SystemView;

constexpr std::size_t kGoalBytesMax = 4096;

struct Token {
  std::string text;  // empty: the end
  std::size_t column = 1;
};

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '\'' || c == ':' || c == '{' || c == '}';
}

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ' || text[at] == '\t') {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    if (is_word_char(text[at])) {
      while (at < text.size() && is_word_char(text[at])) ++at;
    } else {
      ++at;
      while (at < text.size() && (text[at] & 0xc0) == 0x80) ++at;  // the rest of a UTF-8 character
      const bool two = at < text.size() && text[at] == '=' &&
                       (text[begin] == '!' || text[begin] == '<' || text[begin] == '>');
      if (two) ++at;
    }
    tokens.push_back({.text = std::string(text.substr(begin, at - begin)), .column = begin + 1});
  }
  tokens.push_back({.text = "", .column = text.size() + 1});
  return tokens;
}

enum class Order : std::uint8_t { equal, unequal, less, at_most, greater, at_least };

bool compare(std::uint64_t a, Order order, std::uint64_t b) {
  switch (order) {
    case Order::equal: return a == b;
    case Order::unequal: return a != b;
    case Order::less: return a < b;
    case Order::at_most: return a <= b;
    case Order::greater: return a > b;
    case Order::at_least: return a >= b;
  }
  return false;
}

class Parser {
 public:
  Parser(std::string_view text, CastPtr cast, const std::vector<std::string>& names)
      : tokens_(tokens_of(text)), cast_(std::move(cast)), names_(names) {}

  Predicate parse() {
    Predicate goal = any_of();
    if (!now().text.empty()) fail("expected 'and', 'or' or the end");
    return goal;
  }

 private:
  const Token& now() const { return tokens_[at_]; }
  Token take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool accept(std::string_view text) {
    if (now().text != text) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail_at(const Token& token, const std::string& message) const {
    const bool control = token.text.size() == 1 && static_cast<unsigned char>(token.text[0]) < ' ';
    const std::string found = token.text.empty() ? "the end"
                              : control ? fmt::format("the control character {:#04x}",
                                                      static_cast<unsigned>(token.text[0]))
                                        : "'" + token.text + "'";
    throw GoalError{.column = token.column, .message = fmt::format("{}, found {}", message, found)};
  }
  [[noreturn]] void fail(const std::string& message) const { fail_at(now(), message); }
  void need(std::string_view text) {
    if (!accept(text)) fail(fmt::format("expected '{}'", text));
  }

  Predicate any_of() {
    Predicate goal = all_of();
    while (accept("or")) {
      goal = [a = std::move(goal), b = all_of()](const SystemView& v) { return a(v) || b(v); };
    }
    return goal;
  }

  Predicate all_of() {
    Predicate goal = one();
    while (accept("and") || accept(",")) {
      goal = [a = std::move(goal), b = one()](const SystemView& v) { return a(v) && b(v); };
    }
    return goal;
  }

  Predicate one() {
    if (accept("not")) {
      return [a = one()](const SystemView& v) { return !a(v); };
    }
    if (accept("(")) {
      Predicate goal = any_of();
      need(")");
      return goal;
    }
    const Token subject = take();
    if (accept(".")) return fact(subject);
    const Entry* entry = find(subject.text);
    if (entry == nullptr) {
      fail_at(subject, "expected a fact such as 'A.owner(7) = B', or a property or situation of "
                       "slotlab list --properties");
    }
    return [cast = cast_, holds = entry->holds](const SystemView& v) { return holds(*cast, v); };
  }

  Predicate fact(const Token& subject) {
    const auto at = std::find(names_.begin(), names_.end(), subject.text);
    if (at == names_.end()) fail_at(subject, "expected the name of a node or of an operator");
    const ActorId actor{static_cast<std::uint8_t>(at - names_.begin())};
    const auto& nodes = cast_->nodes;
    const bool is_node = std::find(nodes.begin(), nodes.end(), actor) != nodes.end();
    return is_node ? node_fact(actor) : operator_fact(actor);
  }

  Predicate node_fact(ActorId actor) {
    const Token field = take();
    if (field.text == "owner") return slot_fact(actor, &node::Durable::owner);
    if (field.text == "migrating") return slot_fact(actor, &node::Durable::migrating_to);
    if (field.text == "importing") return slot_fact(actor, &node::Durable::importing_from);
    if (field.text == "epoch") return epoch_fact(actor);
    if (field.text == "current") {
      const auto [order, value] = comparison();
      return [=](const SystemView& v) {
        return compare(node_state(v, actor).config.current_epoch, order, value);
      };
    }
    if (field.text == "role") {
      const std::size_t role = word_value({"master", "replica"});
      return [=](const SystemView& v) {
        return is_master(node_state(v, actor).config) == (role == 0);
      };
    }
    if (field.text == "master") {
      need("=");
      const NodeId master = node_value();
      return [=](const SystemView& v) {
        const node::Durable& config = node_state(v, actor).config;
        return config.nodes.at(config.me).master == master;
      };
    }
    if (field.text == "state") {
      const auto wanted = static_cast<sim::Status>(word_value({"up", "paused", "down", "gone"}));
      return [=](const SystemView& v) { return status(v, actor) == wanted; };
    }
    if (field.text == "cluster") {
      const std::size_t wanted = word_value({"ok", "fail"});
      return [=](const SystemView& v) {
        return node_state(v, actor).memory.state_ok == (wanted == 0);
      };
    }
    if (field.text == "failed") {
      const NodeId other = node_argument();
      return [=](const SystemView& v) {
        const auto& records = node_state(v, actor).config.nodes;
        const auto record = records.find(other);
        return record != records.end() && record->second.fail;
      };
    }
    if (field.text == "key") {
      need("(");
      const std::string key = take().text;
      need(")");
      return [=](const SystemView& v) {
        const auto& keys = node_state(v, actor).keys;
        return std::any_of(keys.begin(), keys.end(),
                           [&](const node::Keys& slot) { return slot.contains(key); });
      };
    }
    fail_at(field, "expected owner, migrating, importing, epoch, current, role, master, state, "
                   "cluster, failed or key");
  }

  Predicate slot_fact(ActorId actor, std::vector<NodeId> node::Durable::*field) {
    need("(");
    const Token slot = take();
    const std::uint64_t number = number_of(slot);
    const auto known = number < protocol::kSlots
                           ? cast_->slots.of(static_cast<protocol::Slot>(number))
                           : std::nullopt;
    if (!known) fail_at(slot, "expected a slot that the scenario names");
    need(")");
    const bool equal = !accept("!=");
    if (equal) need("=");
    const NodeId wanted = node_value();
    return [=, slot_class = *known](const SystemView& v) {
      return ((node_state(v, actor).config.*field)[slot_class] == wanted) == equal;
    };
  }

  Predicate epoch_fact(ActorId actor) {
    std::optional<NodeId> of;
    if (now().text == "(") of = node_argument();
    const auto [order, value] = comparison();
    return [=](const SystemView& v) {
      const node::Durable& config = node_state(v, actor).config;
      const auto record = config.nodes.find(of.value_or(config.me));
      return record != config.nodes.end() && compare(record->second.config_epoch, order, value);
    };
  }

  Predicate operator_fact(ActorId actor) {
    const Token field = take();
    if (field.text == "state") {
      const auto wanted =
          static_cast<oper::Progress>(word_value({"working", "done", "stopped", "refused"}));
      return [=](const SystemView& v) { return operator_of(v, actor).state().progress == wanted; };
    }
    if (field.text == "finished") {
      const auto [order, value] = comparison();
      return [=](const SystemView& v) {
        return compare(operator_of(v, actor).state().finished, order, value);
      };
    }
    fail_at(field, "expected state or finished, as of an operator");
  }

  std::uint64_t number_of(const Token& token) const {
    std::uint64_t value = 0;
    const char* end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(token.text.data(), end, value);
    if (token.text.empty() || error != std::errc() || stop != end) {
      fail_at(token, "expected a whole number");
    }
    return value;
  }

  std::pair<Order, std::uint64_t> comparison() {
    static constexpr std::string_view kSigns[] = {"=", "!=", "<", "<=", ">", ">="};
    for (std::size_t i = 0; i < std::size(kSigns); ++i) {
      if (!accept(kSigns[i])) continue;
      return {static_cast<Order>(i), number_of(take())};
    }
    fail("expected =, !=, <, <=, > or >=");
  }

  std::size_t word_value(const std::vector<std::string>& words) {
    need("=");
    const Token word = take();
    const auto at = std::find(words.begin(), words.end(), word.text);
    if (at == words.end()) {
      std::string list;
      for (const std::string& each : words) list += (list.empty() ? "" : ", ") + each;
      fail_at(word, "expected one of " + list);
    }
    return static_cast<std::size_t>(at - words.begin());
  }

  NodeId node_value() {
    const Token name = take();
    if (name.text == "nobody") return protocol::kNoNode;
    const NodeId id = cast_->directory.by_name(name.text);
    if (id == protocol::kNoNode) fail_at(name, "expected a node, or nobody");
    return id;
  }
  NodeId node_argument() {
    need("(");
    const Token name = now();
    const NodeId id = node_value();
    if (id == protocol::kNoNode) fail_at(name, "expected a node");
    need(")");
    return id;
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  CastPtr cast_;
  const std::vector<std::string>& names_;
};

}  // namespace

std::variant<Predicate, GoalError> parse_goal(std::string_view text, const CastPtr& cast,
                                              const std::vector<std::string>& names) {
  // Parser and predicate nest as deep as the goal does.
  if (text.size() > kGoalBytesMax) {
    return GoalError{.column = kGoalBytesMax + 1,
                     .message = fmt::format("longer than {} bytes", kGoalBytesMax)};
  }
  try {
    return Parser(text, cast, names).parse();
  } catch (const GoalError& error) {
    return error;
  }
}

}  // namespace slotlab::properties
