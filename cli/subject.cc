// See subject.h.
#include "cli/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "cli/input_error.h"
#include "cli/suggest.h"
#include "models/protocol/dialect.h"
#include "models/scenario/build.h"
#include "models/scenario/load.h"
#include "models/scenario/rename.h"
#include "models/scenario/tree.h"
#include "models/textbook/textbook.h"
#include "sim/check/similar_space.h"
#include "sim/check/tuple_space.h"
#include "sim/system/split.h"
#include "sim/trace/trace_words.h"

namespace slotlab::cli {
namespace {

constexpr std::string_view kTextbook = "textbook:";

sim::Verdict expected_verdict(scenario::Expectation expectation) {
  switch (expectation) {
    case scenario::Expectation::holds:
    case scenario::Expectation::reached:
      return sim::Verdict::holds;
    case scenario::Expectation::violated:
    case scenario::Expectation::not_reached:
      return sim::Verdict::violated;
  }
  return sim::Verdict::holds;
}

// The scenario's own dialects come with expectations; any other that exists can be checked without.
bool is_own_dialect(const scenario::Scenario& scenario, const std::optional<std::string>& dialect) {
  if (!dialect) return true;
  const auto& own = scenario.dialects;
  const auto named = [&](const auto& name) { return name.value == *dialect; };
  if (std::any_of(own.begin(), own.end(), named)) return true;
  if (!protocol::dialect_named(*dialect)) {
    throw InputError(fmt::format("--dialect: there is no '{}'{}", *dialect,
                                 suggestion(*dialect, protocol::dialect_names())));
  }
  return false;
}

// The text of a scenario file, or an error that names the verb for what it is instead.
std::string scenario_text_of(const std::string& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) {
    throw InputError(fmt::format(
        "{}: it is a folder, expected a scenario file; 'slotlab test' checks folders", path));
  }
  std::string text = scenario::read_file(path);
  if (text.starts_with(sim::kTraceMagic)) {
    throw InputError(fmt::format(
        "{}: it is a saved run, expected a scenario file; 'slotlab replay' shows saved runs",
        path));
  }
  return text;
}

Subject textbook_subject(const std::string& what, const std::optional<std::string>& dialect,
                         const std::string& reductions) {
  if (dialect) {
    throw InputError(fmt::format("--dialect: '{}' is a textbook model, which has none", what));
  }
  Subject subject;
  subject.name = what;
  subject.title = what;
  subject.must_reach = false;
  subject.reductions = reductions == "default" ? "none" : reductions;
  for (const char* each : {"lasting", "similar", "split"}) {
    if (!subject.reduces(each)) continue;
    throw InputError(fmt::format("--reductions: {} is for scenarios, and '{}' is a textbook model; "
                                 "expected none, or some of inert, symmetry, por", each,
                                 what));
  }
  subject.settings.emplace_back("reductions", subject.reductions);
  const std::string spec = what.substr(kTextbook.size());
  if (subject.reduces("symmetry")) {
    subject.settings.emplace_back("interchangeable", "nothing");
  }
  subject.full_space = [spec] { return textbook::make_textbook_space(spec); };
  try {
    subject.space = textbook::make_textbook_space(
        spec, {.drop_inert = subject.reduces("inert"),
               .deliver_early = subject.reduces("por")});
  } catch (const std::invalid_argument& error) {
    throw InputError(fmt::format("{}{}", kTextbook, error.what()));
  }
  return subject;
}

// A search of the system for these reductions.
Subject::Part part_of(const sim::Part& part, const std::vector<sim::Property>& properties,
                      sim::TupleSpaceOptions options, bool similar) {
  return {part.name, [=](const std::function<bool()>& go_on) -> std::unique_ptr<sim::Space> {
            if (similar) return std::make_unique<sim::SimilarSpace>(part.system, properties, go_on);
            return std::make_unique<sim::TupleSpace>(part.system, properties, options);
          }};
}

// The searches that stand for that of the whole system; see docs/reductions.md.
void add_parts(Subject& subject, const scenario::Built& built) {
  const bool lasting = subject.reduces("lasting");
  const bool split = subject.reduces("split");
  if (!lasting && !split) return;
  const auto make = [properties = built.properties, similar = subject.reduces("similar"),
                     options = sim::TupleSpaceOptions{.drop_inert = subject.reduces("inert"),
                                                      .lasting = lasting}](const sim::Part& part) {
    return part_of(part, properties, options, similar);
  };
  const auto cut = split && lasting ? sim::one_cut_rule(*built.system) : std::nullopt;
  const auto systems = split ? sim::split_by_crash(built.system)
                             : std::vector<sim::Part>{{"", built.system}};
  for (const sim::Part& part : systems) {
    if (!cut) {
      subject.parts.push_back(make(part));
      continue;
    }
    // Without cuts first. It tells which cuts can be told, and these get a search each.
    subject.parts.push_back(
        make({part.name, with_only(*part.system, *cut, sim::FaultRule::kNoTarget)}));
    subject.parts.back().more = [part, cut, make](const sim::Space& searched) {
      std::vector<Subject::Part> more;
      const auto& pairs = part.system->spec().faults[*cut].pairs;
      for (std::uint32_t target = 0; target < pairs.size(); ++target) {
        const auto [a, b] = pairs[target];
        if (!searched.shows_cuts(a, b)) continue;
        more.push_back(make({part.name, with_only(*part.system, *cut, target)}));
      }
      return more;
    };
  }
  subject.ordinary = [system = built.system,
                      properties = built.properties](const std::vector<std::size_t>& which) {
    std::vector<sim::Property> some;
    for (const std::size_t each : which) some.push_back(properties[each]);
    return std::make_unique<sim::TupleSpace>(system, some,
                                             sim::TupleSpaceOptions{.drop_inert = true});
  };
}

Subject subject_of(const scenario::Scenario& scenario, const std::optional<std::string>& dialect,
                   const std::string& reductions) {
  Subject subject;
  const bool own = is_own_dialect(scenario, dialect);
  scenario::Built built = scenario::build(scenario, {.dialect = dialect.value_or("")});
  subject.name = scenario.file;
  subject.title = scenario.title;
  subject.dialect = built.dialect;
  subject.system = built.system;
  subject.properties = built.properties;
  subject.cast = built.cast;
  subject.expects_something = own;
  for (const scenario::Expectation expectation : built.expectations) {
    subject.expected.push_back(expected_verdict(expectation));
  }
  subject.settings = built.settings;
  const auto make_space = [system = built.system,
                           properties = built.properties](sim::TupleSpaceOptions options) {
    return std::make_unique<sim::TupleSpace>(system, properties, options);
  };
  subject.full_space = [make_space] { return make_space({}); };
  subject.reductions = reductions == "default" ? "inert" : reductions;
  subject.settings.emplace_back("reductions", subject.reductions);
  sim::TupleSpaceOptions options{.drop_inert = subject.reduces("inert"),
                                 .deliver_early = subject.reduces("por")};
  subject.unfolded_space = [make_space, options] { return make_space(options); };
  if (subject.reduces("symmetry")) options.symmetry = scenario::find_renamings(built);
  auto space = make_space(options);
  if (subject.reduces("symmetry")) {
    const std::string what = space->renamings_text();
    subject.settings.emplace_back("interchangeable", what.empty() ? "nothing" : what);
    subject.folds = !what.empty();
  }
  subject.space = std::move(space);
  add_parts(subject, built);
  return subject;
}

}  // namespace

