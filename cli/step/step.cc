// `slotlab step`: a person chooses the next event, goes back, looks at what each node believes. In
// a terminal it asks; from a pipe, or with --do, it reads the same commands and repeats each before
// its answer, so that the output can be read alone.
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <sstream>

#include "cli/input_error.h"
#include "cli/output.h"
#include "cli/step/session.h"
#include "cli/step/talk.h"
#include "cli/trace_run.h"
#include "cli/verbs.h"
#include "sim/drive/replay.h"

namespace slotlab::cli {
namespace {

// The commands of --do: parted by semicolons.
std::vector<std::string> commands_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream parts(text);
  for (std::string line; std::getline(parts, line, ';');) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    lines.push_back(line.substr(begin, line.find_last_not_of(" \t") + 1 - begin));
  }
  return lines;
}

// Commands that nobody types while reading the answers. Wrong ones are told, and spoil the status.
ExitStatus read_script(Talk& talk, const std::function<bool(std::string&)>& next_line) {
  bool all_right = true;
  std::string line;
  while (next_line(line)) {
    const Heard heard = talk.hear(line);
    write_out(fmt::format("\n> {}\n", line));
    write_out(heard.text);
    all_right = all_right && !heard.wrong;
    if (heard.quit) break;
  }
  return all_right ? ExitStatus::as_expected : ExitStatus::bad_input;
}

ExitStatus read_terminal(Talk& talk) {
  std::string line;
  for (;;) {
    write_out("> ");
    if (!std::getline(std::cin, line)) {
      write_out("\n");
      return ExitStatus::as_expected;
    }
    const Heard heard = talk.hear(line);
    write_out(heard.text);
    if (heard.quit) return ExitStatus::as_expected;
  }
}

Subject subject_to_step(const StepOptions& options, std::optional<sim::Trace>& trace) {
  if (is_trace_file(options.subject)) {
    if (options.dialect) {
      throw InputError("--dialect: a trace has its own dialect; expected a scenario file");
    }
    trace = read_trace_file(options.subject);
    if (is_textbook(trace->scenario_path)) {
      throw InputError(fmt::format("step: {} is a run of a textbook model, expected one of a "
                                   "scenario",
                                   options.subject));
    }
    return subject_of(*trace, "none");
  }
  if (is_textbook(options.subject)) {
    throw InputError(fmt::format("step: '{}' is a textbook model, expected a scenario file",
                                 options.subject));
  }
  return load_subject(options.subject, options.dialect, "none");
}

}  // namespace

ExitStatus step(const StepOptions& options) {
  std::optional<sim::Trace> trace;
  const Subject subject = subject_to_step(options, trace);
  Session session(subject);
  if (trace) {
    const std::vector<std::string> sentences = sim::sentences_of(*trace);
    const std::size_t taken = session.follow(sentences);
    if (taken < sentences.size()) {
      throw InputError(fmt::format("{}: event {} is not possible: {}",
                                   place_of(options.subject, taken), taken + 1,
                                   sentences[taken]));
    }
    session.go_to(0);
  }
  Talk talk(session);
  write_out(talk.greeting());
  if (trace) {
    write_out(fmt::format("      (the trace lies ahead: goto 1 to {})\n", session.known()));
  }
  if (options.commands) {
    const std::vector<std::string> commands = commands_in(*options.commands);
    std::size_t next = 0;
    return read_script(talk, [&](std::string& line) {
      if (next == commands.size()) return false;
      line = commands[next++];
      return true;
    });
  }
  if (::isatty(STDIN_FILENO) != 0) return read_terminal(talk);
  return read_script(talk, [](std::string& line) {
    return static_cast<bool>(std::getline(std::cin, line));
  });
}

}  // namespace slotlab::cli
