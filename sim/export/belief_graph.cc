// See belief_graph.h.
#include "sim/export/belief_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/export/text_forms.h"

namespace slotlab::sim {

namespace {

constexpr std::size_t kSentencesShown = 3;  // of an edge, in DOT

class Collapser {
 public:
  Collapser(const Space& space, const EventGraph& graph, const BeliefGraphOptions& options)
      : space_(space), graph_(graph), options_(options) {}

  BeliefGraph collapse() {
    find_nodes();
    mark_run();
    find_edges();
    if (options_.around_run) keep_around_run();
    set_shared_apart();
    return std::move(result_);
  }

 private:
  void find_nodes() {
    std::map<std::vector<std::string>, std::uint32_t> numbers;
    for (std::uint32_t s = 0; s < graph_.state_count(); ++s) {
      const std::vector<std::uint32_t> state = graph_.tuple(s);
      std::vector<std::string> beliefs = space_.beliefs(state);
      if (beliefs.empty()) beliefs = {fmt::format("state {}", s)};  // a model that tells nothing
      const auto [at, fresh] =
          numbers.try_emplace(beliefs, static_cast<std::uint32_t>(result_.nodes.size()));
      if (fresh) {
        result_.nodes.push_back({.beliefs = std::move(beliefs), .violated = violated(s)});
      }
      BeliefNode& node = result_.nodes[at->second];
      ++node.states;
      node.initial = node.initial || s < graph_.initial_count;
      node_of_.push_back(at->second);
    }
  }

  std::vector<std::string> violated(std::uint32_t state) const {
    std::vector<std::string> names;
    for (std::size_t p = 0; p < space_.property_count(); ++p) {
      if (space_.property_mood(p) == Mood::always && !graph_.holds(state, p)) {
        names.push_back(space_.property_name(p));
      }
    }
    return names;
  }

  void mark_run() {
    if (options_.run.empty()) return;
    result_.nodes[node_of_[0]].on_run = true;
    for (const std::uint32_t edge : options_.run) {
      result_.nodes[node_of_[graph_.target[edge]]].on_run = true;
    }
    run_edges_.insert(options_.run.begin(), options_.run.end());
  }

  void find_edges() {
    struct Label {
      std::set<std::string> sentences;
      bool fault = false, on_run = false;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Label> edges;
    for (std::uint32_t s = 0; s < graph_.state_count(); ++s) {
      for (std::uint32_t e = graph_.first_edge[s]; e < graph_.first_edge[s + 1]; ++e) {
        const std::uint32_t from = node_of_[s];
        const std::uint32_t to = node_of_[graph_.target[e]];
        if (from == to) continue;
        Label& label = edges[{from, to}];
        label.sentences.insert(graph_.sentences[graph_.label[e]]);
        label.fault = label.fault || graph_.fault[graph_.label[e]] != 0;
        label.on_run = label.on_run || run_edges_.contains(e);
      }
    }
    for (const auto& [ends, label] : edges) {
      result_.edges.push_back({.from = ends.first,
                               .to = ends.second,
                               .sentences = {label.sentences.begin(), label.sentences.end()},
                               .fault = label.fault,
                               .on_run = label.on_run});
    }
  }

  void keep_around_run() {
    std::vector<std::uint8_t> kept(result_.nodes.size(), 0);
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = result_.nodes[i].on_run ? 1 : 0;
    std::vector<std::uint8_t> wanted = kept;
    for (const BeliefEdge& edge : result_.edges) {
      if (kept[edge.from] != 0) wanted[edge.to] = 1;
    }
    std::vector<std::uint32_t> number(kept.size(), 0);
    std::vector<BeliefNode> nodes;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      number[i] = static_cast<std::uint32_t>(nodes.size());
      if (wanted[i] != 0) nodes.push_back(std::move(result_.nodes[i]));
    }
    std::vector<BeliefEdge> edges;
    for (BeliefEdge& edge : result_.edges) {
      if (kept[edge.from] == 0 || wanted[edge.to] == 0) continue;
      edge.from = number[edge.from];
      edge.to = number[edge.to];
      edges.push_back(std::move(edge));
    }
    result_.nodes = std::move(nodes);
    result_.edges = std::move(edges);
  }

