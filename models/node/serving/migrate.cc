// The stages of a MIGRATE. See migrate.h.
#include "models/node/serving/migrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "models/node/replication.h"
#include "models/node/serving/dump.h"
#include "models/node/serving/keyspace.h"
#include "models/node/step_codes.h"
#include "models/protocol/packet.h"
#include "sim/base/assert.h"

namespace slotlab::node {
namespace {

using protocol::Rule;
using protocol::Wording;
using Phase = Migration::Phase;

// Connections are told apart so that late answers of a closed one are not taken for those of the
// next. A few numbers are enough: when one returns, the answers of its last use have been read.
constexpr std::uint8_t kConnections = 8;

constexpr sim::Duration kTick = sim::milliseconds(1);

struct Options {
  bool copy = false, replace = false;
  std::vector<std::string> keys;
  bool keyed = false;
  Words auth;  // the words of the AUTH to send; empty: none
};

std::optional<Reply> read_options(const Context& context, const Words& words, Options& options) {
  const bool old = worded_as(context, Wording::redis_3_0);
  options.keys = {words[3]};
  for (std::size_t i = 6; i < words.size(); ++i) {
    const std::string word = lower(words[i]);
    const std::size_t left = words.size() - i - 1;
    if (word == "copy") {
      options.copy = true;
    } else if (word == "replace") {
      options.replace = true;
    } else if (word == "auth" && !old && left >= 1) {
      options.auth = {"AUTH", words[i + 1]};
      i += 1;
    } else if (word == "auth2" && !old && left >= 2) {
      options.auth = {"AUTH", words[i + 1], words[i + 2]};
      i += 2;
    } else if (word == "keys") {
      if (!words[3].empty()) {
        return err(
            "When using MIGRATE KEYS option, the key argument must be set to the empty string");
      }
      options.keyed = true;
      options.keys.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      return std::nullopt;
    } else {
      return err("syntax error");
    }
  }
  return std::nullopt;
}

sim::ActorId actor_at(const NodeSettings& settings, const std::string& ip,
                      const std::string& port) {
  std::uint16_t number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error != std::errc{} || end != port.data() + port.size()) return sim::kNoActor;
  const NodeId node = settings.directory.by_address(ip, number);
  return node == kNoNode ? sim::kNoActor : settings.directory[node].actor;
}

// The target as scenarios call it, else the address as typed.
std::string name_at(const NodeSettings& settings, sim::ActorId actor, const Words& words) {
  for (const protocol::Identity& identity : settings.directory.identities) {
    if (identity.actor == actor) return identity.name;
  }
  return fmt::format("{}:{}", words[1], words[2]);
}

bool goes_to_myself(const NodeState& state, const NodeSettings& settings) {
  return state.memory.migration->target == settings.directory[state.config.me].actor;
}

Words restore_words(Context& context, const Migration& migration, const std::string& key,
                    std::uint64_t& inherited_ttl) {
  const std::uint64_t own = ttl_of(context, key);
  const bool inherits = own == 0 && !context.rule(Rule::migrate_ttl_per_key);
  const std::uint64_t ttl_ms = inherits ? inherited_ttl : own;
  inherited_ttl = ttl_ms;
  Words words = {"RESTORE-ASKING", key, std::to_string(ttl_ms),
                 payload_of(context.state.keys[migration.slot].at(key))};
  if (migration.replace) words.push_back("REPLACE");
  return words;
}

void send_words(Context& context, const Migration& migration, Words words) {
  auto message = std::make_shared<protocol::Command>();
  message->words = std::move(words);
  message->connection = context.memory().data_connection;
  context.effects.send(migration.target, protocol::kData, std::move(message));
}

// Everything goes out in one write; the answers are read afterwards.
void send_all(Context& context) {
  Migration& migration = *context.memory().migration;
  migration.phase = Phase::reading;
  migration.greeted = 0;
  for (const Words& greeting : migration.greeting) send_words(context, migration, greeting);
  std::uint64_t inherited_ttl = 0;
  for (const std::string& key : migration.keys) {
    send_words(context, migration, restore_words(context, migration, key, inherited_ttl));
  }
}

void close_connection(Context& context) {
  std::uint8_t& number = context.memory().data_connection;
  number = static_cast<std::uint8_t>((number + 1) % kConnections);
}

// The deletions become known to replicas and file in one go, when the command ends.
Reply end_with(Context& context, Reply reply) {
  Migration& migration = *context.memory().migration;
  for (const auto& [key, stored] : migration.gone) {
    context.state.ghosts.erase(key);
    propagate_delete(context, migration.slot, key);
  }
  migration.gone.clear();
  return reply;
}

Reply target_error(const std::string& error) {
  return err(fmt::format("Target instance replied with error: {}", error));
}

Reply end_of_answers(Context& context) {
  const Migration& migration = *context.memory().migration;
  return end_with(context,
                  migration.error.empty() ? Reply::ok() : target_error(migration.error));
}

Reply io_error(Context& context, std::string_view doing) {
  const Migration& migration = *context.memory().migration;
  close_connection(context);
  if (!migration.error.empty() && migration.line_read) return end_of_answers(context);
  return end_with(context,
                  Reply::error(fmt::format("IOERR error or timeout {}", doing)));
}

// A connection that broke before any answer about a key is tried once more, with all keys.
std::optional<Reply> on_broken(Context& context) {
  Migration& migration = *context.memory().migration;
  if (migration.line_read || migration.retried) {
    return io_error(context, "reading to target instance");
  }
  close_connection(context);
  migration.retried = true;
  migration.phase = Phase::connecting;
  migration.error.clear();
  migration.greeting_failed = false;
  context.effects.note("the connection broke; sends all once more");
  return std::nullopt;
}

void on_greeting_answer(Migration& migration, const Reply& reply) {
  ++migration.greeted;
  if (!reply.is_error()) return;
  migration.greeting_failed = true;
  if (migration.error.empty()) migration.error = reply.text;
}

// Acknowledged: the key is deleted here at once. An error: it stays.
void on_key_answer(Context& context, const Reply& reply) {
  Migration& migration = *context.memory().migration;
  migration.line_read = true;
  const std::string key = migration.keys.front();
  migration.keys.erase(migration.keys.begin());
  if (reply.is_error()) {
    if (migration.error.empty()) migration.error = reply.text;
    return;
  }
  if (migration.greeting_failed || migration.copy) return;
  if (auto stored = remove_key_silently(context, migration.slot, key)) {
    migration.gone[key] = *std::move(stored);
  }
}

sim::Offer offer_of(DataStep step, sim::Need need, sim::ActorId peer, sim::Duration delay) {
  sim::Offer offer;
  offer.code = make_step(StepKind::data, 0u, static_cast<std::uint32_t>(step));
  offer.need = need;
  offer.peer = peer;
  offer.stream = protocol::kData;
  offer.delay_min = offer.delay_max = delay;
  return offer;
}

}  // namespace

