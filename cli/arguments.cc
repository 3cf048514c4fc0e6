// See arguments.h. CLI11 reads the words; every value with a meaning is judged here, so that all
// errors have one voice and name what was expected.
#include "cli/arguments.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/argument_parts.h"
#include "cli/input_error.h"
#include "cli/quantities.h"
#include "cli/suggest.h"

namespace slotlab::cli {

const std::vector<std::string> kReductions = {"inert",   "symmetry", "por",
                                              "lasting", "similar",  "split"};
const std::vector<std::string> kDrivers = {"timed", "random"};
const std::vector<std::string> kTopics = {"scenarios", "properties", "faults", "dialects",
                                          "textbook"};

namespace {

constexpr const char* kVersion = "slotlab 0.1.0";
constexpr const char* kFooter =
    "Exit status:\n"
    "  0   everything holds, or came out as the scenario expects\n"
    "  1   something is violated, or did not come out as expected\n"
    "  2   bad input: a file, trace, flag or value that cannot be used\n"
    "  3   inconclusive: a bound or Ctrl-C ended the search before an answer was found\n"
    "  70  a fault of slotlab's own\n";

}  // namespace

void add_json(CLI::App& verb, Typed& typed) {
  verb.add_flag("--json", typed.json, "print one JSON object (docs/json.md)");
}

void add_search(CLI::App& verb, Typed& typed) {
  verb.add_option("--threads", typed.threads,
                  "threads that search, 1 to 64 (default: one per processor); no result "
                  "depends on it")
      ->type_name("N");
  verb.add_option("--reductions", typed.reductions,
                  "what may be left out of the search; a verdict becomes inconclusive rather than "
                  "wrong: none, or some of inert, symmetry, por, lasting, similar, split joined by "
                  "'+' (default: inert for scenarios, none for textbook models)")
      ->type_name("NAME");
  verb.add_option("--max-depth", typed.max_depth, "look no farther than N events from the start")
      ->type_name("N");
  verb.add_option("--max-states", typed.max_states, "give up after N distinct states")
      ->type_name("N");
  verb.add_option("--memory", typed.memory, "give up before using more memory: 512M, 4G")
      ->type_name("SIZE");
  verb.add_option("--time", typed.time, "give up after this long: 60s, 5m, 2h")->type_name("TIME");
}

void add_dialect(CLI::App& verb, Typed& typed) {
  verb.add_option("--dialect", typed.dialect,
                  "the server version to check, instead of the scenario's own")
      ->type_name("NAME");
}

void add_trace(CLI::App& verb, Typed& typed) {
  verb.add_option("--trace", typed.trace, "save the run to FILE, for slotlab replay")
      ->type_name("FILE");
}

namespace {

void add_checkpoint(CLI::App& verb, Typed& typed) {
  verb.add_option("--checkpoint", typed.checkpoint,
                  "save the search to FILE now and then, and when a bound or Ctrl-C ends it")
      ->type_name("FILE");
  verb.add_option("--checkpoint-every", typed.checkpoint_every,
                  "time between two checkpoints (default: 60s)")
      ->type_name("TIME");
  verb.add_option("--spill", typed.spill,
                  "with --memory: put waiting states into a nameless file in FOLDER when memory "
                  "runs short")
      ->type_name("FOLDER");
  verb.add_option("--resume", typed.resume,
                  "go on from a checkpoint, and save to it again unless --checkpoint names another")
      ->type_name("FILE");
}

void add_check(CLI::App& app, Typed& typed) {
  CLI::App& verb = *app.add_subcommand("check", "search every ordering; verdicts, shortest run");
  verb.add_option("SUBJECT", typed.subject, "a scenario file, or textbook:SPEC")->required();
  add_search(verb, typed);
  add_checkpoint(verb, typed);
  add_dialect(verb, typed);
  add_trace(verb, typed);
  verb.add_option("--show", typed.show,
                  "whose run to show and save (default: the first property that is violated)")
      ->type_name("PROPERTY");
  add_json(verb, typed);
  verb.add_flag("--quiet", typed.quiet, "print the verdicts only, show no progress");
}

void add_run(CLI::App& app, Typed& typed) {
  CLI::App& verb = *app.add_subcommand("run", "one run from a seed, as a readable timeline");
  verb.add_option("FILE", typed.subject, "a scenario file")->required();
  verb.add_option("--seed", typed.seed, "0 to 2^64-1 (default: 1)")->type_name("N");
  verb.add_option("--steps", typed.steps, "events at most (default: 200)")->type_name("N");
  verb.add_option("--driver", typed.driver, "who picks the next event: timed, random "
                                            "(default: timed)")
      ->type_name("NAME");
  add_dialect(verb, typed);
  add_trace(verb, typed);
  add_json(verb, typed);
}

void add_replay(CLI::App& app, Typed& typed) {
  CLI::App& verb = *app.add_subcommand("replay", "a saved run again, event by event");
  verb.add_option("TRACE", typed.subject, "a file that --trace saved")->required();
  add_json(verb, typed);
}

void add_test(CLI::App& app, Typed& typed) {
  CLI::App& verb = *app.add_subcommand("test", "all scenarios against what they expect");
  verb.add_option("PATH", typed.paths, "scenario files, and folders of them (default: scenarios)");
  add_search(verb, typed);
  verb.add_option("--junit", typed.junit, "write the results to FILE as JUnit XML")
      ->type_name("FILE");
  verb.add_option("--sarif", typed.sarif, "write what is not as expected to FILE as SARIF")
      ->type_name("FILE");
  add_json(verb, typed);
}

void add_list(CLI::App& app, Typed& typed) {
  CLI::App& verb = *app.add_subcommand("list", "what there is, each with a line");
  verb.add_flag("--scenarios", typed.list_scenarios, "the scenarios below scenarios/");
  verb.add_flag("--properties", typed.list_properties, "what can be asked to hold");
  verb.add_flag("--faults", typed.list_faults, "what can go wrong");
  verb.add_flag("--dialects", typed.list_dialects, "the rules, and which server version has which");
  verb.add_flag("--textbook", typed.list_textbook, "models whose answers are known");
  add_json(verb, typed);
}

}  // namespace

std::string chosen(std::string_view flag, const std::string& typed, std::string otherwise,
                   const std::vector<std::string>& candidates) {
  if (typed.empty()) return otherwise;
  if (std::find(candidates.begin(), candidates.end(), typed) == candidates.end()) {
    throw InputError(fmt::format("{}: there is no '{}'{}", flag, typed,
                                 suggestion(typed, candidates)));
  }
  return typed;
}

std::optional<std::string> if_given(const CLI::App& verb, const std::string& flag,
                                    const std::string& typed) {
  if (verb.get_option(flag)->count() == 0) return std::nullopt;
  return typed;
}

// Some of kReductions joined by '+', in any order; given back in the order of the list.
std::string reductions_of(const std::string& typed) {
  if (typed == "default") return typed;
  if (typed == "none") return typed;
  std::vector<std::string> known = kReductions;
  known.insert(known.end(), {"none", "default"});
  std::vector<std::string> parts{""};
  for (const char c : typed) {
    if (c == '+') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  std::string result;
  for (const std::string& part : parts) {
    if (std::find(kReductions.begin(), kReductions.end(), part) == kReductions.end()) {
      if (part == "none" || part == "default") {
        throw InputError(fmt::format("--reductions: '{}' stands alone, found '{}'", part, typed));
      }
      throw InputError(fmt::format("--reductions: there is no '{}'{}", part,
                                   suggestion(part, known)));
    }
  }
  for (const std::string& each : kReductions) {
    if (std::find(parts.begin(), parts.end(), each) == parts.end()) continue;
    result += (result.empty() ? "" : "+") + each;
  }
  const auto has = [&](const char* part) { return result.find(part) != std::string::npos; };
  if (has("symmetry") && has("por")) {
    throw InputError("--reductions: symmetry and por exclude each other; expected one of them");
  }
  if (has("por") && !has("inert")) {
    throw InputError("--reductions: por goes with inert only; expected inert+por");
  }
  if ((has("symmetry") || has("por")) && (has("lasting") || has("similar") || has("split"))) {
    throw InputError(
        "--reductions: lasting, similar and split go with inert only; expected some of "
        "inert+lasting+similar+split");
  }
  if (has("lasting") && !has("inert")) {
    throw InputError("--reductions: lasting goes with inert only; expected inert+lasting");
  }
  if (has("similar") && !has("lasting")) {
    throw InputError(
        "--reductions: similar goes with lasting only; expected inert+lasting+similar");
  }
  return result;
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::path(a).lexically_normal() ==
             std::filesystem::path(b).lexically_normal() ||
         std::filesystem::equivalent(a, b, ignored);
}

// No file may be written that is read as well, or that is written for another reason.
void require_apart(const CLI::App& verb) {
  std::vector<std::pair<std::string, std::string>> known;  // what it is, and its path
  for (const CLI::Option* option : verb.get_options()) {
    if (!option->get_positional()) continue;
    for (const std::string& path : option->results()) known.emplace_back("is what is read", path);
  }
  for (const char* flag : {"--trace", "--checkpoint", "--out", "--junit", "--sarif"}) {
    const CLI::Option* const option = verb.get_option_no_throw(flag);
    if (option == nullptr || option->count() == 0) continue;
    const std::string path = option->results().front();
    for (const auto& [what, other] : known) {
      if (!is_same_file(path, other)) continue;
      throw InputError(fmt::format("{}: {}: this file {}; expected another", flag, path, what));
    }
    known.emplace_back(fmt::format("is written by {} as well", flag), path);
  }
}

unsigned default_threads() {
  const long processors = ::sysconf(_SC_NPROCESSORS_ONLN);
  return static_cast<unsigned>(std::clamp(processors, 1L, 64L));
}

SearchOptions search_options(const CLI::App& verb, const Typed& typed) {
  SearchOptions search;
  search.threads = default_threads();
  if (verb.get_option("--threads")->count() > 0) {
    search.threads = static_cast<unsigned>(parse_count("--threads", typed.threads, 1, 64));
  }
  search.reductions = verb.get_option("--reductions")->count() > 0
                          ? reductions_of(typed.reductions)
                          : "default";
  if (verb.get_option("--max-depth")->count() > 0) {
    search.max_depth = static_cast<std::uint32_t>(
        parse_count("--max-depth", typed.max_depth, 0, UINT32_MAX - 1));
  }
  if (verb.get_option("--max-states")->count() > 0) {
    search.max_states = parse_count("--max-states", typed.max_states, 1, UINT64_MAX);
  }
  if (verb.get_option("--memory")->count() > 0) {
    search.memory_bytes = parse_bytes("--memory", typed.memory);
  }
  if (verb.get_option("--time")->count() > 0) {
    search.seconds = parse_seconds("--time", typed.time);
  }
  return search;
}

namespace {

SearchOptions resumable_options(const CLI::App& verb, const Typed& typed) {
  SearchOptions search = search_options(verb, typed);
  search.resume = if_given(verb, "--resume", typed.resume);
  search.checkpoint = if_given(verb, "--checkpoint", typed.checkpoint);
  if (!search.checkpoint) search.checkpoint = search.resume;
  search.spill = if_given(verb, "--spill", typed.spill);
  if (search.spill && !search.memory_bytes) {
    throw InputError("--spill: expected --memory SIZE beside it");
  }
  if (verb.get_option("--checkpoint-every")->count() > 0) {
    if (!search.checkpoint) {
      throw InputError("--checkpoint-every: expected --checkpoint FILE beside it");
    }
    search.checkpoint_seconds = parse_seconds("--checkpoint-every", typed.checkpoint_every);
  }
  return search;
}

std::string list_topic(const Typed& typed) {
  const bool flags[] = {typed.list_scenarios, typed.list_properties, typed.list_faults,
                        typed.list_dialects, typed.list_textbook};
  std::string topic;
  for (std::size_t i = 0; i < kTopics.size(); ++i) {
    if (!flags[i]) continue;
    if (!topic.empty()) {
      throw InputError(fmt::format("list: --{} and --{} at once, expected one topic or none", topic,
                                   kTopics[i]));
    }
    topic = kTopics[i];
  }
  return topic;
}

Arguments arguments_of(const CLI::App& verb, const Typed& typed) {
  const std::string& name = verb.get_name();
  if (name == "check") {
    return CheckOptions{.subject = typed.subject,
                        .search = resumable_options(verb, typed),
                        .dialect = if_given(verb, "--dialect", typed.dialect),
                        .trace = if_given(verb, "--trace", typed.trace),
                        .show = if_given(verb, "--show", typed.show),
                        .json = typed.json,
                        .quiet = typed.quiet};
  }
  if (name == "run") {
    RunOptions run{.file = typed.subject,
                   .driver = chosen("--driver", typed.driver, "timed", kDrivers),
                   .dialect = if_given(verb, "--dialect", typed.dialect),
                   .trace = if_given(verb, "--trace", typed.trace),
                   .json = typed.json};
    if (verb.get_option("--seed")->count() > 0) {
      run.seed = parse_count("--seed", typed.seed, 0, UINT64_MAX);
    }
    if (verb.get_option("--steps")->count() > 0) {
      run.steps = parse_count("--steps", typed.steps, 1, 1'000'000'000);
    }
    return run;
  }
  if (name == "replay") return ReplayOptions{.trace = typed.subject, .json = typed.json};
  if (name == "test") {
    TestOptions test{.paths = typed.paths,
                     .search = search_options(verb, typed),
                     .junit = if_given(verb, "--junit", typed.junit),
                     .sarif = if_given(verb, "--sarif", typed.sarif),
                     .json = typed.json};
    if (test.paths.empty()) test.paths = {"scenarios"};
    return test;
  }
  if (name == "list") return ListOptions{.topic = list_topic(typed), .json = typed.json};
  if (const auto arguments = server_arguments(verb, typed)) return *arguments;
  if (const auto arguments = teach_arguments(verb, typed)) return *arguments;
  return why_arguments(verb, typed);
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

const CLI::App* verb_of(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? nullptr : verbs.front();
}

// What is wrong with the first of `words` that nobody understood.
std::string stranger_text(const CLI::App& app, const std::vector<std::string>& strangers) {
  const CLI::App* verb = verb_of(app);
  const std::string& word = strangers.front();
  if (word.starts_with("-")) {
    const std::string flag = word.substr(0, word.find('='));
    return fmt::format("{}there is no flag '{}'{}", verb ? verb->get_name() + ": " : "", flag,
                       suggestion(flag, flags_of(verb ? *verb : app)));
  }
  if (verb != nullptr) {
    return fmt::format("{}: '{}' is one argument too many", verb->get_name(), word);
  }
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(each->get_name());
  }
  return fmt::format("there is no verb '{}'{}", word, suggestion(word, names));
}

std::string complaint_text(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* verb = verb_of(app);
  return fmt::format("{}{}", verb ? verb->get_name() + ": " : "", error.what());
}

}  // namespace

Arguments parse_arguments(const std::vector<std::string>& words) {
  Typed typed;
  CLI::App app("Tries every ordering of messages, operator steps and failures of a Redis Cluster\n"
               "slot migration, and says whether a slot can lose its owner.",
               "slotlab");
  app.set_version_flag("--version", kVersion);
  app.footer(kFooter);
  app.allow_extras();  // so that stranger_text can say what they might have meant
  add_check(app, typed);
  add_run(app, typed);
  add_replay(app, typed);
  add_test(app, typed);
  add_list(app, typed);
  add_server_verbs(app, typed);
  add_why_verbs(app, typed);
  add_teach_verbs(app, typed);
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) {
    verb->footer(kFooter);
    verb->allow_extras();
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForVersion&) {
    return Answer{fmt::format("{}\n", kVersion)};
  } catch (const CLI::CallForHelp&) {
    const CLI::App* verb = verb_of(app);
    return Answer{verb ? verb->help("slotlab") : app.help()};
  } catch (const CLI::ParseError& error) {
    const auto strangers = app.remaining(true);
    throw InputError(strangers.empty() ? complaint_text(app, error)
                                       : stranger_text(app, strangers));
  }
  const auto strangers = app.remaining(true);
  if (!strangers.empty()) throw InputError(stranger_text(app, strangers));
  const CLI::App* verb = verb_of(app);
  if (verb == nullptr) {
    throw InputError("no verb given; slotlab --help lists them");
  }
  require_apart(*verb);
  return arguments_of(*verb, typed);
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%+=:,./-_";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace slotlab::cli
