// Every sentence of an explanation against brute force: all complete runs of small graphs are
// listed one by one, and what the explanation says is looked up in the list.
#include "sim/explain/explain.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "models/textbook/textbook.h"
#include "sim/check/explorer.h"
#include "tests/sim/check/graph_space.h"

namespace slotlab::sim {

std::ostream& operator<<(std::ostream& out, const ListedEdge& edge) {
  return out << edge.from << "->" << edge.to;
}

namespace {

// Edges whose sentences repeat, some of them faults.
class LetterSpace : public GraphSpace {
 public:
  std::vector<std::uint8_t> letters;  // by edge
  static constexpr std::uint8_t kFirstFault = 4;

  void expand(std::span<const std::uint32_t> state, const Fingerprint& fingerprint,
              Successors& out) const override {
    const std::size_t known = out.entries.size();
    GraphSpace::expand(state, fingerprint, out);
    for (std::size_t i = known; i < out.entries.size(); ++i) {
      auto& entry = out.entries[i];
      const std::uint32_t edge = entry.action.bits;
      if (letters[edge] >= kFirstFault) entry.action = Action::make(ActionKind::crash, 0, edge);
    }
  }
  std::string describe(std::span<const std::uint32_t>, Action action) const override {
    const std::size_t edge = action.kind() == ActionKind::crash ? action.b() : action.bits;
    return std::string(1, static_cast<char>('a' + letters[edge]));
  }
};

struct CompleteRun {
  std::vector<std::uint32_t> edges;
  std::vector<Label> labels;
  bool bad = false;
};

// All complete runs of an acyclic graph. A run at rest may end there, or go on by a fault.
class Lister {
 public:
  Lister(const EventGraph& graph, std::size_t property, Question question)
      : graph_(graph), property_(property), question_(question) {}

  // None if there are more than `most`.
  std::optional<std::vector<CompleteRun>> list(std::size_t most) {
    most_ = most;
    for (std::uint32_t s = 0; s < graph_.initial_count; ++s) visit(s);
    if (runs_.size() > most) return std::nullopt;
    return runs_;
  }

 private:
  void visit(std::uint32_t state) {
    if (runs_.size() > most_) return;
    const bool lacks = !graph_.holds(state, property_);
    if (question_ == Question::at_any_moment && lacks) return add(true);
    bool at_rest = true;
    for (std::uint32_t e = graph_.first_edge[state]; e < graph_.first_edge[state + 1]; ++e) {
      if (graph_.target[e] != state && graph_.fault[graph_.label[e]] == 0) at_rest = false;
    }
    if (at_rest) add(lacks);
    for (std::uint32_t e = graph_.first_edge[state]; e < graph_.first_edge[state + 1]; ++e) {
      if (graph_.target[e] == state) continue;
      now_.edges.push_back(e);
      now_.labels.push_back(graph_.label[e]);
      visit(graph_.target[e]);
      now_.edges.pop_back();
      now_.labels.pop_back();
    }
  }
  void add(bool bad) {
    now_.bad = bad;
    runs_.push_back(now_);
  }

