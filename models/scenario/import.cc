// From texts to a Scenario. The lines that nodes have about themselves are the cluster; what else
// they believe becomes a view wherever it differs. See import.h.
#include "models/scenario/import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/node/persistence/nodes_text.h"
#include "models/scenario/write.h"

namespace slotlab::scenario {
namespace {

using node::NodeLine;
using protocol::Epoch;
using protocol::kSlots;
using protocol::SlotRange;

constexpr std::size_t kNodesMax = 100;

// One text, taken apart and looked up by id.
struct Dump {
  std::string file;
  node::NodesText text;
  std::map<std::string, const NodeLine*> lines;  // by id
  const NodeLine* me = nullptr;
  std::vector<int> owner = std::vector<int>(kSlots, -1);  // by slot: which node; -1: nobody

  const NodeLine* line(const std::string& id) const {
    const auto at = lines.find(id);
    return at == lines.end() ? nullptr : at->second;
  }
};

[[noreturn]] void fail(const std::string& file, std::size_t line, const std::string& message) {
  throw InputError(file, {.line = static_cast<std::uint32_t>(line), .column = line == 0 ? 0u : 1u},
                   message);
}

bool is_hexadecimal(const std::string& id) {
  return id.find_first_not_of("0123456789abcdef") == std::string::npos;
}

Dump read_dump(const NodesDump& given) {
  Dump dump;
  dump.file = given.file;
  auto parsed = node::parse_nodes_text(given.text);
  if (const auto* error = std::get_if<node::NodesTextError>(&parsed)) {
    fail(given.file, error->line, error->message);
  }
  dump.text = std::get<node::NodesText>(std::move(parsed));
  return dump;
}

// The lines by id. Separate from reading, as the lines must not move any more.
void index(Dump& dump) {
  for (const NodeLine& line : dump.text.nodes) {
    if (line.handshake) continue;
    if (!is_hexadecimal(line.id)) {
      fail(dump.file, line.line,
           "expected an id of 40 hexadecimal digits, found '" + line.id + "'");
    }
    if (!dump.lines.emplace(line.id, &line).second) {
      fail(dump.file, line.line, "the id '" + line.id + "' is on an earlier line as well");
    }
    if (!line.myself) continue;
    if (dump.me != nullptr) fail(dump.file, line.line, "a second line with the flag 'myself'");
    dump.me = &line;
  }
  if (dump.me == nullptr) {
    fail(dump.file, 0, "no line has the flag 'myself', so it cannot be told whose text this is");
  }
}

class Import {
 public:
  Import(const std::vector<NodesDump>& given, const ImportChoices& choices) : choices_(choices) {
    for (const NodesDump& each : given) dumps_.push_back(read_dump(each));
    for (Dump& dump : dumps_) index(dump);
    out_.scenario.dialects = {{.value = choices.dialect, .at = {}}};
    list_nodes();
    name_nodes();
    list_owners();
  }

  Imported run() {
    Scenario& scenario = out_.scenario;
    scenario.title =
        fmt::format("Imported from the texts of {} of {} nodes", dumps_.size(), ids_.size());
    scenario.teaches = "What can become of the cluster from here.";
    const std::vector<SlotRange> ranges = ranges_told_apart();
    for (const std::string& id : ids_) scenario.nodes.push_back(node_of(id, ranges));
    current_epoch();
    for (const std::string& id : ids_) {
      const Dump* own = dump_of(id);
      add_view(id, own ? *own : stand_in(id), ranges);
    }
    scenario.checks = {{.property = {.value = "owned", .at = {}}, .then = {}},
                       {.property = {.value = "agreed", .at = {}},
                        .then = {},
                        .mood = sim::Mood::eventually_always}};
    scenario.expects = {{.check = {.value = "owned", .at = {}}, .dialect = {}},
                        {.check = {.value = "agreed", .at = {}}, .dialect = {}}};
    note("That both properties hold is a wish, not a finding: `slotlab check` tells.");
    note("No operator, no faults: add those that you want to try.");
    note(
        "Replication offsets, votes, who reported whom, and keys are not in such texts: replicas "
        "are in sync, nobody has voted, no slot holds keys.");
    return std::move(out_);
  }