  void set_shared_apart() {
    if (result_.nodes.size() < 2) return;
    std::map<std::string, std::size_t> count;
    for (const BeliefNode& node : result_.nodes) {
      for (const std::string& belief : node.beliefs) ++count[belief];
    }
    const auto is_shared = [&](const std::string& belief) {
      return count[belief] == result_.nodes.size();
    };
    for (const std::string& belief : result_.nodes.front().beliefs) {
      if (is_shared(belief)) result_.shared.push_back(belief);
    }
    for (BeliefNode& node : result_.nodes) std::erase_if(node.beliefs, is_shared);
  }

  const Space& space_;
  const EventGraph& graph_;
  const BeliefGraphOptions& options_;
  BeliefGraph result_;
  std::vector<std::uint32_t> node_of_;  // by state
  std::set<std::uint32_t> run_edges_;
};

std::string lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

BeliefGraph belief_graph(const Space& space, const EventGraph& graph,
                         const BeliefGraphOptions& options) {
  return Collapser(space, graph, options).collapse();
}

std::string to_dot(const BeliefGraph& graph, const std::string& title) {
  std::string text = fmt::format(
      "digraph slotlab {{\n  label={};\n  labelloc=t;\n  rankdir=TB;\n"
      "  node [shape=box, fontname=\"monospace\", fontsize=9];\n"
      "  edge [fontname=\"monospace\", fontsize=8];\n",
      dot_quoted(title + "\nin every state:\n" + lines_of(graph.shared)));
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const BeliefNode& node = graph.nodes[i];
    std::string label = lines_of(node.beliefs);
    for (const std::string& name : node.violated) label += "not " + name + "\n";
    std::string style = node.violated.empty() ? "" : ", style=filled, fillcolor=\"#f4c7c3\"";
    if (node.on_run) style += ", color=\"#b3261e\", penwidth=2";
    if (node.initial) style += ", peripheries=2";
    text += fmt::format("  n{} [label={}{}];\n", i, dot_quoted(label), style);
  }
  for (const BeliefEdge& edge : graph.edges) {
    std::string label;
    for (std::size_t i = 0; i < edge.sentences.size() && i < kSentencesShown; ++i) {
      label += edge.sentences[i] + "\n";
    }
    if (edge.sentences.size() > kSentencesShown) {
      label += fmt::format("and {} more\n", edge.sentences.size() - kSentencesShown);
    }
    std::string style = edge.fault ? ", style=dashed" : "";
    if (edge.on_run) style += ", color=\"#b3261e\", penwidth=2";
    text += fmt::format("  n{} -> n{} [label={}{}];\n", edge.from, edge.to, dot_quoted(label),
                        style);
  }
  return text + "}\n";
}

std::string to_graphml(const BeliefGraph& graph, const std::string& title) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  const auto key = [&](const char* id, const char* on, const char* type) {
    text += fmt::format("  <key id=\"{0}\" for=\"{1}\" attr.name=\"{0}\" attr.type=\"{2}\"/>\n", id,
                        on, type);
  };
  key("title", "graph", "string");
  key("shared", "graph", "string");
  key("beliefs", "node", "string");
  key("violated", "node", "string");
  key("states", "node", "int");
  key("initial", "node", "boolean");
  key("on_run", "all", "boolean");
  key("events", "edge", "string");
  key("fault", "edge", "boolean");
  const auto data = [](const char* name, const std::string& value) {
    return fmt::format("<data key=\"{}\">{}</data>", name, xml_escaped(value));
  };
  const auto flag = [](bool value) { return std::string(value ? "true" : "false"); };
  text += fmt::format("  <graph edgedefault=\"directed\">\n    {}{}\n", data("title", title),
                      data("shared", lines_of(graph.shared)));
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const BeliefNode& node = graph.nodes[i];
    text += fmt::format("    <node id=\"n{}\">{}{}{}{}{}</node>\n", i,
                        data("beliefs", lines_of(node.beliefs)),
                        data("violated", fmt::format("{}", fmt::join(node.violated, " "))),
                        data("states", std::to_string(node.states)),
                        data("initial", flag(node.initial)), data("on_run", flag(node.on_run)));
  }
  for (const BeliefEdge& edge : graph.edges) {
    text += fmt::format("    <edge source=\"n{}\" target=\"n{}\">{}{}{}</edge>\n", edge.from,
                        edge.to, data("events", lines_of(edge.sentences)),
                        data("fault", flag(edge.fault)), data("on_run", flag(edge.on_run)));
  }
  return text + "  </graph>\n</graphml>\n";
}

}  // namespace slotlab::sim
