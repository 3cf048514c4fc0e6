// See why_not.h.
#include "cli/step/why_not.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <set>
#include <sstream>

#include "cli/quantities.h"

namespace slotlab::cli {
namespace {

constexpr std::size_t kLinesMax = 8;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

sim::ActorId actor_id(std::size_t number) {
  return sim::ActorId{static_cast<std::uint8_t>(number)};
}

const char* status_text(sim::Status status) {
  switch (status) {
    case sim::Status::up: return "up";
    case sim::Status::paused: return "paused";
    case sim::Status::down: return "down";
    case sim::Status::gone: return "down for good";
  }
  return "";
}

struct Asked {
  const sim::World& world;
  const std::string& words;
  std::vector<std::string> lines;

  const sim::System& system() const { return world.system(); }
  const sim::Environment& env() const { return world.environment(); }
  sim::Status status(sim::ActorId id) const { return env().status[sim::index(id)]; }
  bool matches(const std::string& sentence) const { return has_words(sentence, words); }
  void say(const std::string& sentence, const std::string& reason) {
    lines.push_back(fmt::format("not possible: {}: {}", sentence, reason));
  }
};

// Why the two cannot reach each other.
std::string apart_text(const Asked& asked, sim::ActorId from, sim::ActorId to) {
  if (asked.status(to) != sim::Status::up) {
    return fmt::format("{} is {}", asked.system().name(to), status_text(asked.status(to)));
  }
  return fmt::format("{} and {} are cut off from each other", asked.system().name(from),
                     asked.system().name(to));
}

std::string offer_reason(const Asked& asked, sim::ActorId id, const sim::Offer& offer) {
  const sim::System& system = asked.system();
  if (asked.status(id) != sim::Status::up) {
    return fmt::format("{} is {}", system.name(id), status_text(asked.status(id)));
  }
  if (offer.budget != sim::kNoBudget) {
    const sim::StepBudget& budget = system.spec().step_budgets[offer.budget];
    if (asked.env().steps_spent[offer.budget] >= budget.at_most) {
      return fmt::format("the scenario allows {} {}, and that is spent", budget.at_most,
                         budget.name);
    }
  }
  if (offer.need == sim::Need::unreachable) {
    return fmt::format("{} can be reached", system.name(offer.peer));
  }
  if (offer.need == sim::Need::room && system.connected(asked.env(), id, offer.peer)) {
    return "a message from before is still on its way there, and the scenario allows no more";
  }
  if (offer.also_reachable != sim::kNoActor &&
      system.reachable(asked.env(), id, offer.peer)) {
    return apart_text(asked, id, offer.also_reachable);
  }
  return apart_text(asked, id, offer.peer);
}

void ask_steps(Asked& asked) {
  for (std::size_t a = 0; a < asked.system().actor_count(); ++a) {
    const sim::ActorId id = actor_id(a);
    std::vector<sim::Offer> offers;
    asked.world.actor(id).offers(offers);
    for (const sim::Offer& offer : offers) {
      const std::string sentence =
          asked.system().name(id) + " " + asked.world.actor(id).step_text(offer.code);
      const auto action =
          sim::Action::make(sim::ActionKind::step, static_cast<std::uint32_t>(a), offer.code);
      if (!asked.matches(sentence) || asked.world.is_possible(action)) continue;
      asked.say(sentence, offer_reason(asked, id, offer));
    }
  }
}

void ask_links(Asked& asked) {
  for (sim::LinkId link = 0; link < asked.system().link_count(); ++link) {
    const auto& queue = asked.world.link(link);
    const sim::LinkSpec& spec = asked.system().spec().links[link];
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::string sentence = asked.system().describe_delivery(
          link, asked.world.actor(spec.to).message_text(*queue[i]));
      if (!asked.matches(sentence)) continue;
      if (asked.status(spec.to) != sim::Status::up) {
        asked.say(sentence, fmt::format("{} is {}", asked.system().name(spec.to),
                                        status_text(asked.status(spec.to))));
      } else if (i > 0) {
        asked.say(sentence, fmt::format("{} sent before it on the same link must arrive first",
                                        counted(i, "message")));
      }
    }
  }
}

// Why the fault cannot befall this target, though its rule may be used.
std::string target_reason(const Asked& asked, const sim::FaultRule& rule, std::size_t target) {
  if (rule.kind == sim::FaultKind::cut) return "the links are cut already";
  const sim::ActorId id = rule.actors[target];
  if (asked.status(id) != sim::Status::up) {
    return fmt::format("{} is {} already", asked.system().name(id),
                       status_text(asked.status(id)));
  }
  return fmt::format("{} has nothing left to stop", asked.system().name(id));
}

std::string rule_reason(const Asked& asked, std::size_t number, std::size_t target) {
  const sim::FaultRule& rule = asked.system().spec().faults[number];
  if (asked.env().spent[number] >= rule.at_most) {
    return fmt::format("the scenario allows {} {}, and that is spent", rule.at_most, rule.name);
  }
  if (rule.window) {
    const std::uint32_t at = asked.world.actor(rule.window->actor).phase();
    const std::string& who = asked.system().name(rule.window->actor);
    if (at < rule.window->first) {
      return fmt::format("too early: the scenario allows \"{}\", and {} is not that far", rule.name,
                         who);
    }
    if (at > rule.window->last) {
      return fmt::format("too late: the scenario allows \"{}\", and {} is past that", rule.name,
                         who);
    }
  }
  return target_reason(asked, rule, target);
}

void ask_faults(Asked& asked) {
  const auto& rules = asked.system().spec().faults;
  for (std::uint32_t number = 0; number < rules.size(); ++number) {
    const sim::FaultRule& rule = rules[number];
    sim::ActionKind kind = sim::ActionKind::crash;
    switch (rule.kind) {
      case sim::FaultKind::crash: kind = sim::ActionKind::crash; break;
      case sim::FaultKind::cut: kind = sim::ActionKind::cut; break;
      case sim::FaultKind::pause: kind = sim::ActionKind::pause; break;
      case sim::FaultKind::stop: kind = sim::ActionKind::stop; break;
      case sim::FaultKind::lose_reply: continue;  // a variant of a step, not an event of its own
    }
    const std::size_t targets =
        rule.kind == sim::FaultKind::cut ? rule.pairs.size() : rule.actors.size();
    for (std::uint32_t target = 0; target < targets; ++target) {
      const auto action = sim::Action::make(kind, number, target);
      const std::string sentence = asked.system().describe_fault(action);
      if (!asked.matches(sentence) || asked.world.is_possible(action)) continue;
      asked.say(sentence, rule_reason(asked, number, target));
    }
  }
}

void ask_mendings(Asked& asked) {
  for (std::size_t a = 0; a < asked.system().actor_count(); ++a) {
    const auto restart =
        sim::Action::make(sim::ActionKind::restart, static_cast<std::uint32_t>(a));
    const std::string sentence = asked.system().describe_fault(restart);
    if (!asked.matches(sentence) || asked.world.is_possible(restart)) continue;
    const sim::Status status = asked.status(actor_id(a));
    asked.say(sentence, status == sim::Status::gone
                            ? fmt::format("{} is down for good: the scenario says it never "
                                          "restarts",
                                          asked.system().name(actor_id(a)))
                            : fmt::format("{} is {}, not down", asked.system().name(actor_id(a)),
                                          status_text(status)));
  }
}

// What would have to happen first: the shortest run from here to an event with these words.
std::string way_to(const sim::World& from, const std::string& words, std::size_t states_max) {
  struct Visit {
    sim::World world;
    std::vector<std::string> way;
  };
  std::deque<Visit> frontier;
  std::set<std::string> seen{from.canonical()};
  frontier.push_back({from, {}});
  bool complete = true;
  for (; !frontier.empty(); frontier.pop_front()) {
    const Visit& visit = frontier.front();
    for (const sim::Action action : visit.world.possible()) {
      const std::string sentence = visit.world.describe(action);
      if (has_words(sentence, words)) {
        std::string text = fmt::format("comes about as \"{}\" after {}:", sentence,
                                       counted(visit.way.size(), "event"));
        for (const std::string& event : visit.way) text += "\n    " + event;
        return text;
      }
      if (seen.size() >= states_max) {
        complete = false;
        continue;
      }
      Visit next{visit.world, visit.way};
      next.world.take(action);
      if (!seen.insert(next.world.canonical()).second) continue;
      next.way.push_back(sentence);
      frontier.push_back(std::move(next));
    }
  }
  if (complete) return "no continuation from here has such an event";
  return fmt::format("no such event in the nearest {} that can follow",
                     counted(states_max, "state"));
}

}  // namespace

