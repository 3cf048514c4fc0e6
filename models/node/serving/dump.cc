// DUMP and RESTORE with the checks in the servers' order.
#include "models/node/serving/dump.h"

#include "models/node/serving/keyspace.h"

namespace slotlab::node {
namespace {

using protocol::Wording;

constexpr std::string_view kMark = "dump:";

struct RestoreOptions {
  bool replace = false;
};

// IDLETIME and FREQ, whose numbers are checked and then forgotten: nothing is ever evicted here.
std::optional<Reply> read_number(const Words& words, std::size_t at, bool idle) {
  const auto number = read_integer(words[at]);
  if (!number) return not_an_integer();
  if (idle && *number < 0) return err("Invalid IDLETIME value, must be >= 0");
  if (!idle && (*number < 0 || *number > 255)) {
    return err("Invalid FREQ value, must be >= 0 and <= 255");
  }
  return std::nullopt;
}

std::optional<Reply> read_options(const Context& context, const Words& words,
                                  RestoreOptions& options) {
  const bool only_replace = worded_as(context, Wording::redis_3_0);
  bool idle = false, frequency = false;
  for (std::size_t i = 4; i < words.size(); ++i) {
    const std::string word = lower(words[i]);
    const bool one_more = i + 1 < words.size();
    if (word == "replace") {
      options.replace = true;
    } else if (only_replace) {
      return err("syntax error");
    } else if (word == "absttl") {
      return err("ABSTTL is not modelled: there is no clock");
    } else if (word == "idletime" && one_more && !frequency) {
      idle = true;
      if (auto refused = read_number(words, ++i, true)) return refused;
    } else if (word == "freq" && one_more && !idle) {
      frequency = true;
      if (auto refused = read_number(words, ++i, false)) return refused;
    } else {
      return err("syntax error");
    }
  }
  return std::nullopt;
}

}  // namespace

std::string payload_of(std::string_view value) { return std::string(kMark) + std::string(value); }

Reply dump(Context& context, const Words& words) {
  const std::string* value = read_key(context, words[1]);
  return value == nullptr ? Reply::nil() : Reply::bulk(payload_of(*value));
}

Reply restore(Context& context, const Words& words) {
  RestoreOptions options;
  if (auto refused = read_options(context, words, options)) return *std::move(refused);
  if (!options.replace && read_key(context, words[1]) != nullptr) {
    return Reply::error("BUSYKEY Target key name already exists.");
  }
  const auto ttl = read_integer(words[2]);
  if (!ttl) return not_an_integer();
  if (*ttl < 0) return err("Invalid TTL value, must be >= 0");
  if (!words[3].starts_with(kMark)) return err("DUMP payload version or checksum are wrong");
  store_key(context, words[1],
            {.value = words[3].substr(kMark.size()), .ttl_ms = static_cast<std::uint64_t>(*ttl)});
  return Reply::ok();
}

}  // namespace slotlab::node