  const EventGraph& graph_;
  const std::size_t property_;
  const Question question_;
  std::size_t most_ = 0;
  CompleteRun now_;
  std::vector<CompleteRun> runs_;
};

bool is_true(const Ordering& ordering, const CompleteRun& run) {
  const auto& labels = run.labels;
  const auto before = std::find(labels.begin(), labels.end(), ordering.before);
  const auto after = std::find(labels.begin(), labels.end(), ordering.after);
  return before != labels.end() && before < after;
}

bool all_true(const std::vector<Ordering>& orderings, const CompleteRun& run) {
  return std::all_of(orderings.begin(), orderings.end(),
                     [&](const Ordering& each) { return is_true(each, run); });
}

bool only_faults_of(const FaultCase& one, const EventGraph& graph, const CompleteRun& run) {
  return std::all_of(run.labels.begin(), run.labels.end(), [&](Label label) {
    return graph.fault[label] == 0 ||
           std::find(one.faults.begin(), one.faults.end(), label) != one.faults.end();
  });
}

bool begins_with(const CompleteRun& run, const std::vector<std::uint32_t>& edges,
                 std::size_t count) {
  return run.edges.size() >= count &&
         std::equal(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(count),
                    run.edges.begin());
}

// One thing that the explanation says and the list denies; empty if there is none.
std::string contradiction(const EventGraph& graph, const Explanation& why,
                          const std::vector<CompleteRun>& runs) {
  for (const FaultCase& one : why.cases) {
    bool some_bad = false;
    for (const CompleteRun& run : runs) {
      if (!only_faults_of(one, graph, run)) continue;
      some_bad = some_bad || run.bad;
      const bool said = all_true(one.orderings, run);
      if (run.bad && !said) return "a violating run without the necessary orderings";
      if (one.exact && said && !run.bad) return "a safe run with the deciding orderings";
      if (run.bad && !all_true(one.around, run)) return "a violating run, otherwise around";
      for (const Ordering& each : one.single) {
        if (is_true(each, run) != run.bad) return "a single ordering that does not decide";
      }
    }
    if (!some_bad) return "a set of faults without a violating run";
  }
  bool safe_extension_late = false;
  bool safe_extension_before = why.no_return == 0;
  for (const CompleteRun& run : runs) {
    if (why.exact.value_or(false)) {
      const bool said = std::any_of(why.cases.begin(), why.cases.end(), [&](const auto& one) {
        return all_true(one.orderings, run) && all_true(one.around, run);
      });
      const bool shorter = std::any_of(why.cases.begin(), why.cases.end(), [&](const auto& one) {
        return all_true(one.orderings, run);
      });
      if (said != run.bad && shorter != run.bad) return "together the cases are not exact";
    }
    if (run.bad) {
      for (const Label label : why.unavoidable) {
        if (std::find(run.labels.begin(), run.labels.end(), label) == run.labels.end()) {
          return "an unavoidable event that a violating run avoids";
        }
      }
      continue;
    }
    if (begins_with(run, why.run, why.no_return)) safe_extension_late = true;
    if (why.no_return > 0 && begins_with(run, why.run, why.no_return - 1)) {
      safe_extension_before = true;
    }
  }
  if (why.is_final && safe_extension_late) return "a safe run beyond the point of no return";
  if (!safe_extension_before) return "no safe run just before the point of no return";
  if (why.safe_run) {
    const auto same = [&](const CompleteRun& run) { return run.edges == *why.safe_run; };
    const auto at = std::find_if(runs.begin(), runs.end(), same);
    if (at == runs.end() || at->bad) return "the nearest safe run is not a safe complete run";
    if (!begins_with(*at, why.run, why.no_return - 1)) return "it differs too early";
  }
  return "";
}

EventGraph graph_of(Space& space) {
  EventGraph graph;
  explore(space, {});
  EXPECT_EQ(build_event_graph(space, {}, graph), "");
  return graph;
}

LetterSpace random_space() {
  LetterSpace space;
  const auto below = [](std::uint32_t n) {
    return *rc::gen::noShrink(rc::gen::resize(100, rc::gen::inRange<std::uint32_t>(0, n)));
  };
  const std::uint32_t nodes = 3 + below(7);
  const std::uint32_t edges = nodes + below(10);
  for (std::uint32_t i = 0; i < edges; ++i) {
    const std::uint32_t from = below(nodes - 1);
    space.edges.push_back({.from = from, .to = from + 1 + below(nodes - from - 1)});
    space.letters.push_back(static_cast<std::uint8_t>(below(6)));
  }
  std::vector<std::uint32_t> holds;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (below(3) > 0) holds.push_back(node);
  }
  space.properties = {{.name = "p", .mood = Mood::always, .holds_in = holds, .then_in = {}}};
  return space;
}

RC_GTEST_PROP(Explain, EverySentenceIsTrueOfAllRuns, (bool for_good)) {
  LetterSpace space = random_space();
  const EventGraph graph = graph_of(space);
  const Question question = for_good ? Question::for_good : Question::at_any_moment;
  const auto runs = Lister(graph, 0, question).list(20'000);
  RC_PRE(runs.has_value());
  const auto why = explain(graph, {.property = 0, .question = question});
  const bool some_bad =
      std::any_of(runs->begin(), runs->end(), [](const auto& run) { return run.bad; });
  RC_ASSERT(why.has_value() == some_bad);
  if (!why) return;
  RC_CLASSIFY(why->exact.value_or(false), "exact");
  RC_ASSERT(contradiction(graph, *why, *runs) == std::string());
}

class OnTextbook : public testing::TestWithParam<std::string> {};

TEST_P(OnTextbook, EverySentenceIsTrueOfAllRuns) {
  const auto space = textbook::make_textbook_space(GetParam(), {.drop_inert = true});
  const EventGraph graph = graph_of(*space);
  const Question question = question_of(graph, 0, Mood::always);
  const auto runs = Lister(graph, 0, question).list(2'000'000);
  ASSERT_TRUE(runs.has_value());
  const auto why = explain(graph, {.property = 0, .question = question});
  ASSERT_TRUE(why.has_value());
  EXPECT_EQ(contradiction(graph, *why, *runs), "");
  EXPECT_EQ(why->exact, true);
}

INSTANTIATE_TEST_SUITE_P(MigrateCore, OnTextbook,
                         testing::Values("migrate-core/3-wrong-0-1", "migrate-core/3-wrong-1-1"));

}  // namespace
}  // namespace slotlab::sim