Reply migrate(Context& context, const Words& words) {
  Options options;
  if (auto refused = read_options(context, words, options)) return *std::move(refused);
  const auto timeout = read_integer(words[5]);
  const auto db = read_integer(words[4]);
  if (!timeout || !db) return not_an_integer();
  Migration migration;
  migration.caller = context.caller;
  for (const std::string& key : options.keys) {
    if (read_key(context, key) != nullptr) migration.keys.push_back(key);
  }
  if (migration.keys.empty()) return Reply::status("NOKEY");
  migration.slot = *class_of_key(context.settings, migration.keys.front());
  migration.target = actor_at(context.settings, words[1], words[2]);
  migration.address = name_at(context.settings, migration.target, words);
  migration.keyed = options.keyed;
  migration.copy = options.copy;
  migration.replace = options.replace;
  migration.timeout_ms = *timeout <= 0 ? 1000 : static_cast<std::uint64_t>(*timeout);
  if (!options.auth.empty()) migration.greeting.push_back(options.auth);
  if (*db != 0) migration.greeting.push_back({"SELECT", std::to_string(*db)});
  context.memory().migration = std::move(migration);
  if (goes_to_myself(context.state, context.settings)) {
    context.memory().migration->phase = Phase::reading;  // and nobody there to answer
  }
  context.reply_later = true;
  return Reply::nil();
}

