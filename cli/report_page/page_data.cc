// See page_data.h.
#include "cli/report_page/page_data.h"

#include <algorithm>
#include <deque>
#include <map>

#include "cli/explain_words.h"
#include "cli/report_page/page_template.h"
#include "cli/story.h"
#include "cli/verdict.h"
#include "models/node/node.h"
#include "models/operator/operator.h"
#include "sim/base/assert.h"

namespace slotlab::cli {
namespace {

constexpr std::int64_t kBeyond = -1;  // the target of an event whose state the page does not hold

struct Edge {
  sim::Action action;
  std::size_t sentence = 0;
  std::size_t clause = 0;
  std::int64_t target = kBeyond;
  std::vector<std::size_t> actors;  // those that took part: who acts or sends, then who is told
  std::vector<sim::LinkId> sent, lost;
  std::vector<std::size_t> notes;
};

struct State {
  sim::World world;
  std::vector<std::size_t> beliefs;
  std::vector<Edge> edges;
  std::uint64_t truths = 0;
  std::vector<std::size_t> wrongs;  // by property: what is wrong, 0 (the empty string) if nothing
};

class Strings {
 public:
  Strings() { number(""); }
  std::size_t number(const std::string& text) {
    const auto [at, fresh] = numbers_.try_emplace(text, texts_.size());
    if (fresh) texts_.push_back(text);
    return at->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> texts_;
};

class Graph {
 public:
  explicit Graph(const Subject& subject) : subject_(subject), words_(subject) {}

  // The number of the state, which is added if it is new.
  std::size_t add(const sim::World& world) {
    const auto [at, fresh] = numbers_.try_emplace(world.canonical(), states_.size());
    if (fresh) states_.push_back(look_at(world));
    return at->second;
  }

  // Follows the action; returns the number of the edge within its state.
  std::size_t follow(std::size_t state, sim::Action action) {
    std::vector<Edge>& edges = states_[state].edges;
    const auto found = std::find_if(edges.begin(), edges.end(),
                                    [&](const Edge& edge) { return edge.action == action; });
    SIM_ASSERT(found != edges.end(), std::string("an event of the run is not possible"));
    const auto number = static_cast<std::size_t>(found - edges.begin());
    complete(state, number);
    return number;
  }

  // Completes the edges of all states in the order of their numbers, adding at most `more` states.
  void grow(std::size_t more) {
    const std::size_t states_max = states_.size() + more;
    for (std::size_t state = 0; state < states_.size(); ++state) {
      for (std::size_t edge = 0; edge < states_[state].edges.size(); ++edge) {
        if (states_.size() >= states_max) return;
        complete(state, edge);
      }
    }
  }

  const State& state(std::size_t number) const { return states_[number]; }
  Json json() const;
  Strings& strings() { return strings_; }

 private:
  State look_at(const sim::World& world) {
    State state{.world = world, .beliefs = {}, .edges = {}, .truths = 0, .wrongs = {}};
    for (const std::string& line : sim::beliefs_of(world)) {
      state.beliefs.push_back(strings_.number(line));
    }
    for (std::size_t i = 0; i < subject_.properties.size(); ++i) {
      const sim::Property& property = subject_.properties[i];
      const bool holds = property.holds(world);
      if (holds) state.truths |= std::uint64_t{1} << i;
      state.wrongs.push_back(
          strings_.number(!holds && property.explain ? property.explain(world) : ""));
    }
    for (const sim::Action action : world.possible()) {
      const std::string sentence = world.describe(action);
      Edge edge;
      edge.action = action;
      edge.sentence = strings_.number(sentence);
      edge.clause = strings_.number(words_.clause(sentence, action.kind()));
      state.edges.push_back(std::move(edge));
    }
    return state;
  }

  // Does nothing for an edge that is complete: a run may take it many times.
  void complete(std::size_t state, std::size_t number) {
    if (states_[state].edges[number].target != kBeyond) return;
    const sim::World before = states_[state].world;
    sim::World after = before;
    const sim::Action action = states_[state].edges[number].action;
    const sim::World::Event event = after.take(action);
    const std::size_t target = add(after);
    Edge& edge = states_[state].edges[number];
    edge.target = static_cast<std::int64_t>(target);
    tell_links(edge, before, after);
    edge.actors = actors_of(action, event);
    for (const std::string& line : replies_worth_telling(tell(*subject_.system, event))) {
      edge.notes.push_back(strings_.number(line));
    }
    for (const std::string& note : event.notes) edge.notes.push_back(strings_.number(note));
  }

  // Which links took messages, one entry for each, and which lost all that was in them.
  void tell_links(Edge& edge, const sim::World& before, const sim::World& after) const {
    for (sim::LinkId link = 0; link < subject_.system->link_count(); ++link) {
      std::size_t was = before.link(link).size();
      if (edge.action == sim::Action::make(sim::ActionKind::deliver, link)) --was;
      const std::size_t now = after.link(link).size();
      if (now < was) edge.lost.push_back(link);
      for (std::size_t i = was; i < now; ++i) edge.sent.push_back(link);
    }
  }