void require_names(const std::string& reductions, const std::string& verb) {
  for (const char* each : {"symmetry", "por", "lasting", "similar", "split"}) {
    if (reductions.find(each) == std::string::npos) continue;
    throw InputError(fmt::format("--reductions: {} shows all orders of events, each state under "
                                 "its own names, which {} does not keep; expected inert or none",
                                 verb, each));
  }
}

bool is_textbook(const std::string& what) { return what.starts_with(kTextbook); }

Subject scenario_subject(const std::string& name, const std::string& text,
                         const std::optional<std::string>& dialect,
                         const std::string& reductions) {
  Subject subject = subject_of(scenario::load_text(text, name), dialect, reductions);
  subject.scenario_text = text;
  return subject;
}

Subject load_subject(const std::string& what, const std::optional<std::string>& dialect,
                     const std::string& reductions) {
  if (is_textbook(what)) return textbook_subject(what, dialect, reductions);
  return scenario_subject(what, scenario_text_of(what), dialect, reductions);
}

std::vector<std::string> dialects_of(const std::string& file) {
  std::vector<std::string> names;
  const scenario::Scenario scenario = scenario::load_text(scenario_text_of(file), file);
  for (const auto& dialect : scenario.dialects) names.push_back(dialect.value);
  return names;
}

}  // namespace slotlab::cli