void offer_migration(const NodeState& state, const NodeSettings& settings,
                     std::vector<sim::Offer>& out) {
  const Migration& migration = *state.memory.migration;
  const sim::ActorId target = migration.target;
  const sim::Duration timeout = sim::milliseconds(migration.timeout_ms);
  if (goes_to_myself(state, settings)) {
    out.push_back(offer_of(DataStep::times_out, sim::Need::nothing, target, timeout));
    return;
  }
  if (target == sim::kNoActor) {
    out.push_back(offer_of(DataStep::refused, sim::Need::nothing, target, kTick));
    return;
  }
  if (migration.phase == Phase::connecting) {
    out.push_back(offer_of(DataStep::connect, sim::Need::room, target, {}));
    out.push_back(offer_of(DataStep::refused, sim::Need::dead, target, kTick));
    out.push_back(offer_of(DataStep::unreached, sim::Need::cut_off, target, timeout));
    return;
  }
  out.push_back(offer_of(DataStep::times_out, sim::Need::cut_off, target, timeout));
  if (settings.slow_target_budget != sim::kNoBudget) {
    sim::Offer slow = offer_of(DataStep::is_slow, sim::Need::reachable, target, timeout);
    slow.budget = settings.slow_target_budget;
    slow.fair = false;
    out.push_back(slow);
  }
  out.push_back(offer_of(DataStep::breaks, sim::Need::dead, target, kTick));
}

std::optional<Reply> take_migration_step(Context& context, sim::StepCode code) {
  SIM_ASSERT(context.memory().migration.has_value());
  switch (static_cast<DataStep>(step_b(code))) {
    case DataStep::connect:
      send_all(context);
      return std::nullopt;
    case DataStep::refused:
      return io_error(context, "writing to target instance");
    case DataStep::unreached:
      return io_error(context, "connecting to the client");
    case DataStep::times_out:
    case DataStep::is_slow:
      return io_error(context, "reading to target instance");
    case DataStep::breaks:
      return on_broken(context);
    case DataStep::key_expires:
    case DataStep::key_deleted:
      break;
  }
  SIM_ASSERT(false, std::string("a step of a key, not of a migration"));
}

std::optional<Reply> on_target_answer(Context& context, sim::ActorId from,
                                      const protocol::ReplyMessage& answer) {
  std::optional<Migration>& migration = context.memory().migration;
  if (!migration || migration->target != from || migration->phase != Phase::reading ||
      answer.connection != context.memory().data_connection) {
    context.effects.note("the answer to a MIGRATE that is over");
    return std::nullopt;
  }
  if (migration->greeted < migration->greeting.size()) {
    on_greeting_answer(*migration, answer.reply);
  } else {
    on_key_answer(context, answer.reply);
  }
  if (!migration->keys.empty()) return std::nullopt;
  return end_of_answers(context);
}

std::optional<Reply> on_target_gone(Context& context, sim::ActorId from) {
  const std::optional<Migration>& migration = context.memory().migration;
  if (!migration || migration->target != from || migration->phase != Phase::reading) {
    return std::nullopt;
  }
  return on_broken(context);
}

std::string migration_step_text(const Migration& migration, sim::StepCode code) {
  const std::string& target = migration.address;
  switch (static_cast<DataStep>(step_b(code))) {
    case DataStep::connect:
      return fmt::format("connects to {} and sends {} key(s)", target, migration.keys.size());
    case DataStep::refused:
      return fmt::format("is refused a connection by {}", target);
    case DataStep::unreached:
      return fmt::format("cannot connect to {}", target);
    case DataStep::times_out:
      return fmt::format("waits for {} in vain", target);
    case DataStep::is_slow:
      return fmt::format("gives up waiting for {}, though it can be reached", target);
    default:
      return fmt::format("finds its connection to {} broken", target);
  }
}

}  // namespace slotlab::node
