// What the parts of the command line share: the words as typed, and how values are read from them.
// Inside arguments*.cc only.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"

namespace slotlab::cli {

// Flags as typed, before anything is made of them.
struct Typed {
  std::string threads, reductions, max_depth, max_states, memory, time;
  std::string seed, steps, driver;
  std::string dialect, trace, checkpoint, checkpoint_every, resume, spill;
  std::string live, random, jobs, save;
  std::vector<std::string> slots;
  std::string subject;
  std::vector<std::string> paths;
  std::string topic;
  std::string out, property, first_seed, seeds, goal, format, junit, sarif, commands, show;
  std::string repair, process;
  std::vector<std::string> keep;
  bool json = false, quiet = false;
  bool list_scenarios = false, list_properties = false, list_faults = false,
       list_dialects = false, list_textbook = false;
};

void add_json(CLI::App& verb, Typed& typed);
void add_search(CLI::App& verb, Typed& typed);
void add_dialect(CLI::App& verb, Typed& typed);
void add_trace(CLI::App& verb, Typed& typed);

// `typed` if it is one of `candidates`, `otherwise` if nothing was typed.
std::string chosen(std::string_view flag, const std::string& typed, std::string otherwise,
                   const std::vector<std::string>& candidates);
std::optional<std::string> if_given(const CLI::App& verb, const std::string& flag,
                                    const std::string& typed);
unsigned default_threads();  // one per processor
SearchOptions search_options(const CLI::App& verb, const Typed& typed);

// The verbs that find runs and say why: arguments_why.cc.
void add_server_verbs(CLI::App& app, Typed& typed);
void add_why_verbs(CLI::App& app, Typed& typed);
void add_teach_verbs(CLI::App& app, Typed& typed);
// Nothing if the verb is none of these.
std::optional<Arguments> server_arguments(const CLI::App& verb, const Typed& typed);
std::optional<Arguments> teach_arguments(const CLI::App& verb, const Typed& typed);
Arguments why_arguments(const CLI::App& verb, const Typed& typed);

}  // namespace slotlab::cli
