// The decision table of routing, row by row, with the replies that a real Redis 7.0.15 cluster
// gave. Names: A owns slot 3300 (the slot of every key with the tag {b}), B is where it may be
// migrated to, C is a third master, R a replica of A. Scripts are not modelled, so their rows are
// left out.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "models/node/initial.h"
#include "models/node/node.h"
#include "models/node/step_codes.h"

namespace slotlab::node {
namespace {

constexpr NodeId kA{0}, kB{1}, kC{2}, kR{3};
constexpr sim::ActorId kClient{100}, kOther{101};

enum class Situation { stable, open, down, down_reads, part_unassigned };

struct Row {
  NodeId at;
  Situation situation;
  std::vector<std::string> keys;                               // held at the start
  std::vector<std::pair<std::string, std::string>> exchange;   // command, reply
};

std::ostream& operator<<(std::ostream& out, const Row& row) {
  for (const auto& [command, reply] : row.exchange) out << command << " -> " << reply << "; ";
  return out;
}

Settings settings_for(const Row& row) {
  auto settings = std::make_shared<NodeSettings>();
  settings->dialect = protocol::dialect_named("redis-7.0").value();
  for (std::uint8_t i = 0; i < 4; ++i) {
    settings->directory.identities.push_back({.name = std::string(1, "ABCR"[i]),
                                              .id = std::string(40, "abcd"[i]),
                                              .actor = sim::ActorId{i},
                                              .port = static_cast<std::uint16_t>(7500 + i)});
  }
  settings->directory.after_reset.assign(4, kNoNode);
  settings->slots = protocol::SlotClasses::cut({{866, 866}, {3300, 3300}, {5061, 5061},
                                                {12182, 12182}});
  settings->reads_when_down = row.situation == Situation::down_reads;
  settings->full_coverage = row.situation != Situation::part_unassigned;
  return settings;
}

NodeState state_for(const Row& row, const NodeSettings& settings) {
  const auto slot = [&](protocol::Slot s) { return *settings.slots.of(s); };
  InitialCluster cluster;
  cluster.nodes[kA] = {.config_epoch = 1, .owned = {}};
  cluster.nodes[kB] = {.config_epoch = 2, .owned = {slot(0)}};
  cluster.nodes[kC] = {.config_epoch = 3, .owned = {slot(12182)}};
  cluster.nodes[kR] = {.master = kA, .owned = {}};
  for (std::size_t c = 0; c < settings.slots.count(); ++c) {
    const auto in = static_cast<SlotClass>(c);
    const bool hello = in == slot(866) && row.situation >= Situation::down;
    if (in != slot(0) && in != slot(12182) && !hello) cluster.nodes[kA].owned.push_back(in);
  }
  NodeState state = initial_state(settings, row.at, cluster);
  if (row.situation == Situation::open || row.situation == Situation::down ||
      row.situation == Situation::down_reads) {
    if (row.at == kA) state.config.migrating_to[slot(3300)] = kB;
    if (row.at == kB) state.config.importing_from[slot(3300)] = kA;
  }
  if (row.situation == Situation::part_unassigned && row.at == kB) {
    state.config.importing_from[slot(866)] = kA;
  }
  for (const std::string& key : row.keys) {
    // "1": {b}1 with value v1; "-1": the same, past its time and not yet deleted.
    const bool passed = key.starts_with('-');
    const std::string number = key.substr(passed ? 1 : 0);
    state.keys[slot(3300)]["{b}" + number] = "v" + number;
    if (passed) state.expires["{b}" + number] = {.ttl_ms = 5, .passed = true};
  }
  return state;
}

std::string shown(const Reply& reply) {
  switch (reply.type) {
    case Reply::Type::status:
      return "+" + reply.text;
    case Reply::Type::error:
      return "-" + reply.text;
    case Reply::Type::integer:
      return ":" + std::to_string(reply.number);
    case Reply::Type::bulk:
      return reply.text;
    case Reply::Type::nil:
      return "nil";
    case Reply::Type::array:
      break;
  }
  std::string out = "[";
  for (const Reply& item : reply.items) out += (out.size() > 1 ? ", " : "") + shown(item);
  return out + "]";
}

// A node, and clients that talk to it; MIGRATE's targets store whatever they are sent.
class Bench {
 public:
  explicit Bench(const Row& row)
      : settings_(settings_for(row)), node_(settings_, state_for(row, *settings_)) {}

