// The state graph as people can look at it: states in which everybody believes the same are one
// node, whatever is still on its way in links; events that change nobody's belief are left out, so
// an edge is an event with a consequence. A node shows only the beliefs that differ somewhere in
// the graph. Written as DOT and as GraphML.
#pragma once

#include <string>
#include <vector>

#include "sim/explain/event_graph.h"

namespace slotlab::sim {

struct BeliefNode {
  std::vector<std::string> beliefs;  // those that not all nodes share
  std::uint32_t states = 0;          // how many states it stands for
  bool initial = false;
  bool on_run = false;
  std::vector<std::string> violated;  // names of the `always` properties that are false in it
};

struct BeliefEdge {
  std::uint32_t from = 0, to = 0;
  std::vector<std::string> sentences;  // sorted
  bool fault = false;                  // one of them is a fault
  bool on_run = false;
};

struct BeliefGraph {
  std::vector<std::string> shared;  // beliefs that all nodes share
  std::vector<BeliefNode> nodes;    // in breadth-first order
  std::vector<BeliefEdge> edges;    // by from, to
};

struct BeliefGraphOptions {
  std::vector<std::uint32_t> run;  // edges of the event graph, marked
  bool around_run = false;         // only nodes on the run and those one event away
};

BeliefGraph belief_graph(const Space& space, const EventGraph& graph,
                         const BeliefGraphOptions& options);

std::string to_dot(const BeliefGraph& graph, const std::string& title);
std::string to_graphml(const BeliefGraph& graph, const std::string& title);

}  // namespace slotlab::sim