 private:
  void note(std::string sentence) { out_.filled_in.push_back(std::move(sentence)); }

  const Dump* dump_of(const std::string& id) const {
    const auto at = by_id_.find(id);
    return at == by_id_.end() ? nullptr : &dumps_[at->second];
  }

  void list_nodes() {
    std::set<std::string> all;
    for (std::size_t i = 0; i < dumps_.size(); ++i) {
      const auto [at, first] = by_id_.emplace(dumps_[i].me->id, i);
      if (!first) {
        fail(dumps_[i].file, dumps_[i].me->line,
             fmt::format("'{}' is a text of the same node", dumps_[at->second].file));
      }
      for (const auto& [id, line] : dumps_[i].lines) all.insert(id);
      handshakes(dumps_[i]);
    }
    ids_.assign(all.begin(), all.end());
    if (ids_.size() > kNodesMax) {
      fail(dumps_.front().file, 0,
           fmt::format("the texts name {} nodes; at most {} are possible", ids_.size(), kNodesMax));
    }
  }

  void handshakes(const Dump& dump) {
    const auto count = std::count_if(dump.text.nodes.begin(), dump.text.nodes.end(),
                                     [](const NodeLine& line) { return line.handshake; });
    if (count > 0) note(fmt::format("{}: {} handshake line(s) left out.", dump.file, count));
  }

  // What a node is: its own line, or that of the first text that knows it.
  const NodeLine& baseline(const std::string& id) const {
    if (const Dump* own = dump_of(id)) return *own->me;
    for (const Dump& dump : dumps_) {
      if (const NodeLine* line = dump.line(id)) return *line;
    }
    return *dumps_.front().me;  // not reached: every id is in some text
  }

  // Whose replica a node is; empty: a master.
  std::string master_of(const std::string& id) const {
    const NodeLine& line = baseline(id);
    return line.replica ? line.master_id : std::string();
  }

  // Masters are A, B, C in the order of their ids, replicas A1, A2, B1.
  void name_nodes() {
    std::size_t masters = 0;
    for (const std::string& id : ids_) {
      if (!master_of(id).empty()) continue;
      names_[id] = masters < 26 ? std::string(1, static_cast<char>('A' + masters))
                                : fmt::format("M{}-", masters + 1);
      ++masters;
    }
    std::map<std::string, int> replicas;
    for (const std::string& id : ids_) {
      const std::string master = master_of(id);
      if (master.empty()) continue;
      if (!names_.contains(master) || !master_of(master).empty()) {
        const Dump* own = dump_of(id);
        fail(own ? own->file : dumps_.front().file, baseline(id).line,
             fmt::format("its master '{}' is itself a replica, or in no text; a scenario cannot "
                         "begin with that",
                         master));
      }
      names_[id] = fmt::format("{}{}", names_[master], ++replicas[master]);
    }
    for (const std::string& id : ids_) {
      if (dump_of(id)) continue;
      note(
          fmt::format("No text of {} ({}): it is taken to be what others say of it, and to "
                      "believe what {} does.",
                      names_[id], id, names_[stand_in(id).me->id]));
    }
  }

  // Whose beliefs a node without a text is given: its master's, else those of the first text.
  const Dump& stand_in(const std::string& id) const {
    const std::string master = master_of(id);
    const Dump* dump = master.empty() ? nullptr : dump_of(master);
    return dump ? *dump : dumps_.front();
  }

  void list_owners() {
    for (Dump& dump : dumps_) {
      for (std::size_t i = 0; i < ids_.size(); ++i) {
        const NodeLine* line = dump.line(ids_[i]);
        if (line == nullptr) continue;
        for (const SlotRange& range : line->slots) {
          for (std::size_t slot = range.first; slot <= range.last; ++slot) {
            if (dump.owner[slot] < 0) dump.owner[slot] = static_cast<int>(i);
          }
        }
      }
    }
    claims();
  }