  // A command that begins with "other: " comes over another connection.
  std::string run(std::string text) {
    const std::string other = "other: ";
    const bool is_other = text.starts_with(other);
    std::istringstream in(is_other ? text.substr(other.size()) : text);
    protocol::Command command;
    for (std::string word; in >> word;) command.words.push_back(word);
    sim::Effects effects;
    node_.receive(is_other ? kOther : kClient, 0, command, effects);
    while (node_.busy()) effects = target_answers();
    for (const sim::Output& output : effects.outputs) {
      const auto* answer = dynamic_cast<const protocol::ReplyMessage*>(output.message.get());
      if (answer != nullptr) return shown(answer->reply);
    }
    return "no reply";
  }

 private:
  sim::Effects target_answers() {
    sim::Effects sent, got;
    node_.take(make_step(StepKind::data, 0u, static_cast<std::uint32_t>(DataStep::connect)), sent);
    for (const sim::Output& output : sent.outputs) {
      const auto* command = dynamic_cast<const protocol::Command*>(output.message.get());
      if (command == nullptr || output.stream != protocol::kData) continue;
      protocol::ReplyMessage stored;
      stored.reply = Reply::ok();
      stored.connection = command->connection;
      node_.receive(output.to, protocol::kDataReplies, stored, got);
    }
    return got;
  }

