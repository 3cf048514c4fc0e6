// The command lines of the verbs that have to do with real servers: held to what they answer, begun
// where they stand.
#include "cli/argument_parts.h"
#include "cli/input_error.h"
#include "cli/quantities.h"

namespace slotlab::cli {
namespace {

void add_conform(CLI::App& app, Typed& typed) {
  CLI::App& verb =
      *app.add_subcommand("conform", "virtual nodes against transcripts of real servers");
  verb.add_option("TRANSCRIPT", typed.paths, "recorded transcripts, and folders of them");
  verb.add_option("--live", typed.live,
                  "compare with this server binary, started on loopback ports, instead of with "
                  "what was recorded")
      ->type_name("BINARY");
  verb.add_option("--random", typed.random, "besides, N transcripts drawn from seeds; needs --live")
      ->type_name("N");
  verb.add_option("--steps", typed.steps, "steps of a drawn transcript (default: 30)")
      ->type_name("N");
  verb.add_option("--seed", typed.seed,
                  "of latencies and timers, and the first of drawn transcripts (default: 1)")
      ->type_name("N");
  verb.add_option("--jobs", typed.jobs,
                  "transcripts at a time, 1 to 64 (default: 1, with --live 4)")
      ->type_name("N");
  verb.add_option("--save", typed.save,
                  "save drawn transcripts that differ, with the servers' answers, to this folder")
      ->type_name("FOLDER");
  add_dialect(verb, typed);
  add_json(verb, typed);
}

void add_import(CLI::App& app, Typed& typed) {
  CLI::App& verb = *app.add_subcommand(
      "import", "CLUSTER NODES texts of a real cluster become the start of a scenario");
  verb.add_option("NODES", typed.paths, "files with CLUSTER NODES texts, one for each node")
      ->required();
  verb.add_option("--slots", typed.slots,
                  "the slots to tell apart: 7, 100-103 (default: those "
                  "that are open or that the texts disagree about)")
      ->type_name("SLOT");
  verb.add_option("-o,--out", typed.out, "the scenario file (default: standard output)")
      ->type_name("FILE");
  add_dialect(verb, typed);
}

std::uint64_t count_if_given(const CLI::App& verb, const std::string& flag,
                             const std::string& typed, std::uint64_t otherwise, std::uint64_t min,
                             std::uint64_t max) {
  return verb.get_option(flag)->count() == 0 ? otherwise : parse_count(flag, typed, min, max);
}

ConformOptions conform_options(const CLI::App& verb, const Typed& typed) {
  ConformOptions conform{.paths = typed.paths,
                         .dialect = if_given(verb, "--dialect", typed.dialect),
                         .live = if_given(verb, "--live", typed.live),
                         .save = if_given(verb, "--save", typed.save),
                         .json = typed.json};
  conform.seed = count_if_given(verb, "--seed", typed.seed, 1, 0, UINT64_MAX);
  conform.random = count_if_given(verb, "--random", typed.random, 0, 1, 1'000'000);
  conform.steps = count_if_given(verb, "--steps", typed.steps, 30, 1, 10'000);
  const unsigned otherwise = conform.live ? 4 : 1;
  conform.jobs =
      static_cast<unsigned>(count_if_given(verb, "--jobs", typed.jobs, otherwise, 1, 64));
  if (conform.random > 0 && !conform.live) {
    throw InputError("conform: --random needs --live BINARY, real servers to compare with");
  }
  if (conform.save && conform.random == 0) {
    throw InputError("conform: --save is for drawn transcripts, expected --random N as well");
  }
  if (conform.random == 0 && conform.paths.empty()) {
    throw InputError("conform: expected a TRANSCRIPT, a folder of them, or --random N");
  }
  return conform;
}

}  // namespace

void add_server_verbs(CLI::App& app, Typed& typed) {
  add_conform(app, typed);
  add_import(app, typed);
}

std::optional<Arguments> server_arguments(const CLI::App& verb, const Typed& typed) {
  if (verb.get_name() == "conform") return conform_options(verb, typed);
  if (verb.get_name() != "import") return std::nullopt;
  return ImportOptions{.files = typed.paths,
                       .dialect = if_given(verb, "--dialect", typed.dialect).value_or("redis-7.0"),
                       .slots = typed.slots,
                       .out = if_given(verb, "--out", typed.out)};
}

}  // namespace slotlab::cli
