// What a node knows about each command besides CLUSTER's: how many words, whether it reads or
// writes, where its keys are, and the function that runs it. Routing and the order of checks look
// at nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/node/context.h"
#include "models/node/serving/routing.h"

namespace slotlab::node {

struct CommandInfo {
  // Commands that the connection itself runs: transactions and flags.
  enum class Special : std::uint8_t {
    none,
    cluster,
    asking,
    readonly,
    readwrite,
    multi,
    exec,
    discard,
    watch,
    unwatch,
    reset,
  };
  enum class Keys : std::uint8_t {
    none,
    range,      // from word `first` to word `last` (negative: from the end) in steps of `step`
    migrate,
    numbered,   // word 2 says how many follow (EVAL)
  };
  std::string_view name = {};
  int arity = 0;  // words, the name included; negative: at least
  std::string_view flags = {};  // w: write, r: readonly, a: asking, p: sharded pub/sub
  Keys keys = Keys::none;
  int first = 0, last = 0, step = 1;
  Reply (*run)(Context&, const Words&) = nullptr;
  Special special = Special::none;
  protocol::Wording since = protocol::Wording::redis_3_0;

  bool has(char flag) const { return flags.find(flag) != std::string_view::npos; }
  bool may_have_keys() const { return keys != Keys::none; }
};

// nullptr: the version does not know it. Letter case does not matter.
const CommandInfo* find_command(const Context& context, std::string_view name);

// The keys of a command that has the right number of words. A command whose words do not say which
// keys it means has none.
std::vector<std::string> keys_of(const CommandInfo& info, const Words& words);
RoutedRequest request_of(const CommandInfo& info, const Words& words);
// EXEC: the queued commands together.
RoutedRequest request_of_queue(const Context& context, const std::vector<Words>& queue);

}  // namespace slotlab::node