  Settings settings_;
  Node node_;
};

class RoutingTable : public testing::TestWithParam<Row> {};

TEST_P(RoutingTable, AnswersAsTheServersDo) {
  Bench bench(GetParam());
  for (const auto& [command, reply] : GetParam().exchange) {
    EXPECT_EQ(bench.run(command), reply) << command;
  }
}

constexpr const char* kToA = "-MOVED 3300 127.0.0.1:7500";
constexpr const char* kAskB = "-ASK 3300 127.0.0.1:7501";
constexpr const char* kCross = "-CROSSSLOT Keys in request don't hash to the same slot";
constexpr const char* kAgain = "-TRYAGAIN Multiple keys request during rehashing of slot";
constexpr const char* kAborted =
    "-EXECABORT Transaction discarded because of previous errors.";
constexpr const char* kBusy = "-BUSYKEY Target key name already exists.";
constexpr const char* kDown = "-CLUSTERDOWN The cluster is down";
constexpr const char* kReadsOnly =
    "-CLUSTERDOWN The cluster is down and only accepts read commands";
constexpr const char* kUnserved = "-CLUSTERDOWN Hash slot not served";
constexpr const char* kOk = "+OK";
constexpr const char* kQueued = "+QUEUED";

constexpr auto kStable = Situation::stable;
constexpr auto kOpen = Situation::open;

INSTANTIATE_TEST_SUITE_P(
    StableSlot, RoutingTable,
    testing::Values(
        Row{kA, kStable, {}, {{"SET {b}1 v", kOk}, {"GET {b}1", "v"}, {"GET {b}none", "nil"},
                              {"MGET {b}1 {b}none", "[v, nil]"}}},
        Row{kA, kStable, {"1"}, {{"ASKING", kOk}, {"GET {b}1", "v1"}}},
        Row{kA, kStable, {"1"}, {{"MGET {b}1 {b}1", "[v1, v1]"}}},
        Row{kA, kStable, {"1"}, {{"MGET {b}1 foo", kCross}}},
        Row{kB, kStable, {}, {{"MGET {b}1 {b}2", kToA}}},
        Row{kB, kStable, {}, {{"SET {b}1 v", kToA}}},
        Row{kB, kStable, {}, {{"ASKING", kOk}, {"GET {b}1", kToA}}},
        Row{kB, kStable, {}, {{"READONLY", kOk}, {"GET {b}1", kToA}}},
        Row{kC, kStable, {}, {{"MGET {b}1 bar", kCross}}},
        Row{kB, kStable, {}, {{"MSET {b}1 1 foo 2", kCross}}},
        Row{kB, kStable, {"x"}, {{"PING", "+PONG"}, {"DBSIZE", ":1"}, {"PUBLISH {b}ch x", ":0"}}},
        Row{kB, kStable, {}, {{"SSUBSCRIBE {b}ch", kToA}, {"SPUBLISH {b}ch x", kToA}}},
        Row{kB, kStable, {}, {{"WATCH {b}1", kToA}}},
        Row{kB, kStable, {}, {{"MULTI", kOk}, {"GET {b}1", kToA}, {"EXEC", kAborted}}},
        Row{kA, kStable, {"1"}, {{"MULTI", kOk}, {"GET {b}1", kQueued}, {"GET bar", kQueued},
                                 {"EXEC", kCross}}},
        Row{kB, kStable, {}, {{"MULTI", kOk}, {"PING", kQueued}, {"EXEC", "[+PONG]"}}}));

INSTANTIATE_TEST_SUITE_P(
    Replica, RoutingTable,
    testing::Values(
        Row{kR, kStable, {"1"}, {{"GET {b}1", kToA}}},
        Row{kR, kStable, {"1"}, {{"READONLY", kOk}, {"GET {b}1", "v1"}, {"GET {b}none", "nil"}}},
        Row{kR, kStable, {"1"}, {{"READONLY", kOk}, {"SET {b}1 y", kToA}}},
        Row{kR, kStable, {}, {{"READONLY", kOk}, {"GET foo", "-MOVED 12182 127.0.0.1:7502"}}},
        Row{kR, kStable, {"1"}, {{"READONLY", kOk}, {"MULTI", kOk}, {"GET {b}1", kQueued},
                                 {"EXEC", "[v1]"}}},
        Row{kR, kStable, {"1"}, {{"READONLY", kOk}, {"MULTI", kOk}, {"SET {b}1 q", kToA},
                                 {"EXEC", kAborted}}},
        Row{kR, kStable, {"1"}, {{"READONLY", kOk}, {"GET {b}1", "v1"}, {"READWRITE", kOk},
                                 {"GET {b}1", kToA}}},
        Row{kR, kStable, {}, {{"READONLY", kOk}, {"SORT {b}1", kToA}, {"SORT_RO {b}1", "[]"}}},
        Row{kR, kStable, {}, {{"SSUBSCRIBE {b}ch", "[ssubscribe, {b}ch, :1]"}}},
        Row{kR, kStable, {}, {{"CLUSTER SETSLOT 3300 STABLE",
                               "-ERR Please use SETSLOT only with masters."}}},
        Row{kR, kStable, {"1"}, {{"MIGRATE 127.0.0.1 7501 {b}1 0 1000", kToA}}}));

INSTANTIATE_TEST_SUITE_P(
    MigratingSource, RoutingTable,
    testing::Values(
        Row{kA, kOpen, {"1", "2"}, {{"GET {b}9", kAskB}, {"SET {b}9 x", kAskB},
                                    {"EXISTS {b}9", kAskB}, {"DEL {b}9", kAskB},
                                    {"TTL {b}9", kAskB}, {"TYPE {b}9", kAskB},
                                    {"OBJECT ENCODING {b}9", kAskB}, {"WATCH {b}9", kAskB},
                                    {"BLPOP {b}9 1", kAskB}}},
        Row{kA, kOpen, {"1", "2"}, {{"MGET {b}8 {b}9", kAskB}, {"MGET {b}9 {b}9", kAskB}}},
        Row{kA, kOpen, {"1", "2"}, {{"GET {b}1", "v1"}, {"MGET {b}1 {b}2", "[v1, v2]"},
                                    {"SET {b}1 v1", kOk}}},
        Row{kA, kOpen, {"1", "2"}, {{"MGET {b}1 {b}9", kAgain}, {"MGET {b}9 {b}1", kAgain},
                                    {"MSET {b}1 v {b}9 v", kAgain}, {"DEL {b}1 {b}9", kAgain},
                                    {"RENAME {b}1 {b}9", kAgain}, {"COPY {b}1 {b}9", kAgain}}},
        Row{kA, kOpen, {"1", "2"}, {{"MGET {b}9 bar", kCross}}},
        Row{kA, kOpen, {"1"}, {{"ASKING", kOk}, {"GET {b}9", kAskB}}},
        Row{kA, kOpen, {"1"}, {{"READONLY", kOk}, {"GET {b}9", kAskB}}},
        Row{kA, kOpen, {"1"}, {{"MULTI", kOk}, {"DEL {b}1", kQueued}, {"SET {b}1 v1", kQueued},
                               {"EXEC", "[:1, +OK]"}, {"GET {b}1", "v1"}}},
        Row{kA, kOpen, {"1"}, {{"MULTI", kOk}, {"GET {b}1", kQueued}, {"GET {b}9", kAskB},
                               {"EXEC", kAborted}}},
        Row{kA, kOpen, {"1", "2"},
            {{"MULTI", kOk}, {"GET {b}1", kQueued}, {"SET {b}2 z", kQueued},
             {"other: MIGRATE 127.0.0.1 7501 {b}1 0 1000", kOk}, {"EXEC", kAgain},
             {"EXEC", "-ERR EXEC without MULTI"}, {"GET {b}2", "v2"}}},
        Row{kA, kOpen, {"2"},
            {{"MULTI", kOk}, {"GET {b}2", kQueued},
             {"other: MIGRATE 127.0.0.1 7501 {b}2 0 1000", kOk}, {"EXEC", kAskB},
             {"EXEC", "-ERR EXEC without MULTI"}}},
        Row{kA, kOpen, {"1"},
            {{"WATCH {b}1", kOk}, {"other: MIGRATE 127.0.0.1 7501 {b}1 0 1000", kOk},
             {"MULTI", kOk}, {"PING", kQueued}, {"EXEC", "nil"}}},
        Row{kA, kOpen, {}, {{"RESTORE {b}9 0 p", kAskB}, {"RESTORE-ASKING {b}9 0 p", kAskB}}},
        Row{kA, kOpen, {"1"}, {{"RESTORE-ASKING {b}1 0 p", kBusy}}},
        Row{kA, kOpen, {}, {{"MIGRATE 127.0.0.1 7501 {b}9 0 1000", "+NOKEY"}}},
        Row{kA, kOpen, {}, {{"SSUBSCRIBE {b}ch", "[ssubscribe, {b}ch, :1]"},
                            {"SPUBLISH {b}ch 1", ":0"}}},
        Row{kA, kOpen, {"-4"},
            {{"CLUSTER COUNTKEYSINSLOT 3300", ":1"}, {"CLUSTER GETKEYSINSLOT 3300 9", "[{b}4]"},
             {"GET {b}4", kAskB}, {"CLUSTER COUNTKEYSINSLOT 3300", ":1"},
             {"MIGRATE 127.0.0.1 7501 {b}4 0 1000", "+NOKEY"},
             {"CLUSTER COUNTKEYSINSLOT 3300", ":0"}}},
        Row{kR, kOpen, {"1"}, {{"READONLY", kOk}, {"GET {b}1", "v1"}, {"GET {b}9", "nil"}}}));

INSTANTIATE_TEST_SUITE_P(
    ImportingDestination, RoutingTable,
    testing::Values(
        Row{kB, kOpen, {}, {{"GET {b}1", kToA}, {"SET {b}7 x", kToA}, {"RESTORE {b}9 0 p", kToA}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk}, {"GET {b}9", "nil"}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk}, {"MGET {b}8 {b}9", kAgain}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk}, {"MSET {b}8 1 {b}7 1", kAgain}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk}, {"MGET {b}9 {b}9", "[nil, nil]"}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk}, {"SET {b}9 n9", kOk}, {"ASKING", kOk},
                            {"GET {b}9", "n9"}}},
        Row{kB, kOpen, {"9"}, {{"ASKING", kOk}, {"MGET {b}9 {b}8", kAgain}}},
        Row{kB, kOpen, {"8", "9"}, {{"ASKING", kOk}, {"MGET {b}9 {b}8", "[v9, v8]"}}},
        Row{kB, kOpen, {"9"}, {{"ASKING", kOk}, {"MGET {b}9 bar", kCross}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk}, {"PING", "+PONG"}, {"GET {b}9", kToA}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk},
                            {"NOSUCH", "-ERR unknown command 'NOSUCH', with args beginning with: "},
                            {"GET {b}9", kToA}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk},
                            {"GET", "-ERR wrong number of arguments for 'get' command"},
                            {"GET {b}9", kToA}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk}, {"GET bar", "-MOVED 5061 127.0.0.1:7500"},
                            {"GET {b}9", kToA}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk}, {"ASKING", kOk}, {"GET {b}9", "nil"}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk}, {"GET {b}9", "nil"}, {"GET {b}9", kToA}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk}, {"MULTI", kOk}, {"GET {b}9", kQueued},
                            {"GET {b}9", kQueued}, {"EXEC", "[nil, nil]"}, {"GET {b}9", kToA}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk}, {"MULTI", kOk}, {"GET {b}8", kQueued},
                            {"GET {b}9", kQueued}, {"EXEC", kAgain}}},
        Row{kB, kOpen, {}, {{"MULTI", kOk}, {"ASKING", kQueued}, {"GET {b}9", kToA},
                            {"EXEC", kAborted}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk}, {"MULTI", kOk}, {"GET {b}9", kQueued},
                            {"DISCARD", kOk}, {"GET {b}9", kToA}}},
        Row{kB, kOpen, {}, {{"ASKING", kOk}, {"WATCH {b}9", kOk}, {"ASKING", kOk}, {"MULTI", kOk},
                            {"GET {b}9", kQueued}, {"EXEC", "[nil]"}}},
        Row{kB, kOpen, {}, {{"RESTORE-ASKING {b}5 0 dump:p", kOk},
                            {"RESTORE-ASKING {b}5 0 dump:p", kBusy},
                            {"RESTORE-ASKING {b}5 0 dump:p REPLACE", kOk}}},
        Row{kB, kOpen, {}, {{"MIGRATE 127.0.0.1 7500 {b}9 0 1000", "+NOKEY"}}},
        Row{kB, kOpen, {}, {{"SSUBSCRIBE {b}ch", kToA}, {"ASKING", kOk},
                            {"SSUBSCRIBE {b}ch", "[ssubscribe, {b}ch, :1]"}}},
        Row{kB, kOpen, {"5"}, {{"CLUSTER SETSLOT 3300 STABLE", kOk}, {"GET {b}5", kToA},
                               {"ASKING", kOk}, {"GET {b}5", kToA},
                               {"CLUSTER COUNTKEYSINSLOT 3300", ":1"}}},
        Row{kC, kOpen, {}, {{"GET {b}1", kToA}}}));

