// The table itself. SOURCE: Redis 7.0.15, src/commands/*.json; 3.0.7, redisCommandTable in
// src/redis.c.
#include "models/node/serving/command_table.h"

#include <algorithm>

#include "models/node/serving/dump.h"
#include "models/node/serving/key_commands.h"
#include "models/node/serving/migrate.h"
#include "models/node/serving/server_commands.h"
#include "models/node/words.h"

namespace slotlab::node {
namespace {

using protocol::Wording;
using Special = CommandInfo::Special;

constexpr Wording k70 = Wording::redis_7_0;

CommandInfo one_key(std::string_view name, int arity, std::string_view flags,
                    Reply (*run)(Context&, const Words&), Wording since = Wording::redis_3_0) {
  CommandInfo info{.name = name, .arity = arity, .flags = flags, .run = run, .since = since};
  info.keys = CommandInfo::Keys::range;
  info.first = info.last = 1;
  return info;
}

CommandInfo many_keys(std::string_view name, int arity, std::string_view flags,
                      Reply (*run)(Context&, const Words&), int last, int step = 1,
                      Wording since = Wording::redis_3_0) {
  CommandInfo info = one_key(name, arity, flags, run, since);
  info.last = last;
  info.step = step;
  return info;
}

CommandInfo no_key(std::string_view name, int arity, std::string_view flags,
                   Reply (*run)(Context&, const Words&)) {
  return {.name = name, .arity = arity, .flags = flags, .run = run};
}

CommandInfo special(std::string_view name, int arity, Special what,
                    Wording since = Wording::redis_3_0) {
  return {.name = name, .arity = arity, .special = what, .since = since};
}

std::vector<CommandInfo> string_commands() {
  return {one_key("get", 2, "r", get),
          one_key("set", -3, "w", set),
          one_key("setnx", 3, "w", setnx),
          one_key("getset", 3, "w", getset),
          one_key("getdel", 2, "w", getdel, k70),
          many_keys("mget", -2, "r", mget, -1),
          many_keys("mset", -3, "w", mset, -1, 2),
          many_keys("msetnx", -3, "w", msetnx, -1, 2),
          one_key("append", 3, "w", append),
          one_key("strlen", 2, "r", strlen_of),
          one_key("incr", 2, "w", incr),
          one_key("decr", 2, "w", incr),
          one_key("incrby", 3, "w", incr),
          one_key("decrby", 3, "w", incr)};
}

std::vector<CommandInfo> key_commands() {
  CommandInfo by_word_2 = one_key("object", -2, "r", object);
  by_word_2.first = by_word_2.last = 2;
  return {many_keys("del", -2, "w", del, -1),
          many_keys("unlink", -2, "w", del, -1, 1, k70),
          many_keys("exists", -2, "r", exists, -1),
          many_keys("touch", -2, "r", exists, -1, 1, k70),
          one_key("type", 2, "r", type_of),
          one_key("ttl", 2, "r", ttl),
          one_key("pttl", 2, "r", ttl),
          one_key("expire", -3, "w", expire),
          one_key("pexpire", -3, "w", expire),
          one_key("persist", 2, "w", persist),
          many_keys("rename", 3, "w", rename, 2),
          many_keys("renamenx", 3, "w", rename, 2),
          many_keys("copy", -3, "w", copy, 2, 1, k70),
          one_key("sort", -2, "w", sort),
          one_key("sort_ro", -2, "r", sort, k70),
          by_word_2};
}

std::vector<CommandInfo> moving_commands() {
  CommandInfo migrating = no_key("migrate", -6, "w", migrate);
  migrating.keys = CommandInfo::Keys::migrate;
  return {one_key("dump", 2, "r", dump), one_key("restore", -4, "w", restore),
          one_key("restore-asking", -4, "wa", restore), migrating};
}

std::vector<CommandInfo> other_commands() {
  return {no_key("ping", -1, "", ping),
          no_key("echo", 2, "", echo),
          no_key("dbsize", 1, "r", dbsize),
          no_key("select", 2, "", select),
          no_key("auth", -2, "", auth),
          no_key("flushall", -1, "w", flush),
          no_key("flushdb", -1, "w", flush),
          no_key("publish", 3, "", publish),
          many_keys("ssubscribe", -2, "p", ssubscribe, -1, 1, k70),
          one_key("spublish", 3, "p", publish, k70),
          many_keys("blpop", -3, "w", blocking_pop, -2),
          special("cluster", -2, Special::cluster),
          special("asking", 1, Special::asking),
          special("readonly", 1, Special::readonly),
          special("readwrite", 1, Special::readwrite),
          special("multi", 1, Special::multi),
          special("exec", 1, Special::exec),
          special("discard", 1, Special::discard),
          special("unwatch", 1, Special::unwatch),
          special("reset", 1, Special::reset, k70)};
}

CommandInfo watch_command() {
  CommandInfo info = many_keys("watch", -2, "", nullptr, -1);
  info.special = Special::watch;
  return info;
}

const std::vector<CommandInfo>& table() {
  static const std::vector<CommandInfo> kTable = [] {
    std::vector<CommandInfo> all = {watch_command()};
    for (const auto& part :
         {string_commands(), key_commands(), moving_commands(), other_commands()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return kTable;
}

// The key that MIGRATE names, or those after KEYS if that one is empty.
std::vector<std::string> migrate_keys(const Words& words) {
  for (std::size_t i = 6; i < words.size() && words[3].empty(); ++i) {
    const std::string word = lower(words[i]);
    if (word == "auth") {
      i += 1;
    } else if (word == "auth2") {
      i += 2;
    } else if (word == "keys") {
      return {words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end()};
    }
  }
  return {words[3]};
}

std::vector<std::string> numbered_keys(const Words& words) {
  const auto count = read_integer(words[2]);
  const auto room = static_cast<std::int64_t>(words.size()) - 3;
  if (!count || *count < 0 || *count > room) return {};
  return {words.begin() + 3, words.begin() + 3 + static_cast<std::ptrdiff_t>(*count)};
}

std::vector<std::string> range_keys(const CommandInfo& info, const Words& words) {
  const int count = static_cast<int>(words.size());
  const int last = info.last < 0 ? count + info.last : info.last;
  std::vector<std::string> keys;
  for (int i = info.first; i <= last && i < count; i += info.step) {
    keys.push_back(words[static_cast<std::size_t>(i)]);
  }
  return keys;
}

}  // namespace

const CommandInfo* find_command(const Context& context, std::string_view name) {
  const std::string wanted = lower(name);
  const auto at = std::find_if(table().begin(), table().end(), [&](const CommandInfo& info) {
    return info.name == wanted && info.since <= context.settings.dialect.wording;
  });
  return at == table().end() ? nullptr : &*at;
}

std::vector<std::string> keys_of(const CommandInfo& info, const Words& words) {
  switch (info.keys) {
    case CommandInfo::Keys::range:
      return range_keys(info, words);
    case CommandInfo::Keys::migrate:
      return migrate_keys(words);
    case CommandInfo::Keys::numbered:
      return numbered_keys(words);
    case CommandInfo::Keys::none:
      break;
  }
  return {};
}

RoutedRequest request_of(const CommandInfo& info, const Words& words) {
  return {.keys = keys_of(info, words),
          .write = info.has('w'),
          .writes_inside = false,
          .readonly_flag = info.has('r'),
          .asking_flag = info.has('a'),
          .migrate = info.keys == CommandInfo::Keys::migrate,
          .pubsubshard = info.has('p')};
}

RoutedRequest request_of_queue(const Context& context, const std::vector<Words>& queue) {
  RoutedRequest all;
  for (const Words& words : queue) {
    const CommandInfo* info = find_command(context, words[0]);
    if (info == nullptr) continue;
    for (std::string& key : keys_of(*info, words)) all.keys.push_back(std::move(key));
    all.writes_inside = all.writes_inside || info->has('w');
  }
  return all;
}

}  // namespace slotlab::node
