// SETSLOT in all dialects. First everything is checked, then everything is done; between the two
// Valkey lets the replicas execute the command, and looks at all guards again afterwards.
#include "models/node/ownership/setslot.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "models/node/heartbeat.h"
#include "models/node/ownership/slot_table.h"
#include "models/node/replication.h"

namespace slotlab::node {
namespace {

using protocol::Reply;
using protocol::Rule;
using protocol::Wording;

enum class Action : std::uint8_t { migrating, importing, stable, node };

// A SETSLOT that has passed its guards.
struct Request {
  SlotClass slot = 0;
  Action action = Action::stable;
  NodeId node = kNoNode;  // all but stable
  bool times_out = true;  // Valkey: the wait for the replicas ends at some time
};

// Either the request, or the error that a guard answers.
struct Checked {
  Request request = {};
  std::optional<Reply> error = {};
};

Checked refuse(std::string text) { return {.error = Reply::error("ERR " + std::move(text))}; }

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

// The whole word as a decimal number, as the servers read one: no blanks, no plus sign.
std::optional<std::int64_t> integer(const std::string& word) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// Which action the words name, by keyword and number of words; none if they do not fit together.
// Valkey reads the counts as minima.
std::optional<Action> action_of(const Context& context, const std::vector<std::string>& words) {
  const std::string keyword = lower(words[3]);
  const bool minima = context.settings.dialect.wording == Wording::valkey_8_0;
  const auto fits = [&](std::size_t n) { return minima ? words.size() >= n : words.size() == n; };
  if (keyword == "migrating" && fits(5)) return Action::migrating;
  if (keyword == "importing" && fits(5)) return Action::importing;
  if (keyword == "stable" && fits(4)) return Action::stable;
  if (keyword == "node" && fits(5)) return Action::node;
  return std::nullopt;
}

std::string unknown_node_text(const Context& context, Action action,
                              const std::vector<std::string>& words) {
  if (action == Action::node) return "Unknown node " + words[4];
  // 3.0 prints the wrong word here.
  const bool slip =
      action == Action::importing && context.settings.dialect.wording == Wording::redis_3_0;
  return "I don't know about node " + words[slip ? 3 : 4];
}

// The record that an id names; a handshake is not known by its id yet.
const NodeRecord* named_node(Context& context, const std::string& id) {
  const NodeRecord* record = context.find(context.settings.directory.by_id(id));
  return record == nullptr || record->handshake ? nullptr : record;
}

// TIMEOUT ms, which may follow the other words. SOURCE: Valkey 8.0.1, clusterParseSetSlotCommand.
std::optional<Reply> parse_timeout(const std::vector<std::string>& words, Request& request) {
  const std::size_t at = request.action == Action::stable ? 4 : 5;
  if (words.size() <= at || lower(words[at]) != "timeout") return std::nullopt;
  if (words.size() == at + 1) return Reply::error("ERR Missing timeout value");
  const std::optional<std::int64_t> ms = integer(words[at + 1]);
  if (!ms) return Reply::error("ERR timeout is not an integer or out of range");
  if (*ms < 0) return Reply::error("ERR timeout is negative");
  // The servers add the present time, so the very last values overflow.
  constexpr std::int64_t kYear2100 = 4'102'444'800'000;
  if (*ms > INT64_MAX - kYear2100) return Reply::error("ERR timeout is out of range");
  request.times_out = *ms != 0;
  return std::nullopt;
}

std::optional<std::string> guard(Context& context, const Request& request) {
  const NodeId owner = context.config().owner[request.slot];
  const protocol::Slot number = context.settings.slots.range(request.slot).first;
  const bool executed_by_replicas = context.rule(Rule::setslot_replicated_first);
  if (request.action == Action::migrating && owner != context.me() &&
      !(executed_by_replicas && context.my_record().replica)) {
    return fmt::format("I'm not the owner of hash slot {}", number);
  }
  if (request.action == Action::importing && owner == context.me()) {
    return fmt::format("I'm already the owner of hash slot {}", number);
  }
  return std::nullopt;
}

std::optional<std::string> guard_target(Context& context, const Request& request) {
  if (context.rule(Rule::setslot_checks_replica_target) && context.find(request.node)->replica) {
    return "Target node is not a master";
  }
  if (request.action == Action::node && context.config().owner[request.slot] == context.me() &&
      request.node != context.me() && has_keys(context.state, request.slot)) {
    return fmt::format(
        "Can't assign hashslot {} to a different node while I still hold keys for this hash slot.",
        context.settings.slots.range(request.slot).first);
  }
  return std::nullopt;
}

// The slot that the words name. The scenario told it apart from all others; if it did not, the
// command cannot be carried out on a table of classes.
std::optional<SlotClass> slot_of(const Context& context, std::int64_t number) {
  const auto slot = context.settings.slots.of(static_cast<protocol::Slot>(number));
  if (!slot || context.settings.slots.size(*slot) != 1) return std::nullopt;
  return slot;
}

Checked check(Context& context, const std::vector<std::string>& words) {
  const std::optional<std::int64_t> number = integer(words[2]);
  if (!number || *number < 0 || *number >= protocol::kSlots) {
    return refuse("Invalid or out of range slot");
  }
  const std::optional<SlotClass> slot = slot_of(context, *number);
  if (!slot) return refuse(fmt::format("slot {} is not told apart in this scenario", *number));
  const std::optional<Action> action = action_of(context, words);
  if (!action) {
    const bool old = context.settings.dialect.wording == Wording::redis_3_0;
    return refuse(std::string("Invalid CLUSTER SETSLOT action or number of arguments") +
                  (old ? "" : ". Try CLUSTER HELP"));
  }
  Request request{.slot = *slot, .action = *action};
  if (const auto text = guard(context, request)) return refuse(*text);
  if (*action != Action::stable) {
    if (named_node(context, words[4]) == nullptr) {
      return refuse(unknown_node_text(context, *action, words));
    }
    request.node = context.settings.directory.by_id(words[4]);
    if (const auto text = guard_target(context, request)) return refuse(*text);
  }
  if (context.settings.dialect.wording == Wording::valkey_8_0) {
    if (auto error = parse_timeout(words, request)) return {.error = std::move(error)};
  }
  return {.request = request};
}

void close_import(Context& context, const Request& request) {
  NodeId& importing_from = context.config().importing_from[request.slot];
  const bool mine = request.node == context.me();
  const bool my_masters =
      context.rule(Rule::setslot_replicated_first) && request.node == context.my_record().master;
  if (importing_from == kNoNode || (!mine && !my_masters)) return;
  importing_from = kNoNode;
  if (!mine) return;
  if (context.rule(Rule::bump_on_import)) bump_config_epoch_without_consensus(context);
  if (context.rule(Rule::broadcast_after_import)) broadcast_pong(context);
}

void assign(Context& context, const Request& request) {
  NodeId& migrating_to = context.config().migrating_to[request.slot];
  if (!has_keys(context.state, request.slot)) migrating_to = kNoNode;
  const bool for_shard = context.rule(Rule::setslot_replicated_first);
  const NodeId holder = for_shard ? top_master(context.state, context.me()) : context.me();
  const bool was_held = context.config().owner[request.slot] == holder;
  del_slot(context, request.slot);
  add_slot(context, request.node, request.slot);
  if (context.rule(Rule::last_slot_demotes_source) && context.settings.allow_replica_migration &&
      was_held && request.node != holder && request.node != context.me() &&
      slots_owned_by(context.state, holder) == 0) {
    context.effects.note("gave the last slot away");
    set_my_master(context, {.master = request.node});
    context.todo.fsync = true;
  }
  close_import(context, request);
}

void execute(Context& context, const Request& request) {
  Durable& config = context.config();
  switch (request.action) {
    case Action::migrating:
      config.migrating_to[request.slot] = request.node;
      break;
    case Action::importing:
      config.importing_from[request.slot] = request.node;
      break;
    case Action::stable:
      config.migrating_to[request.slot] = kNoNode;
      config.importing_from[request.slot] = kNoNode;
      break;
    case Action::node:
      assign(context, request);
      break;
  }
  context.todo.save = context.todo.update_state = true;
}

// Puts the command into the replication stream and lets its caller wait. False: nobody to wait for.
bool replicate_first(Context& context, const std::vector<std::string>& words,
                     const Request& request, sim::ActorId caller) {
  if (!context.rule(Rule::setslot_replicated_first) || context.my_record().replica ||
      context.memory().attached.empty() || context.in_exec) {
    return false;
  }
  PendingSetslot pending{.words = words,
                         .caller = caller,
                         .connection = context.caller.connection,
                         .times_out = request.times_out,
                         .acknowledged = {}};
  pending.needed = static_cast<std::uint8_t>(context.memory().attached.size());
  pending.offset = propagate_setslot(context, words);
  context.memory().pending.push_back(std::move(pending));
  context.reply_later = true;
  context.effects.note("SETSLOT waits for the replicas");
  return true;
}

Reply run(Context& context, const std::vector<std::string>& words) {
  Checked checked = check(context, words);
  if (checked.error) return *std::move(checked.error);
  execute(context, checked.request);
  return Reply::ok();
}

}  // namespace

Reply setslot(Context& context, const std::vector<std::string>& words, sim::ActorId caller) {
  if (words.size() < 4) {
    return Reply::error(context.settings.dialect.wording == Wording::redis_3_0
                            ? "ERR Wrong CLUSTER subcommand or number of arguments"
                            : "ERR wrong number of arguments for 'cluster|setslot' command");
  }
  if (context.my_record().replica) {
    return Reply::error("ERR Please use SETSLOT only with masters.");
  }
  Checked checked = check(context, words);
  if (checked.error) return *std::move(checked.error);
  if (replicate_first(context, words, checked.request, caller)) return Reply::nil();
  execute(context, checked.request);
  return Reply::ok();
}

Reply setslot_from_master(Context& context, const std::vector<std::string>& words) {
  return run(context, words);
}

Reply setslot_again(Context& context, const std::vector<std::string>& words) {
  if (context.my_record().replica) {
    return Reply::error("ERR Please use SETSLOT only with masters.");
  }
  return run(context, words);
}

}  // namespace slotlab::node