  // Who owns a slot at the start: of those that claim it for themselves the one with the greatest
  // config epoch. A node without a text of its own claims what the first text that knows it says.
  void claims() {
    owner_.assign(kSlots, -1);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const NodeLine& mine = baseline(ids_[i]);
      if (mine.replica) continue;
      for (const SlotRange& range : mine.slots) {
        for (std::size_t slot = range.first; slot <= range.last; ++slot) {
          const int other = owner_[slot];
          const bool greater =
              other < 0 || mine.epoch > baseline(ids_[static_cast<std::size_t>(other)]).epoch;
          if (greater) owner_[slot] = static_cast<int>(i);
        }
      }
    }
  }

  bool open(std::size_t slot) const { return open_.contains(static_cast<protocol::Slot>(slot)); }

  bool disputed(std::size_t slot) const {
    return std::any_of(dumps_.begin(), dumps_.end(),
                       [&](const Dump& dump) { return dump.owner[slot] != owner_[slot]; });
  }

  bool same_as_before(std::size_t slot) const {
    return owner_[slot] == owner_[slot - 1] &&
           std::all_of(dumps_.begin(), dumps_.end(),
                       [&](const Dump& dump) { return dump.owner[slot] == dump.owner[slot - 1]; });
  }

  bool chosen(std::size_t slot) const {
    return std::any_of(choices_.slots.begin(), choices_.slots.end(), [&](const SlotRange& range) {
      return range.first <= slot && slot <= range.last;
    });
  }

  // Open slots one by one; disputed and chosen ones as ranges that all see alike. The rest of a
  // master's slots behaves alike for ever and is its home.
  std::vector<SlotRange> ranges_told_apart() {
    for (const Dump& dump : dumps_) {
      for (const node::OpenSlot& each : dump.me->migrating) open_.insert(each.slot);
      for (const node::OpenSlot& each : dump.me->importing) open_.insert(each.slot);
    }
    std::vector<SlotRange> ranges;
    std::size_t left = 0, nobody = 0;
    bool joins = false;  // the slot before is in the last range, and may be joined
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      if (!open(slot) && !chosen(slot) && !disputed(slot)) {
        (owner_[slot] < 0 ? nobody : left) += 1;
        if (owner_[slot] >= 0) has_home_.insert(owner_[slot]);
        joins = false;
        continue;
      }
      if (joins && !open(slot) && same_as_before(slot)) {
        ranges.back().last = static_cast<protocol::Slot>(slot);
      } else {
        ranges.push_back({static_cast<protocol::Slot>(slot), static_cast<protocol::Slot>(slot)});
      }
      joins = !open(slot);
    }
    if (left > 0) {
      note(
          fmt::format("{} slots are not open, nobody disputes them, and they are not told apart: "
                      "'home' stands for them, one for each master that has some.",
                      left));
    }
    if (nobody > 0) {
      note(
          fmt::format("{} slots are nobody's in all texts and are left out; they would keep the "
                      "cluster state at fail.",
                      nobody));
    }
    return ranges;
  }

  NodeSpec node_of(const std::string& id, const std::vector<SlotRange>& ranges) {
    NodeSpec spec;
    spec.name = {.value = names_[id], .at = {}};
    spec.id = {{.value = id, .at = {}}};
    const std::string master = master_of(id);
    if (!master.empty()) {
      spec.replica_of = {{.value = names_[master], .at = {}}};
      return spec;
    }
    spec.epoch = {{.value = baseline(id).epoch, .at = {}}};
    const int index = index_of(id);
    for (const SlotRange& range : ranges) {
      if (owner_[range.first] == index) spec.slots.push_back({.value = range, .at = {}});
    }
    spec.home = has_home_.contains(index);
    return spec;
  }

  int index_of(const std::string& id) const {
    return static_cast<int>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
  }

  static Epoch greatest(const Dump& dump) {
    Epoch max = 0;
    for (const auto& [id, line] : dump.lines) max = std::max(max, line->epoch);
    return max;
  }

  // The current epoch is in nodes.conf only.
  static Epoch current_epoch_of(const Dump& dump) {
    return std::max(dump.text.current_epoch.value_or(0), greatest(dump));
  }