bool has_words(const std::string& sentence, const std::string& words) {
  // Blanks around both, so that "A" is found in "A crashes" and not in "MIGRATING".
  std::string text = " " + lower(sentence) + " ";
  std::replace(text.begin(), text.end(), ':', ' ');
  std::istringstream each(lower(words));
  for (std::string word; each >> word;) {
    std::replace(word.begin(), word.end(), ':', ' ');
    while (!word.empty() && word.back() == ' ') word.pop_back();
    if (text.find(" " + word + " ") == std::string::npos) return false;
  }
  return true;
}

std::vector<std::string> why_not(const Session& session, const std::string& words,
                                 std::size_t look_ahead_states) {
  Asked asked{session.world(), words, {}};
  for (const sim::Action action : session.world().possible()) {
    const std::string sentence = session.world().describe(action);
    if (asked.matches(sentence)) asked.lines.push_back("possible now: " + sentence);
  }
  const bool possible = !asked.lines.empty();
  ask_steps(asked);
  ask_links(asked);
  ask_faults(asked);
  ask_mendings(asked);
  for (std::size_t i = 0; i < session.at() && asked.lines.size() < kLinesMax; ++i) {
    const std::string& sentence = session.story().events[i].text;
    if (asked.matches(sentence)) {
      asked.lines.push_back(fmt::format("happened as event {}: {}", i + 1, sentence));
    }
  }
  if (asked.lines.size() > kLinesMax) {
    const std::size_t more = asked.lines.size() - kLinesMax;
    asked.lines.resize(kLinesMax);
    asked.lines.push_back(fmt::format("and {} more; more words tell them apart", more));
  }
  if (!possible) asked.lines.push_back(way_to(session.world(), words, look_ahead_states));
  return asked.lines;
}

}  // namespace slotlab::cli
