// Strings. A value is kept as its bytes; numbers are numbers only while a command counts with them.
#include <fmt/format.h>

#include <limits>

#include "models/node/serving/key_commands.h"
#include "models/node/serving/keyspace.h"

namespace slotlab::node {
namespace {

using protocol::Wording;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

Reply value_reply(const std::string* value) {
  return value == nullptr ? Reply::nil() : Reply::bulk(*value);
}

Reply wrong_number(const Words& words) {
  return err(fmt::format("wrong number of arguments for '{}' command", lower(words[0])));
}

// What the words after key and value of a SET ask for.
struct SetOptions {
  bool nx = false, xx = false, keep_ttl = false, get = false;
  std::optional<std::uint64_t> ttl_ms;
};

// The time of EX or PX in milliseconds, or the error.
std::optional<Reply> read_ttl(const Context& context, const std::string& word, bool seconds,
                              SetOptions& options) {
  const auto number = read_integer(word);
  if (!number) return not_an_integer();
  if (*number <= 0 || (seconds && *number > kMax / 1000)) {
    return err(worded_as(context, Wording::redis_3_0) ? "invalid expire time in SET"
                                                      : "invalid expire time in 'set' command");
  }
  options.ttl_ms = static_cast<std::uint64_t>(*number) * (seconds ? 1000 : 1);
  return std::nullopt;
}

std::optional<Reply> read_options(const Context& context, const Words& words,
                                  SetOptions& options) {
  const bool old = worded_as(context, Wording::redis_3_0);
  std::optional<std::size_t> ttl_at;
  bool seconds = false;
  for (std::size_t i = 3; i < words.size(); ++i) {
    const std::string word = lower(words[i]);
    if (word == "nx" && !options.xx) {
      options.nx = true;
    } else if (word == "xx" && !options.nx) {
      options.xx = true;
    } else if (word == "get" && !old) {
      options.get = true;
    } else if (word == "keepttl" && !old && !ttl_at) {
      options.keep_ttl = true;
    } else if ((word == "ex" || word == "px") && i + 1 < words.size() && !ttl_at &&
               !options.keep_ttl) {
      seconds = word == "ex";
      ttl_at = ++i;
    } else {
      return err("syntax error");
    }
  }
  return ttl_at ? read_ttl(context, words[*ttl_at], seconds, options) : std::nullopt;
}

// The difference that INCR and its kin ask for, or the error.
std::optional<Reply> read_difference(const Words& words, std::int64_t& out) {
  const std::string name = lower(words[0]);
  out = 1;
  if (words.size() > 2) {
    const auto number = read_integer(words[2]);
    if (!number) return not_an_integer();
    out = *number;
  }
  if (!name.starts_with("decr")) return std::nullopt;
  if (out == kMin) return err("decrement would overflow");
  out = -out;
  return std::nullopt;
}

}  // namespace

Reply get(Context& context, const Words& words) { return value_reply(read_key(context, words[1])); }

Reply set(Context& context, const Words& words) {
  SetOptions options;
  if (auto refused = read_options(context, words, options)) return *std::move(refused);
  const std::string* before = read_key(context, words[1]);
  const Reply old = value_reply(before);
  if ((options.nx && before != nullptr) || (options.xx && before == nullptr)) {
    return options.get ? old : Reply::nil();
  }
  const std::uint64_t kept = options.keep_ttl ? ttl_of(context, words[1]) : 0;
  store_key(context, words[1], {.value = words[2], .ttl_ms = options.ttl_ms.value_or(kept)});
  return options.get ? old : Reply::ok();
}

Reply setnx(Context& context, const Words& words) {
  if (read_key(context, words[1]) != nullptr) return Reply::integer(0);
  store_key(context, words[1], {.value = words[2]});
  return Reply::integer(1);
}

Reply getset(Context& context, const Words& words) {
  const Reply old = value_reply(read_key(context, words[1]));
  store_key(context, words[1], {.value = words[2]});
  return old;
}

Reply getdel(Context& context, const Words& words) {
  const Reply old = value_reply(read_key(context, words[1]));
  remove_key(context, words[1]);
  return old;
}

Reply mget(Context& context, const Words& words) {
  std::vector<Reply> values;
  for (std::size_t i = 1; i < words.size(); ++i) {
    values.push_back(value_reply(read_key(context, words[i])));
  }
  return Reply::array(std::move(values));
}

Reply mset(Context& context, const Words& words) {
  if (words.size() % 2 == 0) {
    return worded_as(context, Wording::redis_3_0) ? err("wrong number of arguments for MSET")
                                                  : wrong_number(words);
  }
  for (std::size_t i = 1; i < words.size(); i += 2) {
    store_key(context, words[i], {.value = words[i + 1]});
  }
  return Reply::ok();
}

Reply msetnx(Context& context, const Words& words) {
  for (std::size_t i = 1; i < words.size(); i += 2) {
    if (read_key(context, words[i]) != nullptr) return Reply::integer(0);
  }
  const Reply stored = mset(context, words);
  return stored.is_error() ? stored : Reply::integer(1);
}

Reply append(Context& context, const Words& words) {
  const std::string* before = read_key(context, words[1]);
  std::string value = (before == nullptr ? std::string() : *before) + words[2];
  const auto size = static_cast<std::int64_t>(value.size());
  store_key(context, words[1], {.value = std::move(value), .ttl_ms = ttl_of(context, words[1])});
  return Reply::integer(size);
}

Reply strlen_of(Context& context, const Words& words) {
  const std::string* value = read_key(context, words[1]);
  return Reply::integer(value == nullptr ? 0 : static_cast<std::int64_t>(value->size()));
}

Reply incr(Context& context, const Words& words) {
  std::int64_t difference = 0;
  if (auto refused = read_difference(words, difference)) return *std::move(refused);
  const std::string* before = read_key(context, words[1]);
  const auto number = before == nullptr ? std::optional<std::int64_t>(0) : read_integer(*before);
  if (!number) return not_an_integer();
  const bool overflows = (difference > 0 && *number > kMax - difference) ||
                         (difference < 0 && *number < kMin - difference);
  if (overflows) return err("increment or decrement would overflow");
  const std::int64_t sum = *number + difference;
  store_key(context, words[1],
            {.value = std::to_string(sum), .ttl_ms = ttl_of(context, words[1])});
  return Reply::integer(sum);
}

}  // namespace slotlab::node