  void current_epoch() {
    Epoch all = 0, masters = 0;
    for (const Dump& dump : dumps_) all = std::max(all, current_epoch_of(dump));
    for (const NodeSpec& node : out_.scenario.nodes) {
      if (node.epoch) masters = std::max(masters, node.epoch->value);
    }
    if (all > masters) out_.scenario.current_epoch = {{.value = all, .at = {}}};
    settled_epoch_ = std::max(all, masters);
    for (const Dump& dump : dumps_) {
      if (dump.text.current_epoch) continue;
      note(
          fmt::format("The current epoch of {} is not in its text: {}, the greatest config epoch "
                      "that it knows.",
                      names_[dump.me->id], greatest(dump)));
    }
  }

  // What a node believes: what its text says, or that of another.
  void add_view(const std::string& whose, const Dump& dump, const std::vector<SlotRange>& ranges) {
    ViewSpec view;
    view.node = {.value = names_[whose], .at = {}};
    if (current_epoch_of(dump) != settled_epoch_) view.current_epoch = current_epoch_of(dump);
    for (const std::string& id : ids_) {
      if (id != whose) add_opinion(dump, id, view);
    }
    for (const SlotRange& range : ranges) {
      const int owner = dump.owner[range.first];
      if (owner == owner_[range.first]) continue;
      view.owners.push_back({{.value = range, .at = {}}, owner < 0 ? "" : name_at(owner)});
    }
    if (whose == dump.me->id) {  // marks and votes are a node's own
      add_marks(dump, dump.me->migrating, view.migrating);
      add_marks(dump, dump.me->importing, view.importing);
      const Epoch voted = dump.text.last_vote_epoch.value_or(0);
      if (voted > 0) view.last_vote_epoch = voted;
    }
    ViewSpec nothing;
    nothing.node = view.node;
    if (!(view == nothing)) out_.scenario.views.push_back(std::move(view));
  }

  const std::string& name_at(int index) { return names_[ids_[static_cast<std::size_t>(index)]]; }

  void add_marks(const Dump& dump, const std::vector<node::OpenSlot>& open,
                 std::vector<ViewSpec::OfSlots>& out) {
    for (const node::OpenSlot& each : open) {
      if (dump.line(each.id) == nullptr) {
        fail(dump.file, dump.me->line,
             fmt::format("the mark of slot {} names '{}', a node that this text does not know",
                         each.slot, each.id));
      }
      const SlotRange range{each.slot, each.slot};
      out.push_back({{.value = range, .at = {}}, names_[each.id]});
    }
  }

  // What a text says of another node, as far as 'cluster' says otherwise.
  void add_opinion(const Dump& dump, const std::string& id, ViewSpec& view) {
    const std::string& name = names_[id];
    const NodeLine* line = dump.line(id);
    if (line == nullptr) {
      view.unknown.push_back(name);
      return;
    }
    const NodeLine& own = baseline(id);
    if (!own.replica && !line->replica && line->epoch != own.epoch) {
      view.epochs.emplace_back(name, line->epoch);
    }
    if (!line->replica && own.replica) view.masters.push_back(name);
    if (line->replica && (!own.replica || line->master_id != own.master_id)) {
      const bool known = dump.line(line->master_id) != nullptr;
      view.replicas.emplace_back(name, known ? names_[line->master_id] : std::string());
    }
    if (line->pfail) view.suspects.push_back(name);
    if (line->fail) view.failed.push_back(name);
  }

  const ImportChoices& choices_;
  std::vector<Dump> dumps_;
  std::map<std::string, std::size_t> by_id_;  // whose text is which
  std::vector<std::string> ids_;              // of all nodes, ascending
  std::map<std::string, std::string> names_;  // by id
  std::vector<int> owner_;                    // by slot: which of ids_; -1: nobody
  std::set<protocol::Slot> open_;
  std::set<int> has_home_;
  Epoch settled_epoch_ = 0;
  Imported out_;
};

}  // namespace

Imported import_dumps(const std::vector<NodesDump>& dumps, const ImportChoices& choices) {
  return Import(dumps, choices).run();
}

std::string imported_text(const Imported& imported) {
  std::string text = "# Filled in, since CLUSTER NODES texts cannot tell:\n";
  for (const std::string& sentence : imported.filled_in) text += "# - " + sentence + "\n";
  return text + to_yaml(imported.scenario);
}

}  // namespace slotlab::scenario
