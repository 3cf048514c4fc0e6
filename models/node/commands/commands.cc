// The table of CLUSTER subcommands: name, number of words, since when, and the function that runs
// it.
// SOURCE: Redis 7.0.15, src/commands/cluster-*.json and clusterCommand in src/cluster.c; node.md
// 2.0.
#include "models/node/commands/commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/node/commands/epoch_commands.h"
#include "models/node/commands/info_commands.h"
#include "models/node/commands/node_commands.h"
#include "models/node/commands/slot_commands.h"
#include "models/node/ownership/setslot.h"

namespace slotlab::node {

namespace {

using protocol::Wording;

using Run = Reply (*)(Context&, const Words&, sim::ActorId);

struct Subcommand {
  std::string_view name;
  std::size_t least;    // words, CLUSTER and the subcommand included
  std::size_t most;     // 0: any number
  Wording since;
  // The servers' command table has only a least number and leaves it to the command to refuse more.
  bool table_knows_most = true;
  bool pairs = false;   // the words after the subcommand come in pairs
  Run run;
};

Reply not_modelled(Context&, const Words& words, sim::ActorId) {
  return err(fmt::format("CLUSTER {} is not modelled", words[1]));
}

constexpr Wording kAlways = Wording::redis_3_0;
constexpr Wording k70 = Wording::redis_7_0;
constexpr Wording k72 = Wording::redis_7_2;

const std::vector<Subcommand>& table() {
  using W = const Words&;
  using A = sim::ActorId;
  static const std::vector<Subcommand> kTable = {
      {"addslots", 3, 0, kAlways, true, false,
       [](Context& c, W w, A) { return add_slots(c, w); }},
      {"addslotsrange", 4, 0, k70, true, true,
       [](Context& c, W w, A) { return add_slots_range(c, w); }},
      {"bumpepoch", 2, 2, kAlways, true, false, [](Context& c, W, A) { return bump_epoch(c); }},
      {"count-failure-reports", 3, 3, kAlways, true, false,
       [](Context& c, W w, A) { return count_failure_reports(c, w); }},
      {"countkeysinslot", 3, 3, kAlways, true, false,
       [](Context& c, W w, A) { return count_keys_in_slot(c, w); }},
      {"delslots", 3, 0, kAlways, true, false,
       [](Context& c, W w, A) { return del_slots(c, w); }},
      {"delslotsrange", 4, 0, k70, true, true,
       [](Context& c, W w, A) { return del_slots_range(c, w); }},
      {"failover", 2, 3, kAlways, false, false,
       [](Context& c, W w, A) { return failover(c, w); }},
      {"flushslots", 2, 2, kAlways, true, false, [](Context& c, W, A) { return flush_slots(c); }},
      {"forget", 3, 3, kAlways, true, false, [](Context& c, W w, A) { return forget(c, w); }},
      {"getkeysinslot", 4, 4, kAlways, true, false,
       [](Context& c, W w, A) { return get_keys_in_slot(c, w); }},
      {"help", 2, 2, k70, true, false, not_modelled},
      {"info", 2, 2, kAlways, true, false, [](Context& c, W, A) { return cluster_info(c); }},
      {"keyslot", 3, 3, kAlways, true, false, [](Context&, W w, A) { return key_slot_of(w); }},
      {"links", 2, 2, k70, true, false, not_modelled},
      {"meet", 4, 5, kAlways, false, false, [](Context& c, W w, A) { return meet(c, w); }},
      {"myid", 2, 2, kAlways, true, false, [](Context& c, W, A) { return my_id(c); }},
      {"myshardid", 2, 2, k72, true, false, [](Context& c, W, A) { return my_shard_id(c); }},
      {"nodes", 2, 2, kAlways, true, false, [](Context& c, W, A) { return cluster_nodes(c); }},
      {"replicas", 3, 3, k70, true, false, [](Context& c, W w, A) { return replicas_of(c, w); }},
      {"replicate", 3, 3, kAlways, true, false,
       [](Context& c, W w, A) { return replicate(c, w); }},
      {"reset", 2, 3, kAlways, false, false, [](Context& c, W w, A) { return reset(c, w); }},
      {"saveconfig", 2, 2, kAlways, true, false,
       [](Context& c, W, A) { return save_config_now(c); }},
      {"set-config-epoch", 3, 3, kAlways, true, false,
       [](Context& c, W w, A) { return set_config_epoch(c, w); }},
      {"setslot", 4, 0, kAlways, true, false, setslot},
      {"shards", 2, 2, k70, true, false, [](Context& c, W, A) { return cluster_shards(c); }},
      {"slaves", 3, 3, kAlways, true, false, [](Context& c, W w, A) { return replicas_of(c, w); }},
      {"slots", 2, 2, kAlways, true, false, [](Context& c, W, A) { return cluster_slots(c); }},
  };
  return kTable;
}

const Subcommand* find(const Context& context, std::string_view word) {
  const std::string name = lower(word);
  for (const Subcommand& entry : table()) {
    if (entry.name == name && entry.since <= context.settings.dialect.wording) return &entry;
  }
  return nullptr;
}

Reply unknown_subcommand(const Context& context, std::string_view word) {
  if (worded_as(context, Wording::redis_3_0)) {
    return err("Wrong CLUSTER subcommand or number of arguments");
  }
  return err(fmt::format("unknown subcommand '{}'. Try CLUSTER HELP.", word.substr(0, 128)));
}

Reply wrong_arity(std::string_view command) {
  return err(fmt::format("wrong number of arguments for '{}' command", command));
}

// The number of words is right, or how the version says that it is not.
std::optional<Reply> check_arity(const Context& context, const Subcommand& entry,
                                 const Words& words) {
  const bool too_few = words.size() < entry.least;
  const bool too_many = entry.most != 0 && words.size() > entry.most;
  const bool odd = entry.pairs && words.size() % 2 != 0;
  if (!too_few && !too_many && !odd) return std::nullopt;
  const bool by_table = too_few || odd || entry.table_knows_most;
  if (worded_as(context, Wording::redis_3_0) || !by_table) {
    return unknown_subcommand(context, words[1]);
  }
  return wrong_arity(fmt::format("cluster|{}", entry.name));
}

}  // namespace

std::optional<Reply> check_cluster_words(const Context& context, const Words& words) {
  if (words.size() < 2) return wrong_arity("cluster");
  const Subcommand* entry = find(context, words[1]);
  if (entry == nullptr) return unknown_subcommand(context, words[1]);
  return check_arity(context, *entry, words);
}

Reply run_cluster(Context& context, const Words& words) {
  if (auto refused = check_cluster_words(context, words)) return *std::move(refused);
  return find(context, words[1])->run(context, words, context.caller.actor);
}

}  // namespace slotlab::node
