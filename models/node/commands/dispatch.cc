// The order of checks, and MULTI. See dispatch.h.
#include "models/node/commands/dispatch.h"

#include <fmt/format.h>

#include <utility>

#include "models/node/commands/commands.h"
#include "models/node/serving/command_table.h"
#include "models/node/serving/keyspace.h"

namespace slotlab::node {
namespace {

using protocol::Rule;
using protocol::Wording;
using Special = CommandInfo::Special;

Reply unknown_command(const Context& context, const Words& words) {
  const std::string_view name = std::string_view(words[0]).substr(0, 128);
  if (worded_as(context, Wording::redis_3_0)) return err(fmt::format("unknown command '{}'", name));
  std::string args;
  for (std::size_t i = 1; i < words.size() && args.size() < 128; ++i) {
    args += fmt::format("'{}' ", std::string_view(words[i]).substr(0, 128 - args.size()));
  }
  return err(fmt::format("unknown command '{}', with args beginning with: {}", name, args));
}

bool has_arity(const CommandInfo& info, const Words& words) {
  const int count = static_cast<int>(words.size());
  return info.arity < 0 ? count >= -info.arity : count == info.arity;
}

void end_transaction(Connection& connection) {
  connection.in_multi = connection.dirty_exec = connection.dirty_cas = false;
  connection.queue.clear();
  connection.watched.clear();
}

// Steps 1 and 2, and for CLUSTER its subcommand as well where the version's table has it.
std::optional<Reply> check_words(const Context& context, const CommandInfo* info,
                                 const Words& words) {
  if (info == nullptr) return unknown_command(context, words);
  if (!has_arity(*info, words)) {
    return err(fmt::format("wrong number of arguments for '{}' command", info->name));
  }
  if (info->special == Special::cluster && !worded_as(context, Wording::redis_3_0)) {
    return check_cluster_words(context, words);
  }
  return std::nullopt;
}

bool is_exec(const CommandInfo& info) { return info.special == Special::exec; }

// Step 7, and what 3.0 asks before it.
std::optional<Reply> check_routing(const Context& context, const CommandInfo& info,
                                   const Words& words, const Connection& connection) {
  const bool routed_exec = is_exec(info) && context.rule(Rule::exec_reroutes);
  if (!info.may_have_keys() && !routed_exec) return std::nullopt;
  if (context.rule(Rule::cluster_down_checked_first) && !context.state.memory.state_ok) {
    return Reply::error("CLUSTERDOWN The cluster is down");
  }
  if (!routed_exec) return route(context, request_of(info, words), connection);
  if (!connection.in_multi) return std::nullopt;
  return route(context, request_of_queue(context, connection.queue), connection);
}

// Step 11.
std::optional<Reply> check_replica(const Context& context, const CommandInfo& info,
                                   const Connection& connection) {
  const bool writes = info.has('w') || (is_exec(info) && connection.in_multi &&
                                        request_of_queue(context, connection.queue).writes_inside);
  if (!writes || !context.state.config.nodes.at(context.me()).replica) return std::nullopt;
  return Reply::error(fmt::format("READONLY You can't write against a read only {}.",
                                  worded_as(context, Wording::redis_3_0) ? "slave" : "replica"));
}

// A refusal poisons a transaction; at EXEC it ends it.
Reply refuse(const CommandInfo* info, Connection& connection, Reply reply) {
  if (info != nullptr && is_exec(*info) && connection.in_multi) {
    end_transaction(connection);
    return Reply::error("EXECABORT Transaction discarded because of: " + reply.text);
  }
  if (connection.in_multi) connection.dirty_exec = true;
  return reply;
}

Reply redirect(const CommandInfo& info, Connection& connection, Reply reply) {
  if (is_exec(info)) {
    end_transaction(connection);
  } else if (connection.in_multi) {
    connection.dirty_exec = true;
  }
  return reply;
}

// Whether a command in a transaction is run at once instead of queued.
bool runs_in_multi(const CommandInfo& info) {
  switch (info.special) {
    case Special::exec:
    case Special::discard:
    case Special::multi:
    case Special::watch:
    case Special::reset:
      return true;
    default:
      return false;
  }
}

Reply run_special(Context& context, const CommandInfo& info, const Words& words,
                  Connection& connection);

Reply run_one(Context& context, const CommandInfo& info, const Words& words,
              Connection& connection) {
  if (info.special == Special::none) return info.run(context, words);
  return run_special(context, info, words, connection);
}

// Runs queued commands, none of which is routed again. Nothing: a MIGRATE among them has begun, and
// what is left waits with it.
std::optional<Reply> run_queue(Context& context, const std::vector<Words>& queue,
                               std::vector<Reply> replies, Connection& connection) {
  context.in_exec = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const CommandInfo* info = find_command(context, queue[i][0]);
    Reply reply = run_one(context, *info, queue[i], connection);
    if (context.reply_later) {
      Migration& migration = *context.memory().migration;
      migration.in_exec = true;
      migration.rest.assign(queue.begin() + static_cast<std::ptrdiff_t>(i) + 1, queue.end());
      migration.replies = std::move(replies);
      return std::nullopt;
    }
    replies.push_back(std::move(reply));
  }
  context.in_exec = false;
  return Reply::array(std::move(replies));
}

Reply exec(Context& context, Connection& connection) {
  if (!connection.in_multi) return err("EXEC without MULTI");
  const Connection before = connection;
  end_transaction(connection);
  if (before.dirty_exec) {
    return Reply::error("EXECABORT Transaction discarded because of previous errors.");
  }
  if (before.dirty_cas) return Reply::nil();
  return run_queue(context, before.queue, {}, connection).value_or(Reply::nil());
}

Reply watch(const Words& words, Connection& connection) {
  if (connection.in_multi) return err("WATCH inside MULTI is not allowed");
  connection.watched.insert(words.begin() + 1, words.end());
  return Reply::ok();
}

Reply discard(Connection& connection) {
  if (!connection.in_multi) return err("DISCARD without MULTI");
  end_transaction(connection);
  return Reply::ok();
}

Reply run_special(Context& context, const CommandInfo& info, const Words& words,
                  Connection& connection) {
  switch (info.special) {
    case Special::cluster:
      return run_cluster(context, words);
    case Special::asking:
      connection.asking = true;
      break;
    case Special::readonly:
      connection.readonly = true;
      break;
    case Special::readwrite:
      connection.readonly = false;
      break;
    case Special::multi:
      if (connection.in_multi) return err("MULTI calls can not be nested");
      connection.in_multi = true;
      break;
    case Special::exec:
      return exec(context, connection);
    case Special::discard:
      return discard(connection);
    case Special::watch:
      return watch(words, connection);
    case Special::unwatch:
      connection.watched.clear();
      connection.dirty_cas = false;
      break;
    case Special::reset:
      connection = {};
      return Reply::status("RESET");
    case Special::none:
      break;
  }
  return Reply::ok();
}

Reply process(Context& context, const CommandInfo* info, const Words& words,
              Connection& connection) {
  if (auto refused = check_words(context, info, words)) {
    return refuse(info, connection, *std::move(refused));
  }
  if (auto refused = check_routing(context, *info, words, connection)) {
    return redirect(*info, connection, *std::move(refused));
  }
  if (auto refused = check_replica(context, *info, connection)) {
    return refuse(info, connection, *std::move(refused));
  }
  if (connection.in_multi && !runs_in_multi(*info)) {
    connection.queue.push_back(words);
    return Reply::status("QUEUED");
  }
  return run_one(context, *info, words, connection);
}

// ASKING holds for one command, whatever became of it; in a transaction until that ends.
void end_asking(const CommandInfo* info, Connection& connection) {
  const bool is_asking = info != nullptr && info->special == Special::asking;
  if (!is_asking && !connection.in_multi) connection.asking = false;
}

void forget_if_new(Context& context) {
  auto& connections = context.memory().connections;
  const auto at = connections.find(context.caller);
  if (at != connections.end() && at->second == Connection{}) connections.erase(at);
}

}  // namespace

Reply serve(Context& context, const Words& words) {
  if (words.empty()) {
    context.effects.note("empty command: no answer on a real connection");
    return err("empty command");
  }
  Connection& connection = context.memory().connections[context.caller];
  const CommandInfo* info = find_command(context, words[0]);
  Reply reply = process(context, info, words, connection);
  end_asking(info, connection);
  forget_if_new(context);
  return reply;
}

std::optional<Reply> go_on(Context& context, Migration ended, Reply reply) {
  if (!ended.in_exec) return reply;
  context.caller = ended.caller;
  context.reply_later = false;
  ended.replies.push_back(std::move(reply));
  Connection& connection = context.memory().connections[context.caller];
  auto answer = run_queue(context, ended.rest, std::move(ended.replies), connection);
  end_asking(nullptr, connection);
  forget_if_new(context);
  return answer;
}

}  // namespace slotlab::node
