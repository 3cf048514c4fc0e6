// Commands on keys of any type. Times do not run here (see Expiry): what is left of an expiry is
// what it was set to.
#include "models/node/serving/key_commands.h"

#include <fmt/format.h>

#include <limits>

#include "models/node/serving/keyspace.h"

namespace slotlab::node {
namespace {

using protocol::Wording;

// When a new expiry is set in view of the old one (7.0 and later).
struct ExpireWhen {
  bool nx = false, xx = false, gt = false, lt = false;
};

std::optional<Reply> read_when(const Context& context, const Words& words, ExpireWhen& when) {
  if (words.size() > 3 && worded_as(context, Wording::redis_3_0)) {
    return err(fmt::format("wrong number of arguments for '{}' command", lower(words[0])));
  }
  for (std::size_t i = 3; i < words.size(); ++i) {
    const std::string word = lower(words[i]);
    if (word != "nx" && word != "xx" && word != "gt" && word != "lt") {
      return err(fmt::format("Unsupported option {}", words[i]));
    }
    when.nx |= word == "nx";
    when.xx |= word == "xx";
    when.gt |= word == "gt";
    when.lt |= word == "lt";
  }
  if (when.nx && (when.xx || when.gt || when.lt)) {
    return err("NX and XX, GT or LT options at the same time are not compatible");
  }
  if (when.gt && when.lt) return err("GT and LT options at the same time are not compatible");
  return std::nullopt;
}

bool allows(const ExpireWhen& when, std::uint64_t before, std::uint64_t after) {
  if (when.nx && before != 0) return false;
  if (when.xx && before == 0) return false;
  if (when.gt && (before == 0 || after <= before)) return false;
  return !when.lt || before == 0 || after < before;
}

}  // namespace

Reply del(Context& context, const Words& words) {
  std::int64_t count = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (read_key(context, words[i]) == nullptr) continue;
    remove_key(context, words[i]);
    ++count;
  }
  return Reply::integer(count);
}

Reply exists(Context& context, const Words& words) {
  std::int64_t count = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (read_key(context, words[i]) != nullptr) ++count;
  }
  return Reply::integer(count);
}

Reply type_of(Context& context, const Words& words) {
  return Reply::status(read_key(context, words[1]) == nullptr ? "none" : "string");
}

Reply ttl(Context& context, const Words& words) {
  if (read_key(context, words[1]) == nullptr) return Reply::integer(-2);
  if (!is_volatile(context, words[1])) return Reply::integer(-1);
  const auto ms = static_cast<std::int64_t>(ttl_of(context, words[1]));
  return Reply::integer(same_word(words[0], "PTTL") ? ms : (ms + 500) / 1000);
}

Reply expire(Context& context, const Words& words) {
  ExpireWhen when;
  if (auto refused = read_when(context, words, when)) return *std::move(refused);
  const auto number = read_integer(words[2]);
  if (!number) return not_an_integer();
  const std::int64_t unit = same_word(words[0], "PEXPIRE") ? 1 : 1000;
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() / unit;
  if (*number > most || *number < -most) {
    return err(fmt::format("invalid expire time in '{}' command", lower(words[0])));
  }
  if (read_key(context, words[1]) == nullptr) return Reply::integer(0);
  const auto ttl_ms = static_cast<std::uint64_t>(*number > 0 ? *number * unit : 0);
  if (!allows(when, ttl_of(context, words[1]), ttl_ms)) return Reply::integer(0);
  if (ttl_ms == 0) {
    remove_key(context, words[1]);
  } else {
    set_ttl(context, words[1], ttl_ms);
  }
  return Reply::integer(1);
}

Reply persist(Context& context, const Words& words) {
  if (read_key(context, words[1]) == nullptr || !is_volatile(context, words[1])) {
    return Reply::integer(0);
  }
  set_ttl(context, words[1], 0);
  return Reply::integer(1);
}

Reply rename(Context& context, const Words& words) {
  const bool only_new = same_word(words[0], "RENAMENX");
  const std::string* value = read_key(context, words[1]);
  if (value == nullptr) return err("no such key");
  if (words[1] == words[2]) return only_new ? Reply::integer(0) : Reply::ok();
  if (only_new && read_key(context, words[2]) != nullptr) return Reply::integer(0);
  Stored stored{.value = *value, .ttl_ms = ttl_of(context, words[1])};
  store_key(context, words[2], std::move(stored));
  remove_key(context, words[1]);
  return only_new ? Reply::integer(1) : Reply::ok();
}

Reply copy(Context& context, const Words& words) {
  bool replace = false;
  for (std::size_t i = 3; i < words.size(); ++i) {
    if (same_word(words[i], "REPLACE")) {
      replace = true;
    } else if (same_word(words[i], "DB") && i + 1 < words.size()) {
      if (words[++i] != "0") return err("DB index is out of range");
    } else {
      return err("syntax error");
    }
  }
  if (words[1] == words[2]) return err("source and destination objects are the same");
  const std::string* value = read_key(context, words[1]);
  if (value == nullptr) return Reply::integer(0);
  if (!replace && read_key(context, words[2]) != nullptr) return Reply::integer(0);
  store_key(context, words[2], {.value = *value, .ttl_ms = ttl_of(context, words[1])});
  return Reply::integer(1);
}

Reply object(Context& context, const Words& words) {
  if (!same_word(words[1], "ENCODING") || words.size() != 3) {
    return err(fmt::format("OBJECT {} is not modelled", words[1]));
  }
  const std::string* value = read_key(context, words[2]);
  if (value == nullptr) return Reply::nil();
  const std::size_t embedded = worded_as(context, Wording::redis_3_0) ? 39 : 44;
  if (value->size() <= 20 && read_integer(*value)) return Reply::bulk("int");
  return Reply::bulk(value->size() <= embedded ? "embstr" : "raw");
}

Reply sort(Context& context, const Words& words) {
  if (read_key(context, words[1]) == nullptr) return Reply::array({});
  return Reply::error("WRONGTYPE Operation against a key holding the wrong kind of value");
}

}  // namespace slotlab::node