constexpr auto kNoReads = Situation::down;
constexpr auto kReads = Situation::down_reads;
constexpr auto kPart = Situation::part_unassigned;

INSTANTIATE_TEST_SUITE_P(
    ClusterDown, RoutingTable,
    testing::Values(
        Row{kA, kNoReads, {"1"}, {{"GET hello", kUnserved}, {"GET {b}1", kDown},
                                  {"SET {b}1 v1", kDown}, {"GET {b}9", kDown},
                                  {"SET {b}9 x", kDown}}},
        Row{kA, kReads, {"1"}, {{"GET hello", kUnserved}, {"GET {b}1", "v1"},
                                {"SET {b}1 v1", kReadsOnly}, {"GET {b}9", kAskB},
                                {"SET {b}9 x", kReadsOnly}}},
        Row{kC, kNoReads, {}, {{"GET {b}1", kDown}, {"SET {b}1 x", kDown}}},
        Row{kC, kReads, {}, {{"GET {b}1", kToA}, {"SET {b}1 x", kReadsOnly}}},
        Row{kA, kNoReads, {"1"}, {{"MGET {b}1 bar", kCross}, {"MGET {b}1 hello", kCross},
                                  {"MGET hello {b}1", kUnserved}}},
        Row{kA, kReads, {"1"}, {{"MGET {b}1 bar", kCross}, {"MGET {b}1 hello", kCross},
                                {"MGET hello {b}1", kUnserved}}},
        Row{kB, kNoReads, {}, {{"ASKING", kOk}, {"GET {b}9", kDown}, {"ASKING", kOk},
                               {"SET {b}9 x", kDown}}},
        Row{kB, kReads, {}, {{"ASKING", kOk}, {"GET {b}9", "nil"}, {"ASKING", kOk},
                             {"SET {b}9 x", kReadsOnly}}},
        Row{kA, kNoReads, {"1"}, {{"MIGRATE 127.0.0.1 7501 {b}1 0 1000", kDown}}},
        Row{kA, kReads, {"1"}, {{"MIGRATE 127.0.0.1 7501 {b}1 0 1000", kReadsOnly}}},
        Row{kB, kNoReads, {}, {{"MIGRATE 127.0.0.1 7500 {b}1 0 1000", kDown},
                               {"RESTORE-ASKING {b}1 0 p", kDown}}},
        Row{kB, kReads, {}, {{"MIGRATE 127.0.0.1 7500 {b}1 0 1000", kReadsOnly},
                             {"RESTORE-ASKING {b}1 0 p", kReadsOnly}}},
        Row{kA, kNoReads, {}, {{"PING", "+PONG"}, {"DBSIZE", ":0"}, {"MULTI", kOk},
                               {"PING", kQueued}, {"EXEC", "[+PONG]"},
                               {"CLUSTER COUNTKEYSINSLOT 3300", ":0"}}},
        Row{kA, kNoReads, {}, {{"SSUBSCRIBE {b}ch", "[ssubscribe, {b}ch, :1]"},
                               {"SPUBLISH {b}ch x", ":0"}}},
        Row{kA, kNoReads, {"1"}, {{"MULTI", kOk}, {"GET {b}1", kDown}, {"EXEC", kAborted}}},
        Row{kA, kReads, {"1"}, {{"MULTI", kOk}, {"GET {b}1", kQueued}, {"EXEC", "[v1]"}}},
        Row{kA, kReads, {"1"}, {{"MULTI", kOk}, {"SET {b}1 x", kReadsOnly}, {"EXEC", kAborted}}},
        Row{kA, kPart, {"1"}, {{"GET hello", kUnserved}, {"SET hello x", kUnserved},
                               {"GET {b}1", "v1"}}},
        Row{kB, kPart, {}, {{"ASKING", kOk}, {"GET hello", kUnserved}}}));

}  // namespace
}  // namespace slotlab::node