  std::vector<std::size_t> actors_of(sim::Action action, const sim::World::Event& event) const {
    const sim::SystemSpec& spec = subject_.system->spec();
    std::vector<std::size_t> actors;
    const auto add_actor = [&](sim::ActorId id) {
      if (std::find(actors.begin(), actors.end(), sim::index(id)) == actors.end()) {
        actors.push_back(sim::index(id));
      }
    };
    switch (action.kind()) {
      case sim::ActionKind::deliver:
        add_actor(spec.links[action.a()].from);
        add_actor(spec.links[action.a()].to);
        break;
      case sim::ActionKind::cut:
      case sim::ActionKind::heal:
        add_actor(spec.faults[action.a()].pairs[action.b()].first);
        add_actor(spec.faults[action.a()].pairs[action.b()].second);
        break;
      case sim::ActionKind::crash:
      case sim::ActionKind::pause:
      case sim::ActionKind::stop:
        add_actor(spec.faults[action.a()].actors[action.b()]);
        break;
      case sim::ActionKind::step:
      case sim::ActionKind::lose_reply:
      case sim::ActionKind::restart:
      case sim::ActionKind::resume:
        add_actor(sim::ActorId{static_cast<std::uint8_t>(action.a())});
        for (const sim::ActorId id : event.touched) add_actor(id);
        break;
    }
    return actors;
  }

  const Subject& subject_;
  EventWords words_;
  Strings strings_;
  std::map<std::string, std::size_t> numbers_;
  std::deque<State> states_;  // a deque: references stay valid while it grows
};

const char* kind_word(sim::ActionKind kind) {
  switch (kind) {
    case sim::ActionKind::deliver: return "message";
    case sim::ActionKind::step:
    case sim::ActionKind::lose_reply: return "step";
    case sim::ActionKind::crash:
    case sim::ActionKind::cut:
    case sim::ActionKind::pause:
    case sim::ActionKind::stop: return "fault";
    case sim::ActionKind::restart:
    case sim::ActionKind::heal:
    case sim::ActionKind::resume: return "mending";
  }
  return "";
}

Json Graph::json() const {
  Json states = Json::array();
  for (const State& state : states_) {
    Json edges = Json::array();
    for (const Edge& edge : state.edges) {
      Json one = {edge.sentence, edge.clause, edge.target, kind_word(edge.action.kind())};
      if (edge.target != kBeyond) {
        const bool delivery = edge.action.kind() == sim::ActionKind::deliver;
        one.push_back(edge.actors);
        one.push_back(delivery ? static_cast<std::int64_t>(edge.action.a()) : kBeyond);
        one.push_back(edge.sent);
        one.push_back(edge.lost);
        one.push_back(edge.notes);
      }
      edges.push_back(std::move(one));
    }
    states.push_back({{"beliefs", state.beliefs},
                      {"truths", state.truths},
                      {"wrongs", state.wrongs},
                      {"edges", std::move(edges)}});
  }
  return states;
}

std::string actor_kind(const sim::Actor& actor) {
  if (dynamic_cast<const node::Node*>(&actor) != nullptr) return "node";
  if (dynamic_cast<const oper::Operator*>(&actor) != nullptr) return "operator";
  return "client";
}

Json explanation_json(const std::optional<PageExplanation>& explanation) {
  if (!explanation) return Json();
  Json orderings = Json::array();
  for (const PageExplanation::Ordering& each : explanation->orderings) {
    orderings.push_back({{"before", each.before}, {"after", each.after}, {"text", each.text}});
  }
  return {{"property", explanation->property},
          {"violation", explanation->violation},
          {"why", explanation->why},
          {"no_return", explanation->no_return ? Json(*explanation->no_return) : Json()},
          {"orderings", std::move(orderings)}};
}

}  // namespace

Json page_data(const Subject& subject, const std::vector<sim::Action>& run,
               const PageOptions& options) {
  Graph graph(subject);
  sim::World world(subject.system);
  std::size_t state = graph.add(world);
  Json path = Json::array();
  for (const sim::Action action : run) {
    const std::size_t edge = graph.follow(state, action);
    path.push_back(edge);
    state = static_cast<std::size_t>(graph.state(state).edges[edge].target);
  }
  graph.grow(options.branch_states_max);

  Json data;
  data["format"] = "slotlab-page/1";
  data["title"] = subject.title;
  data["subject"] = subject.name;
  data["dialect"] = subject.dialect;
  data["origin"] = options.origin;
  data["actors"] = Json::array();
  const sim::SystemSpec& spec = subject.system->spec();
  for (std::size_t i = 0; i < spec.actors.size(); ++i) {
    data["actors"].push_back({{"name", spec.names[i]}, {"kind", actor_kind(*spec.actors[i])}});
  }
  data["links"] = Json::array();
  for (const sim::LinkSpec& link : spec.links) {
    data["links"].push_back({sim::index(link.from), sim::index(link.to)});
  }
  data["properties"] = Json::array();
  for (const sim::Property& property : subject.properties) {
    data["properties"].push_back({{"name", property.name}, {"mood", mood_word(property.mood)}});
  }
  data["run"] = std::move(path);
  data["explanation"] = explanation_json(options.explanation);
  data["states"] = graph.json();
  data["strings"] = graph.strings().texts();
  return data;
}

std::string page_text(const Json& data) {
  const std::string json = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string escaped;
  escaped.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      escaped += "\\u003c";
    } else {
      escaped += c;
    }
  }
  constexpr std::string_view kPlace = "SLOTLAB_DATA";
  const std::string_view page = page_template();
  const std::size_t at = page.find(kPlace);
  SIM_ASSERT(at != std::string_view::npos, std::string("the page has no place for its data"));
  std::string text(page.substr(0, at));
  text += escaped;
  text += page.substr(at + kPlace.size());
  return text;
}

}  // namespace slotlab::cli
