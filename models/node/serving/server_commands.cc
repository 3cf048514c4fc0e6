// What a node answers without looking at a key. SOURCE: Redis 7.0.15, src/server.c, src/acl.c,
// src/db.c and src/pubsub.c.
#include "models/node/serving/server_commands.h"

#include <fmt/format.h>

#include "models/node/serving/keyspace.h"

namespace slotlab::node {
namespace {

using protocol::Wording;

Reply wrong_number(const Words& words) {
  return err(fmt::format("wrong number of arguments for '{}' command", lower(words[0])));
}

}  // namespace

Reply ping(Context&, const Words& words) {
  if (words.size() > 2) return wrong_number(words);
  return words.size() == 2 ? Reply::bulk(words[1]) : Reply::status("PONG");
}

Reply echo(Context&, const Words& words) { return Reply::bulk(words[1]); }

Reply dbsize(Context& context, const Words&) {
  return Reply::integer(static_cast<std::int64_t>(key_count(context.state)));
}

Reply select(Context& context, const Words& words) {
  const auto number = read_integer(words[1]);
  if (!number) {
    return worded_as(context, Wording::redis_3_0) ? err("invalid DB index") : not_an_integer();
  }
  return *number == 0 ? Reply::ok() : err("SELECT is not allowed in cluster mode");
}

// No server here has a password.
Reply auth(Context& context, const Words& words) {
  if (worded_as(context, Wording::redis_3_0)) {
    return words.size() == 2 ? err("Client sent AUTH, but no password is set")
                             : wrong_number(words);
  }
  if (words.size() > 3) return err("syntax error");
  if (words.size() == 2) {
    return err(
        "AUTH <password> called without any password configured for the default user. Are you sure "
        "your configuration is correct?");
  }
  if (words[1] == "default") return Reply::ok();
  return Reply::error("WRONGPASS invalid username-password pair or user is disabled.");
}

Reply flush(Context& context, const Words& words) {
  const bool known = words.size() == 1 || (words.size() == 2 && (same_word(words[1], "SYNC") ||
                                                                 same_word(words[1], "ASYNC")));
  if (!known) return err("syntax error");
  remove_all_keys(context);
  return Reply::ok();
}

Reply publish(Context&, const Words&) { return Reply::integer(0); }

Reply ssubscribe(Context&, const Words& words) {
  std::vector<Reply> items = {Reply::bulk("ssubscribe"), Reply::bulk(words.back()),
                              Reply::integer(static_cast<std::int64_t>(words.size()) - 1)};
  return Reply::array(std::move(items));
}

Reply blocking_pop(Context& context, const Words& words) {
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (read_key(context, words[i]) == nullptr) continue;
    return Reply::error("WRONGTYPE Operation against a key holding the wrong kind of value");
  }
  return err(fmt::format("{} would wait here, which is not modelled", words[0]));
}

}  // namespace slotlab::node
